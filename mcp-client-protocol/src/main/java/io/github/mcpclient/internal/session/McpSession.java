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
	 * Return whether the server has yet to answer a request that some do not survive. If
	 * it dies of that, the next session does without.
	 */
	default boolean isProbing() {
		return false;
	}

	/**
	 * List all pages of what the server has of one kind; nothing, without a request,
	 * where it lacks the capability. Malformed and duplicate items are left out and
	 * logged. Fails where the server lists more than the options allow or without end,
	 * and where a page takes longer than the request timeout, or all of them longer than
	 * that and the initialization timeout.
	 */
	<T> Mono<List<T>> list(ItemKind<T> kind);

	/**
	 * Send a request for each subscription, whose cancellation reaches the server; none
	 * where the server lets an earlier result be used.
	 */
	<T> Mono<T> request(Call<T> call);

	/**
	 * Begin, once the session is in use, and return what asks it anew for all that the
	 * server is to send unasked. The listener is told of failures; none is signalled.
	 */
	Mono<Void> renew();

	/**
	 * Send a ping. A JSON-RPC error is an answer, too.
	 */
	Mono<Void> ping(Duration timeout);

	/**
	 * Return how many requests the server has not answered yet.
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
		 * @param options the options of the connection, which are those of its sessions
		 * before, too
		 */
		McpSession create(McpClientTransport transport, SessionOptions options, Listener listener);

	}

	/**
	 * Receives what a server sends unasked, on a transport's thread: must not block.
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
		 * The server does something against the protocol, which was taken all the same.
		 * @param detail what was seen, which is bounded and masked by the listener
		 */
		default void deviation(McpServerDeviation.Kind kind, String detail) {
		}

		/**
		 * The server could not be asked again for what it is to send.
		 * @param problem what is missing now, safe to print but for secrets
		 */
		default void notRenewed(String problem, String request, Throwable failure) {
		}

		/**
		 * Return what records all messages, both ways, which have no sequence yet;
		 * {@code null}, which is the default, if they are not recorded. It is called by
		 * any thread.
		 */
		default @Nullable Consumer<RecentMessage> recorder() {
			return null;
		}

		/**
		 * Return whether all calls of tools are to ask for progress.
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
