package io.github.mcpclient.definition;

/**
 * Which tools may be called, by their {@code readOnlyHint}.
 *
 * @see McpToolPolicy
 */
public enum McpToolAccess {

	/**
	 * All tools.
	 */
	ALL,

	/**
	 * All tools except those with {@code readOnlyHint: false}. Tools without the hint may
	 * be called.
	 */
	NO_WRITE,

	/**
	 * Only tools with {@code readOnlyHint: true}.
	 */
	READ_ONLY

}
