package io.github.mcpclient;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import io.github.mcpclient.support.NearestNames;
import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * No tool of the given name is known.
 */
public class NoSuchMcpToolException extends RuntimeException {

	private static final int LONGEST_REASON = 2000;

	private static final int MAX_NAMED = 10;

	private final String name;

	private final List<String> nearest;

	private final transient @Nullable McpServerStatus server;

	/**
	 * Create an exception that suggests the nearest of the known names, and names the
	 * servers that are not READY, since the tool may be theirs.
	 * @param name the name that is not known
	 * @param known the names of the known tools
	 * @param notReady the names of the servers that are not READY
	 */
	public NoSuchMcpToolException(String name, Collection<String> known, Collection<String> notReady) {
		this(name, NearestNames.of(name, known), notReady(notReady), null);
	}

	/**
	 * Create an exception for a tool whose name is that of a server which is not READY,
	 * and suggest the nearest of the known names.
	 * @param name the name that is not known
	 * @param known the names of the known tools
	 * @param server the server whose tools have such names
	 */
	public NoSuchMcpToolException(String name, Collection<String> known, McpServerStatus server) {
		this(name, NearestNames.of(name, known), " " + sentence(McpServerUnavailableException.message(server)), server);
	}

	private NoSuchMcpToolException(String name, List<String> nearest, String reason, @Nullable McpServerStatus server) {
		this("No MCP tool '" + Printable.text(name) + "'." + question(nearest) + reason, name, nearest, server);
	}

	private NoSuchMcpToolException(String message, String name, List<String> nearest,
			@Nullable McpServerStatus server) {
		super(message);
		this.name = name;
		this.nearest = nearest;
		this.server = server;
	}

	/**
	 * Create an exception for a tool that a server offers, and the application does not
	 * get.
	 * @param name the name of the tool
	 * @param serverName the name of the server
	 * @param reason why the application does not get it
	 * @return the exception
	 */
	public static NoSuchMcpToolException leftOut(String name, String serverName, String reason) {
		return new NoSuchMcpToolException(
				"No MCP tool '" + Printable.text(name) + "': server '" + serverName
						+ "' offers it, but it is left out: " + Printable.line(reason, LONGEST_REASON),
				name, List.of(), null);
	}

	/**
	 * Create an exception for a tool whose name has gone to a tool of another server.
	 * @param name the name of the tool
	 * @param serverName the name of its server
	 * @param otherServerName the name of the other server
	 * @return the exception
	 */
	public static NoSuchMcpToolException taken(String name, String serverName, String otherServerName) {
		return new NoSuchMcpToolException(
				"No MCP tool '" + Printable.text(name) + "' of server '" + serverName
						+ "': the name is that of a tool of server '" + otherServerName + "' now",
				name, List.of(), null);
	}

	/**
	 * Create an exception for a client that is disabled, and so has no tools.
	 * @param name the name that is asked for
	 * @return the exception
	 */
	public static NoSuchMcpToolException disabled(String name) {
		return new NoSuchMcpToolException(
				"No MCP tool '" + Printable.text(name) + "': the MCP client is disabled (mcp.enabled is false)", name,
				List.of(), null);
	}

	/**
	 * Return the name that is not known.
	 * @return the name
	 */
	public String getName() {
		return this.name;
	}

	/**
	 * Return the known names that are nearest to it.
	 * @return at most three names, the nearest first
	 */
	public List<String> getNearest() {
		return this.nearest;
	}

	/**
	 * Return the server whose tools have such names.
	 * @return the status of the server at the time of the look-up, or {@code null} where
	 * none that is not READY has tools of such names
	 */
	public @Nullable McpServerStatus getServer() {
		return this.server;
	}

	private static String question(List<String> nearest) {
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
