package io.github.mcpclient.test;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.test.server.McpTestTransport;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpTransportException;
import reactor.core.publisher.Mono;

import org.springframework.util.Assert;

/**
 * Connects servers of type {@value #TYPE} to scripted servers in memory. A test without
 * {@link MockMcpServer} can define it as a bean or pass it to its own registry.
 */
public final class InMemoryMcpTransportFactory implements McpTransportFactory {

	/**
	 * The transport type.
	 */
	public static final String TYPE = "in-memory";

	private final Map<String, McpTestServer> servers;

	/**
	 * Create a factory.
	 * @param servers the scripted servers, by name of the application's server
	 */
	public InMemoryMcpTransportFactory(Map<String, McpTestServer> servers) {
		this.servers = Map.copyOf(servers);
	}

	@Override
	public Set<String> types() {
		return Set.of(TYPE);
	}

	@Override
	public McpClientTransport create(McpServerDefinition definition) {
		McpTestServer server = this.servers.get(definition.name());
		Assert.state(server != null, () -> "There is no scripted server '" + definition.name() + "'");
		return connect(server);
	}

	static McpClientTransport connect(McpTestServer server) {
		return new InMemoryTransport(server.transport());
	}

	/**
	 * Signals the end of its connection immediately, as built-in transports do.
	 */
	private static final class InMemoryTransport implements SupervisedTransport {

		private final McpTestTransport transport;

		private InMemoryTransport(McpTestTransport transport) {
			this.transport = transport;
		}

		@Override
		public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
			return this.transport.connect(handler).onErrorMap(InMemoryTransport::failure);
		}

		@Override
		public Mono<Void> sendMessage(JSONRPCMessage message) {
			return this.transport.sendMessage(message).onErrorMap(InMemoryTransport::failure);
		}

		@Override
		public Mono<Void> termination() {
			return this.transport.termination().onErrorMap(InMemoryTransport::failure);
		}

		@Override
		public boolean hasEnded() {
			return this.transport.hasEnded();
		}

		@Override
		public Mono<Void> closeGracefully() {
			return this.transport.closeGracefully();
		}

		@Override
		public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
			return this.transport.unmarshalFrom(data, type);
		}

		private static Throwable failure(Throwable ex) {
			return (ex instanceof McpTransportException)
					? new TransportException(String.valueOf(ex.getMessage()), null, ex) : ex;
		}

	}

}
