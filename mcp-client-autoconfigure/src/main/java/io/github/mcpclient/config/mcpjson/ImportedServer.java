package io.github.mcpclient.config.mcpjson;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.config.ImportedProperties.UnusableValue;
import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import io.github.mcpclient.config.mcpjson.Variables.Translation;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;

/**
 * The entry of a server in a file, of which what was used is taken away, and the
 * properties that are made of it. The log gets no values.
 */
final class ImportedServer {

	private final McpFileImport file;

	private final String subject;

	private final String prefix;

	private final JsonValue value;

	private final Map<String, JsonValue> rest;

	private boolean empty = true;

	private boolean off;

	ImportedServer(McpFileImport file, String nameInFile, String name, JsonValue value) {
		this.file = file;
		this.subject = "MCP server '" + nameInFile + "' of " + file.resource();
		this.prefix = "mcp.servers[" + name + "]";
		this.value = value;
		this.rest = new LinkedHashMap<>(value.members());
		JsonValue transport = value.get("transport", Kind.OBJECT);
		if (transport != null) {
			this.rest.remove("transport");
			transport.members().forEach(this.rest::putIfAbsent);
		}
		this.rest.values().removeIf((member) -> member.is(Kind.NULL));
	}

	JsonValue value() {
		return this.value;
	}

	/**
	 * Takes the members of several names, and returns the first one present.
	 */
	@Nullable JsonValue take(String... names) {
		JsonValue taken = null;
		for (String name : names) {
			JsonValue member = this.rest.remove(name);
			taken = (taken != null) ? taken : member;
		}
		return taken;
	}

	@Nullable JsonValue take(String name, Kind kind) {
		JsonValue member = this.rest.get(name);
		return (member != null && member.is(kind)) ? this.rest.remove(name) : null;
	}

	Set<String> rest() {
		return this.rest.keySet();
	}

	void warn(JsonValue at, String message) {
		this.file.log().warn(text(at, message));
	}

	void info(JsonValue at, String message) {
		this.file.log().info(text(at, message));
	}

	void debug(JsonValue at, String message) {
		this.file.log().debug(text(at, message));
	}

	private String text(JsonValue at, String message) {
		return this.subject + " (line " + at.line() + "): " + message;
	}

	/**
	 * Adds the server even if it has no property.
	 */
	void declare() {
		if (this.empty) {
			add(this.prefix, this.value, "");
		}
	}

	/**
	 * Disables the server. Nothing is logged about its values then.
	 */
	void switchOff(JsonValue at) {
		this.off = true;
		put("enabled", at, "false");
	}

	void put(String setting, JsonValue at, String value) {
		add(this.prefix + "." + setting, at, value);
	}

	void reject(String setting, JsonValue at, String message) {
		add(this.prefix + "." + setting, at, new UnusableValue(message));
	}

	void putText(String setting, JsonValue value) {
		putText(setting, value, "");
	}

	void putText(String setting, JsonValue value, String before) {
		if (!value.hasText()) {
			reject(setting, value, "This is not a string.");
			return;
		}
		Translation translation = this.file.variables().translate(value.text());
		if (translation.mistake() != null) {
			reject(setting, value, translation.mistake());
			return;
		}
		if (!this.off) {
			warnOf(setting, value, translation);
		}
		put(setting, value, PlaceholderText.escape(before) + translation.text());
	}

	private void warnOf(String setting, JsonValue value, Translation translation) {
		if (translation.unknown()) {
			warn(value, setting + " has a ${...} of an unknown kind. It is passed on unchanged.");
		}
		if (value.text().matches("\\$[A-Za-z_][A-Za-z0-9_]*") && translation.text().equals(value.text())) {
			warn(value, setting + " looks like a variable, but is passed on unchanged: a variable is written "
					+ "${NAME} in this file.");
		}
		for (String name : translation.emptyIfUnset()) {
			if (!this.file.isSet().test(name)) {
				warn(value, setting + " uses {env:" + name + "}, which is not set and counts as empty.");
			}
		}
	}

	private void add(String property, JsonValue at, Object value) {
		this.empty = false;
		this.file.properties()
			.put(property, OriginTrackedValue.of(value,
					new TextResourceOrigin(this.file.resource(), new Location(at.line() - 1, at.column() - 1))));
	}

}
