package io.github.mcpclient;

/**
 * Published when the {@linkplain McpServerFeatures#resources() resources} or resource
 * templates of a server changed or became known, which happens after the server has
 * become READY.
 */
public class McpResourcesChangedEvent extends McpServerEvent {

	/**
	 * Create an event.
	 */
	public McpResourcesChangedEvent(Object source, String serverName) {
		super(source, serverName);
	}

}
