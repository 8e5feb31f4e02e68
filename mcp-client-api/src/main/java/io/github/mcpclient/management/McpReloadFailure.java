package io.github.mcpclient.management;

import java.time.Instant;
import java.util.List;

import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;

/**
 * The reason why the configuration could not be reloaded, so that the previous one
 * remains in use.
 *
 * @param time when the failure was first detected
 * @param message all errors and their location: printable lines without secrets
 * @param problems the errors; empty if the configuration could not be read
 * @see McpServerReloader#failure()
 */
public record McpReloadFailure(Instant time, String message, List<Problem> problems) {

	/**
	 * Create an instance.
	 */
	public McpReloadFailure {
		problems = List.copyOf(problems);
	}

}
