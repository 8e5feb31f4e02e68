package io.github.mcpclient.internal.mcpjson;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A {@code server.json} of the MCP registry: the packages and remotes of one server. The
 * preferred one becomes an entry like an entry of another file. Texts of the publisher
 * are literal: values have Spring's placeholders only for inputs of this server, below
 * {@code mcp.inputs.<server>}.
 *
 * @param name the name of the server, without its namespace
 */
record RegistryServer(JsonValue root, String name) {

	private static final List<String> PACKAGES = List.of("npm", "pypi", "oci");

	private static final List<String> REMOTES = List.of("streamable-http", "sse");

	private static final Map<Kind, String> EXPECTED = Map.of(Kind.OBJECT, "an object", Kind.LIST, "a list", Kind.TEXT,
			"a string");

	private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\{([A-Za-z_][A-Za-z0-9_-]*+)\\}");

	// possible defaults of a placeholder, which has no escapes
	private static final Pattern DEFAULT = Pattern.compile("[^{}\\\\]*+");

	// a variable may stand in a value many times
	private static final int LONGEST_VALUE = 64 * 1024;

	static RegistryServer of(JsonValue root) throws JsonFileException {
		String name = required(root, "name");
		return new RegistryServer(root, name.substring(name.lastIndexOf('/') + 1));
	}

	/**
	 * Return the entry of the server by its name.
	 * @param preferred the kinds of packages and remotes, in order of preference
	 */
	Map<String, JsonValue> entry(List<String> preferred) throws JsonFileException {
		Map<String, JsonValue> candidates = new LinkedHashMap<>();
		for (JsonValue item : items(this.root, "packages")) {
			String kind = required(item, "registryType");
			JsonValue transport = member(item, Kind.OBJECT, "transport");
			if (PACKAGES.contains(kind) && (transport == null || required(transport, "type").equals("stdio"))) {
				candidates.putIfAbsent(kind, item);
			}
		}
		for (JsonValue item : items(this.root, "remotes")) {
			String kind = required(item, "type");
			if (REMOTES.contains(kind)) {
				candidates.putIfAbsent(kind, item);
			}
		}
		List<String> chosen = (preferred.isEmpty() && candidates.size() == 1) ? List.copyOf(candidates.keySet())
				: preferred.stream().filter(candidates::containsKey).toList();
		if (chosen.isEmpty()) {
			throw new JsonFileException("It is a server.json of the MCP registry, " + (candidates.isEmpty()
					? "and has no package of npm, pypi or oci with the stdio transport, and no remote."
					: "and its server is available through " + String.join(", ", candidates.keySet())
							+ ". Set mcp.import.prefer to one of them."));
		}
		String kind = chosen.get(0);
		JsonValue item = Objects.requireNonNull(candidates.get(kind));
		return Map.of(this.name, object(item, PACKAGES.contains(kind) ? ofPackage(kind, item) : ofRemote(kind, item)));
	}

	private Map<String, JsonValue> ofPackage(String kind, JsonValue item) throws JsonFileException {
		String identifier = required(item, "identifier");
		String version = text(item, "version");
		boolean complete = version == null
				|| (kind.equals("oci") && identifier.substring(identifier.lastIndexOf('/') + 1).matches(".*[:@].*"));
		List<JsonValue> args = new ArrayList<>();
		for (JsonValue argument : items(item, "packageArguments")) {
			String name = "named".equals(text(argument, "type")) ? required(argument, "name") : null;
			String hint = (name != null) ? name : Objects.requireNonNullElse(text(argument, "valueHint"), "");
			JsonValue value = value(argument, "value", hint);
			boolean flag = name != null && "boolean".equals(text(argument, "format"));
			if (value == null || (flag && "false".equals(given(argument, "value")))) {
				continue;
			}
			if (name != null) {
				args.add(argument.withText(PlaceholderText.escape(name)));
			}
			if (!flag) {
				args.add(value);
			}
		}
		String versioned = identifier + (complete ? "" : (kind.equals("oci") ? ":" : "@") + version);
		return Map.of("package", item.withText(PlaceholderText.escape(kind + ":" + versioned)), "args",
				item.withItems(args), "env", values(item, "environmentVariables"));
	}

	private Map<String, JsonValue> ofRemote(String kind, JsonValue item) throws JsonFileException {
		required(item, "url");
		return Map.of("type", item.withText(kind), "url", Objects.requireNonNull(value(item, "url", "")), "headers",
				values(item, "headers"));
	}

	private JsonValue values(JsonValue item, String list) throws JsonFileException {
		Map<String, JsonValue> values = new LinkedHashMap<>();
		for (JsonValue input : items(item, list)) {
			String name = required(input, "name");
			JsonValue value = value(input, "value", name);
			if (value != null) {
				values.put(name, value);
			}
		}
		return object(item, values);
	}

	/**
	 * Return the value of an input, or {@code null} if it has no value and is optional.
	 * An input of the user is a placeholder.
	 */
	private @Nullable JsonValue value(JsonValue input, String member, String name) throws JsonFileException {
		String template = given(input, member);
		boolean fixed = name.isEmpty() || text(input, member) != null;
		if (template == null) {
			boolean required = "true".equals(text(input, "isRequired"));
			if (required && fixed) {
				throw new JsonFileException("'" + member + "' is missing.", input);
			}
			return required ? input.withText(placeholder(name, null)) : null;
		}
		if (!fixed && DEFAULT.matcher(template).matches()) {
			return input.withText(placeholder(name, template));
		}
		JsonValue variables = member(input, Kind.OBJECT, "variables");
		Matcher matcher = VARIABLE.matcher(template);
		PlaceholderText text = new PlaceholderText();
		int literal = 0;
		while (matcher.find()) {
			text.literal(template.substring(literal, matcher.start()));
			add(text, (variables != null) ? member(variables, Kind.OBJECT, matcher.group(1)) : null, matcher.group(1));
			literal = matcher.end();
			if (text.length() > LONGEST_VALUE) {
				throw new JsonFileException("With its variables, '" + member + "' is longer than 64K characters.",
						input);
			}
		}
		return input.withText(text.literal(template.substring(literal)).toString());
	}

	private void add(PlaceholderText text, @Nullable JsonValue variable, String name) throws JsonFileException {
		String value = (variable != null) ? given(variable, "value") : null;
		boolean fixed = variable != null && text(variable, "value") != null;
		if (value != null && (fixed || !DEFAULT.matcher(value).matches())) {
			text.literal(value);
		}
		else {
			text.placeholder(placeholder(name, value));
		}
	}

	private String placeholder(String input, @Nullable String defaultValue) {
		return "${" + Variables.inputProperty(this.name, input)
				+ ((defaultValue != null) ? ":" + PlaceholderText.escape(defaultValue) : "") + "}";
	}

	private static @Nullable String given(JsonValue input, String member) throws JsonFileException {
		String text = text(input, member);
		return (text != null) ? text : text(input, "default");
	}

	private static JsonValue object(JsonValue at, Map<String, JsonValue> members) {
		return new JsonValue(Kind.OBJECT, "", members, List.of(), at.line(), at.column());
	}

	private static List<JsonValue> items(JsonValue object, String name) throws JsonFileException {
		JsonValue list = member(object, Kind.LIST, name);
		List<JsonValue> items = (list != null) ? list.items() : List.of();
		for (JsonValue item : items) {
			if (!item.is(Kind.OBJECT)) {
				throw new JsonFileException("In '" + name + "', this is not an object.", item);
			}
		}
		return items;
	}

	private static String required(JsonValue object, String name) throws JsonFileException {
		String text = text(object, name);
		if (text == null || text.isBlank()) {
			throw new JsonFileException("'" + name + "' is missing.", object);
		}
		return text;
	}

	private static @Nullable String text(JsonValue object, String name) throws JsonFileException {
		JsonValue value = member(object, Kind.TEXT, name);
		return (value != null) ? value.text() : null;
	}

	private static @Nullable JsonValue member(JsonValue object, Kind kind, String name) throws JsonFileException {
		JsonValue value = object.get(name);
		if (value == null || value.is(Kind.NULL)) {
			return null;
		}
		if (!value.is(kind) && !(kind == Kind.TEXT && value.hasText())) {
			throw new JsonFileException("'" + name + "' is not " + EXPECTED.get(kind) + ".", value);
		}
		return value;
	}

}
