package io.github.mcpclient.session;

import java.time.Duration;
import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
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
	 * List all pages of what the server has of one kind; none, without asking, where it
	 * has no such capability. An item that cannot be understood costs only itself; of
	 * several with one key the first counts; both are logged.
	 * @param <T> the type of an item
	 * @param kind what to list
	 * @return the items in the server's order; {@link SessionProtocolException} when it
	 * lists more than the options allow or without end, and
	 * {@link SessionTimeoutException} when a page takes longer than the
	 * {@link SessionOptions#requestTimeout() request timeout}, or all of them longer than
	 * that and the initialization timeout
	 */
	<T> Mono<List<T>> list(ItemKind<T> kind);

	/**
	 * Send a request, once for each subscription.
	 * @param <T> the type of the result
	 * @param call the request
	 * @return the result; a cancelled subscription cancels the request at the server
	 */
	<T> Mono<T> request(Call<T> call);

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
	 * Fail all pending requests, and every later one. Only the first cause counts; what
	 * the server says from now on is ignored. Does not touch the transport. Subscribers
	 * are signalled on the calling thread, which must not be one that reads for a
	 * transport.
	 * @param cause why the session ended
	 * @param unsent the same for requests that were not sent
	 */
	void terminate(Throwable cause, Throwable unsent);

	/**
	 * Fail all pending requests with a {@code CancellationException} and close the
	 * transport gracefully.
	 * @return completes when the transport is closed
	 */
	Mono<Void> close();

}
