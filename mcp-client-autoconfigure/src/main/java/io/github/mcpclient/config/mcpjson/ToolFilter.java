package io.github.mcpclient.config.mcpjson;

import java.util.ArrayList;
import java.util.List;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Reads which tools of a server a file allows. What a client approves without asking its
 * user ({@code autoApprove}, {@code alwaysAllow}, {@code trust}) is another matter.
 */
record ToolFilter(ServerEntry entry, ServerNotes notes, ServerProperties properties) {

	void add() {
		JsonValue available = this.entry.take("available_tools");
		JsonValue allowed = list(this.entry.take("includeTools", "enabled_tools", "tools"));
		JsonValue denied = list(this.entry.take("excludeTools", "disabledTools", "disabled_tools"));
		if (allowed == null && available != null && !available.items().isEmpty()) {
			allowed = available;
		}
		List<JsonValue> patterns = new ArrayList<>();
		if (allowed != null && allowed.items().stream().noneMatch((item) -> item.text().equals("*"))) {
			patterns.add(text(allowed, "!*"));
			names(allowed).forEach((name) -> patterns.add(text(name, escape(name.text()))));
		}
		if (denied != null && !names(denied).isEmpty()) {
			if (patterns.isEmpty()) {
				patterns.add(text(denied, "*"));
			}
			names(denied).forEach((name) -> patterns.add(text(name, "!" + escape(name.text()))));
		}
		for (int i = 0; i < patterns.size(); i++) {
			String pattern = new PlaceholderText().literal(patterns.get(i).text()).toString();
			this.properties.put("tools.filter[" + i + "]", patterns.get(i), pattern);
		}
	}

	private @Nullable JsonValue list(@Nullable JsonValue tools) {
		if (tools != null && !tools.is(Kind.LIST)) {
			this.notes.warn(tools, "A selection of tools that is not a list is ignored.");
			return null;
		}
		return tools;
	}

	private static List<JsonValue> names(JsonValue list) {
		return list.items()
			.stream()
			.filter(JsonValue::isNotBlank)
			// Gemini CLI allows a tool with certain arguments
			.map((item) -> text(item, item.text().split("\\(", 2)[0].strip()))
			.filter(JsonValue::isNotBlank)
			.toList();
	}

	private static String escape(String name) {
		return name.replaceAll("[*?!\\\\]", "\\\\$0");
	}

	private static JsonValue text(JsonValue at, String text) {
		return JsonValue.scalar(Kind.TEXT, text, at.line(), at.column());
	}

}
