package io.github.mcpclient.event;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;

/**
 * Published when the state of a server changes.
 *
 * @param previousState the state before the change
 * @param status the status of the server at the time of the change
 */
public record McpServerStateChangedEvent(McpServerState previousState,
		McpServerStatus status) implements McpServerEvent {

	@Override
	public String serverName() {
		return this.status.name();
	}

}
