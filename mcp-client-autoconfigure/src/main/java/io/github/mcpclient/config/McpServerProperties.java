package io.github.mcpclient.config;

import org.jspecify.annotations.Nullable;

/**
 * What is configured for one server, at {@code mcp.servers.<name>}.
 */
public class McpServerProperties extends McpServerSettings {

	/**
	 * Url of the MCP endpoint, for a server that is reached over HTTP or WebSocket.
	 */
	private @Nullable String url;

	/**
	 * Executable to start, for a server that runs as a child process.
	 */
	private @Nullable String command;

	public @Nullable String getUrl() {
		return this.url;
	}

	public void setUrl(@Nullable String url) {
		this.url = url;
	}

	public @Nullable String getCommand() {
		return this.command;
	}

	public void setCommand(@Nullable String command) {
		this.command = command;
	}

}
