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
 * @param inferred whether it was concluded from the url or the command
 */
record ServerType(String name, boolean inferred) {

	private static final List<String> HTTP_SCHEMES = List.of("http", "https");

	private static final List<String> WEBSOCKET_SCHEMES = List.of("ws", "wss");

	private static final Map<String, List<String>> SCHEMES = Map.of(McpServerDefinition.STREAMABLE_HTTP, HTTP_SCHEMES,
			McpServerDefinition.SSE, HTTP_SCHEMES, McpServerDefinition.WEBSOCKET, WEBSOCKET_SCHEMES);

	static @Nullable ServerType of(McpServerProperties own, McpServerProperties shared, TransportTypes types) {
		if (StringUtils.hasText(own.type())) {
			return given(own.type(), types);
		}
		boolean command = StringUtils.hasText(own.command());
		if (command == StringUtils.hasText(own.url())) {
			return null;
		}
		if (command) {
			return new ServerType(McpServerDefinition.STDIO, true);
		}
		ServerType type = StringUtils.hasText(shared.type()) ? given(shared.type(), types) : null;
		if (type != null && !type.isStdio()) {
			return type;
		}
		return new ServerType(
				isWebSocket(own.url()) ? McpServerDefinition.WEBSOCKET : McpServerDefinition.STREAMABLE_HTTP, true);
	}

	boolean isStdio() {
		return this.name.equals(McpServerDefinition.STDIO);
	}

	boolean isHttp() {
		return SCHEMES.containsKey(this.name);
	}

	String decidedBy() {
		return this.inferred ? (isStdio() ? "command" : "url") : "type";
	}

	List<String> schemes() {
		// nothing is known of the urls of types that applications add
		return SCHEMES.getOrDefault(this.name, List.of());
	}

	@Override
	public String toString() {
		return this.name + (this.inferred ? " (inferred from its " + decidedBy() + ")" : "");
	}

	private static @Nullable ServerType given(String type, TransportTypes types) {
		String name = types.find(type);
		return (name != null) ? new ServerType(name, false) : null;
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
