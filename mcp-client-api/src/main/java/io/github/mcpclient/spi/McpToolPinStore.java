package io.github.mcpclient.spi;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Strategy interface for storing the approved definitions of tools. A bean of this type
 * replaces the file at {@code mcp.tools.pins}. Methods may be called concurrently, and
 * may block for some seconds. If {@link #approved} throws an exception or takes longer,
 * the tools of a server with {@code tools.pinning: block} are excluded. The exception is
 * shown to operators and must contain no secrets.
 */
public interface McpToolPinStore {

	/**
	 * Return the approved tools of a server. Called each time that it lists its tools.
	 * @param serverName the configured name of the server
	 * @return the tools, at most one of each name; empty if no tool was approved
	 */
	Collection<ApprovedTool> approved(String serverName);

	/**
	 * Add approved tools, replacing tools of the same server and name.
	 * @param serverName the configured name of the server
	 */
	void approve(String serverName, Collection<ApprovedTool> tools);

	/**
	 * An approved tool.
	 *
	 * @param name the original name of the tool
	 * @param hash {@code sha256:} and the hash of its definition
	 * @param definition its definition as canonical JSON, to which the hash applies, for
	 * review and comparison; or {@code null} if it contains a secret of the
	 * configuration, or more than 500,000 characters
	 */
	record ApprovedTool(String name, String hash, @Nullable String definition) {
	}

}
