package io.github.mcpclient.event;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;

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
