package io.github.mcpclient;

import java.time.Instant;
import java.util.Map;

import io.github.mcpclient.definition.McpToolRule;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A tool of an MCP server. An instance is a stable handle: it stays the same object while
 * the server reconnects or changes the tool, and each call uses the tool as the server
 * offers it at that moment. Titles, descriptions, schemas and annotations come from the
 * server, as far as no rule replaces them, and are not to be trusted unless the server
 * is. All methods are safe for use by many threads.
 *
 * <p>
 * Implemented by the client, not by applications: later versions may add methods. Tests
 * mock it, or have a scripted server of {@code mcp-client-test}.
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
	 * Return the name that the server gives to this tool.
	 */
	String originalName();

	/**
	 * Return the human-readable title, or {@code null} if the server gives none.
	 */
	@Nullable String title();

	/**
	 * Return the description for models, or {@code null} if the server gives none.
	 */
	@Nullable String description();

	/**
	 * Return the JSON Schema of the arguments, as the server sent it, except for what
	 * rules say about arguments; unmodifiable.
	 */
	Map<String, @Nullable Object> inputSchema();

	/**
	 * Return the JSON Schema of the structured result, as the server sent it and
	 * unmodifiable, or {@code null} if the server gives none.
	 */
	@Nullable Map<String, @Nullable Object> outputSchema();

	/**
	 * Return the server's hints about the tool's behavior, or {@code null} if the server
	 * gives none.
	 */
	@Nullable ToolAnnotations annotations();

	/**
	 * Return the configured rules for this tool, merged into one, or {@code null} if
	 * there are none, or the server no longer offers the tool. The patterns are those of
	 * the last rule.
	 */
	@Nullable McpToolRule rule();

	/**
	 * Return when the definition of this tool (its description, a schema or a hint, for
	 * instance) was last seen to change, or {@code null} if the tool is as it was when
	 * the application first saw it, or the server no longer offers it.
	 */
	@Nullable Instant changedAt();

	/**
	 * Return whether a call can be attempted now: the server is READY and offers the
	 * tool. A bean of a tool that its server lists for each user alone looks it up for
	 * the user of this thread, as {@link McpToolCatalog#get(String)} does; where that
	 * fails, and on a thread that must not block, it is not available.
	 */
	boolean available();

	/**
	 * Return whether models should not be offered this tool now: its server has been
	 * unavailable for longer than its {@code tools.hide-when-unavailable}. The tool stays
	 * listed, and can be called as soon as its server is back.
	 */
	boolean hidden();

	/**
	 * Return the {@linkplain McpServer#instructions() instructions} of the server of this
	 * tool; if the tool is listed for a user alone, those that this user's connection
	 * received. Not to be trusted.
	 * @return the instructions, or {@code null} if there are none
	 */
	@Nullable String instructions();

	/**
	 * Call the tool and wait for its result.
	 * @param arguments the arguments of the tool, sent as they are; values may be
	 * {@code null}
	 * @return the result, which may be an {@linkplain McpToolResult#isError() error} that
	 * the tool reports; {@link McpToolResult#orThrow()} makes that an exception
	 * @throws NoSuchMcpToolException if the server no longer offers this tool
	 * @throws McpServerUnavailableException at once, if the server is not connected; or
	 * if it is removed, replaced or disabled during the call, which the server may have
	 * acted on then unless {@link McpException#isOutcomeKnown()}
	 * @throws McpRequestTimeoutException if there was no answer in time; a request that
	 * was already sent is cancelled at the server, which may have acted on it unless
	 * {@link McpException#isOutcomeKnown()}
	 * @throws McpProtocolException if the server answered with a JSON-RPC error
	 * @throws McpResultTooLargeException if the result exceeds {@code max-result-size}
	 * @throws McpSchemaViolationException if the arguments, where they are validated, or
	 * the structured result do not match the schema of the tool
	 * @throws McpConnectionException if the connection failed during the call, which the
	 * server may have acted on unless {@link McpException#isOutcomeKnown()}
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
	 * Members that are {@code null} are left out.
	 * @param arguments a record, a bean, or what another method of this name takes
	 * @throws IllegalArgumentException if it is not written as a JSON object
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
	 * Return a request with a record or a bean as its arguments, to be given a timeout or
	 * other options.
	 * @param arguments as for {@link #call(Object)}; a request is returned as it is
	 * @throws IllegalArgumentException if it is not written as a JSON object
	 * @see io.github.mcpclient.spi.McpJsonMapperCustomizer
	 */
	McpToolRequest request(Object arguments);

	/**
	 * Call the tool and wait for its result.
	 * @param request the arguments, the timeout and so on
	 * @see #call(Map)
	 */
	McpToolResult call(McpToolRequest request);

	/**
	 * Call the tool without blocking. The tool is called once per subscription;
	 * cancelling the subscription cancels the request at the server. Signals arrive on a
	 * thread that must not block.
	 * @param request the arguments, the timeout and so on
	 * @return the result, or an error as described at {@link #call(Map)}
	 */
	Mono<McpToolResult> callAsync(McpToolRequest request);

	/**
	 * Call the tool without blocking.
	 * @param arguments the arguments of the tool, sent as they are; values may be
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
