package io.github.mcpclient.event;

import java.util.Collections;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.Notification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ResourcesUpdatedNotification;
import org.jspecify.annotations.Nullable;

/**
 * A notification of a server, as it was received and, if its kind is known, typed. All of
 * it comes from the server and is not to be trusted. Immutable, except for maps and lists
 * within the parameters.
 *
 * @param serverName the name of the server
 * @param method the JSON-RPC method, such as {@code notifications/message}
 * @param params the parameters as received; empty if there are none
 * @param typed a {@link LoggingMessageNotification}, whose data is JSON where it is not
 * text, a {@link ProgressNotification}, or a {@link ResourcesUpdatedNotification} of what
 * the application has subscribed to; {@code null} for other kinds, and if the parameters
 * are malformed
 * @param toolName the name that the server gives to the tool whose pending call reports
 * the progress, or {@code null} for other notifications
 * @see McpMessageListener
 */
public record McpServerNotification(String serverName, String method, Map<String, @Nullable Object> params,
		@Nullable Notification typed, @Nullable String toolName) {

	/**
	 * Create a notification.
	 */
	public McpServerNotification {
		params = Collections.unmodifiableMap(params);
	}

}
