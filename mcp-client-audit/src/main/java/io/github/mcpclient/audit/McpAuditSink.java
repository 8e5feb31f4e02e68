package io.github.mcpclient.audit;

import java.util.List;

/**
 * Takes the records of the audit. Each bean of this type gets all of them, on a thread of
 * its own, so that it may block: what it cannot take holds up no call and no other sink.
 * While it is slow, up to 8,192 records wait for it, 1,024 of each server; and 16 of each
 * server in any case. Records beyond that, and those for which it fails, are lost:
 * {@code mcp.client.audit.lost} counts them, and they are logged at WARN, once a minute
 * at most.
 *
 * <p>
 * When the application stops, all sinks together have five seconds to take what waits.
 * Then their threads are interrupted, and the rest is lost.
 */
@FunctionalInterface
public interface McpAuditSink {

	/**
	 * Write records. Called by one thread at a time.
	 * @param records from one to 100, oldest first for each server
	 * @throws Exception if they cannot be written, none of which is passed again
	 */
	void write(List<McpAuditRecord> records) throws Exception;

}
