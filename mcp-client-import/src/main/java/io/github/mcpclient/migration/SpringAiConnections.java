package io.github.mcpclient.migration;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;

/**
 * The connections of all documents. A profile may set only the URL of a connection, whose
 * path is in another document.
 *
 * @param names the names of the servers
 * @param settings the settings of connections, from the first document that has them
 */
record SpringAiConnections(Map<String, String> names, Map<String, String> settings) {

	static final Set<String> TRANSPORTS = Set.of("stdio", "sse", "streamablehttp");

	static SpringAiConnections of(List<SpringAiDocument> documents) {
		SpringAiConnections connections = new SpringAiConnections(new HashMap<>(), new HashMap<>());
		Set<String> taken = new HashSet<>();
		documents.forEach((document) -> document.values().forEach((name, value) -> {
			if (isOfConnection(name)) {
				connections.names.computeIfAbsent(key(name, ""), (key) -> free(name, taken));
				connections.settings.putIfAbsent(key(name, name.get(3)), value.toString());
			}
		}));
		return connections;
	}

	static boolean isOfConnection(List<String> name) {
		return name.size() > 3 && TRANSPORTS.contains(PropertyNames.uniform(name.get(0)))
				&& PropertyNames.uniform(name.get(1)).equals("connections");
	}

	/**
	 * Return a valid and unique name: connections of two transports may have the same
	 * name.
	 */
	private static String free(List<String> name, Set<String> taken) {
		String valid = name.get(2).replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[._-]+", "");
		String free = valid.isEmpty() ? "server" : valid;
		while (!taken.add(PropertyNames.uniform(free))) {
			free += "-" + name.get(0);
		}
		return free;
	}

	String name(List<String> name) {
		return this.names.getOrDefault(key(name, ""), name.get(2));
	}

	/**
	 * Return another setting of the connection of a property.
	 */
	@Nullable String setting(List<String> name, String setting) {
		return this.settings.get(key(name, setting));
	}

	private static String key(List<String> name, String setting) {
		return PropertyNames.uniform(name.get(0)) + "/" + PropertyNames.uniform(name.get(2)) + "/"
				+ PropertyNames.uniform(setting);
	}

}
