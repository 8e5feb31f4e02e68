package io.github.mcpclient.config.mcpjson;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Makes properties of the entry of one server, whatever client it was written for.
 */
record ServerImport(ServerEntry entry, Dialect dialect, ProjectFiles files, boolean windows, ServerNotes notes,
		ServerProperties properties) {

	void add(boolean off) {
		JsonValue type = this.entry.take("type", "transport", "transportType");
		JsonValue source = this.entry.take("source");
		if (ServerType.isBuiltIn(type) || (source != null && source.text().equals("extension"))) {
			this.notes.warn(this.entry.value(), "It is a part of another client, and left out.");
			return;
		}
		addSwitches(off);
		addTarget(type);
		new Timeouts(this.entry, this.dialect.timeoutUnit(), this.notes, this.properties).add();
		new ToolFilter(this.entry, this.notes, this.properties).add();
		tellOfOAuth();
		tellOfHelper();
		this.properties.declare(this.entry.value());
		if (!this.entry.rest().isEmpty()) {
			this.notes.debug(this.entry.value(), "Not used: " + String.join(", ", this.entry.rest()));
		}
	}

	private void addSwitches(boolean off) {
		JsonValue disabled = this.entry.take("disabled");
		JsonValue enabled = this.entry.take("enabled");
		// one that is on is not told: it would override what is beside the import
		if (off || (disabled != null && disabled.text().equalsIgnoreCase("true"))) {
			this.properties.switchOff((disabled != null) ? disabled : this.entry.value());
		}
		else if (enabled != null && enabled.text().equalsIgnoreCase("false")) {
			this.properties.switchOff(enabled);
		}
		else {
			rejectUnlessBoolean(disabled);
			rejectUnlessBoolean(enabled);
		}
		JsonValue required = this.entry.take("required", Kind.BOOLEAN);
		if (required != null) {
			this.properties.put("required", required, required.text());
		}
	}

	private void rejectUnlessBoolean(@Nullable JsonValue value) {
		if (value != null && !value.text().equalsIgnoreCase("true") && !value.text().equalsIgnoreCase("false")) {
			this.properties.reject("enabled", value, "This is neither true nor false.");
		}
	}

	private void addTarget(@Nullable JsonValue givenType) {
		JsonValue forcing = this.entry.take("httpUrl");
		JsonValue other = this.entry.take("url", "serverUrl", "uri");
		JsonValue url = (forcing != null) ? forcing : other;
		CommandLine command = command();
		boolean hasUrl = url != null && (url.isNotBlank() || !url.is(Kind.TEXT));
		ServerType type = (forcing != null && !command.isPresent()) ? ServerType.STREAMABLE_HTTP
				: ServerType.of(givenType);
		boolean stdio = type.isInferred() ? command.isPresent() : type.isStdio();
		boolean http = type.isInferred() ? !stdio && hasUrl : type.known() && !stdio;
		if (type.isInferred() && http && isSse(url)) {
			type = ServerType.SSE;
		}
		if (type.name() != null) {
			this.properties.put("type", (givenType != null) ? givenType : this.entry.value(),
					new PlaceholderText().literal(type.name()).toString());
		}
		else if (givenType != null && !givenType.is(Kind.TEXT)) {
			this.properties.reject("type", givenType, "This is not a text.");
		}
		addHttp(hasUrl ? url : null, stdio);
		addStdio(command, http);
	}

	private CommandLine command() {
		JsonValue command = this.entry.take("command", "cmd");
		JsonValue args = this.entry.take("args");
		if (command != null && command.is(Kind.OBJECT)) {
			args = (args != null) ? args : command.get("args");
			command = command.get("path");
		}
		return CommandLine.of(command, args, this.windows, this.notes);
	}

	private void addHttp(@Nullable JsonValue url, boolean unused) {
		JsonValue headers = this.entry.take("headers");
		if (unused) {
			tellUnused("url", url, "a child process");
			tellUnused("headers", headers, "a child process");
			return;
		}
		if (url != null) {
			this.properties.putText("url", url);
		}
		addMap("headers", headers);
	}

	private void addStdio(CommandLine line, boolean unused) {
		JsonValue commandValue = this.entry.value().get("command", Kind.OBJECT);
		JsonValue env = this.entry.take("env", "environment", "envs");
		if (env == null && commandValue != null) {
			env = commandValue.get("env");
		}
		JsonValue envFile = this.entry.take("envFile");
		JsonValue directory = this.entry.take("cwd", "workingDirectory");
		if (unused) {
			tellUnused("command", line.isPresent() ? line.command() : null, "reached by its url");
			tellUnused("env", env, "reached by its url");
			return;
		}
		if (line.command() != null && line.isPresent()) {
			this.properties.putText("command", line.command());
		}
		addArgs(line.args());
		addMap("env", env);
		addFile("env-file", envFile);
		addFile("working-directory", directory);
	}

	private void addArgs(@Nullable JsonValue args) {
		if (args == null) {
			return;
		}
		if (!args.is(Kind.LIST)) {
			this.properties.reject("args", args, "This is not a list of texts.");
			return;
		}
		for (int i = 0; i < args.items().size(); i++) {
			this.properties.putText("args[" + i + "]", args.items().get(i));
		}
		if (args.items().isEmpty()) {
			this.properties.put("args", args, "");
		}
	}

	private void addMap(String setting, @Nullable JsonValue map) {
		if (map == null) {
			return;
		}
		if (!map.is(Kind.OBJECT)) {
			this.properties.reject(setting, map, "This is not an object with a name for each value.");
			return;
		}
		for (Map.Entry<String, JsonValue> member : map.members().entrySet()) {
			String name = member.getKey();
			JsonValue value = member.getValue();
			if (name.isEmpty() || name.indexOf('[') != -1 || name.indexOf(']') != -1) {
				this.properties.reject(setting, value, "There is a name that is empty, or has a bracket.");
			}
			else if (!value.is(Kind.NULL)) {
				this.properties.putText(setting + "[" + name + "]", value);
			}
		}
	}

	private void addFile(String setting, @Nullable JsonValue file) {
		if (file != null) {
			boolean relative = file.is(Kind.TEXT) && this.files.isRelative(file.text());
			this.properties.putText(setting, file,
					relative ? this.files.projectDirectory() + this.files.separator() : "");
		}
	}

	private void tellUnused(String setting, @Nullable JsonValue value, String server) {
		if (value != null && !(value.is(Kind.OBJECT) && value.members().isEmpty())) {
			this.notes.warn(value, "Ignored, since the server is " + server + ": " + setting + ".");
		}
	}

	private void tellOfOAuth() {
		for (String name : List.of("oauth", "auth", "oauthClientId", "authProviderType")) {
			JsonValue settings = this.entry.take(name);
			JsonValue enabled = (settings != null) ? settings.get("enabled", Kind.BOOLEAN) : null;
			if (settings != null && !settings.text().equals("false")
					&& !(enabled != null && enabled.text().equals("false"))) {
				this.notes.warn(settings, "Of no effect, since OAuth is not supported: " + name
						+ ". If the server asks for credentials, set a header.");
			}
		}
	}

	private void tellOfHelper() {
		JsonValue helper = this.entry.take("headersHelper");
		if (helper != null) {
			this.notes.warn(helper, "Ignored, since commands are not run for values: headersHelper. Set headers.");
		}
	}

	private static boolean isSse(@Nullable JsonValue url) {
		String path = (url != null) ? url.text().strip().split("[?#]", 2)[0] : "";
		return path.toLowerCase(Locale.ROOT).matches("https?://.*/sse/?|\\$\\{.*/sse/?");
	}

}
