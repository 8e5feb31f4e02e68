package io.github.mcpclient.autoconfigure;

import java.net.URI;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.internal.support.Loopback;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Connects servers that are part of this application once its port is open, since their
 * first attempts are refused. Applies to the default registry only.
 */
record OwnPort(
		ObjectProvider<DefaultMcpServerRegistry> registry) implements ApplicationListener<WebServerInitializedEvent> {

	@Override
	public void onApplicationEvent(WebServerInitializedEvent event) {
		int port = event.getWebServer().getPort();
		this.registry.ifAvailable((registry) -> registry.retry((server) -> isAt(server, port)));
	}

	private static boolean isAt(McpServerDefinition server, int port) {
		Http http = server.http();
		return http != null && Loopback.is(http.url()) && port(http.url()) == port;
	}

	private static int port(URI url) {
		return (url.getPort() != -1) ? url.getPort() : ("https".equalsIgnoreCase(url.getScheme()) ? 443 : 80);
	}

}
