package io.github.mcpclient.connection;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

import io.github.mcpclient.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes one line for each change of state. A failure of a kind that was told already is
 * written at {@code DEBUG} until the server was READY. Lives on the serial queue.
 */
final class StateLog {

	private static final Logger logger = LoggerFactory.getLogger(McpConnection.class);

	private final McpServerDefinition definition;

	private final String server;

	private final ToldFailures failures = new ToldFailures();

	private final ToldFailures listingFailures = new ToldFailures();

	StateLog(McpServerDefinition definition, ErrorWording wording) {
		this.definition = definition;
		this.server = wording.server();
	}

	void connecting(ConnectionState state) {
		logger.debug("{} is CONNECTING (attempt {})", this.server, state.attempts());
	}

	void ready(ConnectionState state) {
		this.failures.forget();
		this.listingFailures.forget();
		InitializeResult server = state.server();
		Duration latency = state.latency();
		logger.info("{} is READY: it lists {}, protocol {}, {} ms", this.server, tools(state),
				(server != null) ? server.protocolVersion() : null, (latency != null) ? latency.toMillis() : null);
	}

	/**
	 * The connection failed.
	 * @param state the state entered
	 * @param cause why
	 * @param delay the time until the next attempt, or {@code null} for none
	 */
	void unavailable(ConnectionState state, Throwable cause, @Nullable Duration delay) {
		String failure = String.valueOf(state.lastError());
		logger.atLevel(this.failures.isNew(cause, failure) ? Level.WARN : Level.DEBUG)
			.log("{} is UNAVAILABLE: {} {}", this.server, failure, nextStep(delay, state.attempts() + 1));
	}

	/**
	 * The connection was dropped because somebody asked for a new one.
	 * @param state the state entered
	 */
	void dropped(ConnectionState state) {
		logger.info("{} is UNAVAILABLE: {}", this.server, state.lastError());
	}

	void closed(ConnectionState state) {
		logger.debug("{} is {}", this.server, state.name());
	}

	void listed() {
		this.listingFailures.forget();
	}

	void listingFailed(ConnectionState state, Throwable cause, String failure) {
		logger.atLevel(this.listingFailures.isNew(cause, failure) ? Level.WARN : Level.DEBUG)
			.log("{}: its tools could not be listed anew: {} It keeps {} until a listing succeeds", this.server,
					failure, tools(state));
	}

	private String nextStep(@Nullable Duration delay, int attempt) {
		if (delay == null) {
			return "No further attempt until asked for, since mcp.servers." + this.definition.name()
					+ ".reconnect.enabled is false";
		}
		return "Next attempt " + (delay.isZero() ? "now" : "in " + seconds(delay)) + " (attempt " + attempt + ")";
	}

	private static String seconds(Duration delay) {
		BigDecimal seconds = BigDecimal.valueOf(delay.toMillis()).movePointLeft(3).setScale(1, RoundingMode.HALF_UP);
		return seconds.stripTrailingZeros().toPlainString() + " s";
	}

	private static String tools(ConnectionState state) {
		int count = state.tools().size();
		return (count == 1) ? "1 tool" : count + " tools";
	}

}
