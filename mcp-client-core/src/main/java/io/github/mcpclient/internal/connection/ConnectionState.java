package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.Generation.Opened;
import io.github.mcpclient.internal.session.ServerDescription;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;
import reactor.core.Scannable;
import reactor.core.publisher.Sinks;

/**
 * The state of a connection at one moment.
 *
 * @param awaySince when the state READY was last left, or the connection was created;
 * {@code null} while it is READY
 * @param attempts the attempts since the connection was last lost
 * @param latency the duration of the latest handshake or ping
 * @param lastError why there is no connection
 * @param failedStep the step at which this was detected, if it is known
 * @param nextRetry when the next attempt begins
 * @param callsWait whether calls wait for the current or the next attempt
 * @param attempt completes on the serial queue when that attempt has ended, or there will
 * be no attempt
 * @param generation the current generation, or the last one
 * @param server the server's description of itself in the latest handshake
 */
record ConnectionState(McpServerState name, Instant since, @Nullable Instant awaySince, int attempts,
		@Nullable Duration latency, @Nullable String lastError, @Nullable StepKind failedStep,
		@Nullable Instant nextRetry, boolean callsWait, Sinks.Empty<Void> attempt, @Nullable Generation generation,
		@Nullable ServerDescription server) {

	static ConnectionState initial(McpServerState name, Instant now, Sinks.Empty<Void> attempt) {
		return new ConnectionState(name, now, now, 0, null, null, null, null, name == McpServerState.IDLE, attempt,
				null, null);
	}

	ConnectionState connecting(Instant now, Generation generation) {
		boolean ended = this.attempt.scanOrDefault(Scannable.Attr.TERMINATED, false);
		return new ConnectionState(McpServerState.CONNECTING, now, away(now), this.attempts + 1, this.latency,
				this.lastError, this.failedStep, null, this.callsWait, ended ? Sinks.empty() : this.attempt, generation,
				this.server);
	}

	ConnectionState ready(Instant now, Opened opened) {
		return new ConnectionState(McpServerState.READY, now, null, this.attempts, opened.latency(), null, null, null,
				false, Sinks.empty(), this.generation, opened.server());
	}

	ConnectionState unavailable(Instant now, String lastError, @Nullable StepKind failedStep,
			@Nullable Instant nextRetry, boolean callsWait, Sinks.Empty<Void> attempt) {
		int attempts = (this.name != McpServerState.READY) ? this.attempts : 0;
		return new ConnectionState(McpServerState.UNAVAILABLE, now, away(now), attempts, this.latency, lastError,
				failedStep, nextRetry, callsWait, attempt, this.generation, this.server);
	}

	ConnectionState waitingForUsers(Instant now, String lastError) {
		return new ConnectionState(McpServerState.IDLE, now, away(now), this.attempts, this.latency, lastError,
				StepKind.TOKEN, null, false, this.attempt, this.generation, this.server);
	}

	ConnectionState withLastError(@Nullable String lastError) {
		return new ConnectionState(this.name, this.since, this.awaySince, this.attempts, this.latency, lastError,
				this.failedStep, this.nextRetry, this.callsWait, this.attempt, this.generation, this.server);
	}

	ConnectionState closed(Instant now, @Nullable String reason) {
		return new ConnectionState(McpServerState.CLOSED, now, away(now), this.attempts, this.latency,
				(reason != null) ? reason : this.lastError, (reason != null) ? null : this.failedStep, null, false,
				this.attempt, this.generation, this.server);
	}

	ConnectionState withLatency(Duration latency) {
		return new ConnectionState(this.name, this.since, this.awaySince, this.attempts, latency, this.lastError,
				this.failedStep, this.nextRetry, this.callsWait, this.attempt, this.generation, this.server);
	}

	boolean mayBecome(McpServerState next) {
		return switch (next) {
			case CONNECTING -> this.name == McpServerState.IDLE || this.name == McpServerState.UNAVAILABLE;
			case READY -> this.name == McpServerState.CONNECTING;
			case UNAVAILABLE -> this.name == McpServerState.CONNECTING || this.name == McpServerState.READY;
			case CLOSED -> this.name != McpServerState.CLOSED;
			case IDLE -> this.name == McpServerState.CONNECTING;
			case DISABLED -> false;
		};
	}

	private Instant away(Instant now) {
		return (this.awaySince != null) ? this.awaySince : now;
	}

	@Nullable Generation readyGeneration() {
		return (this.name == McpServerState.READY) ? this.generation : null;
	}

	@Nullable String notice() {
		return (this.name == McpServerState.CONNECTING && this.generation != null) ? this.generation.notice() : null;
	}

	/**
	 * Return whether an attempt is in progress, or planned.
	 */
	boolean isConnectingAgain() {
		return this.name == McpServerState.CONNECTING || this.nextRetry != null;
	}

	boolean isWaitingForUsers() {
		return this.name == McpServerState.IDLE && !this.callsWait;
	}

	String type(McpServerDefinition definition) {
		return (this.generation != null) ? this.generation.type() : definition.type();
	}

	McpServerStatus toStatus(McpServerDefinition definition, ServerLists lists, int users,
			List<McpServerDeviation> deviations) {
		boolean ready = this.name == McpServerState.READY;
		return new Status(definition.name(), this.name, type(definition), definition.target(), definition.required(),
				(this.server != null) ? this.server.serverInfo() : null,
				(ready && this.server != null) ? this.server.protocolVersion() : null, lists.tools().items().size(),
				lists.prompts().items().size(), lists.resources().items().size(),
				lists.resourceTemplates().items().size(), this.since, this.attempts, this.latency,
				(this.lastError != null) ? this.lastError : notice(), this.failedStep, this.nextRetry,
				(this.generation != null) ? List.copyOf(this.generation.stderr()) : List.of(), users, deviations);
	}

	private record Status(String name, McpServerState state, String type, String target, boolean required,
			@Nullable Implementation serverInfo, @Nullable String protocolVersion, int tools, int prompts,
			int resources, int resourceTemplates, Instant since, int attempts, @Nullable Duration latency,
			@Nullable String lastError, @Nullable StepKind failedStep, @Nullable Instant nextRetry, List<String> stderr,
			int users, List<McpServerDeviation> deviations) implements McpServerStatus {
	}

}
