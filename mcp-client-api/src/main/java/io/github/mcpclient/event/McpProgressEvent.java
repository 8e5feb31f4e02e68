package io.github.mcpclient.event;

import io.github.mcpclient.McpTool;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;

/**
 * Published when a server reports the progress of a pending call of a tool. Calls ask for
 * progress if they have a progress listener or a {@code maxTimeout}; all calls do if,
 * when the application starts, there is a listener of this type of event, a method with
 * Spring AI's {@code @McpProgress} or a {@link McpMessageListener}.
 *
 * @param serverName the name of the server
 * @param toolName the {@linkplain McpTool#originalName() original name} of the tool
 * @param progress the progress. Its message comes from the server and is not to be
 * trusted
 */
public record McpProgressEvent(String serverName, String toolName,
		ProgressNotification progress) implements McpServerEvent {
}
