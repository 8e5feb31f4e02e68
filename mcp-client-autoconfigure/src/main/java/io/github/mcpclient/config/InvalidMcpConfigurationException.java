package io.github.mcpclient.config;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;

/**
 * The configuration of the MCP servers has mistakes. Tells all of them, of all servers
 * that are enabled. Holds no values of headers, of environment variables or of urls.
 */
public class InvalidMcpConfigurationException extends RuntimeException {

	private final List<Problem> problems;

	/**
	 * Create an exception.
	 * @param problems the mistakes, in the order of the configuration; at least one
	 */
	public InvalidMcpConfigurationException(List<Problem> problems) {
		super(problems.stream()
			.map((problem) -> problem.property() + ": " + problem.message())
			.collect(Collectors.joining("\n- ", "Invalid configuration of MCP servers:\n- ", "")));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Return the mistakes.
	 * @return the mistakes, in the order of the configuration
	 */
	public List<Problem> getProblems() {
		return this.problems;
	}

	/**
	 * One mistake.
	 *
	 * @param property the name of the property, such as {@code mcp.servers.weather.url}
	 * @param message what is wrong and what would be right: sentences, without secrets
	 * @param origin where the property comes from, or {@code null} if that is not known
	 */
	public record Problem(String property, String message, @Nullable Origin origin) {
	}

}
