package io.github.mcpclient.definition;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the configuration of the MCP servers is invalid. Lists all errors of all
 * enabled servers, without values of headers, environment variables or URLs.
 */
public class InvalidMcpConfigurationException extends RuntimeException {

	/**
	 * The maximum number of errors in a message.
	 */
	public static final int MOST_SHOWN = 100;

	private final List<Problem> problems;

	/**
	 * Create an exception. If a property has several errors, only the first is included.
	 * @param problems the errors, in the order of the configuration; at least one
	 */
	public InvalidMcpConfigurationException(List<Problem> problems) {
		super(message("Invalid configuration of MCP servers:", problems));
		this.problems = distinct(problems);
	}

	/**
	 * Describe errors, each on its own line.
	 * @param head the first line
	 */
	public static String message(String head, List<Problem> problems) {
		List<Problem> distinct = distinct(problems);
		int more = distinct.size() - MOST_SHOWN;
		return distinct.stream()
			.limit(MOST_SHOWN)
			.map((problem) -> "\n- " + problem.property() + ": " + problem.message())
			.collect(Collectors.joining("", head, (more > 0) ? "\n- and " + more + " more" : ""));
	}

	private static List<Problem> distinct(List<Problem> problems) {
		Map<String, Problem> first = new LinkedHashMap<>();
		problems.forEach((problem) -> first.putIfAbsent(problem.property(), problem));
		return List.copyOf(first.values());
	}

	/**
	 * Return the errors, in the order of the configuration.
	 */
	public List<Problem> getProblems() {
		return this.problems;
	}

	/**
	 * An error in the configuration.
	 *
	 * @param property the name of the property, such as {@code mcp.servers.weather.url}
	 * @param message the error and how to correct it: sentences, without secrets
	 * @param origin the origin of the property, such as a position in a file, or
	 * {@code null} if it is not known
	 */
	public record Problem(String property, String message, @Nullable Object origin) {

		private static final int LONGEST_PROPERTY = 300;

		private static final int LONGEST_MESSAGE = 1000;

		/**
		 * Create an error. Each text is converted to a single line of limited length.
		 */
		public Problem {
			property = Printable.line(property, LONGEST_PROPERTY);
			message = Printable.line(message, LONGEST_MESSAGE);
		}

	}

}
