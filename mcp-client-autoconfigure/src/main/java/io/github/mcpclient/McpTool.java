package io.github.mcpclient;

import java.time.Instant;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A tool of an MCP server. An instance is a stable handle: it stays the same object while
 * the server reconnects or changes the tool, and each call reads what the server offers
 * at that moment. All methods are safe for use by many threads.
 */
public interface McpTool {

	/**
	 * Return the name by which the application knows this tool,
	 * {@code <server>_<original name>}.
	 * @return the prefixed name, unique among all tools
	 */
	String name();

	/**
	 * Return the name of the server that offers this tool.
	 * @return the configured name of the server
	 */
	String serverName();

	/**
	 * Return the name that the server gives to this tool.
	 * @return the name sent in calls
	 */
	String originalName();

	/**
	 * Return the title for people.
	 * @return the title, or {@code null} where the server gives none
	 */
	@Nullable String title();

	/**
	 * Return the description for models.
	 * @return the description, or {@code null} where the server gives none
	 */
	@Nullable String description();

	/**
	 * Return the JSON Schema of the arguments, as the server sent it.
	 * @return the schema
	 */
	Map<String, Object> inputSchema();

	/**
	 * Return the JSON Schema of the structured result, as the server sent it.
	 * @return the schema, or {@code null} where the server gives none
	 */
	@Nullable Map<String, Object> outputSchema();

	/**
	 * Return the hints about the tool's behaviour. They are the server's own word and not
	 * to be trusted unless the server is.
	 * @return the hints, or {@code null} where the server gives none
	 */
	@Nullable ToolAnnotations annotations();

	/**
	 * Return when the server was last seen to define this tool in another way than
	 * before: its description, a schema or a hint, say.
	 * @return the time, or {@code null} where the tool is as it was when the application
	 * first saw it, or its server no longer offers it
	 */
	default @Nullable Instant changedAt() {
		return null;
	}

	/**
	 * Return whether a call can be tried now: the tool is offered and its server is
	 * READY.
	 * @return whether the tool is available
	 */
	boolean available();

	/**
	 * Call the tool and wait for its result.
	 * @param arguments the arguments
	 * @return the result, which may be an {@linkplain McpToolResult#isError() error} of
	 * the tool itself
	 * @throws NoSuchMcpToolException if the server no longer offers this tool
	 * @throws McpServerUnavailableException at once, if the server is not connected
	 * @throws McpRequestTimeoutException if no answer came in time; the request is
	 * cancelled at the server
	 * @throws McpProtocolException if the server answered with a JSON-RPC error
	 * @throws McpResultTooLargeException if the result is larger than allowed
	 * @throws McpSchemaViolationException if the arguments, where they are checked, or
	 * the structured result do not fit the schema of the tool
	 * @throws McpConnectionException if the connection failed during the call, so that
	 * its outcome is not known
	 * @throws IllegalStateException if called on a thread that must not block, such as an
	 * event loop; use {@link #callAsync(McpToolRequest)} there
	 */
	default McpToolResult call(Map<String, Object> arguments) {
		return call(McpToolRequest.of(arguments));
	}

	/**
	 * Call the tool with arguments in JSON and wait for its result.
	 * @param arguments a JSON object, or an empty string for no arguments
	 * @return the result
	 * @throws IllegalArgumentException if the text is not a JSON object
	 * @see #call(Map)
	 */
	McpToolResult call(String arguments);

	/**
	 * Call the tool and wait for its result.
	 * @param request arguments, timeout and the like
	 * @return the result
	 * @see #call(Map)
	 */
	McpToolResult call(McpToolRequest request);

	/**
	 * Call the tool without blocking. The call is made once for each subscription;
	 * cancelling the subscription cancels the request at the server. Signals arrive on a
	 * thread that must not block.
	 * @param request arguments, timeout and the like
	 * @return the result, or an error as described at {@link #call(Map)}
	 */
	Mono<McpToolResult> callAsync(McpToolRequest request);

	/**
	 * Call the tool without blocking.
	 * @param arguments the arguments
	 * @return the result, or an error as described at {@link #call(Map)}
	 * @see #callAsync(McpToolRequest)
	 */
	default Mono<McpToolResult> callAsync(Map<String, Object> arguments) {
		return callAsync(McpToolRequest.of(arguments));
	}

}
