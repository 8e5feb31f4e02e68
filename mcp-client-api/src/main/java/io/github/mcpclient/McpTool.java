package io.github.mcpclient;

import java.time.Instant;
import java.util.Map;

import io.github.mcpclient.definition.McpToolRule;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A tool of an MCP server. An instance is a stable handle: it stays the same object while
 * the server reconnects or changes the tool, and each call uses the current definition of
 * the tool. Titles, descriptions, schemas and annotations come from the server, unless a
 * rule replaces them; do not trust them unless you trust the server. All methods are
 * thread-safe.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
 */
public interface McpTool {

	/**
	 * Return the prefixed name, {@code <server>_<original name>}, unique among all tools.
	 */
	String name();

	/**
	 * Return the name of the server that offers this tool.
	 */
	String serverName();

	/**
	 * Return the original name of this tool, as the server lists it.
	 */
	String originalName();

	/**
	 * Return the human-readable title, or {@code null} if none.
	 */
	@Nullable String title();

	/**
	 * Return the description for models, or {@code null} if none.
	 */
	@Nullable String description();

	/**
	 * Return the JSON Schema of the arguments, as the server sent it, except for
	 * arguments that rules set; unmodifiable.
	 */
	Map<String, @Nullable Object> inputSchema();

	/**
	 * Return the JSON Schema of the structured result, as the server sent it and
	 * unmodifiable, or {@code null} if none.
	 */
	@Nullable Map<String, @Nullable Object> outputSchema();

	/**
	 * Return the server's hints about the tool's behavior, or {@code null} if none.
	 */
	@Nullable ToolAnnotations annotations();

	/**
	 * Return the configured rules for this tool, merged into one. The patterns are taken
	 * from the last rule.
	 * @return the rule, or {@code null} if no rule matches, or the server no longer
	 * offers the tool
	 */
	@Nullable McpToolRule rule();

	/**
	 * Return when the definition of this tool (for instance its description, a schema or
	 * a hint) was last seen to change, or {@code null} if it has not changed since the
	 * application first saw it, or the server no longer offers the tool.
	 */
	@Nullable Instant changedAt();

	/**
	 * Return whether a call can be attempted now: the server is READY and offers the
	 * tool. If the server lists its tools for each user, a bean of such a tool looks it
	 * up for the user of this thread, as {@link McpToolCatalog#get(String)} does; it is
	 * not available if this lookup fails, or on a thread that must not block.
	 */
	boolean available();

	/**
	 * Return whether models should not be offered this tool now, because its server has
	 * been unavailable for longer than its {@code tools.hide-when-unavailable}. The tool
	 * stays listed, and can be called as soon as its server is available again.
	 */
	boolean hidden();

	/**
	 * Return the {@linkplain McpServer#instructions() instructions} of the server of this
	 * tool. If the tool is listed for one user, these are the instructions that the
	 * user's connection received. They are untrusted.
	 * @return the instructions, or {@code null} if the server has no instructions
	 */
	@Nullable String instructions();

	/**
	 * Call the tool and wait for its result.
	 * @param arguments the arguments of the tool, sent unchanged; values may be
	 * {@code null}
	 * @return the result, which may be an {@linkplain McpToolResult#isError() error} that
	 * the tool reports; call {@link McpToolResult#orThrow()} to turn it into an exception
	 * @throws NoSuchMcpToolException if the server no longer offers this tool
	 * @throws McpServerUnavailableException immediately, if the server is not connected;
	 * or if the server is removed, replaced or disabled during the call. In the second
	 * case, the server may have acted on the call unless
	 * {@link McpException#isOutcomeKnown()}
	 * @throws McpRequestTimeoutException if there was no response in time; a request that
	 * was already sent is cancelled at the server, which may have acted on it unless
	 * {@link McpException#isOutcomeKnown()}
	 * @throws McpProtocolException if the server responded with a JSON-RPC error
	 * @throws McpResultTooLargeException if the result exceeds {@code max-result-size}
	 * @throws McpSchemaViolationException if the arguments, if they are validated, or the
	 * structured result do not match the schema of the tool
	 * @throws McpConnectionException if the connection failed during the call; the server
	 * may have acted on the call unless {@link McpException#isOutcomeKnown()}
	 * @throws McpInterruptedException if the thread is interrupted while it waits; a
	 * request that was already sent is cancelled at the server, which may have acted on
	 * it unless {@link McpException#isOutcomeKnown()}
	 * @throws IllegalStateException if called on a thread that must not block, such as an
	 * event loop; use {@link #callAsync(McpToolRequest)} there
	 */
	default McpToolResult call(Map<String, ? extends @Nullable Object> arguments) {
		return call(McpToolRequest.of(arguments));
	}

	/**
	 * Call the tool with a record or a bean as its arguments and wait for its result.
	 * Members that are {@code null} are omitted.
	 * @param arguments a record, a bean, or any argument that another method of this name
	 * accepts
	 * @throws IllegalArgumentException if the object is not serialized as a JSON object
	 * @see #call(Map)
	 * @see McpToolResult#structuredContent(Class)
	 */
	default McpToolResult call(Object arguments) {
		return call(request(arguments));
	}

	/**
	 * Call the tool with arguments in JSON and wait for its result.
	 * @param arguments a JSON object, or an empty string for no arguments
	 * @throws IllegalArgumentException if the text is not a JSON object
	 * @see #call(Map)
	 */
	default McpToolResult call(String arguments) {
		return call(request(arguments));
	}

	/**
	 * Return a request with a record or a bean as its arguments, to add a timeout or
	 * other options.
	 * @param arguments as for {@link #call(Object)}; a request is returned unchanged
	 * @throws IllegalArgumentException if the object is not serialized as a JSON object
	 * @see io.github.mcpclient.spi.McpJsonMapperCustomizer
	 */
	McpToolRequest request(Object arguments);

	/**
	 * Call the tool and wait for its result.
	 * @param request the arguments, the timeout and other options
	 * @see #call(Map)
	 */
	McpToolResult call(McpToolRequest request);

	/**
	 * Call the tool without blocking. The tool is called once per subscription;
	 * cancelling the subscription cancels the request at the server. Signals arrive on a
	 * thread that must not block.
	 * @param request the arguments, the timeout and other options
	 * @return the result, or an error as described at {@link #call(Map)}
	 */
	Mono<McpToolResult> callAsync(McpToolRequest request);

	/**
	 * Call the tool without blocking.
	 * @param arguments the arguments of the tool, sent unchanged; values may be
	 * {@code null}
	 * @return the result, or an error as described at {@link #call(Map)}
	 * @see #callAsync(McpToolRequest)
	 */
	default Mono<McpToolResult> callAsync(Map<String, ? extends @Nullable Object> arguments) {
		return callAsync(McpToolRequest.of(arguments));
	}

	/**
	 * Call the tool with a record or a bean as its arguments, without blocking.
	 * @param arguments as for {@link #call(Object)}
	 * @return the result, or an error as described at {@link #call(Object)}
	 * @see #callAsync(McpToolRequest)
	 */
	default Mono<McpToolResult> callAsync(Object arguments) {
		return Mono.defer(() -> callAsync(request(arguments)));
	}

}
