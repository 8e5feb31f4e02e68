package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.github.mcpclient.McpException;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.LoginRequired;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;
import reactor.core.Exceptions;

/**
 * Logs one line for each failed call, with server, tool and cause as key-values. An error
 * that a tool itself reports is logged at INFO once, so that it is not mistaken for a
 * successful result. Limited in rate for each server, so that one server does not hide
 * the others, and in total, in case many servers fail at once. Thread-safe.
 */
final class CallLog implements ToolConnection.FailureLog {

	static final int LINES_OF_SERVER = 10;

	static final int MAX_SERVERS = 10_000;

	// for a server whose tools are added and removed
	static final int MAX_TOOLS_OF_SERVER = 1000;

	private static final Duration WINDOW = Duration.ofSeconds(60);

	private static final int LONGEST_CAUSE = 1024;

	private static final Logger logger = LoggerFactory.getLogger("io.github.mcpclient.calls");

	private final LongSupplier nanoTime;

	private final LogLimit all;

	private final Map<String, ServerLines> servers = new ConcurrentHashMap<>();

	CallLog(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.all = new LogLimit(nanoTime);
	}

	@Override
	public void toolError(String server, String transport, String toolName, Supplier<String> text) {
		Level level = (logger.isInfoEnabled() && linesOf(server).isFirstError(toolName)) ? Level.INFO : Level.DEBUG;
		if (logger.isEnabledForLevel(level)) {
			log(line(level, server, transport), server, toolName, "MCP tool '{}' returned an error: {}",
					Printable.line(text.get(), LONGEST_CAUSE), "tool_error");
		}
	}

	@Override
	public void failed(@Nullable String server, @Nullable String transport, String toolName, Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		// users have to log in as part of normal use
		Level level = LoginRequired.is(cause) ? Level.DEBUG : Level.WARN;
		if (!logger.isEnabledForLevel(level)) {
			return;
		}
		boolean ours = cause instanceof McpException;
		String message = (ours && cause.getMessage() != null) ? cause.getMessage() : cause.toString();
		log(line(level, server, transport), (server != null) ? server : "", toolName,
				"The call of MCP tool '{}' failed: {}", Printable.line(message, LONGEST_CAUSE),
				cause.getClass().getSimpleName());
		if (!ours) {
			logger.debug("The failure of MCP tool '{}'", Printable.text(toolName), cause);
		}
	}

	private static LoggingEventBuilder line(Level level, @Nullable String server, @Nullable String transport) {
		LoggingEventBuilder line = logger.atLevel(level);
		line = (server != null) ? line.addKeyValue(LogKeys.SERVER, server) : line;
		return (transport != null) ? line.addKeyValue(LogKeys.TRANSPORT, transport) : line;
	}

	private void log(LoggingEventBuilder line, String server, String toolName, String message, String cause,
			String type) {
		String tool = Printable.text(toolName);
		linesOf(server).limit.log(
				() -> limited(() -> line.addKeyValue(LogKeys.TOOL, tool)
					.addKeyValue(LogKeys.CAUSE, cause)
					.addKeyValue("error.type", type)
					.log(message, tool, cause)),
				(notice) -> limited(() -> logger.warn("Failed calls of tools of MCP server '{}': {}", server, notice)));
	}

	private ServerLines linesOf(String server) {
		if (this.servers.size() >= MAX_SERVERS) {
			// for servers that are added and removed; the overall limit remains
			this.servers.clear();
		}
		return this.servers.computeIfAbsent(server,
				(absent) -> new ServerLines(new LogLimit(this.nanoTime, LINES_OF_SERVER, WINDOW),
						ConcurrentHashMap.newKeySet()));
	}

	private void limited(Runnable line) {
		this.all.log(line, (notice) -> logger.warn("Failed calls of MCP tools: {}", notice));
	}

	private record ServerLines(LogLimit limit, Set<String> failingTools) {

		boolean isFirstError(String toolName) {
			return this.failingTools.size() < MAX_TOOLS_OF_SERVER && this.failingTools.add(toolName);
		}

	}

}
