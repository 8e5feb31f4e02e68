package io.github.mcpclient;

import java.util.Collection;
import java.util.List;

import io.github.mcpclient.internal.support.NearestNames;

/**
 * Thrown if there is no server of the given name, which {@link #getServerName()} returns.
 */
public class NoSuchMcpServerException extends McpException {

	private final List<String> known;

	/**
	 * Create an exception that suggests the nearest known names.
	 * @param name the unknown name
	 * @param known the names of all servers
	 */
	public NoSuchMcpServerException(String name, Collection<String> known) {
		this(name, known, message(name, known));
	}

	private NoSuchMcpServerException(String name, Collection<String> known, String message) {
		super(name, message, true, null);
		this.known = List.copyOf(known);
	}

	/**
	 * Create an exception for a disabled client, which has no servers.
	 */
	public static NoSuchMcpServerException disabled(String name) {
		return new NoSuchMcpServerException(name, List.of(),
				"No MCP server '" + name + "': the MCP client is disabled (mcp.enabled is false)");
	}

	/**
	 * Return the names of all servers at the time of the lookup.
	 */
	public List<String> getKnown() {
		return this.known;
	}

	private static String message(String name, Collection<String> known) {
		if (known.isEmpty()) {
			return "No MCP server '" + name + "': no servers are configured under mcp.servers.";
		}
		List<String> nearest = NearestNames.of(name, known);
		return "No MCP server '" + name + "'. " + (nearest.isEmpty() ? "Configured: " + String.join(", ", known)
				: "Did you mean " + String.join(" or ", nearest)) + (nearest.isEmpty() ? "." : "?");
	}

}
