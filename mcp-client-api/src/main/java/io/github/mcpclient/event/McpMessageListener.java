package io.github.mcpclient.event;

import io.github.mcpclient.McpException;

/**
 * Sees all notifications and exceptions of the servers. Register listeners as beans; they
 * are called in {@code @Order} order, and with the messages of one server one at a time,
 * in order, on a thread that may block. If a listener throws an exception, it is logged,
 * and the listener keeps getting messages.
 *
 * <p>
 * A slow listener holds up neither connections nor other servers: up to 1000 messages of
 * a server, of about a million characters in all, wait for it. Beyond that the oldest are
 * dropped, which is logged.
 *
 * <p>
 * Where there is a listener, all calls of tools ask for progress.
 *
 * @see McpLogMessageEvent
 * @see McpProgressEvent
 * @see McpResourceUpdatedEvent
 * @see McpServerExceptionEvent
 */
public interface McpMessageListener {

	/**
	 * A server sent a notification of any kind, known to the client or not.
	 */
	default void onNotification(McpServerNotification notification) {
	}

	/**
	 * An attempt to connect failed, a connection was lost, a list could not be obtained,
	 * a subscription or the logging level could not be renewed, or a message of a server
	 * could not be handled. Failures of calls are not included: their callers get them.
	 * @param exception names the server, and contains no secrets; its cause, if any, is
	 * what went wrong
	 */
	default void onException(McpException exception) {
	}

}
