package io.github.mcpclient.session;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
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
 * a JSON-RPC error, with {@link SessionProtocolException} for an answer that cannot be
 * understood, with the transport's own exception, or with the cause given to
 * {@link #terminate}; with an {@link IllegalStateException} before the session is open.
 * Signals arrive on a thread that must not block: where the transport delivers the
 * answer, where a deadline expires, or where {@link #terminate} is called.
 */
public interface McpSession {

	/**
	 * Connect the transport and do the handshake. To be subscribed once.
	 * @return what the server says of itself; an error if it does not speak a revision
	 * that we know, and {@link SessionTimeoutException} if all of this takes longer than
	 * the {@link SessionOptions#initializationTimeout() initialization timeout}
	 */
	Mono<InitializeResult> open();

	/**
	 * List all pages of the server's tools; none, without asking, where the server has no
	 * such capability. A tool that cannot be understood costs only itself; of several
	 * with one name the first counts; both are told in the log.
	 * @return the tools in the server's order; {@link SessionProtocolException} when it
	 * lists more than {@link SessionOptions#maxTools()} or without end, and
	 * {@link SessionTimeoutException} when a page takes longer than the
	 * {@link SessionOptions#requestTimeout() request timeout}, or all of them longer than
	 * that and the initialization timeout
	 */
	Mono<List<Tool>> listTools();

	/**
	 * List all pages of the server's prompts, as {@link #listTools()} does for tools;
	 * none where the server does not know the method.
	 * @return the prompts in the server's order; fails as {@link #listTools()} does
	 */
	Mono<List<Prompt>> listPrompts();

	/**
	 * List all pages of the server's resources, as {@link #listPrompts()} does for
	 * prompts.
	 * @return the resources in the server's order
	 */
	Mono<List<Resource>> listResources();

	/**
	 * List all pages of the server's templates of resources, as {@link #listPrompts()}
	 * does for prompts.
	 * @return the templates in the server's order
	 */
	Mono<List<ResourceTemplate>> listResourceTemplates();

	/**
	 * Call a tool. Of a result that is not well-formed, what can be understood is kept;
	 * an item that cannot be is an
	 * {@link io.github.mcpclient.McpToolResult.UnknownContent}.
	 * @param request the call
	 * @param timeout how long to wait for the result
	 * @param progress told of progress, or {@code null} to ask for none
	 * @return the result; a cancelled subscription cancels the request at the server
	 */
	default Mono<CallToolResult> callTool(CallToolRequest request, Duration timeout,
			@Nullable Consumer<ProgressNotification> progress) {
		return callTool(request, new CallOptions(timeout, null, progress));
	}

	/**
	 * Call a tool, with progress extending the timeout if asked to.
	 * @param request the call
	 * @param options how long to wait, and who is told of progress
	 * @return the result, as of {@link #callTool(CallToolRequest, Duration, Consumer)}
	 */
	Mono<CallToolResult> callTool(CallToolRequest request, CallOptions options);

	/**
	 * Ask for the messages of a prompt. Content of an unknown type is an
	 * {@link io.github.mcpclient.McpToolResult.UnknownContent}.
	 * @param request the prompt and its arguments
	 * @param options how long to wait
	 * @return the messages; a cancelled subscription cancels the request at the server
	 */
	Mono<GetPromptResult> getPrompt(GetPromptRequest request, CallOptions options);

	/**
	 * Read a resource.
	 * @param request the resource
	 * @param options how long to wait
	 * @return its contents; a cancelled subscription cancels the request at the server
	 */
	Mono<ReadResourceResult> readResource(ReadResourceRequest request, CallOptions options);

	/**
	 * Ask how an argument of a prompt, or of a template of resources, may go on.
	 * @param request what is there of the argument
	 * @param options how long to wait
	 * @return proposals; a cancelled subscription cancels the request at the server
	 */
	Mono<CompleteResult> complete(CompleteRequest request, CallOptions options);

	/**
	 * Ask for a sign of life.
	 * @param timeout how long to wait for the answer
	 * @return completes with the answer; a JSON-RPC error is one, too
	 */
	Mono<Void> ping(Duration timeout);

	/**
	 * Return how many requests the server has not answered yet, as far as somebody waits
	 * for the answer.
	 * @return the number of requests under way
	 */
	int pendingCount();

	/**
	 * Fail all requests under way with the given cause, and every later one. Only the
	 * first cause counts; what the server says from now on is ignored. Does not touch the
	 * transport. Subscribers are signalled on the calling thread, which must not be one
	 * that reads for a transport.
	 * @param cause why the session ended
	 * @param unsent the same for requests that were not sent
	 */
	void terminate(Throwable cause, Throwable unsent);

	/**
	 * Fail all requests under way with the given cause, whether they were sent or not.
	 * @param cause why the session ended
	 */
	default void terminate(Throwable cause) {
		terminate(cause, cause);
	}

	/**
	 * Fail all requests under way with {@link SessionClosedException} and close the
	 * transport gracefully.
	 * @return completes when the transport is closed
	 */
	Mono<Void> close();

}
