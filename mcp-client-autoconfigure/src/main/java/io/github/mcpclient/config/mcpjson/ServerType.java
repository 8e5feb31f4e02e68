package io.github.mcpclient.config.mcpjson;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The transport type that a file gives a server.
 *
 * @param name the name by which it is configured, or {@code null} to infer it
 * @param known whether it is one of those that clients have in common
 */
record ServerType(@Nullable String name, boolean known) {

	static final ServerType INFERRED = new ServerType(null, true);

	static final ServerType STREAMABLE_HTTP = new ServerType("streamable-http", true);

	static final ServerType SSE = new ServerType("sse", true);

	private static final ServerType STDIO = new ServerType("stdio", true);

	private static final ServerType WEBSOCKET = new ServerType("websocket", true);

	private static final Map<String, ServerType> SPELLINGS = Map.ofEntries(Map.entry("stdio", STDIO),
			Map.entry("local", STDIO), Map.entry("http", STREAMABLE_HTTP), Map.entry("streamablehttp", STREAMABLE_HTTP),
			Map.entry("sse", SSE), Map.entry("ws", WEBSOCKET), Map.entry("websocket", WEBSOCKET),
			Map.entry("remote", INFERRED));

	/**
	 * What a client brings along and nobody else can connect to.
	 */
	private static final Set<String> BUILT_IN = Set.of("inmemory", "sdk", "builtin", "platform", "frontend",
			"inlinepython");

	static ServerType of(@Nullable JsonValue type) {
		if (type == null || !type.isNotBlank()) {
			return INFERRED;
		}
		ServerType known = SPELLINGS.get(uniform(type));
		return (known != null) ? known : new ServerType(type.text().strip(), false);
	}

	static boolean isBuiltIn(@Nullable JsonValue type) {
		return type != null && BUILT_IN.contains(uniform(type));
	}

	boolean isInferred() {
		return this.name == null;
	}

	boolean isStdio() {
		return this.equals(STDIO);
	}

	private static String uniform(JsonValue type) {
		return type.is(Kind.TEXT) ? type.text().strip().toLowerCase(Locale.ROOT).replaceAll("[_-]", "") : "";
	}

}
