package io.github.mcpclient.audit;

import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Passes records to a sink, on a thread that starts with the first record. Safe for use
 * by multiple threads.
 */
final class SinkQueue {

	static final int BATCH = 100;

	private static final int IDLE_SECONDS = 60;

	private static final int LONGEST_REASON = 512;

	private static final ThreadFactory THREADS = DaemonThreads.blocking("mcp-audit");

	private final ThreadFactory threads;

	private final McpAuditSink sink;

	private final LostRecords lost;

	private final FairQueue queue = new FairQueue();

	private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

	SinkQueue(McpAuditSink sink, LostRecords lost) {
		this(sink, lost, THREADS);
	}

	SinkQueue(McpAuditSink sink, LostRecords lost, ThreadFactory threads) {
		this.threads = threads;
		this.sink = sink;
		this.lost = lost;
	}

	/**
	 * Add a record. Never blocks, and throws no exception.
	 */
	void add(McpAuditRecord added) {
		try {
			if (!this.queue.offer(added)) {
				this.lost.add(1, this.queue.isClosed() ? "the application has stopped" : "its queue is full");
			}
			else if (this.thread.get() == null) {
				start();
			}
		}
		catch (Throwable ex) {
			// a failure of the log or the meter must not fail the call
		}
	}

	private void start() {
		Thread writer = this.threads.newThread(this::run);
		if (this.thread.compareAndSet(null, writer)) {
			try {
				writer.start();
			}
			catch (Throwable ex) {
				// no thread is available: the next record tries again
				this.thread.compareAndSet(writer, null);
			}
		}
	}

	private void run() {
		try {
			while (true) {
				List<McpAuditRecord> batch = this.queue.take(BATCH, IDLE_SECONDS);
				if (!batch.isEmpty()) {
					write(batch);
				}
				else if (this.queue.isClosed()) {
					return;
				}
				this.lost.report();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			// the next record starts another thread
			this.thread.compareAndSet(Thread.currentThread(), null);
		}
	}

	private void write(List<McpAuditRecord> batch) throws InterruptedException {
		try {
			this.sink.write(batch);
		}
		catch (InterruptedException ex) {
			this.lost.add(batch.size(), "it was interrupted");
			throw ex;
		}
		catch (Throwable ex) {
			this.lost.add(batch.size(), Printable.line(ex.toString(), LONGEST_REASON));
		}
	}

	/**
	 * Accept no more records.
	 */
	void close() {
		this.queue.close();
	}

	/**
	 * Wait until the sink has written all records, and then interrupt it.
	 * @param millis the maximum time to wait
	 */
	void await(long millis) {
		Thread writer = this.thread.get();
		try {
			if (writer != null) {
				// 0 waits forever
				writer.join(Math.max(1, millis));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (writer != null) {
			writer.interrupt();
		}
		this.lost.add(this.queue.clear(), "the application has stopped");
		this.lost.warn();
	}

}
