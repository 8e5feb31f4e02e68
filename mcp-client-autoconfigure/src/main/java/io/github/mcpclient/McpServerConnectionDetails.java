package io.github.mcpclient;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * {@link ConnectionDetails} of one server that is reached over HTTP: where it is,
 * whatever the properties say. The other properties of the server, and those for all
 * servers, hold for it. A server that no property names is added after those that are
 * configured.
 *
 * <p>
 * There may be a bean of this type for each of several servers. A container with
 * {@code @ServiceConnection("name")} is one. They are read once, when the application
 * starts.
 */
public interface McpServerConnectionDetails extends ConnectionDetails {

	/**
	 * Return which server this is.
	 * @return the name, as in {@code mcp.servers.<name>}
	 */
	String getName();

	/**
	 * Return where the server is.
	 * @return the url of its MCP endpoint. One without a path gets that of the url that
	 * is configured for the server, or {@code /mcp}
	 */
	URI getUrl();

	/**
	 * Return the keys and the trust for TLS with the server. They come before
	 * {@code ssl.bundle}.
	 * @return the bundle, or {@code null} for what is configured
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

}
