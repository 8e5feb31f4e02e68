package io.github.mcpclient;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if no tool of the given name is known. {@link #getServerName()} returns the name
 * of the server that has or had the tool, or whose prefix the name has, or {@code null}
 * if none is known.
 */
public class NoSuchMcpToolException extends McpException {

	private static final int LONGEST_REASON = 2000;

	private static final int MAX_NAMED = 10;

	private final String name;

	private final List<String> nearest;

	private final List<String> notReady;

	private final transient @Nullable McpServerStatus server;

	/**
	 * Create an exception that suggests names and lists the servers that are not READY,
	 * since they may have the tool.
	 * @param nearest the names to suggest, the nearest first
	 * @param notReady the names of the servers that are not READY
	 */
	public NoSuchMcpToolException(String name, List<String> nearest, Collection<String> notReady) {
		this("." + suggestion(nearest) + notReady(notReady), null, name, nearest, notReady, null);
	}

	/**
	 * Create an exception for a tool with the prefix of a server that is not READY.
	 * @param nearest the names to suggest, the nearest first
	 * @param server the server with that prefix
	 */
	public NoSuchMcpToolException(String name, List<String> nearest, McpServerStatus server) {
		this("." + suggestion(nearest) + " " + sentence(McpServerUnavailableException.message(server)), server.name(),
				name, nearest, List.of(server.name()), server);
	}

	private NoSuchMcpToolException(String problem, @Nullable String serverName, String name, List<String> nearest,
			Collection<String> notReady, @Nullable McpServerStatus server) {
		super(serverName, "No MCP tool '" + Printable.text(name) + "'" + problem, true, null);
		this.name = name;
		this.nearest = List.copyOf(nearest);
		this.notReady = List.copyOf(notReady);
		this.server = server;
	}

	/**
	 * Create an exception for a tool that is excluded from the application for a known
	 * reason.
	 * @param serverName the server that has or had the tool, or {@code null} if none is
	 * known
	 * @param reason the reason, without a full stop
	 */
	public static NoSuchMcpToolException because(String name, @Nullable String serverName, String reason) {
		return new NoSuchMcpToolException(": " + Printable.line(reason, LONGEST_REASON), serverName, name, List.of(),
				List.of(), null);
	}

	/**
	 * Return the unknown name.
	 */
	public String getName() {
		return this.name;
	}

	/**
	 * Return similar known names, the nearest first.
	 */
	public List<String> getSimilarNames() {
		return this.nearest;
	}

	/**
	 * Return the names of the servers that are not READY, which may have the tool.
	 */
	public List<String> getNotReady() {
		return this.notReady;
	}

	/**
	 * Return the status of the server with the prefix of the tool at the time of the
	 * lookup, if it was not READY, or {@code null}.
	 */
	public @Nullable McpServerStatus getServer() {
		return this.server;
	}

	private static String suggestion(List<String> nearest) {
		return nearest.isEmpty() ? ""
				: nearest.stream().map(Printable::text).collect(Collectors.joining(" or ", " Did you mean ", "?"));
	}

	private static String notReady(Collection<String> notReady) {
		if (notReady.isEmpty()) {
			return "";
		}
		String names = String.join(", ", notReady.stream().limit(MAX_NAMED).toList());
		return " It may be a tool of a server that is not ready: " + names
				+ ((notReady.size() > MAX_NAMED) ? " and " + (notReady.size() - MAX_NAMED) + " more." : ".");
	}

	private static String sentence(String text) {
		return text.endsWith(".") ? text : text + ".";
	}

}
