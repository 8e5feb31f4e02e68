package io.github.mcpclient.event;

import io.github.mcpclient.McpTool;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;

/**
 * Published when a server reports the progress of a pending call of a tool. A call
 * requests progress if it has a progress listener or a {@code maxTimeout}. All calls
 * request it if, when the application starts, there is a listener for this type of event,
 * a method with Spring AI's {@code @McpProgress} or a {@link McpMessageListener}.
 *
 * @param serverName the name of the server
 * @param toolName the {@linkplain McpTool#originalName() original name} of the tool
 * @param progress the progress; its message comes from the server and is untrusted
 */
public record McpProgressEvent(String serverName, String toolName,
		ProgressNotification progress) implements McpServerEvent {
}
