package io.github.mcpclient;

/**
 * Published when the {@linkplain McpServerFeatures#prompts() prompts} of a server changed
 * or became known, which happens after the server has become READY.
 */
public class McpPromptsChangedEvent extends McpServerEvent {

	/**
	 * Create an event.
	 */
	public McpPromptsChangedEvent(Object source, String serverName) {
		super(source, serverName);
	}

}
