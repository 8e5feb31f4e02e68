package io.github.mcpclient.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * All that a connection knows of itself at one moment.
 *
 * @param name the state
 * @param since when it was entered
 * @param awaySince when READY was left last, or the connection was made, or {@code null}
 * where it is READY
 * @param attempts the attempts since the connection was last lost
 * @param latency the duration of the latest handshake or ping
 * @param lastError why there is no connection
 * @param nextRetry when the next attempt begins
 * @param callsWait whether calls wait for the attempt that is under way or comes next,
 * rather than fail
 * @param attempt the attempt that is under way or comes next
 * @param generation the present generation, or the last one
 * @param server what the server said of itself in the latest handshake
 * @param tools the tools known
 */
record ConnectionState(McpServerState name, Instant since, @Nullable Instant awaySince, int attempts,
		@Nullable Duration latency, @Nullable String lastError, @Nullable Instant nextRetry, boolean callsWait,
		Attempt attempt, @Nullable Generation generation, @Nullable InitializeResult server, List<Tool> tools) {

	static ConnectionState initial(McpServerState name, Instant now, Attempt attempt) {
		return new ConnectionState(name, now, now, 0, null, null, null, name == McpServerState.IDLE, attempt, null,
				null, List.of());
	}

	ConnectionState connecting(Instant now, Generation generation, Attempt attempt) {
		return new ConnectionState(McpServerState.CONNECTING, now, away(now), this.attempts + 1, this.latency,
				this.lastError, null, this.callsWait, attempt, generation, this.server, this.tools);
	}

	ConnectionState ready(Instant now, Handshake handshake) {
		return new ConnectionState(McpServerState.READY, now, null, this.attempts, handshake.duration(), null, null,
				false, new Attempt(), this.generation, handshake.server(), this.tools);
	}

	ConnectionState unavailable(Instant now, String lastError, @Nullable Instant nextRetry, boolean callsWait,
			Attempt attempt) {
		int attempts = (this.name != McpServerState.READY) ? this.attempts : 0;
		return new ConnectionState(McpServerState.UNAVAILABLE, now, away(now), attempts, this.latency, lastError,
				nextRetry, callsWait, attempt, this.generation, this.server, this.tools);
	}

	ConnectionState closed(Instant now, @Nullable String reason) {
		return new ConnectionState(McpServerState.CLOSED, now, away(now), this.attempts, this.latency,
				(reason != null) ? reason : this.lastError, null, false, this.attempt, this.generation, this.server,
				this.tools);
	}

	ConnectionState withTools(List<Tool> tools) {
		return new ConnectionState(this.name, this.since, this.awaySince, this.attempts, this.latency, this.lastError,
				this.nextRetry, this.callsWait, this.attempt, this.generation, this.server, tools);
	}

	ConnectionState withLatency(Duration latency) {
		return new ConnectionState(this.name, this.since, this.awaySince, this.attempts, latency, this.lastError,
				this.nextRetry, this.callsWait, this.attempt, this.generation, this.server, this.tools);
	}

	private Instant away(Instant now) {
		return (this.awaySince != null) ? this.awaySince : now;
	}

	/**
	 * Return the generation that calls go to.
	 * @return the generation, or {@code null} when not READY
	 */
	@Nullable Generation readyGeneration() {
		return (this.name == McpServerState.READY) ? this.generation : null;
	}

	/**
	 * Return what there is to be said of an attempt that may take long.
	 */
	@Nullable String notice() {
		return (this.name == McpServerState.CONNECTING && this.generation != null) ? this.generation.notice() : null;
	}

	McpServerStatus toStatus(McpServerDefinition definition, ErrorWording wording, McpServerFeatures contents) {
		boolean ready = this.name == McpServerState.READY;
		return new StatusSnapshot(definition.name(), this.name,
				(this.generation != null) ? this.generation.type() : definition.type(), definition.target(),
				definition.required(), (this.server != null) ? this.server.serverInfo() : null,
				(ready && this.server != null) ? this.server.protocolVersion() : null, this.tools.size(),
				contents.prompts().size(), contents.resources().size(), contents.resourceTemplates().size(), this.since,
				this.attempts, this.latency, (this.lastError != null) ? this.lastError : notice(), this.nextRetry,
				(this.generation != null) ? this.generation.stderr() : List.of());
	}

}
