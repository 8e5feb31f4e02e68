package io.github.mcpclient;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import io.github.mcpclient.support.Printable;

/**
 * No tool of the given name is known.
 */
public class NoSuchMcpToolException extends RuntimeException {

	private static final int LONGEST_REASON = 2000;

	private final String name;

	/**
	 * Create an exception that suggests the nearest of the known names, and names the
	 * servers that are not READY, since the tool may be theirs.
	 * @param name the name that is not known
	 * @param known the names of the known tools
	 * @param notReady the names of the servers that are not READY
	 */
	public NoSuchMcpToolException(String name, Collection<String> known, Collection<String> notReady) {
		super(message(name, known, notReady));
		this.name = name;
	}

	private NoSuchMcpToolException(String name, String message) {
		super(message);
		this.name = name;
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
		return new NoSuchMcpToolException(name, "No MCP tool '" + Printable.text(name) + "': server '" + serverName
				+ "' offers it, but it is left out: " + Printable.line(reason, LONGEST_REASON));
	}

	/**
	 * Create an exception for a tool whose name has gone to a tool of another server.
	 * @param name the name of the tool
	 * @param serverName the name of its server
	 * @param otherServerName the name of the other server
	 * @return the exception
	 */
	public static NoSuchMcpToolException taken(String name, String serverName, String otherServerName) {
		return new NoSuchMcpToolException(name, "No MCP tool '" + name + "' of server '" + serverName
				+ "': the name is that of a tool of server '" + otherServerName + "' now");
	}

	/**
	 * Return the name that is not known.
	 * @return the name
	 */
	public String getName() {
		return this.name;
	}

	private static String message(String name, Collection<String> known, Collection<String> notReady) {
		StringBuilder message = new StringBuilder("No MCP tool '").append(Printable.text(name)).append("'.");
		List<String> nearest = Names.nearest(name, known);
		if (!nearest.isEmpty()) {
			message.append(" Did you mean ")
				.append(nearest.stream().map(Printable::text).collect(Collectors.joining(" or ")))
				.append('?');
		}
		if (!notReady.isEmpty()) {
			message.append(" It may be a tool of a server that is not ready: ")
				.append(String.join(", ", notReady))
				.append('.');
		}
		return message.toString();
	}

}
