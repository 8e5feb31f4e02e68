package io.github.mcpclient.config.mcpjson;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import org.apache.commons.logging.Log;

import org.springframework.core.io.Resource;

/**
 * Makes properties of a file of servers.
 */
record McpFileImport(Log log, boolean windows, Predicate<String> isSet) {

	private static final Pattern VALID_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

	Map<String, Object> read(Resource resource) throws JsonFileException, IOException {
		McpFile file = McpFile.of(JsonFileReader.read(resource));
		ProjectFiles files = ProjectFiles.around(resource);
		Dialect dialect = Dialect.of(path(resource), file);
		Variables variables = new Variables(dialect, files, file.inputDefaults());
		Map<String, Object> properties = new LinkedHashMap<>();
		Map<String, String> names = names(file.servers().keySet());
		file.servers().forEach((name, value) -> {
			ServerNotes notes = new ServerNotes(this.log, resource, name);
			if (!value.is(Kind.OBJECT)) {
				notes.warn(value, "It is not an object, and left out.");
				return;
			}
			String ours = names.getOrDefault(name, name);
			if (!ours.equals(name) && VALID_NAME.matcher(ours).matches()) {
				notes.info(value, "Its name is '" + ours + "' here.");
			}
			ServerProperties server = new ServerProperties(properties, resource, ours, variables, this.isSet, notes);
			new ServerImport(new ServerEntry(value), dialect, files, this.windows, notes, server).add(file.isOff(name));
		});
		if (file.hasSharedToolFilter()) {
			this.log.warn("The 'tools' of " + resource + " are ignored. Set mcp.tools.filter.");
		}
		if (!file.unused().isEmpty()) {
			this.log.debug("Not used of " + resource + ": " + String.join(", ", file.unused()));
		}
		return properties;
	}

	/**
	 * Give servers names that are allowed here. Clients allow any, and show them to
	 * people; here they are parts of urls and of the names of tools.
	 */
	private static Map<String, String> names(Set<String> names) {
		Map<String, String> allowed = new LinkedHashMap<>();
		Set<String> taken = new LinkedHashSet<>();
		names.stream().filter((name) -> VALID_NAME.matcher(name).matches()).forEach((name) -> {
			allowed.put(name, name);
			taken.add(name);
		});
		for (String name : names) {
			String similar = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
			if (!allowed.containsKey(name)) {
				// brackets would end the name within that of a property
				allowed.put(name,
						(!similar.isEmpty() && taken.add(similar)) ? similar : name.replaceAll("[\\[\\]]", "?"));
			}
		}
		return allowed;
	}

	private static String path(Resource resource) throws IOException {
		String name = resource.getFilename();
		return resource.isFile() ? resource.getFile().getAbsolutePath() : ((name != null) ? name : "");
	}

}
