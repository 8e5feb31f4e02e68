package io.github.mcpclient.config.mcpjson;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;

/**
 * Where clients differ in what the same file means: the unit of timeouts, and how
 * variables are written.
 */
enum Dialect {

	/**
	 * Claude Code, LM Studio, Amazon Q and Kiro.
	 */
	MILLISECONDS(Unit.MILLISECONDS),

	/**
	 * Cline, Roo Code and Zed.
	 */
	SECONDS(Unit.SECONDS),

	GEMINI(Unit.MILLISECONDS),

	OPENCODE(Unit.MILLISECONDS),

	COPILOT(Unit.UNKNOWN),

	UNKNOWN(Unit.UNKNOWN);

	private static final Map<String, Dialect> FILE_NAMES = Map.of(".mcp.json", MILLISECONDS, ".claude.json",
			MILLISECONDS, "cline_mcp_settings.json", SECONDS, "mcp_settings.json", SECONDS, "opencode.json", OPENCODE,
			"opencode.jsonc", OPENCODE, "mcp-config.json", COPILOT);

	private static final Map<String, Dialect> DIRECTORIES = Map.of(".kiro", MILLISECONDS, ".amazonq", MILLISECONDS,
			"amazonq", MILLISECONDS, ".lmstudio", MILLISECONDS, ".roo", SECONDS, ".gemini", GEMINI, ".opencode",
			OPENCODE, ".copilot", COPILOT);

	private final Unit timeoutUnit;

	Dialect(Unit timeoutUnit) {
		this.timeoutUnit = timeoutUnit;
	}

	/**
	 * Conclude the dialect of a file, from its name where that tells, else from what is
	 * in it.
	 */
	static Dialect of(String path, McpFile file) {
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

	Unit timeoutUnit() {
		return this.timeoutUnit;
	}

	boolean hasDollarVariables() {
		return this == GEMINI || this == COPILOT;
	}

	boolean hasBraceVariables() {
		return this == OPENCODE;
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

	/**
	 * The unit of a timeout that has none in the file.
	 */
	enum Unit {

		SECONDS, MILLISECONDS, UNKNOWN

	}

}
