package io.github.mcpclient.session;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema.Implementation;

/**
 * What a session is opened with.
 *
 * @param definition the server
 * @param clientInfo what the client says of itself
 * @param initializationTimeout how long the handshake may take
 * @param requests answers what the server asks
 * @param observers observe the requests
 */
public record SessionOptions(McpServerDefinition definition, Implementation clientInfo, Duration initializationTimeout,
		ServerRequests requests, List<? extends RequestObserver> observers) {

	String serverName() {
		return this.definition.name();
	}

	Duration requestTimeout() {
		return this.definition.timeouts().request();
	}

	int max(ItemKind<?> kind) {
		return switch (kind.setting()) {
			case "tools" -> this.definition.limits().maxTools();
			case "prompts" -> this.definition.prompts().max();
			default -> this.definition.resources().max();
		};
	}

}
