package io.github.mcpclient.auth.oauth2;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClient;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.boot.http.client.ReactorHttpClientBuilder;

/**
 * The HTTP clients for authorization servers.
 *
 * @param clients the HTTP clients of the servers
 * @param settings the application-wide settings, whose address filter applies, or
 * {@code null} for none
 */
record AuthorizationClients(McpHttpClients clients, @Nullable HttpClientSettings settings) {

	/**
	 * Return a client with the connection settings of a server.
	 */
	HttpClient create(McpServerDefinition definition) {
		return this.clients.createForAuthorization(definition);
	}

	/**
	 * Return a client that connects to the addresses of a filter only.
	 */
	HttpClient create(McpServerDefinition definition, InetAddressFilter filter) {
		HttpClient client = create(definition);
		// it would replace the filter of the application
		InetAddressFilter general = (this.settings != null) ? this.settings.inetAddressFilter() : null;
		InetAddressFilter both = (general != null) ? general.and(filter) : filter;
		return new ReactorHttpClientBuilder().withHttpClientFactory(() -> client)
			.withoutHttpClientDefaults()
			.build(HttpClientSettings.defaults().withRedirects(HttpRedirects.DONT_FOLLOW).withInetAddressFilter(both));
	}

}
