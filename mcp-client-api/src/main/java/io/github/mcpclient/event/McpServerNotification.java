package io.github.mcpclient.event;

import java.util.Collections;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.Notification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ResourcesUpdatedNotification;
import org.jspecify.annotations.Nullable;

/**
 * A notification of a server, as it was received and, if its kind is known, as a typed
 * object. All of its content comes from the server and is untrusted. Immutable, except
 * for maps and lists within the parameters.
 *
 * @param serverName the name of the server
 * @param method the JSON-RPC method, such as {@code notifications/message}
 * @param params the parameters as received; empty if the server sent none
 * @param typed a {@link LoggingMessageNotification}, whose data is JSON unless it is
 * text, a {@link ProgressNotification}, or a {@link ResourcesUpdatedNotification} of a
 * resource that the application has subscribed to; {@code null} for other kinds, and if
 * the parameters are malformed
 * @param toolName the original name of the tool whose pending call reports the progress,
 * or {@code null} for other notifications
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
