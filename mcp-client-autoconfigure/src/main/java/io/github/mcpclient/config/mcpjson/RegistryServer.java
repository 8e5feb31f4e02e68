package io.github.mcpclient.config.mcpjson;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A {@code server.json} of the MCP registry: the packages and remotes by which one server
 * can be used. The one that is preferred becomes an entry like those of other files.
 */
record RegistryServer(JsonValue root) {

	private static final List<String> PACKAGES = List.of("npm", "pypi", "oci");

	private static final List<String> REMOTES = List.of("streamable-http", "sse");

	private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\{([A-Za-z_][A-Za-z0-9_]*)\\}");

	/**
	 * Returns the entry of the server by its name.
	 * @param preferred which kinds of packages and remotes to take, the best first
	 */
	Map<String, JsonValue> entry(List<String> preferred) throws JsonFileException {
		Map<String, JsonValue> candidates = new LinkedHashMap<>();
		for (JsonValue item : items(this.root, "packages")) {
			JsonValue transport = item.get("transport", Kind.OBJECT);
			String kind = text(item, "registryType", "registry_type", "registry_name");
			if (PACKAGES.contains(kind) && (transport == null || "stdio".equals(text(transport, "type")))) {
				candidates.putIfAbsent(kind, item);
			}
		}
		for (JsonValue item : items(this.root, "remotes")) {
			String kind = Objects.requireNonNullElse(text(item, "type", "transport_type"), "");
			if (REMOTES.contains(kind)) {
				candidates.putIfAbsent(kind, item);
			}
		}
		List<String> chosen = (preferred.isEmpty() && candidates.size() == 1) ? List.copyOf(candidates.keySet())
				: preferred.stream().filter(candidates::containsKey).toList();
		if (chosen.isEmpty()) {
			throw new JsonFileException("It is a server.json of the MCP registry, " + (candidates.isEmpty()
					? "and has no package of npm, pypi or oci that speaks over stdio, and no remote."
					: "and its server can be used by " + String.join(", ", candidates.keySet())
							+ ". Set mcp.import.prefer to one of them."));
		}
		String name = Objects.requireNonNullElse(text(this.root, "name"), "server");
		String kind = chosen.get(0);
		JsonValue item = Objects.requireNonNull(candidates.get(kind));
		return Map.of(name.substring(name.lastIndexOf('/') + 1),
				object(item, PACKAGES.contains(kind) ? ofPackage(kind, item) : ofRemote(kind, item)));
	}

	private static Map<String, JsonValue> ofPackage(String kind, JsonValue item) {
		String identifier = Objects.requireNonNullElse(text(item, "identifier", "name"), "");
		String version = text(item, "version");
		boolean complete = version == null
				|| (kind.equals("oci") && identifier.substring(identifier.lastIndexOf('/') + 1).matches(".*[:@].*"));
		List<JsonValue> args = new ArrayList<>();
		for (JsonValue argument : items(item, "packageArguments", "package_arguments")) {
			String name = "named".equals(text(argument, "type")) ? text(argument, "name") : null;
			JsonValue value = value(argument,
					Objects.requireNonNullElse(text(argument, "valueHint", "value_hint", "name"), "")
						.replaceFirst("^-+", ""));
			if (name != null) {
				args.add(argument.withText(name));
			}
			if (value != null) {
				args.add(value);
			}
		}
		return Map.of("package",
				item.withText(kind + ":" + identifier + (complete ? "" : (kind.equals("oci") ? ":" : "@") + version)),
				"args", item.withItems(args), "env", values(item, "environmentVariables", "environment_variables"));
	}

	private static Map<String, JsonValue> ofRemote(String kind, JsonValue item) {
		JsonValue url = value(item, "url", "url");
		return Map.of("type", item.withText(kind), "url", (url != null) ? url : item.withText(""), "headers",
				values(item, "headers"));
	}

	private static JsonValue values(JsonValue item, String... names) {
		Map<String, JsonValue> values = new LinkedHashMap<>();
		for (JsonValue input : items(item, names)) {
			String name = text(input, "name");
			JsonValue value = (name != null) ? value(input, name) : null;
			if (value != null) {
				values.put(name, value);
			}
		}
		return object(item, values);
	}

	private static @Nullable JsonValue value(JsonValue input, String name) {
		return value(input, "value", name);
	}

	/**
	 * Returns the value of an input; that of a variable if it has none and needs one.
	 */
	private static @Nullable JsonValue value(JsonValue input, String member, String name) {
		String value = text(input, member, "default");
		if (value == null) {
			boolean required = "true".equals(text(input, "isRequired", "is_required"));
			return required ? input.withText("${" + name.replaceAll("[^A-Za-z0-9_]", "_") + "}") : null;
		}
		JsonValue variables = input.get("variables", Kind.OBJECT);
		return input.withText(VARIABLE.matcher(value).replaceAll((match) -> {
			JsonValue variable = (variables != null) ? variables.get(match.group(1), Kind.OBJECT) : null;
			String text = (variable != null) ? text(variable, "value", "default") : null;
			return Matcher.quoteReplacement((text != null) ? text : "${" + match.group(1) + "}");
		}));
	}

	private static JsonValue object(JsonValue at, Map<String, JsonValue> members) {
		return new JsonValue(Kind.OBJECT, "", members, List.of(), at.line(), at.column());
	}

	private static List<JsonValue> items(JsonValue object, String... names) {
		for (String name : names) {
			JsonValue list = object.get(name, Kind.LIST);
			if (list != null) {
				return list.items().stream().filter((item) -> item.is(Kind.OBJECT)).toList();
			}
		}
		return List.of();
	}

	private static @Nullable String text(JsonValue object, String... names) {
		for (String name : names) {
			JsonValue value = object.get(name);
			if (value != null && value.hasText()) {
				return value.text();
			}
		}
		return null;
	}

}
