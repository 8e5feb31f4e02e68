package io.github.mcpclient.spi;

import io.github.mcpclient.definition.McpServerDefinition;
import io.netty.channel.ChannelOption;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * Creates what the HTTP clients of servers are built on: how they connect, and their TLS.
 * Headers, the proxy of a server and the bounds of MCP are added by us. With Spring Boot,
 * its settings and SSL bundles are used unless there is a bean of this type. Must be safe
 * for use by many threads.
 */
@FunctionalInterface
public interface McpHttpClientFactory {

	/**
	 * Create a client for a server, once for each attempt to connect. It must follow no
	 * redirects, keep no cookies, and have no response timeout.
	 * @param definition the server
	 * @param connections what the client takes its connections from
	 * @throws UnusableSettingsException if the definition has settings that cannot be
	 * used, such as an SSL bundle that does not exist
	 */
	HttpClient create(McpServerDefinition definition, ConnectionProvider connections);

	/**
	 * Return a factory with the JDK's trusted certificates, which knows no SSL bundles.
	 */
	static McpHttpClientFactory simple() {
		return (definition, connections) -> {
			String bundle = (definition.http() != null) ? definition.http().sslBundle() : null;
			if (bundle != null) {
				throw new UnusableSettingsException("There is no SSL bundle '" + bundle + "'",
						"Have a McpHttpClientFactory that knows it.", null);
			}
			return HttpClient.create(connections)
				.compress(true)
				.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) definition.timeouts().connect().toMillis());
		};
	}

}
