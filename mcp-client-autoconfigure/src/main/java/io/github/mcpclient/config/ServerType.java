package io.github.mcpclient.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.mcpclient.McpServerDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The transport type of a server.
 *
 * @param name the type in its canonical spelling
 * @param decidedBy the setting that says so: {@code type}, or the one that it was
 * concluded from
 */
record ServerType(String name, String decidedBy) {

	private static final List<String> HTTP_SCHEMES = List.of("http", "https");

	private static final List<String> WEBSOCKET_SCHEMES = List.of("ws", "wss");

	private static final Map<String, List<String>> SCHEMES = Map.of(McpServerDefinition.STREAMABLE_HTTP, HTTP_SCHEMES,
			McpServerDefinition.SSE, HTTP_SCHEMES, McpServerDefinition.WEBSOCKET, WEBSOCKET_SCHEMES);

	static @Nullable ServerType of(McpServerProperties own, McpServerProperties shared, TransportTypes types) {
		if (StringUtils.hasText(own.type())) {
			return given(own.type(), types);
		}
		if (runs(own) == StringUtils.hasText(own.url())) {
			return null;
		}
		if (runs(own)) {
			return new ServerType(McpServerDefinition.STDIO,
					StringUtils.hasText(own.command()) ? "command" : "package");
		}
		ServerType type = StringUtils.hasText(shared.type()) ? given(shared.type(), types) : null;
		if (type != null && !type.isStdio()) {
			return type;
		}
		return new ServerType(
				isWebSocket(own.url()) ? McpServerDefinition.WEBSOCKET : McpServerDefinition.STREAMABLE_HTTP, "url");
	}

	/**
	 * Returns whether there is something to run as a child process.
	 */
	static boolean runs(McpServerProperties own) {
		return StringUtils.hasText(own.command()) || StringUtils.hasText(own.packageName());
	}

	boolean isStdio() {
		return this.name.equals(McpServerDefinition.STDIO);
	}

	boolean isHttp() {
		return SCHEMES.containsKey(this.name);
	}

	boolean inferred() {
		return !this.decidedBy.equals("type");
	}

	List<String> schemes() {
		// nothing is known of the urls of types that applications add
		return SCHEMES.getOrDefault(this.name, List.of());
	}

	@Override
	public String toString() {
		return this.name + (inferred() ? " (inferred from its " + this.decidedBy + ")" : "");
	}

	private static @Nullable ServerType given(String type, TransportTypes types) {
		String name = types.find(type);
		return (name != null) ? new ServerType(name, "type") : null;
	}

	static boolean isWebSocket(McpServerProperties own) {
		return StringUtils.hasText(own.type())
				? List.of(McpServerDefinition.WEBSOCKET, "ws").contains(PropertyTarget.uniform(own.type().strip()))
				: isWebSocket(own.url());
	}

	private static boolean isWebSocket(@Nullable String url) {
		return url != null && WEBSOCKET_SCHEMES.stream()
			.anyMatch((scheme) -> url.toLowerCase(Locale.ROOT).startsWith(scheme + "://"));
	}

}
