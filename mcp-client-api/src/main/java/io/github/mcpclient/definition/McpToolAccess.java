package io.github.mcpclient.definition;

/**
 * The tools that may be called, by their {@code readOnlyHint}.
 *
 * @see McpToolPolicy
 */
public enum McpToolAccess {

	/**
	 * All tools.
	 */
	ALL,

	/**
	 * All tools except tools with {@code readOnlyHint: false}. Tools without the hint may
	 * be called.
	 */
	NO_WRITE,

	/**
	 * Only tools with {@code readOnlyHint: true}.
	 */
	READ_ONLY

}
