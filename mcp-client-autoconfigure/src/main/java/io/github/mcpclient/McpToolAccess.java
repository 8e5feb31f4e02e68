package io.github.mcpclient;

/**
 * Which tools may be called, by what they say of themselves in {@code readOnlyHint}.
 *
 * @see McpToolPolicy
 */
public enum McpToolAccess {

	/**
	 * All tools.
	 */
	ALL,

	/**
	 * All but the tools that say {@code readOnlyHint: false}. A tool that says nothing
	 * may be called.
	 */
	NO_WRITE,

	/**
	 * Only the tools that say {@code readOnlyHint: true}.
	 */
	READ_ONLY

}
