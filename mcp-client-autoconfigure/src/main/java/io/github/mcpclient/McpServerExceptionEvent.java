package io.github.mcpclient;

/**
 * Published for each exception of a connection, as {@link McpMessageListener#onException}
 * describes.
 */
public class McpServerExceptionEvent extends McpServerEvent {

	private final transient McpException exception;

	/**
	 * Create an event.
	 */
	public McpServerExceptionEvent(Object source, String serverName, McpException exception) {
		super(source, serverName);
		this.exception = exception;
	}

	/**
	 * Return the exception, which contains no secrets.
	 */
	public McpException getException() {
		return this.exception;
	}

}
