package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.event.McpServerNotification;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One MCP session over one transport: opened once, and unusable after it was terminated
 * or closed. Each protocol version with a separate life cycle is an implementation of
 * this interface. Safe for use by many threads.
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
	 * Connect the transport and do the handshake within the initialization timeout.
	 */
	Mono<ServerDescription> open();

	/**
	 * Return the requests that {@link #open} waits for, as messages name them.
	 */
	default String handshake() {
		return HANDSHAKE;
	}

	/**
	 * Return whether the name of a request in a message is that of a handshake.
	 */
	static boolean isHandshake(@Nullable String request) {
		return request != null && (request.equals(HANDSHAKE) || request.startsWith(ProtocolNames.DISCOVER));
	}

	/**
	 * Return whether a request that some servers do not survive is pending. If the server
	 * dies of it, the next session omits it.
	 */
	default boolean isProbing() {
		return false;
	}

	/**
	 * List all pages of the server's items of one kind; nothing, without a request, if
	 * the server lacks the capability. Malformed and duplicate items are excluded and
	 * logged. Fails if the server lists more items than the options allow, or without
	 * end, if a page takes longer than the request timeout, or if all pages take longer
	 * than that and the initialization timeout.
	 */
	<T> Mono<List<T>> list(ItemKind<T> kind);

	/**
	 * Send a request for each subscription, whose cancellation reaches the server; none
	 * where the server lets an earlier result be used.
	 */
	<T> Mono<T> request(Call<T> call);

	/**
	 * Begin, once the session is in use, and return the requests that make the server
	 * send notifications, such as subscriptions. The listener receives their failures;
	 * the returned publisher does not fail.
	 */
	Mono<Void> renew();

	/**
	 * Send a ping. A JSON-RPC error is a response, too.
	 */
	Mono<Void> ping(Duration timeout);

	/**
	 * Return the number of requests without a response so far.
	 */
	int pendingCount();

	/**
	 * Fail all pending requests, and every later one, and ignore what the server sends.
	 * Only the first cause counts. Does not touch the transport. Subscribers are
	 * signalled on the calling thread, which must not be one that reads for a transport.
	 * @param unsent the cause for requests that were not sent
	 */
	void terminate(Throwable cause, Throwable unsent);

	/**
	 * Fail all pending requests and close the transport gracefully.
	 */
	Mono<Void> close();

	/**
	 * Makes sessions. Safe for use by many threads.
	 */
	@FunctionalInterface
	interface Factory {

		/**
		 * Make a session, which connects the transport and closes it.
		 * @param options the options of the connection, which all its sessions share
		 */
		McpSession create(McpClientTransport transport, SessionOptions options, Listener listener);

	}

	/**
	 * Receives server-initiated messages on a thread of the transport: must not block.
	 */
	interface Listener {

		/**
		 * The server sent a message of any kind.
		 */
		default void messageReceived() {
		}

		/**
		 * The server announced a change of a list; that of resources includes the
		 * templates.
		 */
		default void listChanged(ItemKind<?> kind) {
		}

		/**
		 * The server may have announced something that was not heard.
		 */
		default void gap() {
		}

		/**
		 * A list is about to be delivered without the items that cannot be used.
		 */
		void excluded(String kind, List<ExcludedItem> excluded);

		/**
		 * The server sent a notification, which was acted on.
		 */
		default void notified(McpServerNotification notification) {
		}

		/**
		 * A message of the server could not be handled.
		 */
		default void failed(Throwable failure) {
		}

		/**
		 * The server violates the protocol, which the client tolerates.
		 * @param detail the observed behavior, which the listener limits and masks
		 */
		default void deviation(McpServerDeviation.Kind kind, String detail) {
		}

		/**
		 * A request for notifications of the server could not be sent again.
		 * @param problem what is missing now, safe to print except for secrets
		 */
		default void notRenewed(String problem, String request, Throwable failure) {
		}

		/**
		 * Return a recorder of all messages, in both directions, which have no sequence
		 * yet; {@code null}, which is the default, if messages are not recorded. It is
		 * called by any thread.
		 */
		default @Nullable Consumer<RecentMessage> recorder() {
			return null;
		}

		/**
		 * Return whether all tool calls request progress.
		 */
		default boolean wantsProgress() {
			return false;
		}

		/**
		 * The server sent a log message, whose text is sanitized.
		 */
		default void log(LoggingLevel level, @Nullable String logger, String text) {
		}

	}

}
