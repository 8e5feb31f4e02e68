package io.github.mcpclient.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

import org.springframework.boot.bootstrap.BootstrapContext;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The property sources of imported files, identified by their names.
 */
public final class ImportedProperties {

	private static final String NAME = "MCP servers of '%s' via location '%s'";

	private static final String NAME_START = NAME.substring(0, NAME.indexOf('%'));

	private ImportedProperties() {
	}

	/**
	 * Return the property source of a file.
	 */
	public static PropertySource<?> of(Object file, Object location, Map<String, Object> properties) {
		return new OriginTrackedMapPropertySource(NAME.formatted(file, location), properties, true);
	}

	/**
	 * Return the listener for files that an import reads.
	 */
	public static FileListener fileListener(BootstrapContext context) {
		return Objects.requireNonNull(context.getOrElse(FileListener.class, (file) -> {
		}));
	}

	/**
	 * Return whether a source is an imported file of servers.
	 */
	public static boolean isFrom(PropertySource<?> source) {
		// by name, which remains if a library wraps all sources
		return source.getName().startsWith(NAME_START);
	}

	/**
	 * Is notified of each file that an import reads, or would read if it existed. The
	 * context of a reload has a listener.
	 */
	@FunctionalInterface
	public interface FileListener {

		/**
		 * Called before a file is read.
		 */
		void onFile(Path file);

	}

	/**
	 * A value of an imported file that cannot be used. It matters only if the server is
	 * enabled and nothing else overrides the property.
	 *
	 * @param message the error and its correction: sentences, without secrets
	 */
	public record UnusableValue(String message) {

		@Override
		public String toString() {
			// never taken for a value
			return "(" + this.message + ")";
		}

	}

}
