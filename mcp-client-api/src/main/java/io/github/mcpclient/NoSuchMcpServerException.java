package io.github.mcpclient;

import java.util.Collection;
import java.util.List;

import io.github.mcpclient.internal.support.NearestNames;

/**
 * There is no server of the given name.
 */
public class NoSuchMcpServerException extends RuntimeException {

	private final String name;

	/**
	 * Create an exception that suggests the nearest known names.
	 */
	public NoSuchMcpServerException(String name, Collection<String> known) {
		super(message(name, known));
		this.name = name;
	}

	private NoSuchMcpServerException(String name, String message) {
		super(message);
		this.name = name;
	}

	/**
	 * Create an exception for a disabled client, which has no servers.
	 */
	public static NoSuchMcpServerException disabled(String name) {
		return new NoSuchMcpServerException(name,
				"No MCP server '" + name + "': the MCP client is disabled (mcp.enabled is false)");
	}

	/**
	 * Return the unknown name.
	 */
	public String getName() {
		return this.name;
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
