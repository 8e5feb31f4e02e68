package io.github.mcpclient.internal.mcpjson;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;

import io.github.mcpclient.config.ImportedProperties.UnusableValue;
import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import io.github.mcpclient.internal.mcpjson.Variables.Translation;
import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;

/**
 * The entry of a server in a file, whose members are removed once they are used, and the
 * resulting properties. Values are not logged.
 */
final class ImportedServer {

	private final McpFileImport file;

	private final String subject;

	private final String name;

	private final String prefix;

	private final JsonValue value;

	private final Map<String, JsonValue> rest;

	private final Map<String, JsonValue> variables = new LinkedHashMap<>();

	private final Set<String> used = new HashSet<>();

	private boolean empty = true;

	private boolean off;

	private boolean process;

	ImportedServer(McpFileImport file, String nameInFile, String name, JsonValue value) {
		this.file = file;
		this.subject = "MCP server '" + nameInFile + "' of " + file.resource();
		this.prefix = "mcp.servers[" + name + "]";
		this.name = name;
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
	 * Take the members of several names, and return the first one present.
	 */
	@Nullable JsonValue take(String... names) {
		JsonValue taken = null;
		for (String name : names) {
			JsonValue member = this.rest.remove(name);
			if (taken != null && member != null && !(member.hasText() && member.text().equals(taken.text()))) {
				info(member, "Ignored, since another setting has the same meaning: " + name + ".");
			}
			taken = (taken != null) ? taken : member;
		}
		return taken;
	}

	/**
	 * Set the variables that following texts of the entry may use.
	 * @param process whether they are also variables of a child process
	 */
	void variables(Map<String, JsonValue> variables, boolean process) {
		this.variables.putAll(variables);
		this.process = process;
	}

	/**
	 * Return whether a text used a variable of the entry.
	 */
	boolean usesVariables() {
		return !this.used.isEmpty();
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

	private String text(JsonValue at, String message) {
		return this.subject + " (line " + at.line() + "): " + message;
	}

	/**
	 * Add the server even if it has no property.
	 */
	void declare() {
		if (this.empty) {
			add(this.prefix, this.value, "");
		}
	}

	/**
	 * Disable the server. Nothing is logged about its values.
	 */
	void switchOff(JsonValue at) {
		this.off = true;
		put("enabled", at, "false");
	}

	void put(String setting, JsonValue at, String value) {
		add(this.prefix + "." + setting, at, value);
	}

	void reject(String setting, JsonValue at, String message) {
		add(PropertyNames.below(this.prefix, setting), at, new UnusableValue(message));
	}

	void putText(String setting, JsonValue value) {
		putText(setting, value, "", this::own);
	}

	/**
	 * Put an argument. A variable that the child process replaces is unchanged, so that
	 * no secret is in the list of processes; a shell may have unknown variables.
	 */
	void putArg(String setting, JsonValue value, CommandLine line) {
		putText(setting, value, "", (name, written) -> {
			boolean own = this.variables.containsKey(name);
			boolean left = line.isShell() ? written.startsWith("${" + name)
					: own && line.isRemote() && written.equals("${" + name + "}");
			String text = PlaceholderText.escape(written);
			return !left ? own(name, written) : own ? text : "${" + name + ":" + text + "}";
		});
	}

	void putText(String setting, JsonValue value, String before, BinaryOperator<@Nullable String> own) {
		if (!value.hasText()) {
			reject(setting, value, "This is not a string.");
			return;
		}
		Translation translation = this.file.variables().translate(value.text(), own);
		if (translation.error() != null) {
			reject(setting, value, translation.error());
			return;
		}
		if (!this.off) {
			warnOf(setting, value, translation);
		}
		put(setting, value, PlaceholderText.escape(before) + translation.text());
	}

	/**
	 * Return a placeholder for a variable of the entry. It refers to an input, since the
	 * values of inputs are masked in all outputs.
	 */
	@Nullable String own(String name, String written) {
		JsonValue value = this.variables.get(name);
		if (value == null || !value.hasText()) {
			return null;
		}
		String input = "mcp.inputs." + this.name + ".env." + name;
		if (this.used.add(name)) {
			Translation translation = this.file.variables().translate(value.text(), (other, asWritten) -> null);
			if (translation.error() != null) {
				reject("env[" + name + "]", value, translation.error());
			}
			add(input, value, this.process ? "${" + this.prefix + ".env[" + name + "]}" : translation.text());
		}
		return "${" + input + "}";
	}

	private void warnOf(String setting, JsonValue value, Translation translation) {
		if (translation.unknown()) {
			warn(value, setting + " has a ${...} of an unknown kind, which is unchanged.");
		}
		if (value.text().matches("\\$[A-Za-z_][A-Za-z0-9_]*") && translation.text().equals(value.text())) {
			warn(value, setting + " looks like a variable, but is unchanged: write ${NAME} for a variable "
					+ "in this file.");
		}
		for (String name : translation.emptyIfUnset()) {
			if (!this.variables.containsKey(name) && !this.file.isSet().test(name)) {
				warn(value, setting + " uses {env:" + name + "}, which is not set and counts as empty.");
			}
		}
	}

	private void add(String property, JsonValue at, Object value) {
		this.empty &= !property.startsWith(this.prefix);
		this.file.properties()
			.put(property, OriginTrackedValue.of(value,
					new TextResourceOrigin(this.file.resource(), new Location(at.line() - 1, at.column() - 1))));
	}

}
