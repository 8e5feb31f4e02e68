package io.github.mcpclient.internal.session;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.mcpclient.internal.support.ListenerQueue;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the progress of one call to its consumer.
 */
final class ProgressQueue extends ListenerQueue<ProgressNotification> {

	static final int CAPACITY = 256;

	private static final int MAX_SIZE = 1_000_000;

	private static final Logger logger = LoggerFactory.getLogger(ProgressQueue.class);

	private final Consumer<ProgressNotification> consumer;

	private final String serverName;

	private volatile boolean failed;

	ProgressQueue(Consumer<ProgressNotification> consumer, Executor executor, String serverName) {
		super(executor, CAPACITY, MAX_SIZE, MemoryBudget.of(serverName));
		this.consumer = consumer;
		this.serverName = serverName;
	}

	@Override
	protected long sizeOf(ProgressNotification item) {
		return MemoryBudget.sizeOf(item.message()) + MemoryBudget.sizeOf(item.meta());
	}

	@Override
	protected void deliver(ProgressNotification item) {
		try {
			this.consumer.accept(item);
		}
		catch (Throwable ex) {
			if (!this.failed) {
				this.failed = true;
				logger.warn("The progress listener of a call to MCP server '{}' failed. Further failures "
						+ "during this call are not logged", this.serverName, ex);
			}
		}
	}

}
