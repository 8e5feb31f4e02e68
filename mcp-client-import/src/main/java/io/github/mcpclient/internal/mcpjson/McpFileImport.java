package io.github.mcpclient.internal.mcpjson;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import io.github.mcpclient.config.ImportedProperties.FileListener;
import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.validation.McpServerDefinitions.ServerNames;
import org.apache.commons.logging.Log;

import org.springframework.core.io.Resource;

/**
 * Converts a file of servers to properties.
 *
 * @param isSet whether there is an environment variable
 * @param properties the properties made so far
 */
record McpFileImport(Resource resource, Variables variables, Predicate<String> isSet, Log log,
		Map<String, Object> properties) {

	// far above practical sizes, and processed within seconds
	private static final int MOST_SERVERS = 1000;

	private static final int MOST_SETTINGS = 20_000;

	private static final Pattern URL = Pattern.compile("\\s*(?:https?|wss?)://\\S+\\s*", Pattern.CASE_INSENSITIVE);

	static Map<String, Object> read(Resource resource, List<String> preferred, Predicate<String> isSet, Log log,
			FileListener listener) throws JsonFileException {
		McpFile file = McpFile.of(
				JsonFileReader.read(resource, (warning) -> log.warn("MCP servers of " + resource + ", " + warning)),
				preferred);
		Variables variables = new Variables(Dialect.of(path(resource), file), ProjectFiles.around(resource, listener),
				file.inputDefaults());
		return new McpFileImport(resource, variables, isSet, log, new LinkedHashMap<>()).read(file);
	}

	private Map<String, Object> read(McpFile file) throws JsonFileException {
		if (file.servers().size() > MOST_SERVERS) {
			throw new JsonFileException("It has " + file.servers().size() + " servers: a file may have " + MOST_SERVERS
					+ " at most. Divide it into several files.");
		}
		Map<String, String> names = names(file.servers().keySet());
		Predicate<String> isOff = file.isOff();
		for (Map.Entry<String, JsonValue> entry : file.servers().entrySet()) {
			String nameInFile = entry.getKey();
			add(entry.getValue(), nameInFile, names.getOrDefault(nameInFile, nameInFile), isOff.test(nameInFile),
					file.rootNames().equals(McpFile.MCP));
			if (this.properties.size() > MOST_SETTINGS) {
				throw new JsonFileException("Up to the end of this server there are " + this.properties.size()
						+ " settings, each item of a list counted: a file may have " + MOST_SETTINGS + " at most.",
						entry.getValue());
			}
		}
		if (file.hasSharedToolFilter()) {
			this.log.warn("The 'tools' of " + this.resource + " are ignored. Set mcp.tools.filter.");
		}
		if (!file.unused().isEmpty()) {
			this.log.debug("Not used of " + this.resource + ": " + String.join(", ", file.unused()));
		}
		return this.properties;
	}

	private void add(JsonValue value, String nameInFile, String name, boolean off, boolean amongSettings) {
		JsonValue entry = URL.matcher(value.text()).matches()
				? new JsonValue(Kind.OBJECT, "", Map.of("url", value), List.of(), value.line(), value.column()) : value;
		ImportedServer server = new ImportedServer(this, nameInFile, name, entry);
		if (!entry.is(Kind.OBJECT)) {
			if (amongSettings || value.is(Kind.NULL) || value.text().equals("false")) {
				server.warn(value, "It is ignored, since it is not an object.");
			}
			else {
				server.reject("", value, "The entry is neither an object with a URL or a command, nor a URL.");
			}
			return;
		}
		if (!name.equals(nameInFile)) {
			server.info(value, "Its name is '" + name + "' here.");
		}
		new ServerImport(server, this.variables.dialect(), this.variables.files()).add(off);
	}

	/**
	 * Map the names of servers to valid names that differ in more than case and
	 * separators. Other clients allow any name, and only display it; here, names are
	 * parts of URLs and of the names of tools.
	 */
	private static Map<String, String> names(Set<String> names) {
		Map<String, String> valid = new LinkedHashMap<>();
		Set<String> taken = new HashSet<>();
		names.stream()
			.filter((name) -> ServerNames.isValid(name) && taken.add(PropertyNames.uniform(name)))
			.forEach((name) -> valid.put(name, name));
		for (String name : names) {
			String similar = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|(?<!-)-+$", "");
			String free = similar.isEmpty() ? "server" : similar;
			// independent of the order in the file
			while (!valid.containsKey(name) && (similar.isEmpty() || !taken.add(PropertyNames.uniform(free)))) {
				free += "-" + Integer.toHexString(name.hashCode());
				similar = free;
			}
			valid.putIfAbsent(name, free);
		}
		return valid;
	}

	private static String path(Resource resource) {
		try {
			if (resource.isFile()) {
				return resource.getFile().getAbsolutePath();
			}
		}
		catch (IOException ex) {
			// not a file
		}
		return String.valueOf(resource.getFilename());
	}

}
