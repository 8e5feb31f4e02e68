package io.github.mcpclient.event;

import io.github.mcpclient.McpException;

/**
 * Strategy interface for listeners that receive all notifications and exceptions of the
 * servers. Register listeners as beans. They are called in {@code @Order} order, and with
 * the messages of one server one at a time, in order, on a thread that may block. If a
 * listener throws an exception, it is logged, and the listener continues to receive
 * messages.
 *
 * <p>
 * A slow listener blocks neither connections nor other servers: up to 1000 messages of a
 * server, of about a million characters in all, wait for it. If there are more, the
 * oldest messages are dropped, which is logged.
 *
 * <p>
 * If there is a listener, all calls of tools request progress notifications.
 *
 * @see McpLogMessageEvent
 * @see McpProgressEvent
 * @see McpResourceUpdatedEvent
 * @see McpServerExceptionEvent
 */
public interface McpMessageListener {

	/**
	 * Receive a notification of any kind, known to the client or not.
	 */
	default void onNotification(McpServerNotification notification) {
	}

	/**
	 * Receive an exception: an attempt to connect failed, a connection was lost, a list
	 * could not be obtained, a subscription or the logging level could not be renewed, or
	 * a message of a server could not be handled. Failures of calls are not included,
	 * since their callers receive them.
	 * @param exception the exception, which names the server and contains no secrets; its
	 * cause, if any, is the original failure
	 */
	default void onException(McpException exception) {
	}

}
