package io.github.mcpclient.management;

import java.time.Instant;
import java.util.List;

import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;

/**
 * Why the configuration was not reloaded, and stays as it was.
 *
 * @param time when it was found first
 * @param message all that is wrong, and where: printable lines without secrets
 * @param problems the mistakes; empty if the configuration could not be read
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
