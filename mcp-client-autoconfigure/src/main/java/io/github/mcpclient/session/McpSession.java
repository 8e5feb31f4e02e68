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
	 * Connect the transport and do the handshake, within the initialization timeout. To
	 * be subscribed once; fails if the server does not speak a revision that we know.
	 */
	Mono<InitializeResult> open();

	/**
	 * List all pages of what the server has of one kind; none, without asking, where it
	 * has no such capability. An item that cannot be understood costs only itself; of
	 * several with one key the first counts; both are logged. Fails with
	 * {@link SessionProtocolException} when the server lists more than the options allow
	 * or without end, and with {@link SessionTimeoutException} when a page takes longer
	 * than the request timeout, or all of them longer than that and the initialization
	 * timeout.
	 */
	<T> Mono<List<T>> list(ItemKind<T> kind);

	/**
	 * Send a request, once for each subscription. A cancelled subscription cancels the
	 * request at the server.
	 */
	<T> Mono<T> request(Call<T> call);

	/**
	 * Ask for a sign of life. Completes with the answer; a JSON-RPC error is one, too.
	 */
	Mono<Void> ping(Duration timeout);

	/**
	 * Return how many requests the server has not answered yet.
	 */
	int pendingCount();

	/**
	 * Fail all pending requests, and every later one. Only the first cause counts; what
	 * the server says from now on is ignored. Does not touch the transport. Subscribers
	 * are signalled on the calling thread, which must not be one that reads for a
	 * transport.
	 * @param unsent the cause for requests that were not sent
	 */
	void terminate(Throwable cause, Throwable unsent);

	/**
	 * Fail all pending requests with a {@code CancellationException} and close the
	 * transport gracefully.
	 */
	Mono<Void> close();

}
