package io.github.mcpclient.transport;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reports lines on a child's standard output that are no messages: the first one for all
 * to see, then ever fewer. For one thread.
 */
final class StdioNoise {

	private static final Log logger = LogFactory.getLog(StdioNoise.class);

	private static final int MAX_LENGTH = 200;

	private final String serverName;

	private final ChildText text;

	private long count;

	StdioNoise(String serverName, ChildText text) {
		this.serverName = serverName;
		this.text = text;
	}

	void skip(byte[] buffer, int offset, int length, MalformedMessageException reason) {
		this.count++;
		if (this.count == 1) {
			logger.info(message(buffer, offset, length, reason) + ". Further ones are logged at DEBUG.");
		}
		else if (Long.bitCount(this.count) == 1 && logger.isDebugEnabled()) {
			logger.debug(message(buffer, offset, length, reason));
		}
	}

	private String message(byte[] buffer, int offset, int length, MalformedMessageException reason) {
		int head = Math.min(length, 4 * MAX_LENGTH);
		return "Skipped line " + this.count + " on the stdout of MCP server '" + this.serverName
				+ "' that is no MCP message (" + reason.getReason() + "): '"
				+ this.text.clean(buffer, offset, head, head < length, MAX_LENGTH) + "'";
	}

}
