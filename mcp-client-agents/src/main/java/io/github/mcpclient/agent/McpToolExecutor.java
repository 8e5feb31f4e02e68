package io.github.mcpclient.agent;

import java.util.Map;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import org.jspecify.annotations.Nullable;

/**
 * Calls tools on behalf of an agent loop: a failed call becomes an error result that a
 * model can read, so that the conversation continues. Its short text says what failed and
 * whether to retry. It omits URLs, commands and property names, which a model and its
 * provider must not see; these are in the log. Spring Security's
 * {@code ClientAuthorizationRequiredException} is still thrown, so that its filters start
 * the login of the user. Safe for use by many threads.
 *
 * <p>
 * An executor finds the tools of one catalog by name. The bean has all tools, also for
 * {@code call_tool} and {@code search_tools}. For an agent with a selection of tools, use
 * {@link #of(McpToolCatalog)}.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
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
	default McpToolResult execute(String name, Map<String, ? extends @Nullable Object> arguments) {
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

	/**
	 * Call a tool, such as one that is {@linkplain McpModelTools#offered() offered}, and
	 * wait for its result, as {@link #execute(String, McpToolRequest)}. If a tool of
	 * another server now has its name, that tool is not called.
	 * @param tool the tool, of any catalog
	 * @param request the arguments, the timeout and so on
	 * @return as {@link #execute(String, McpToolRequest)}
	 */
	McpToolResult execute(McpTool tool, McpToolRequest request);

	/**
	 * Return an executor of the tools of a catalog {@linkplain McpToolCatalog#forCaller()
	 * for the caller}, and of no others.
	 * @param catalog the tools, such as a selection
	 */
	McpToolExecutor of(McpToolCatalog catalog);

}
