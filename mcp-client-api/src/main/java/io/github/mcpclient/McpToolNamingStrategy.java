package io.github.mcpclient;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * Strategy interface for the names of tools in the application. A bean of this type
 * replaces the default, which is {@code <prefix>_<original name>} with every character
 * outside {@code [A-Za-z0-9_-]} replaced by {@code -}, truncated to 64 characters. The
 * default appends a short hash of the original name if
 * <ul>
 * <li>it truncates the name, or the original name has no ASCII letters or digits;</li>
 * <li>replacing characters would give another tool of the server the same name:
 * {@code a.b} and {@code a/b} get a hash, {@code a-b} never does. This depends only on
 * the names that the server lists, and is independent of their order;</li>
 * <li>the name begins as the names of another configured server do, even if that server
 * has no such tool: with servers {@code a} and {@code a_b}, the tool {@code b_x} of
 * {@code a} becomes {@code a_b-x_<hash>}. A tool keeps its name when such a server is
 * added at runtime.</li>
 * </ul>
 *
 * <p>
 * A name must depend on the arguments of {@link #toolName} alone, so that it is the same
 * after a restart and independent of the order in which servers connect. If tools of
 * several servers get the same name, the server configured first keeps the name, and the
 * tools of the other servers are excluded. The strategy is called once for each new or
 * changed tool. Implementations must be thread-safe. They may block; if naming takes more
 * than half of the server's {@code initialization-timeout} for a listing, the listing
 * fails.
 */
@FunctionalInterface
public interface McpToolNamingStrategy {

	/**
	 * Return the name of a tool. The tool is excluded, with the reason, if this method
	 * throws an exception, or if the name is {@code null} or blank, contains control
	 * characters, or begins with {@code &}. A name that model providers reject, because
	 * it exceeds 64 characters or has characters outside {@code [A-Za-z0-9_-]}, is used
	 * and logged as a warning.
	 * @param tool the tool as the server listed it; untrusted remote input
	 * @return the name, unique among the tools of the server
	 */
	String toolName(McpServerDefinition server, Tool tool);

}
