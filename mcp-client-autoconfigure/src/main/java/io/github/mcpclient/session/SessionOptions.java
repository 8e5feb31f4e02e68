package io.github.mcpclient.session;

import java.time.Duration;

import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;

/**
 * What a session is opened with.
 *
 * @param serverName the configured name of the server, for log messages
 * @param clientInfo what the client says of itself
 * @param capabilities what the client offers to the server
 * @param initializationTimeout how long the answer to {@code initialize} may take
 * @param requestTimeout how long a page of a listing may take
 * @param maxTools the largest number of tools that the server may list
 * @param maxPrompts the largest number of prompts that the server may list
 * @param maxResources the largest number of resources that the server may list, and of
 * resource templates
 */
public record SessionOptions(String serverName, Implementation clientInfo, ClientCapabilities capabilities,
		Duration initializationTimeout, Duration requestTimeout, int maxTools, int maxPrompts, int maxResources) {

	/**
	 * Return these options with another initialization timeout.
	 */
	public SessionOptions withInitializationTimeout(Duration timeout) {
		return new SessionOptions(this.serverName, this.clientInfo, this.capabilities, timeout, this.requestTimeout,
				this.maxTools, this.maxPrompts, this.maxResources);
	}

	int max(ItemKind<?> kind) {
		return switch (kind.setting()) {
			case "tools" -> this.maxTools;
			case "prompts" -> this.maxPrompts;
			default -> this.maxResources;
		};
	}

}
