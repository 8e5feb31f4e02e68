package io.github.mcpclient;

import java.util.Map;

/**
 * Calls tools on behalf of an agent loop: a failed call becomes an error result that a
 * model can read, so that the conversation continues. Its short text says what failed and
 * whether to retry. It omits urls, commands and property names, which are of no use to a
 * model and its provider; these are in the log. Spring Security's
 * {@code ClientAuthorizationRequiredException} is thrown all the same, so that its
 * filters start the login of the user. Safe for use by many threads.
 */
public interface McpToolExecutor {

	/**
	 * Return whether a tool of the given name is known. Its server may be unavailable.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 */
	boolean canExecute(String name);

	/**
	 * Call a tool and wait for its result, as {@link #execute(String, McpToolRequest)}.
	 */
	default McpToolResult execute(String name, Map<String, Object> arguments) {
		return execute(name, McpToolRequest.of(arguments));
	}

	/**
	 * Call a tool and wait for its result. Throws only if the user must log in.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @param request the arguments, the timeout and so on
	 * @return the result; an {@linkplain McpToolResult#isError() error} whose text
	 * describes the failure if the call failed. A result longer than
	 * {@code tools.max-text} is shortened; {@link McpToolResult#whole()} returns all of
	 * it
	 */
	McpToolResult execute(String name, McpToolRequest request);

}
