package io.github.mcpclient;

import org.springframework.context.ApplicationEvent;

/**
 * Published when a server enters another state. Events of one server arrive in order, on
 * a thread that may block, never on a transport's own.
 */
public class McpServerStateChangedEvent extends ApplicationEvent {

	private final McpServerState previousState;

	private final transient McpServerStatus status;

	/**
	 * Create an event.
	 * @param source the registry
	 * @param previousState the state that was left
	 * @param status the status in the state that was entered
	 */
	public McpServerStateChangedEvent(Object source, McpServerState previousState, McpServerStatus status) {
		super(source);
		this.previousState = previousState;
		this.status = status;
	}

	/**
	 * Return the state that was left.
	 * @return the previous state
	 */
	public McpServerState getPreviousState() {
		return this.previousState;
	}

	/**
	 * Return the status at the time of the change.
	 * @return the status
	 */
	public McpServerStatus getStatus() {
		return this.status;
	}

}
