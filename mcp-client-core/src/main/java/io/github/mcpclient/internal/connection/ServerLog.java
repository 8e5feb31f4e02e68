package io.github.mcpclient.internal.connection;

import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.LogLimit;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes log messages of a server, in a limited number of lines, to a dedicated logger:
 * {@code io.github.mcpclient.server.<name>}.
 */
final class ServerLog {

	private final String serverName;

	private final Logger logger;

	private final ErrorWording wording;

	private final LogLimit limit;

	ServerLog(String serverName, ErrorWording wording, LogLimit limit) {
		this.serverName = serverName;
		this.logger = LoggerFactory.getLogger("io.github.mcpclient.server." + serverName);
		this.wording = wording;
		this.limit = limit;
	}

	void log(LoggingLevel level, @Nullable String source, String text) {
		Level local = level(level);
		if (this.logger.isEnabledForLevel(local)) {
			this.limit.log(() -> {
				String prefix = (source != null) ? "[" + source + "] " : "";
				write(local, this.wording.line(prefix + text));
			}, (notice) -> write(local, notice));
		}
	}

	private void write(Level level, String line) {
		// as an argument: the text may contain braces
		this.logger.atLevel(level).addKeyValue(LogKeys.SERVER, this.serverName).log("{}", line);
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
