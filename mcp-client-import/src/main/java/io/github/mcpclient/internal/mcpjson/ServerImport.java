package io.github.mcpclient.internal.mcpjson;

import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Converts the entry of one server, for any client, to properties.
 */
record ServerImport(ImportedServer server, Dialect dialect, ProjectFiles files) {

	private static final String INFERRED = "";

	private static final String STDIO = "stdio";

	private static final Map<String, String> TYPES = Map.of(STDIO, STDIO, "local", STDIO, "http", "streamable-http",
			"streamablehttp", "streamable-http", "sse", "sse", "ws", "websocket", "websocket", "websocket", "remote",
			INFERRED);

	private static final Pattern STREAMABLE = Pattern
		.compile("https|(?:http)?stream(?:able|ing)?(?:http)?|httpstreamable");

	// built-in servers of a client, to which other clients cannot connect
	private static final Set<String> BUILT_IN = Set.of("inmemory", "sdk", "builtin", "platform", "frontend",
			"inlinepython");

	private static final Map<String, String> OAUTH_SETTINGS = Map.of("clientid", "client-id", "clientsecret",
			"client-secret", "redirecturi", "redirect-uri", "authorizationendpoint", "authorization-uri",
			"authorizationurl", "authorization-uri", "tokenendpoint", "token-uri", "tokenurl", "token-uri");

	// texts for users, or settings of the user interface of a client
	private static final Set<String> OTHERS = Set.of("autoApprove", "alwaysAllow", "trust", "name", "description",
			"icon", "dev");

	private static final Pattern HEADER = Pattern.compile("\\s*([^\\s:=]++)\\s*:\\s*(.*)", Pattern.DOTALL);

	private static final Pattern VARIABLE = Pattern.compile("\\s*([^\\s:=]++)=(.*)", Pattern.DOTALL);

	private static final Pattern BEARER = Pattern.compile("(?i)^\\s*bearer\\s++");

	private static final Set<String> NO_TOKEN = Set.of("", "none", "false", "oauth", "oauth2", "true", "bearer",
			"basic");

	void add(boolean off) {
		JsonValue type = this.server.take("type", "transport", "transportType");
		JsonValue source = this.server.take("source");
		if ((type != null && BUILT_IN.contains(uniform(type)))
				|| (source != null && source.text().equals("extension"))) {
			this.server.warn(this.server.value(), "It is ignored, since it is built into another client.");
			return;
		}
		addSwitches(off);
		addTarget(type);
		new Timeouts(this.server, this.dialect.timeoutUnit()).add();
		addToolFilter();
		JsonValue helper = this.server.take("headersHelper");
		if (helper != null) {
			this.server.warn(helper,
					"Ignored, since commands for values are not supported: headersHelper. Set headers.");
		}
		this.server.declare();
		this.server.rest().removeAll(OTHERS);
		if (!this.server.rest().isEmpty()) {
			this.server.info(this.server.value(), "Not used: " + String.join(", ", this.server.rest()));
		}
	}

	private void addSwitches(boolean off) {
		JsonValue disabled = this.server.take("disabled");
		JsonValue enabled = this.server.take("enabled", "isActive");
		// enabled: true is not set, since it would override a property outside of the
		// import
		if (off || (disabled != null && disabled.text().equalsIgnoreCase("true"))) {
			this.server.switchOff((disabled != null) ? disabled : this.server.value());
		}
		else if (enabled != null && enabled.text().equalsIgnoreCase("false")) {
			this.server.switchOff(enabled);
		}
		else {
			rejectUnlessBoolean(disabled);
			rejectUnlessBoolean(enabled);
		}
		JsonValue required = this.server.take("required", Kind.BOOLEAN);
		if (required != null) {
			this.server.put("required", required, required.text());
		}
	}

	private void rejectUnlessBoolean(@Nullable JsonValue value) {
		if (value != null && !value.text().equalsIgnoreCase("true") && !value.text().equalsIgnoreCase("false")) {
			this.server.reject("enabled", value, "This is neither true nor false.");
		}
	}

	private void addTarget(@Nullable JsonValue givenType) {
		JsonValue forcing = this.server.take("httpUrl");
		JsonValue other = this.server.take("url", "serverUrl", "uri");
		JsonValue url = (forcing != null) ? forcing : other;
		CommandLine command = command();
		JsonValue packageName = this.server.take("package");
		boolean hasUrl = url != null && (url.isNotBlank() || !url.is(Kind.TEXT));
		boolean runs = command.isPresent() || (packageName != null && !hasUrl);
		String type = (forcing != null && !runs) ? "streamable-http" : type(givenType);
		boolean inferred = type.equals(INFERRED);
		boolean stdio = inferred ? runs : type.equals(STDIO);
		boolean http = inferred ? !stdio && hasUrl : !stdio && TYPES.containsValue(type);
		if (inferred && http && isSse(url)) {
			type = "sse";
		}
		if (!type.equals(INFERRED)) {
			this.server.put("type", (givenType != null) ? givenType : this.server.value(),
					PlaceholderText.escape(type));
		}
		else if (givenType != null && !givenType.is(Kind.TEXT)) {
			this.server.reject("type", givenType, "This is not a string.");
		}
		JsonValue env = env();
		Map<String, JsonValue> variables = (env != null) ? namedValues(env, VARIABLE) : null;
		this.server.variables((variables != null) ? variables : Map.of(), !http);
		addHttp(hasUrl ? url : null, stdio);
		addStdio(command, env, http);
		if (packageName != null && stdio) {
			this.server.putText("package", packageName);
		}
	}

	/**
	 * Return the type in its canonical spelling, or unchanged if it is unknown.
	 */
	private static String type(@Nullable JsonValue type) {
		return (type == null || !type.isNotBlank()) ? INFERRED : STREAMABLE.matcher(uniform(type)).matches()
				? "streamable-http" : TYPES.getOrDefault(uniform(type), type.text().strip());
	}

	private static String uniform(JsonValue type) {
		return type.is(Kind.TEXT) ? PropertyNames.uniform(type.text().replace(" ", "").strip()) : "";
	}

	private CommandLine command() {
		JsonValue command = this.server.take("command", "cmd");
		JsonValue args = this.server.take("args");
		if (command != null && command.is(Kind.OBJECT)) {
			args = (args != null) ? args : command.get("args");
			command = command.get("path");
		}
		return CommandLine.of(command, args, File.separatorChar == '\\', this.server);
	}

	private void addHttp(@Nullable JsonValue url, boolean unused) {
		JsonValue headers = this.server.take("headers");
		Map<String, JsonValue> named = (headers != null) ? namedValues(headers, HEADER) : null;
		addAuth((named != null) ? named.keySet() : Set.of(), unused);
		if (unused) {
			warnOfUnused("url", url, "a child process");
			warnOfUnused("headers", headers, "a child process");
			return;
		}
		if (url != null) {
			this.server.putText("url", url.is(Kind.TEXT) ? url.withText(url.text().strip()) : url);
		}
		addMap("headers", headers, this.server::own);
	}

	private @Nullable JsonValue env() {
		JsonValue command = this.server.value().get("command", Kind.OBJECT);
		JsonValue env = this.server.take("env", "environment", "envs");
		return (env == null && command != null) ? command.get("env") : env;
	}

	private void addStdio(CommandLine line, @Nullable JsonValue env, boolean unused) {
		JsonValue envFile = this.server.take("envFile");
		JsonValue directory = this.server.take("cwd", "workingDirectory");
		if (unused) {
			warnOfUnused("command", line.isPresent() ? line.command() : null, "reached by its URL");
			warnOfUnused("args", line.isPresent() ? null : line.args(), "reached by its URL");
			warnOfUnused("env", this.server.usesVariables() ? null : env, "reached by its URL");
			warnOfUnused("envFile", envFile, "reached by its URL");
			warnOfUnused("cwd", directory, "reached by its URL");
			return;
		}
		if (line.command() != null && line.isPresent()) {
			this.server.putText("command", line.command());
		}
		addArgs(line.args(), line);
		addMap("env", env, (name, written) -> null);
		addFile("env-file", envFile);
		addFile("working-directory", directory);
	}

	private void addArgs(@Nullable JsonValue args, CommandLine line) {
		if (args == null) {
			return;
		}
		if (!args.is(Kind.LIST)) {
			this.server.reject("args", args, "This is not a list of strings.");
			return;
		}
		for (int i = 0; i < args.items().size(); i++) {
			this.server.putArg("args[" + i + "]", args.items().get(i), line);
		}
		if (args.items().isEmpty()) {
			this.server.put("args", args, "");
		}
	}

	private void addMap(String setting, @Nullable JsonValue map, BinaryOperator<@Nullable String> own) {
		Map<String, JsonValue> values = (map != null) ? namedValues(map, setting.equals("env") ? VARIABLE : HEADER)
				: Map.of();
		if (map != null && values == null) {
			this.server.reject(setting, map,
					"This is neither an object with a name for each value, nor a list of names and values.");
			return;
		}
		for (Map.Entry<String, JsonValue> member : Objects.requireNonNull(values).entrySet()) {
			String name = member.getKey();
			JsonValue value = member.getValue();
			if (name.isEmpty() || name.indexOf('[') != -1 || name.indexOf(']') != -1) {
				this.server.reject(setting, value, "A name is empty, or has a bracket.");
			}
			else if (!value.is(Kind.NULL)) {
				this.server.putText(setting + "[" + name + "]", value, "", own);
			}
		}
	}

	/**
	 * Return values by their names, in any form that clients support, or {@code null} if
	 * the form is unknown.
	 */
	private static @Nullable Map<String, JsonValue> namedValues(JsonValue values, Pattern line) {
		Map<String, JsonValue> named = new LinkedHashMap<>(values.members());
		for (JsonValue item : values.items()) {
			Matcher text = line.matcher(item.text());
			JsonValue name = item.hasAny(List.of("name")) ? item.get("name") : item.get("key");
			JsonValue value = text.matches() ? item.withText(text.group(2)) : item.get("value");
			String key = text.matches() ? text.group(1) : (name != null) ? name.text() : "";
			if (key.isEmpty() || value == null || named.put(key, value) != null) {
				return null;
			}
		}
		named.replaceAll((name, value) -> Objects.requireNonNullElse(value.get("value"), value));
		return (values.is(Kind.OBJECT) || values.is(Kind.LIST)) ? named : null;
	}

	private void addFile(String setting, @Nullable JsonValue file) {
		if (file != null) {
			boolean relative = file.is(Kind.TEXT) && this.files.isRelative(file.text());
			this.server.putText(setting, file, relative ? this.files.projectDirectory() + File.separator : "",
					this.server::own);
		}
	}

	/**
	 * Add the tools that the file allows. Settings for calls without approval
	 * ({@code autoApprove}, {@code alwaysAllow}, {@code trust}) are not such a list, and
	 * add no tools.
	 */
	private void addToolFilter() {
		JsonValue available = this.server.take("available_tools");
		JsonValue allowed = listOfTools(this.server.take("includeTools", "enabled_tools", "tools"));
		JsonValue denied = listOfTools(this.server.take("excludeTools", "disabledTools", "disabled_tools"));
		if (allowed == null && available != null && !available.items().isEmpty()) {
			allowed = available;
		}
		List<JsonValue> patterns = new ArrayList<>();
		if (allowed != null && allowed.items().stream().noneMatch((item) -> item.text().equals("*"))) {
			patterns.add(allowed.withText("!*"));
			names(allowed).forEach((name) -> patterns.add(name.withText(escape(name.text()))));
		}
		if (denied != null && !names(denied).isEmpty()) {
			if (patterns.isEmpty()) {
				patterns.add(denied.withText("*"));
			}
			names(denied).forEach((name) -> patterns.add(name.withText("!" + escape(name.text()))));
		}
		for (int i = 0; i < patterns.size(); i++) {
			JsonValue pattern = patterns.get(i);
			this.server.put("tools.filter[" + i + "]", pattern, PlaceholderText.escape(pattern.text()));
		}
	}

	private @Nullable JsonValue listOfTools(@Nullable JsonValue tools) {
		if (tools != null && !tools.is(Kind.LIST)) {
			this.server.warn(tools, "A selection of tools that is not a list is ignored.");
			return null;
		}
		return tools;
	}

	private static List<JsonValue> names(JsonValue list) {
		return list.items()
			.stream()
			.filter(JsonValue::isNotBlank)
			// Gemini CLI allows a tool with certain arguments
			.map((item) -> item.withText(item.text().split("\\(", 2)[0].strip()))
			.filter(JsonValue::isNotBlank)
			.toList();
	}

	private static String escape(String name) {
		return name.replaceAll("[*?!\\\\]", "\\\\$0");
	}

	private void warnOfUnused(String setting, @Nullable JsonValue value, String server) {
		if (value != null && !(value.is(Kind.OBJECT) && value.members().isEmpty())) {
			this.server.warn(value, "Ignored, since the server is " + server + ": " + setting + ".");
		}
	}

	/**
	 * Add the settings of OAuth, in the spellings of all clients. An Authorization header
	 * takes precedence.
	 */
	private void addAuth(Set<String> headers, boolean unused) {
		JsonValue oauth = this.server.take("oauth");
		JsonValue auth = this.server.take("auth");
		JsonValue clientId = this.server.take("oauthClientId");
		JsonValue provider = this.server.take("authProviderType");
		JsonValue at = (oauth != null) ? oauth : (auth != null) ? auth : (clientId != null) ? clientId : provider;
		String type = (at != null && at == auth) ? uniform(Objects.requireNonNullElse(at.get("type"), at)) : "";
		if (at == null || isFalse(at) || isFalse(at.get("enabled")) || type.equals("none")
				|| at.is(Kind.TEXT) && !at.isNotBlank()) {
			return;
		}
		if (unused) {
			warnOfUnused((at == auth) ? "auth" : "oauth", at, "a child process");
			return;
		}
		if (headers.stream().anyMatch("Authorization"::equalsIgnoreCase)) {
			this.server.warn(at,
					"Ignored, since there is an Authorization header: " + ((at == auth) ? "auth." : "oauth."));
			return;
		}
		JsonValue token = (at == auth) ? at.is(Kind.OBJECT) ? at.get("token") : at : null;
		if (token != null && !type.equals("basic") && token.hasText()
				&& !NO_TOKEN.contains(PropertyNames.uniform(token.text().strip()))) {
			this.server.put("auth.type", at, "bearer");
			this.server.putText("auth.bearer.token", token.withText(BEARER.matcher(token.text()).replaceFirst("")));
			return;
		}
		if (type.equals("bearer") || type.equals("basic")) {
			this.server.reject("auth.type", at,
					"This authorization has no token. Set auth to the token, or set the header Authorization.");
			return;
		}
		this.server.put("auth.type", at, "oauth2");
		at.members().forEach(this::addOAuth);
		if (clientId != null) {
			this.server.putText("auth.oauth2.client-id", clientId);
		}
		if (provider != null && !uniform(provider).equals("dynamicdiscovery")) {
			this.server.warn(provider, "Ignored: authProviderType. The server determines the use of OAuth.");
		}
	}

	private void addOAuth(String name, JsonValue value) {
		String uniform = PropertyNames.uniform(name);
		String setting = OAUTH_SETTINGS.get(uniform);
		if (setting != null) {
			this.server.putText("auth.oauth2." + setting, value);
		}
		else if (uniform.equals("scope") || uniform.equals("scopes")) {
			List<JsonValue> scopes = value.is(Kind.LIST) ? value.items()
					: Stream.of(value.text().split("\\s+")).filter(StringUtils::hasText).map(value::withText).toList();
			for (int i = 0; i < scopes.size(); i++) {
				this.server.putText("auth.oauth2.scopes[" + i + "]", scopes.get(i));
			}
		}
		else if (!uniform.equals("enabled") && !uniform.equals("type")) {
			this.server.info(value, "Not used: oauth." + name);
		}
	}

	private static boolean isFalse(@Nullable JsonValue value) {
		return value != null && value.text().equals("false");
	}

	private static boolean isSse(@Nullable JsonValue url) {
		String path = (url != null) ? url.text().strip().split("[?#]", 2)[0] : "";
		return path.toLowerCase(Locale.ROOT).matches("https?://.*/sse/?|\\$\\{.*/sse/?");
	}

}
