package io.github.mcpclient.internal.session;

import java.util.List;
import java.util.function.Consumer;

import io.github.mcpclient.McpServer.RecentMessage;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.event.McpServerNotification;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;

/**
 * Receives what a server sends unasked, on a transport's thread: must not block.
 */
public interface SessionListener {

	/**
	 * The server sent a message of any kind.
	 */
	default void messageReceived() {
	}

	/**
	 * The server announced a change of a list; that of resources includes the templates.
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
	 * Returns what records all messages, both ways, which have no sequence yet;
	 * {@code null}, which is the default, if they are not recorded. It is called by any
	 * thread.
	 */
	default @Nullable Consumer<RecentMessage> recorder() {
		return null;
	}

	/**
	 * Returns whether all calls of tools are to ask for progress.
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
