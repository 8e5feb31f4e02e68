package io.github.mcpclient.connection;

import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes what a server logs to a logger of its own,
 * {@code io.github.mcpclient.server.<name>}, so that an operator can quieten one server.
 */
final class ServerLog {

	private final Logger logger;

	private final ErrorWording wording;

	ServerLog(String serverName, ErrorWording wording) {
		this.logger = LoggerFactory.getLogger("io.github.mcpclient.server." + serverName);
		this.wording = wording;
	}

	void log(LoggingLevel level, @Nullable String source, String text) {
		Level local = level(level);
		if (this.logger.isEnabledForLevel(local)) {
			String prefix = (source != null) ? "[" + source + "] " : "";
			// As an argument: the text may hold braces
			this.logger.atLevel(local).log("{}", this.wording.line(prefix + text));
		}
	}

	private static Level level(LoggingLevel level) {
		return switch (level) {
			case DEBUG -> Level.DEBUG;
			case INFO, NOTICE -> Level.INFO;
			case WARNING -> Level.WARN;
			case ERROR, CRITICAL, ALERT, EMERGENCY -> Level.ERROR;
		};
	}

}
