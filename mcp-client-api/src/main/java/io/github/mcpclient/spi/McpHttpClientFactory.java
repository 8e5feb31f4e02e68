package io.github.mcpclient.spi;

import java.util.Collection;
import java.util.List;

import io.github.mcpclient.definition.McpServerDefinition;
import io.netty.channel.ChannelOption;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * Creates the HTTP clients of servers: how they connect, and their TLS. Headers, the
 * proxy of a server and limits are added to what this returns. By default, Spring Boot's
 * settings and SSL bundles are used, and without Spring Boot {@link #simple()}. Must be
 * safe for use by many threads.
 */
@FunctionalInterface
public interface McpHttpClientFactory {

	/**
	 * Create a client for a server, once for each attempt to connect. It must follow no
	 * redirects, keep no cookies, and have no response timeout.
	 * @param definition the server
	 * @param connections the pool that the client takes its connections from
	 * @throws UnusableSettingsException if the definition has settings that cannot be
	 * used, such as an SSL bundle that does not exist
	 */
	HttpClient create(McpServerDefinition definition, ConnectionProvider connections);

	/**
	 * Return the names of the SSL bundles that there are, so that a server that names
	 * another one is a mistake at startup.
	 * @param definition the server
	 * @return the names, or {@code null}, the default, if they are only known when a
	 * client is created
	 */
	default @Nullable Collection<String> sslBundles(McpServerDefinition definition) {
		return null;
	}

	/**
	 * Return a factory whose clients trust the JDK's certificates. It has no SSL bundles.
	 */
	static McpHttpClientFactory simple() {
		return new McpHttpClientFactory() {

			@Override
			public HttpClient create(McpServerDefinition definition, ConnectionProvider connections) {
				return HttpClient.create(connections)
					.compress(true)
					.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) definition.timeouts().connect().toMillis());
			}

			@Override
			public Collection<String> sslBundles(McpServerDefinition definition) {
				return List.of();
			}

		};
	}

}
