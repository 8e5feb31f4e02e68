package io.github.mcpclient.transport.stdio;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.McpServerSecrets;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reports lines on the standard output of a server's processes that are no messages: the
 * first one for all to see, then ever fewer. Outlives the processes, as one that crashes
 * again and again may say the same each time. Safe for use by many threads.
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
		int head = Math.min(length, 4 * MAX_LENGTH);
		String line = this.secrets.line(new String(buffer, offset, head, StandardCharsets.UTF_8), MAX_LENGTH,
				head < length);
		String message = "Skipped line " + count + " on the stdout of MCP server '" + this.serverName
				+ "' that is no MCP message (" + reason.getReason() + "): '" + line + "'";
		if (count == 1) {
			logger.info(message + ". Further ones are logged at DEBUG.");
		}
		else {
			logger.debug(message);
		}
	}

}
