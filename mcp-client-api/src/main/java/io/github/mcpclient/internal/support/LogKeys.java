package io.github.mcpclient.internal.support;

import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The keys of the values in log lines in addition to their text, for structured logging.
 */
public final class LogKeys {

	/** The name of the server. */
	public static final String SERVER = "mcp.server";

	/** The prefixed name of the tool. */
	public static final String TOOL = "mcp.tool";

	/** The type of the transport. */
	public static final String TRANSPORT = "mcp.transport";

	/** The number of the attempt to connect. */
	public static final String ATTEMPT = "mcp.attempt";

	/** The state that the server has entered. */
	public static final String STATE = "mcp.state";

	/** The reason for a failure, as text. */
	public static final String CAUSE = "mcp.cause";

	private LogKeys() {
	}

	/**
	 * Return a log line about a server.
	 */
	public static LoggingEventBuilder line(Logger logger, Level level, String serverName) {
		return logger.atLevel(level).addKeyValue(SERVER, serverName);
	}

}
