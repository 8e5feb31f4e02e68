package io.github.mcpclient.transport.stdio;

import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.LogKeys;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.McpServerSecrets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs lines on the standard output of a server's processes that are not messages: the
 * first one at {@code INFO}, then ever fewer. Outlives the processes, as one that crashes
 * repeatedly may say the same each time. Safe for use by many threads.
 */
final class StdioNoise {

	private static final Logger logger = LoggerFactory.getLogger(StdioNoise.class);

	private static final int MAX_LENGTH = 200;

	private final String serverName;

	private final Secrets secrets;

	private final AtomicLong count = new AtomicLong();

	StdioNoise(McpServerDefinition definition) {
		this.serverName = definition.name();
		this.secrets = McpServerSecrets.of(definition);
	}

	void skip(byte[] buffer, int offset, int length, MalformedMessageException reason) {
		long count = this.count.incrementAndGet();
		Level level = (count == 1) ? Level.INFO : Level.DEBUG;
		if (Long.bitCount(count) == 1 && logger.isEnabledForLevel(level)) {
			logger.atLevel(level)
				.addKeyValue(LogKeys.SERVER, this.serverName)
				.addKeyValue(LogKeys.TRANSPORT, McpServerDefinition.STDIO)
				.log("Skipped line {} on the stdout of MCP server '{}' that is no MCP message ({}): '{}'{}", count,
						this.serverName, reason.getReason(),
						this.secrets.line(buffer, offset, length, MAX_LENGTH, false),
						(count == 1) ? ". Further ones are logged at DEBUG." : "");
		}
	}

}
