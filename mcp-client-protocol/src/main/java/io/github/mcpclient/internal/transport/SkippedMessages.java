package io.github.mcpclient.internal.transport;

import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.Secrets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what a server sent that is not a message: the first one at {@code INFO}, then ever
 * fewer. Outlives connections, as a server that crashes repeatedly may say the same each
 * time. Safe for use by many threads.
 */
public final class SkippedMessages {

	private static final Logger logger = LoggerFactory.getLogger(SkippedMessages.class);

	private static final int MAX_LENGTH = 200;

	private final String serverName;

	private final String transport;

	private final Secrets secrets;

	private final AtomicLong count = new AtomicLong();

	/**
	 * Creates a log.
	 */
	public SkippedMessages(McpServerDefinition definition) {
		this.serverName = definition.name();
		this.transport = definition.type();
		this.secrets = McpServerSecrets.of(definition);
	}

	/**
	 * Returns the configured secrets, which are not shown.
	 */
	Secrets secrets() {
		return this.secrets;
	}

	/**
	 * Logs one that was skipped.
	 * @param credentials what else is not shown
	 * @param what says what it is, such as {@code that is not an MCP message}
	 */
	public void skip(byte[] buffer, int offset, int length, Secrets credentials, String what) {
		long count = this.count.incrementAndGet();
		Level level = (count == 1) ? Level.INFO : Level.DEBUG;
		if (Long.bitCount(count) == 1 && logger.isEnabledForLevel(level)) {
			logger.atLevel(level)
				.addKeyValue(LogKeys.SERVER, this.serverName)
				.addKeyValue(LogKeys.TRANSPORT, this.transport)
				.log("Skipped {} of MCP server '{}' {}: '{}'{}",
						McpServerDefinition.STDIO.equals(this.transport) ? "line " + count + " on the stdout"
								: "message " + count,
						this.serverName, what,
						this.secrets.and(credentials).line(buffer, offset, length, MAX_LENGTH, false),
						(count == 1) ? ". Further ones are logged at DEBUG." : "");
		}
	}

}
