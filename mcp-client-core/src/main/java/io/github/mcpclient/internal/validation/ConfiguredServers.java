package io.github.mcpclient.internal.validation;

import java.util.List;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerOrigin;
import io.github.mcpclient.McpServerSetting;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;

/**
 * The servers of a configuration.
 *
 * @param problems what is wrong with the configuration, apart from its servers
 */
public record ConfiguredServers(List<Server> servers, List<Problem> problems) {

	/**
	 * A server of a configuration.
	 *
	 * @param definition its definition, which is not validated
	 * @param problems what could not be read into the definition, which matters only if
	 * it is enabled
	 * @param settings what the definition was made of
	 */
	public record Server(McpServerDefinition definition, List<Problem> problems, Settings settings) {
	}

	/**
	 * What a definition was made of, by the names that settings have below a server.
	 */
	@FunctionalInterface
	public interface Settings {

		/**
		 * Returns whether the server itself has a setting, rather than the defaults.
		 */
		default boolean contains(String setting) {
			return true;
		}

		/**
		 * Returns where the server comes from.
		 */
		default McpServerOrigin origin() {
			return new McpServerOrigin(McpServerOrigin.Kind.BEAN, null);
		}

		/**
		 * Returns a supplier of the settings as operators may see them, which reads them
		 * each time.
		 */
		default Supplier<List<McpServerSetting>> shown() {
			return List::of;
		}

		/**
		 * Returns whether a mistake costs this server alone, rather than the start of the
		 * application.
		 */
		default boolean costsServerAlone(Problem problem) {
			return false;
		}

		/**
		 * Describes a mistake where it was made.
		 * @param changed whether code has changed the definition
		 */
		Problem problem(String setting, String message, boolean changed);

	}

}
