package io.github.mcpclient.service;

import java.net.URI;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * {@link ConnectionDetails} of one server that is reached over HTTP. They take precedence
 * over the URL in the properties, and over a command or package, which is not run; all
 * other properties of the server, and the defaults, apply. A server without properties is
 * added after the configured servers.
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
	 * Return the URL of the server's MCP endpoint. If it has no path, the path of the
	 * configured URL is used, or {@code /mcp}.
	 */
	URI getUrl();

	/**
	 * Return the transport, as in {@code mcp.servers.<name>.type}, or {@code null} for
	 * the configured or inferred one.
	 */
	default @Nullable String getType() {
		return null;
	}

	/**
	 * Return headers of each request, which take precedence over configured headers with
	 * the same name. Placeholders in their values are not resolved, and values are masked
	 * in all outputs.
	 */
	default Map<String, String> getHeaders() {
		return Map.of();
	}

	/**
	 * Return the SSL bundle, which takes precedence over {@code ssl.bundle}, or
	 * {@code null} to use the configured one.
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

}
