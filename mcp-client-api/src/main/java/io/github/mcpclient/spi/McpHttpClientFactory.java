package io.github.mcpclient.spi;

import java.util.Collection;
import java.util.List;

import io.github.mcpclient.definition.McpServerDefinition;
import io.netty.channel.ChannelOption;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * Strategy interface that creates the HTTP clients of servers, with their connection and
 * TLS settings. Headers, the proxy of a server and limits are added to the returned
 * client. By default, Spring Boot's settings and SSL bundles are used, and
 * {@link #simple()} without Spring Boot. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface McpHttpClientFactory {

	/**
	 * Create a client for a server, once for each attempt to connect. The client must not
	 * follow redirects, store cookies, or have a response timeout.
	 * @param definition the server
	 * @param connections the connection pool of the client
	 * @throws UnusableSettingsException if the definition has settings that cannot be
	 * used, such as an SSL bundle that does not exist
	 */
	HttpClient create(McpServerDefinition definition, ConnectionProvider connections);

	/**
	 * Return the names of the available SSL bundles, so that an unknown name in the
	 * configuration of a server is reported on startup.
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
