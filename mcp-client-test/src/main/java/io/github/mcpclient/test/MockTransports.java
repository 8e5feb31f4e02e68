package io.github.mcpclient.test;

import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpClientTransport;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Connects scripted servers in memory if they replace servers without a URL.
 */
record MockTransports(MockServers servers) implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof McpTransportFactory factory) ? new Redirecting(factory, this.servers) : bean;
	}

	private record Redirecting(McpTransportFactory factory, MockServers servers) implements McpTransportFactory {

		@Override
		public Set<String> types() {
			return this.factory.types();
		}

		@Override
		public McpClientTransport create(McpServerDefinition definition) {
			McpTestServer server = this.servers.find(definition.name());
			return (server != null && definition.http() == null) ? InMemoryMcpTransportFactory.connect(server)
					: this.factory.create(definition);
		}

	}

}
