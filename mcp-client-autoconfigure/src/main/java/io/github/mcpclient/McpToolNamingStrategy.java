package io.github.mcpclient;

import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * Gives tools the names by which the application knows them. A bean of this type replaces
 * the default, which is {@code <prefix>_<original name>} with every character outside
 * {@code [A-Za-z0-9_-]} replaced by {@code -}, cut to 64 characters. That name carries a
 * short hash of the original one where
 * <ul>
 * <li>it is cut, or the original one has neither letters nor digits of ASCII;</li>
 * <li>another tool of the server has the same name once characters are replaced, unless
 * the original one has nothing to be replaced: {@code a.b} and {@code a/b} carry it, and
 * {@code a-b} never does. It follows from the names that the server lists alone, not from
 * their order;</li>
 * <li>it begins as the names of another configured server do, whether or not that has
 * such a tool: with servers {@code a} and {@code a_b}, the tool {@code b_x} of {@code a}
 * is {@code a_b-x_<hash>}. A tool that has its name when such a server is added at
 * runtime keeps it.</li>
 * </ul>
 *
 * <p>
 * A name must follow from the arguments alone, so that it is the same after a restart and
 * whatever the order in which servers connect. Names from different servers may be equal:
 * the server configured first has the tool listed, the other's is left out, and its
 * handle stays a handle of that server. Called once for each tool of a listing that is
 * new or has changed, by many threads, none of which may be blocked.
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
