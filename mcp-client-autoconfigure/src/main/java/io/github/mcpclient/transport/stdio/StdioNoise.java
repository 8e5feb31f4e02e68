package io.github.mcpclient.transport.stdio;

import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.McpServerSecrets;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs lines on the standard output of a server's processes that are not messages: the
 * first one at {@code INFO}, then ever fewer. Outlives the processes, as one that crashes
 * repeatedly may say the same each time. Safe for use by many threads.
 */
final class StdioNoise {

	private static final Log logger = LogFactory.getLog(StdioNoise.class);

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
		if (Long.bitCount(count) != 1 || !(count == 1 || logger.isDebugEnabled())) {
			return;
		}
		String message = "Skipped line " + count + " on the stdout of MCP server '" + this.serverName
				+ "' that is no MCP message (" + reason.getReason() + "): '"
				+ this.secrets.line(buffer, offset, length, MAX_LENGTH, false) + "'";
		if (count == 1) {
			logger.info(message + ". Further ones are logged at DEBUG.");
		}
		else {
			logger.debug(message);
		}
	}

}
