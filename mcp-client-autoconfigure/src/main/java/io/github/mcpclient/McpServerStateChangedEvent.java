package io.github.mcpclient;

/**
 * Published when a server enters another state.
 */
public class McpServerStateChangedEvent extends McpServerEvent {

	private final McpServerState previousState;

	private final transient McpServerStatus status;

	/**
	 * Create an event.
	 * @param previousState the state that the server left
	 * @param status the status of the server in its new state
	 */
	public McpServerStateChangedEvent(Object source, McpServerState previousState, McpServerStatus status) {
		super(source, status.name());
		this.previousState = previousState;
		this.status = status;
	}

	/**
	 * Return the state that the server left.
	 * @return the previous state
	 */
	public McpServerState getPreviousState() {
		return this.previousState;
	}

	/**
	 * Return the status at the time of the change.
	 */
	public McpServerStatus getStatus() {
		return this.status;
	}

}
