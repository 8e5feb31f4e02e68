package io.github.mcpclient.config;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Records;
import io.github.mcpclient.service.McpServerConnectionDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * The servers whose address is defined by connection details.
 */
final class ServerConnections {

	private static final String DEFAULT_PATH = "/mcp";

	private final Map<String, McpServerConnectionDetails> byKey = new LinkedHashMap<>();

	ServerConnections(Collection<McpServerConnectionDetails> details) {
		for (McpServerConnectionDetails server : details) {
			McpServerConnectionDetails other = this.byKey.putIfAbsent(PropertyNames.uniform(server.getName()), server);
			// several instances of a service are equal, and the first one is the server
			Assert.state(other == null || other.equals(server),
					() -> "There is more than one McpServerConnectionDetails for MCP server '" + server.getName()
							+ "'");
		}
	}

	List<ServerName> allNames(List<ServerName> configured) {
		List<ServerName> names = new ArrayList<>(configured);
		this.byKey.forEach((key, server) -> {
			if (configured.stream().noneMatch((name) -> name.key().equals(key))) {
				names.add(new ServerName(server.getName(), key, true, Origin.from(server), null));
			}
		});
		return names;
	}

	@Nullable McpServerConnectionDetails find(ServerName name) {
		return this.byKey.get(name.key());
	}

	/**
	 * Return the settings of a server with its connection details.
	 */
	static McpServerProperties settings(McpServerConnectionDetails server, McpServerProperties configured) {
		Map<String, String> given = new HashMap<>();
		server.getHeaders().forEach((name, value) -> given.put("given.headers[" + name + "]", value));
		if (server.getType() != null) {
			given.put("given.type", server.getType());
		}
		// placeholders in a value are not resolved
		McpServerProperties settings = given.isEmpty() ? configured
				: new Binder(new MapConfigurationPropertySource(given)).bind("given", McpServerProperties.class)
					.get()
					.withDefaults(configured);
		return Records.of(McpServerProperties.class, target(server, settings)).withDefaults(settings);
	}

	/**
	 * Return the settings that replace the URL and the command of a server.
	 */
	private static Map<String, String> target(McpServerConnectionDetails server, McpServerProperties settings) {
		Map<String, String> target = new HashMap<>(
				Map.of("url", url(server, settings), "command", "", "package-name", ""));
		if (isStdio(settings.type())) {
			target.put("type", "");
		}
		return target;
	}

	static boolean isChildProcess(McpServerProperties settings) {
		return settings.runs() && (!StringUtils.hasText(settings.type()) || isStdio(settings.type()));
	}

	private static boolean isStdio(@Nullable String type) {
		return type != null && PropertyNames.uniform(type.strip()).equals(McpServerDefinition.STDIO);
	}

	/**
	 * Return the URL of a server. A URL without a path gets the path of the configured
	 * URL, and an HTTP URL becomes a WebSocket URL if the configured type is websocket.
	 */
	private static String url(McpServerConnectionDetails server, McpServerProperties settings) {
		URI url = server.getUrl();
		String configured = settings.url();
		if (settings.isWebSocket()) {
			url = URI.create(url.toString().replaceFirst("^http", "ws"));
		}
		if (StringUtils.hasText(url.getRawPath())) {
			return url.toString();
		}
		URI other = (configured != null) ? McpServerProperties.parsedUrl(configured) : null;
		String path = (other != null) ? other.getRawPath() : null;
		return url + (StringUtils.hasText(path) ? path : DEFAULT_PATH);
	}

}
