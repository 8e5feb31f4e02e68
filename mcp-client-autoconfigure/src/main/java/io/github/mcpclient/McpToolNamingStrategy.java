package io.github.mcpclient;

import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * Gives tools the names by which the application knows them. A bean of this type replaces
 * the default, which is {@code <prefix>_<original name>} with every character outside
 * {@code [A-Za-z0-9_-]} replaced by {@code -}, cut to 64 characters.
 *
 * <p>
 * A name must follow from the arguments alone, so that it is the same after a restart and
 * whatever the order in which servers connect. Names from different servers may be equal:
 * the server configured first has the tool listed, the other's is left out. Called once
 * for each tool of a listing that is new or has changed, by many threads, none of which
 * may be blocked.
 */
@FunctionalInterface
public interface McpToolNamingStrategy {

	/**
	 * Name a tool. A tool is left out, and the reason told, where this throws, or where
	 * the name is {@code null} or blank, has control characters, or begins with
	 * {@code &}. A name that model providers refuse, for its length of more than 64
	 * characters or for characters outside {@code [A-Za-z0-9_-]}, is used and warned of.
	 * @param server the server, as it is configured
	 * @param tool the tool, as the server listed it: remote input
	 * @return the name, by which no other tool of the server should be known
	 */
	String toolName(McpServerDefinition server, Tool tool);

}
