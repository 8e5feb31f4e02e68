package io.github.mcpclient.service;

import java.net.URI;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * {@link ConnectionDetails} of one server that is reached over HTTP. They take precedence
 * over the url in the properties, and over a command or package, which is not run; all
 * other properties of the server, and the defaults, apply. A server that no property
 * names is added after the configured ones.
 *
 * <p>
 * There may be one bean of this type per server, such as a container with
 * {@code @ServiceConnection("name")}, or a service of Docker Compose. They are read once,
 * when the application starts.
 */
public interface McpServerConnectionDetails extends ConnectionDetails {

	/**
	 * Return the name of the server, as in {@code mcp.servers.<name>}.
	 */
	String getName();

	/**
	 * Return the url of the server's MCP endpoint. If it has no path, that of the
	 * configured url is used, or {@code /mcp}.
	 */
	URI getUrl();

	/**
	 * Return the transport, as in {@code mcp.servers.<name>.type}, or {@code null} for
	 * the one that is configured or inferred.
	 */
	default @Nullable String getType() {
		return null;
	}

	/**
	 * Return headers of each request, which take precedence over configured ones of the
	 * same name. Their values are taken as they are, without placeholders, and masked
	 * wherever they would be shown.
	 */
	default Map<String, String> getHeaders() {
		return Map.of();
	}

	/**
	 * Return the keys and the trust for TLS, which take precedence over
	 * {@code ssl.bundle}, or {@code null} to use what is configured.
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

}
