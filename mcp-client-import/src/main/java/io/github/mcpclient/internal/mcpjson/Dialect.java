package io.github.mcpclient.internal.mcpjson;

import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The differences between clients in reading the same file: the unit of timeouts, and the
 * syntax of variables.
 */
enum Dialect {

	/**
	 * Claude Code, LM Studio, Amazon Q and Kiro.
	 */
	MILLISECONDS(ChronoUnit.MILLIS, ""),

	/**
	 * Cline, Roo Code and Zed.
	 */
	SECONDS(ChronoUnit.SECONDS, ""),

	GEMINI(ChronoUnit.MILLIS, "\\$[A-Za-z_][A-Za-z0-9_]*+"),

	OPENCODE(ChronoUnit.MILLIS, "\\{env:[A-Za-z_][A-Za-z0-9_.-]*+\\}|\\{file:[^}]{0,1024}+\\}"),

	COPILOT(null, "\\$[A-Za-z_][A-Za-z0-9_]*+"),

	/**
	 * A {@link RegistryServer}, whose values already have placeholders.
	 */
	REGISTRY(null, ""),

	UNKNOWN(null, "");

	private static final Map<String, Dialect> FILE_NAMES = Map.of(".mcp.json", MILLISECONDS, ".claude.json",
			MILLISECONDS, "cline_mcp_settings.json", SECONDS, "mcp_settings.json", SECONDS, "opencode.json", OPENCODE,
			"opencode.jsonc", OPENCODE, "mcp-config.json", COPILOT);

	private static final Map<String, Dialect> DIRECTORIES = Map.of(".kiro", MILLISECONDS, ".amazonq", MILLISECONDS,
			"amazonq", MILLISECONDS, ".lmstudio", MILLISECONDS, ".roo", SECONDS, ".gemini", GEMINI, ".opencode",
			OPENCODE, ".copilot", COPILOT);

	private final @Nullable ChronoUnit timeoutUnit;

	private final Pattern variable;

	Dialect(@Nullable ChronoUnit timeoutUnit, String variable) {
		this.timeoutUnit = timeoutUnit;
		this.variable = Pattern.compile(variable);
	}

	/**
	 * Infer the dialect of a file from its path, or else from its content.
	 */
	static Dialect of(String path, McpFile file) {
		if (file.rootNames().equals(McpFile.REGISTRY)) {
			return REGISTRY;
		}
		List<String> names = List.of(path.toLowerCase(Locale.ROOT).split("[/\\\\]"));
		Dialect byName = FILE_NAMES.get(names.get(names.size() - 1));
		if (byName != null) {
			return byName;
		}
		// the directory itself, or the one above as in .kiro/settings/mcp.json
		for (int i = names.size() - 2; i >= Math.max(0, names.size() - 3); i--) {
			Dialect byDirectory = DIRECTORIES.get(names.get(i));
			if (byDirectory != null) {
				return byDirectory;
			}
		}
		return byContent(file);
	}

	private static Dialect byContent(McpFile file) {
		Collection<JsonValue> entries = file.servers().values();
		if (file.rootNames().equals(McpFile.CONTEXT_SERVERS) || entries.stream().anyMatch(Dialect::isCline)) {
			return SECONDS;
		}
		if (entries.stream()
			.anyMatch((entry) -> entry.hasAny(List.of("httpUrl", "includeTools", "excludeTools", "trust")))) {
			return GEMINI;
		}
		if ((file.rootNames().equals(McpFile.MCP) || file.rootNames().equals(McpFile.MCP_SERVERS))
				&& entries.stream().anyMatch((entry) -> isType(entry, "local") || isType(entry, "remote"))) {
			return OPENCODE;
		}
		return (contains(file.root(), "$COPILOT_MCP_") || contains(file.root(), "${COPILOT_MCP_")) ? COPILOT : UNKNOWN;
	}

	/**
	 * Return the unit of a timeout without a unit, or {@code null} if it is unknown.
	 */
	@Nullable ChronoUnit timeoutUnit() {
		return this.timeoutUnit;
	}

	/**
	 * Return the syntax of a variable in addition to <code>${...}</code>.
	 */
	Pattern variable() {
		return this.variable;
	}

	private static boolean isCline(JsonValue entry) {
		JsonValue transport = entry.get("transport", Kind.OBJECT);
		return entry.hasAny(List.of("autoApprove", "alwaysAllow")) || isType(entry, "streamableHttp")
				|| (transport != null && isType(transport, "streamableHttp"));
	}

	private static boolean isType(JsonValue entry, String type) {
		JsonValue value = entry.get("type", Kind.TEXT);
		return value != null && value.text().equals(type);
	}

	private static boolean contains(JsonValue value, String text) {
		return value.text().contains(text) || value.items().stream().anyMatch((item) -> contains(item, text))
				|| value.members().values().stream().anyMatch((member) -> contains(member, text));
	}

}
