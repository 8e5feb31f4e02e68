package io.github.mcpclient.session;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One MCP session over one transport. It knows nothing of retries: it is opened once and
 * of no use after it was terminated or closed. Each revision of the protocol with a life
 * cycle of its own is an implementation of this interface. Safe for use by many threads.
 *
 * <p>
 * Requests fail with {@link SessionTimeoutException}, with the SDK's {@code McpError} for
 * a JSON-RPC error, with the transport's own exception, or with the cause given to
 * {@link #terminate}. Signals arrive on a thread that must not block.
 */
public interface McpSession {

	/**
	 * Connect the transport and do the handshake. To be subscribed once.
	 * @return what the server says of itself; an error if it does not speak a revision
	 * that we know
	 */
	Mono<InitializeResult> open();

	/**
	 * List all pages of the server's tools; none, without asking, where the server has no
	 * such capability. A tool that cannot be understood costs only itself.
	 * @return the tools in the server's order; an error when it lists without bound
	 */
	Mono<List<Tool>> listTools();

	/**
	 * Call a tool.
	 * @param request the call
	 * @param timeout how long to wait for the result
	 * @param progress told of progress, or {@code null} to ask for none
	 * @return the result; a cancelled subscription cancels the request at the server
	 */
	Mono<CallToolResult> callTool(CallToolRequest request, Duration timeout,
			@Nullable Consumer<ProgressNotification> progress);

	/**
	 * Ask for a sign of life.
	 * @param timeout how long to wait for the answer
	 * @return completes with the answer; a JSON-RPC error is one, too
	 */
	Mono<Void> ping(Duration timeout);

	/**
	 * Fail all requests under way with the given cause, and every later one. Does not
	 * touch the transport.
	 * @param cause why the session ended
	 */
	void terminate(Throwable cause);

	/**
	 * Fail all requests under way and close the transport gracefully.
	 * @return completes when the transport is closed
	 */
	Mono<Void> close();

}
