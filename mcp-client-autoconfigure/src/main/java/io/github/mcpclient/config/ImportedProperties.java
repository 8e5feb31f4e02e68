package io.github.mcpclient.config;

import java.util.Map;

import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.PropertySource;

/**
 * Tells the properties of imported files from all others.
 */
public final class ImportedProperties {

	private static final String NAME = "MCP servers of '%s' via location '%s'";

	private static final String NAME_START = NAME.substring(0, NAME.indexOf('%'));

	private ImportedProperties() {
	}

	/**
	 * Returns the source of the properties of a file.
	 */
	public static PropertySource<?> of(Object file, Object location, Map<String, Object> properties) {
		return new OriginTrackedMapPropertySource(NAME.formatted(file, location), properties, true);
	}

	/**
	 * Return whether a source is an imported file of servers.
	 * @param source the source
	 * @return whether it is
	 */
	public static boolean isFrom(PropertySource<?> source) {
		// by name, which is still there where something wraps all sources
		return source.getName().startsWith(NAME_START);
	}

}
