package io.github.mcpclient.session;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema.Implementation;

/**
 * What the sessions of one connection are opened with, one after another.
 *
 * @param definition the server
 * @param clientInfo what the client says of itself
 * @param initializationTimeout how long the handshake may take
 * @param requests answers what the server asks
 * @param observers observe the requests
 * @param standing what each session is asked for again
 * @param era what the sessions before have found out about the server
 */
public record SessionOptions(McpServerDefinition definition, Implementation clientInfo, Duration initializationTimeout,
		ServerRequests requests, List<? extends RequestObserver> observers, StandingRequests standing, EraMemory era) {

	/**
	 * Creates the options of a connection that has asked for nothing yet.
	 */
	public SessionOptions(McpServerDefinition definition, Implementation clientInfo, Duration initializationTimeout,
			ServerRequests requests, List<? extends RequestObserver> observers) {
		this(definition, clientInfo, initializationTimeout, requests, observers, new StandingRequests(definition),
				new EraMemory());
	}

	/**
	 * Returns these options with another limit to the handshake.
	 */
	public SessionOptions within(Duration initializationTimeout) {
		return new SessionOptions(this.definition, this.clientInfo, initializationTimeout, this.requests,
				this.observers, this.standing, this.era);
	}

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
