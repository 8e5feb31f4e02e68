package io.github.mcpclient.spi;

import reactor.netty.http.client.HttpClient;

/**
 * Strategy interface for customizing the HTTP client of a server before it is used, for
 * example to set a proxy or another DNS resolver. Beans of this type are applied in their
 * order, once for each attempt to connect. Implementations must be thread-safe.
 *
 * <p>
 * The client does not share connections with other clients. A customizer that enables
 * redirects may send the server's headers to another origin, and a customizer that sets a
 * response timeout ends streams that are only idle.
 *
 * <p>
 * With {@code client.protocol(HttpProtocol.HTTP11, HttpProtocol.H2)}, requests to
 * {@code https} servers share HTTP/2 connections if the server supports HTTP/2. TLS with
 * an SSL bundle does not offer HTTP/2: the customizer must configure TLS with
 * {@code client.secure(...)} and an {@code Http2SslContextSpec}.
 */
@FunctionalInterface
public interface McpHttpClientCustomizer {

	/**
	 * Customize the client of a server.
	 * @param serverName the configured name of the server
	 * @param client the client with all earlier customizations
	 */
	HttpClient customize(String serverName, HttpClient client);

}
