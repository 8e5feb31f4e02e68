package io.github.mcpclient;

import java.util.Map;

/**
 * Calls tools on behalf of an agent loop: each failure becomes an error result that a
 * model can read, so that a conversation goes on. It is a short text that says what
 * failed and whether to try again, without urls, commands and properties, which a model
 * and its provider have no use for: these stand in the log. Safe for use by many threads.
 */
public interface McpToolExecutor {

	/**
	 * Return whether a tool of the given name is known.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @return whether the name is known; its server may be unavailable
	 */
	boolean canExecute(String name);

	/**
	 * Call a tool and wait for its result. Never throws: a failed call gives a result
	 * with {@link McpToolResult#isError()} whose text says what went wrong.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @param arguments the arguments
	 * @return the result
	 */
	default McpToolResult execute(String name, Map<String, Object> arguments) {
		return execute(name, McpToolRequest.of(arguments));
	}

	/**
	 * Call a tool and wait for its result. Never throws, as
	 * {@link #execute(String, Map)}.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @param request arguments, timeout and the like
	 * @return the result
	 */
	McpToolResult execute(String name, McpToolRequest request);

}
