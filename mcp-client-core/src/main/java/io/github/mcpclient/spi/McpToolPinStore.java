package io.github.mcpclient.spi;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Keeps which definitions of tools were approved. A bean takes the place of the file at
 * {@code mcp.tools.pins}. Methods are called by several threads at a time, which they may
 * block for some seconds. What one throws costs the servers that pin definitions: it is
 * shown to operators and must contain no secrets.
 */
public interface McpToolPinStore {

	/**
	 * Return the approved tools of a server. Called each time that it lists its tools.
	 * @param serverName the configured name of the server
	 * @return at most one for each tool; none if nothing was approved
	 */
	Collection<ApprovedTool> approved(String serverName);

	/**
	 * Add approved tools, in place of those of the same server and name.
	 * @param serverName the configured name of the server
	 */
	void approve(String serverName, Collection<ApprovedTool> tools);

	/**
	 * An approved tool.
	 *
	 * @param name the name that the server gives to the tool
	 * @param hash {@code sha256:} and the hash of its definition
	 * @param definition its definition as canonical JSON, to which the hash applies, for
	 * those who review or compare it; or {@code null} where it has a secret of the
	 * configuration
	 */
	record ApprovedTool(String name, String hash, @Nullable String definition) {
	}

}
