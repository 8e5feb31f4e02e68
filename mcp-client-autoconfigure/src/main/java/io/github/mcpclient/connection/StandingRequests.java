package io.github.mcpclient.connection;

import java.util.Locale;

import io.github.mcpclient.session.Call;
import io.github.mcpclient.support.LogKeys;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.SetLevelRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What each new session must be asked for again: the level of log messages. Lives on the
 * serial queue. A failure costs no more than a line.
 */
final class StandingRequests {

	private static final Logger logger = LoggerFactory.getLogger(McpConnection.class);

	private final ConnectionContext context;

	private final ReportedFailures failures = new ReportedFailures();

	StandingRequests(ConnectionContext context) {
		this.context = context;
	}

	void start(Generation generation, ServerCapabilities capabilities) {
		LoggingLevel level = this.context.definition().loggingLevel();
		if (level != null && capabilities.logging() != null) {
			Call<?> call = Call.withoutResult(McpSchema.METHOD_LOGGING_SET_LEVEL, null, new SetLevelRequest(level),
					this.context.definition().timeouts().request());
			send(generation, call, "its logging level could not be set to " + level.name().toLowerCase(Locale.ROOT));
		}
	}

	private void send(Generation generation, Call<?> call, String problem) {
		this.context.queue()
			.aside(() -> generation.session()
				.request(call)
				.subscribe(null,
						(failure) -> this.context.queue().execute(() -> failed(generation, call, problem, failure))));
	}

	private void failed(Generation generation, Call<?> call, String problem, Throwable failure) {
		if (generation.hasEnded()) {
			return;
		}
		ErrorWording wording = this.context.wording();
		String reason = wording.describe(failure, call.name());
		logger.atLevel(this.failures.isNew(failure, reason) ? Level.WARN : Level.DEBUG)
			.addKeyValue(LogKeys.SERVER, wording.serverName())
			.addKeyValue(LogKeys.CAUSE, reason)
			.log("{}: {}: {}", wording.server(), problem, reason);
	}

}
