package io.github.mcpclient.audit;

import java.util.List;

import io.github.mcpclient.internal.support.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs records, with their fields as key-value pairs for structured logging.
 */
final class LogAuditSink implements McpAuditSink {

	private static final Logger logger = LoggerFactory.getLogger("io.github.mcpclient.audit");

	@Override
	public void write(List<McpAuditRecord> records) {
		records.forEach(LogAuditSink::log);
	}

	private static void log(McpAuditRecord logged) {
		LoggingEventBuilder line = logger.atInfo();
		add(line, "mcp.time", logged.time());
		add(line, "mcp.action", logged.action());
		add(line, LogKeys.SERVER, logged.server());
		add(line, LogKeys.TOOL, logged.tool());
		add(line, "mcp.caller", logged.caller());
		add(line, "mcp.outcome", logged.outcome());
		add(line, "mcp.duration-ms", logged.duration().toMillis());
		add(line, LogKeys.CAUSE, logged.cause());
		add(line, "mcp.arguments-sha256", logged.argumentsSha256());
		add(line, "mcp.arguments", logged.arguments());
		line.log("MCP audit: {} of {} by {}: {}", logged.action(), subject(logged),
				(logged.caller() != null) ? logged.caller() : "an unknown caller", logged.outcome());
	}

	private static String subject(McpAuditRecord logged) {
		return (logged.tool() != null) ? "tool '" + logged.tool() + "'"
				: (logged.server() != null) ? "server '" + logged.server() + "'" : "all servers";
	}

	private static void add(LoggingEventBuilder line, String key, @Nullable Object value) {
		if (value != null) {
			line.addKeyValue(key, value);
		}
	}

}
