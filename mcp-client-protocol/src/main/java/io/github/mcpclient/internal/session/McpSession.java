package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One MCP session over one transport: opened once, and of no use after it was terminated
 * or closed. Each revision of the protocol with a life cycle of its own is an
 * implementation of this interface. Safe for use by many threads.
 *
 * <p>
 * Requests fail with {@link SessionTimeoutException}, the SDK's {@code McpError},
 * {@link SessionProtocolException}, the transport's own exception or the cause given to
 * {@link #terminate}; with an {@link IllegalStateException} before the session is open.
 * Signals arrive on a thread that must not block.
 */
public interface McpSession {

	/**
	 * The notifications whose parameters sessions read for themselves.
	 */
	Set<String> READS = Set.of(McpSchema.METHOD_NOTIFICATION_PROGRESS, McpSchema.METHOD_NOTIFICATION_MESSAGE,
			McpSchema.METHOD_NOTIFICATION_RESOURCES_UPDATED, McpSchema.METHOD_NOTIFICATION_ELICITATION_COMPLETE,
			McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED, McpSchema.METHOD_NOTIFICATION_PROMPTS_LIST_CHANGED,
			McpSchema.METHOD_NOTIFICATION_RESOURCES_LIST_CHANGED, "notifications/cancelled",
			"notifications/subscriptions/acknowledged");

	/**
	 * The request that opens a session, as messages name it where they do not know
	 * better.
	 */
	String HANDSHAKE = McpSchema.METHOD_INITIALIZE;

	/**
	 * The request of {@link #ping}, as messages name it.
	 */
	String PING = McpSchema.METHOD_PING;

	/**
	 * Connects the transport and does the handshake within the initialization timeout.
	 */
	Mono<ServerDescription> open();

	/**
	 * Returns the requests that {@link #open} waits for, as messages name them.
	 */
	default String handshake() {
		return HANDSHAKE;
	}

	/**
	 * Returns whether the name of a request in a message is that of a handshake.
	 */
	static boolean isHandshake(@Nullable String request) {
		return request != null && (request.equals(HANDSHAKE) || request.startsWith(ProtocolNames.DISCOVER));
	}

	/**
	 * Returns whether the server has yet to answer a request that some do not survive. If
	 * it dies of that, the next session does without.
	 */
	default boolean isProbing() {
		return false;
	}

	/**
	 * Lists all pages of what the server has of one kind; nothing, without a request,
	 * where it lacks the capability. Malformed and duplicate items are left out and
	 * logged. Fails where the server lists more than the options allow or without end,
	 * and where a page takes longer than the request timeout, or all of them longer than
	 * that and the initialization timeout.
	 */
	<T> Mono<List<T>> list(ItemKind<T> kind);

	/**
	 * Sends a request for each subscription, whose cancellation reaches the server; none
	 * where the server lets an earlier result be used.
	 */
	<T> Mono<T> request(Call<T> call);

	/**
	 * Begins, once the session is in use, and returns what asks it anew for all that the
	 * server is to send unasked. The listener is told of failures; none is signalled.
	 */
	Mono<Void> renew();

	/**
	 * Sends a ping. A JSON-RPC error is an answer, too.
	 */
	Mono<Void> ping(Duration timeout);

	/**
	 * Returns how many requests the server has not answered yet.
	 */
	int pendingCount();

	/**
	 * Fails all pending requests, and every later one, and ignores what the server sends.
	 * Only the first cause counts. Does not touch the transport. Subscribers are
	 * signalled on the calling thread, which must not be one that reads for a transport.
	 * @param unsent the cause for requests that were not sent
	 */
	void terminate(Throwable cause, Throwable unsent);

	/**
	 * Fails all pending requests and closes the transport gracefully.
	 */
	Mono<Void> close();

}
