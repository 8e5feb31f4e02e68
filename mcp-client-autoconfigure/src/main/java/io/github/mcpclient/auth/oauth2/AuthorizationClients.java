package io.github.mcpclient.auth.oauth2;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.http.McpHttpClients;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClient;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.boot.http.client.ReactorHttpClientBuilder;

/**
 * The HTTP clients for the authorization servers of servers.
 */
final class AuthorizationClients {

	private final McpHttpClients clients;

	private final @Nullable InetAddressFilter general;

	/**
	 * Create the clients.
	 * @param clients those of the servers
	 * @param settings the application-wide settings, whose address filter applies, or
	 * {@code null} for none
	 */
	AuthorizationClients(McpHttpClients clients, @Nullable HttpClientSettings settings) {
		this.clients = clients;
		this.general = (settings != null) ? settings.inetAddressFilter() : null;
	}

	/**
	 * Return a client that connects as the one of a server does.
	 */
	HttpClient create(McpServerDefinition definition) {
		return this.clients.createForAuthorization(definition);
	}

	/**
	 * Return a client that connects to the addresses of a filter only.
	 */
	HttpClient create(McpServerDefinition definition, InetAddressFilter filter) {
		HttpClient client = create(definition);
		// it would replace the application's
		InetAddressFilter both = (this.general != null) ? this.general.and(filter) : filter;
		return new ReactorHttpClientBuilder().withHttpClientFactory(() -> client)
			.withoutHttpClientDefaults()
			.build(HttpClientSettings.defaults().withRedirects(HttpRedirects.DONT_FOLLOW).withInetAddressFilter(both));
	}

}
