package io.github.mcpclient.spi;

import reactor.netty.http.client.HttpClient;

/**
 * Changes the HTTP client of a server before it is used, for example to set a proxy or
 * another DNS resolver. Beans of this type are applied in their order, once for each
 * attempt to connect. Must be safe for use by many threads.
 *
 * <p>
 * The client shares no connections with others. A customizer that makes it follow
 * redirects may send the server's headers to another origin, and one that sets a response
 * timeout ends streams that are merely silent.
 *
 * <p>
 * With {@code client.protocol(HttpProtocol.HTTP11, HttpProtocol.H2)}, requests to
 * {@code https} servers share connections of HTTP/2 where the server speaks it. TLS by an
 * SSL bundle does not offer HTTP/2: the customizer must set its own, by
 * {@code client.secure(...)} with an {@code Http2SslContextSpec}.
 */
@FunctionalInterface
public interface McpHttpClientCustomizer {

	/**
	 * Change the client of a server.
	 * @param serverName the configured name of the server
	 * @param client the client as it is so far
	 */
	HttpClient customize(String serverName, HttpClient client);

}
