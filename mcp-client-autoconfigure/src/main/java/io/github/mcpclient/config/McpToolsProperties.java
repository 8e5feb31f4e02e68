package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.List;

import io.github.mcpclient.McpToolAccess;
import io.github.mcpclient.McpToolPolicy;

/**
 * What holds for the tools of all servers, as configured at {@code mcp.tools}. A tool
 * must pass this and the settings of its server, so that no server lifts it.
 */
public class McpToolsProperties {

	/**
	 * Patterns for the prefixed or original names of the tools that the application gets,
	 * of whatever server, in which '*' and '?' are wildcards. One that begins with '!'
	 * denies; the last that matches a tool decides. All tools where empty.
	 */
	private List<String> filter = new ArrayList<>();

	/**
	 * Which tools the application gets, of whatever server, by what they say of
	 * themselves in readOnlyHint.
	 */
	private McpToolAccess access = McpToolAccess.ALL;

	/**
	 * Whether the application gets tools, of whatever server, that may be destructive, by
	 * destructiveHint.
	 */
	private boolean allowDestructive = true;

	/**
	 * Whether the application gets tools, of whatever server, that may interact with an
	 * open world, such as the web, by openWorldHint.
	 */
	private boolean allowOpenWorld = true;

	public List<String> getFilter() {
		return this.filter;
	}

	public void setFilter(List<String> filter) {
		this.filter = filter;
	}

	public McpToolAccess getAccess() {
		return this.access;
	}

	public void setAccess(McpToolAccess access) {
		this.access = access;
	}

	public boolean isAllowDestructive() {
		return this.allowDestructive;
	}

	public void setAllowDestructive(boolean allowDestructive) {
		this.allowDestructive = allowDestructive;
	}

	public boolean isAllowOpenWorld() {
		return this.allowOpenWorld;
	}

	public void setAllowOpenWorld(boolean allowOpenWorld) {
		this.allowOpenWorld = allowOpenWorld;
	}

	/**
	 * Return what is asked of the hints of tools.
	 * @return the policy
	 */
	public McpToolPolicy toPolicy() {
		return new McpToolPolicy(this.access, this.allowDestructive, this.allowOpenWorld);
	}

}
