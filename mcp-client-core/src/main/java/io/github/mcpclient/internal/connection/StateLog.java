package io.github.mcpclient.internal.connection;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.ServerDescription;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs each change of state; before the server is READY again, failures of a reported
 * kind are logged at {@code DEBUG}. Runs on the serial queue.
 */
final class StateLog {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionContext.LOGGER);

	private final McpServerDefinition definition;

	private final String server;

	// its failures are logged for all users at once
	private final boolean ofUser;

	private final ReportedFailures failures = new ReportedFailures();

	private final ReportedFailures ofRenewals = new ReportedFailures();

	StateLog(McpServerDefinition definition, ErrorWording wording, boolean ofUser) {
		this.definition = definition;
		this.ofUser = ofUser;
		this.server = wording.server();
	}

	void connecting(ConnectionState state) {
		line(Level.DEBUG, state, null).log("{} is CONNECTING (attempt {})", this.server, state.attempts());
	}

	void ready(ConnectionState state, int tools) {
		this.failures.forget();
		ServerDescription server = state.server();
		Duration latency = state.latency();
		boolean none = tools == 0 && server != null && !server.offers(ItemKind.TOOLS.setting());
		line(Level.INFO, state, null).log("{} is READY: it {}, protocol {}, {} ms", this.server,
				none ? "announces no tools" : (tools == 1) ? "lists 1 tool" : "lists " + tools + " tools",
				(server != null) ? server.protocolVersion() : null, (latency != null) ? latency.toMillis() : null);
	}

	void unavailable(ConnectionState state, Throwable cause, @Nullable Duration delay) {
		String failure = String.valueOf(state.lastError());
		if (state.isWaitingForUsers()) {
			line(this.ofUser ? Level.DEBUG : Level.INFO, state, failure).log("{} is IDLE: {}", this.server, failure);
			return;
		}
		line((!this.ofUser && this.failures.isNew(cause, failure)) ? Level.WARN : Level.DEBUG, state, failure)
			.log("{} is UNAVAILABLE: {} {}", this.server, failure, nextStep(delay, state.attempts() + 1));
	}

	/**
	 * Log why a user is not connected, and return whether this is new.
	 */
	boolean userFailed(ConnectionState state, Throwable cause) {
		String failure = String.valueOf(state.lastError());
		boolean isNew = this.failures.isNew(cause, failure);
		line(isNew ? Level.WARN : Level.DEBUG, state, failure).log("{} is IDLE: {}", this.server, failure);
		return isNew;
	}

	void userConnected() {
		this.failures.forget();
	}

	/**
	 * Log that a subscription or setting could not be renewed at a server that is READY.
	 */
	void notRenewed(String problem, Throwable cause, String reason) {
		logger.atLevel(this.ofRenewals.isNew(cause, reason) ? Level.WARN : Level.DEBUG)
			.addKeyValue(LogKeys.SERVER, this.definition.name())
			.addKeyValue(LogKeys.CAUSE, reason)
			.log("{}: {}: {}", this.server, problem, reason);
	}

	void dropped(ConnectionState state) {
		line(Level.INFO, state, state.lastError()).log("{} is UNAVAILABLE: {}", this.server, state.lastError());
	}

	void closed(ConnectionState state) {
		line(Level.DEBUG, state, null).log("{} is {}", this.server, state.name());
	}

	private LoggingEventBuilder line(Level level, ConnectionState state, @Nullable String cause) {
		LoggingEventBuilder line = logger.atLevel(level)
			.addKeyValue(LogKeys.SERVER, this.definition.name())
			.addKeyValue(LogKeys.TRANSPORT, state.type(this.definition))
			.addKeyValue(LogKeys.STATE, state.name())
			.addKeyValue(LogKeys.ATTEMPT, state.attempts());
		return (cause != null) ? line.addKeyValue(LogKeys.CAUSE, cause) : line;
	}

	private String nextStep(@Nullable Duration delay, int attempt) {
		if (delay == null) {
			return "No further attempt until one is requested" + (this.definition.reconnect().enabled() ? ""
					: ", since " + PropertyNames.ofServer(this.definition.name(), "reconnect.enabled") + " is false");
		}
		return "Next attempt " + (delay.isZero() ? "now" : "in " + seconds(delay)) + " (attempt " + attempt + ")";
	}

	private static String seconds(Duration delay) {
		BigDecimal seconds = BigDecimal.valueOf(delay.toMillis()).movePointLeft(3).setScale(1, RoundingMode.HALF_UP);
		return seconds.stripTrailingZeros().toPlainString() + " s";
	}

}
