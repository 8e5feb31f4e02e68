package io.github.mcpclient;

import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;

/**
 * Published when a server reports the progress of a pending call of a tool. Calls ask for
 * progress if they have a progress listener or a {@code maxTimeout}; all calls do if,
 * when the application starts, there is a listener of this type of event or a
 * {@link McpMessageListener}.
 */
public class McpProgressEvent extends McpServerEvent {

	private final String toolName;

	private final transient ProgressNotification progress;

	/**
	 * Create an event.
	 */
	public McpProgressEvent(Object source, String serverName, String toolName, ProgressNotification progress) {
		super(source, serverName);
		this.toolName = toolName;
		this.progress = progress;
	}

	/**
	 * Return the {@linkplain McpTool#originalName() original name} of the tool.
	 */
	public String getToolName() {
		return this.toolName;
	}

	/**
	 * Return the progress. Its message comes from the server and is not to be trusted.
	 */
	public ProgressNotification getProgress() {
		return this.progress;
	}

}
