package io.github.mcpclient.definition;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the MCP servers is not valid. Lists all mistakes, of all servers
 * that are enabled, without values of headers, environment variables or urls.
 */
public class InvalidMcpConfigurationException extends RuntimeException {

	/**
	 * How many mistakes a message shows at most.
	 */
	public static final int MOST_SHOWN = 100;

	private final List<Problem> problems;

	/**
	 * Create an exception. Of several mistakes in one property, only the first is kept.
	 * @param problems the mistakes, in the order of the configuration; at least one
	 */
	public InvalidMcpConfigurationException(List<Problem> problems) {
		super(message("Invalid configuration of MCP servers:", problems));
		this.problems = distinct(problems);
	}

	/**
	 * Describe mistakes, each on a line of its own.
	 * @param head the line before them
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
	 * Return the mistakes, in the order of the configuration.
	 */
	public List<Problem> getProblems() {
		return this.problems;
	}

	/**
	 * One mistake.
	 *
	 * @param property the name of the property, such as {@code mcp.servers.weather.url}
	 * @param message what is wrong and what would be right: sentences, without secrets
	 * @param origin where the property comes from, such as a place in a file, or
	 * {@code null} if that is not known
	 */
	public record Problem(String property, String message, @Nullable Object origin) {

		private static final int LONGEST_PROPERTY = 300;

		private static final int LONGEST_MESSAGE = 1000;

		/**
		 * Create a mistake. Each text becomes one line of limited length.
		 */
		public Problem {
			property = Printable.line(property, LONGEST_PROPERTY);
			message = Printable.line(message, LONGEST_MESSAGE);
		}

	}

}
