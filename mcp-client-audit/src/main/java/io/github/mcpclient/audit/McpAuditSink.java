package io.github.mcpclient.audit;

import java.util.List;

/**
 * Receives the records of the audit. Each bean of this type receives all records on a
 * dedicated thread and may block: it delays no call and no other sink. While it is slow,
 * its queue holds up to 8,192 records, 1,024 per server, and at least 16 of each server.
 * Further records, and records for which the sink fails, are lost:
 * {@code mcp.client.audit.lost} counts them, and they are logged at WARN, at most once a
 * minute.
 *
 * <p>
 * When the application stops, all sinks together have five seconds to write the waiting
 * records. Then their threads are interrupted, and the remaining records are lost.
 */
@FunctionalInterface
public interface McpAuditSink {

	/**
	 * Write records. Called by one thread at a time.
	 * @param records 1 to 100 records, oldest first for each server
	 * @throws Exception if the records cannot be written; they are not passed again
	 */
	void write(List<McpAuditRecord> records) throws Exception;

}
