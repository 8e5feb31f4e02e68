package io.github.mcpclient;

/**
 * Published when a server announces that a resource changed, to which the application has
 * {@linkplain McpServer#subscribe(String) subscribed}. Updates while the server is
 * unavailable are missed.
 */
public class McpResourceUpdatedEvent extends McpServerEvent {

	private final String uri;

	/**
	 * Create an event.
	 */
	public McpResourceUpdatedEvent(Object source, String serverName, String uri) {
		super(source, serverName);
		this.uri = uri;
	}

	/**
	 * Return the uri of the resource, which may be a part of the one that was subscribed
	 * to.
	 */
	public String getUri() {
		return this.uri;
	}

}
