package io.github.mcpclient.registry;

import java.net.URI;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Connects servers that are part of this application once its port is open, which refuses
 * their first attempts.
 */
public final class OwnPort implements ApplicationListener<WebServerInitializedEvent> {

	private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d+){3}|\\[::1]",
			Pattern.CASE_INSENSITIVE);

	private final ObjectProvider<DefaultMcpServerRegistry> registry;

	/**
	 * Create a listener; another kind of registry has no need of it.
	 */
	public OwnPort(ObjectProvider<DefaultMcpServerRegistry> registry) {
		this.registry = registry;
	}

	@Override
	public void onApplicationEvent(WebServerInitializedEvent event) {
		int port = event.getWebServer().getPort();
		this.registry.ifAvailable((registry) -> registry.retry((server) -> isAt(server, port)));
	}

	private static boolean isAt(McpServerDefinition server, int port) {
		Http http = server.http();
		return http != null && isLoopback(http.url()) && port(http.url()) == port;
	}

	private static int port(URI url) {
		return (url.getPort() != -1) ? url.getPort() : ("https".equalsIgnoreCase(url.getScheme()) ? 443 : 80);
	}

	private static boolean isLoopback(URI url) {
		return url.getHost() != null && LOOPBACK.matcher(url.getHost()).matches();
	}

}
