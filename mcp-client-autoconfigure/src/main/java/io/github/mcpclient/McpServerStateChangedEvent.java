package io.github.mcpclient;

/**
 * Published when a server enters another state.
 *
 * @param previousState the state that the server left
 * @param status the status of the server at the time of the change
 */
public record McpServerStateChangedEvent(McpServerState previousState,
		McpServerStatus status) implements McpServerEvent {

	@Override
	public String serverName() {
		return this.status.name();
	}

}
