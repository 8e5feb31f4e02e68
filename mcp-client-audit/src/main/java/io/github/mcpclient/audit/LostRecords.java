package io.github.mcpclient.audit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the records that a sink does not accept, and logs a warning at most once a
 * minute. Safe for use by multiple threads.
 */
final class LostRecords {

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	// a separate logger, since the audit may be written to another file
	private static final Logger logger = LoggerFactory.getLogger("io.github.mcpclient.lost-audit");

	private final String sink;

	private final LongSupplier nanoTime;

	private final IntConsumer meter;

	private final AtomicLong unreported = new AtomicLong();

	private final AtomicLong next;

	private volatile String reason = "";

	/**
	 * Create an instance.
	 * @param sink the name of the sink
	 * @param meter the meter that counts the records
	 */
	LostRecords(String sink, LongSupplier nanoTime, IntConsumer meter) {
		this.sink = sink;
		this.nanoTime = nanoTime;
		this.meter = meter;
		this.next = new AtomicLong(nanoTime.getAsLong());
	}

	void add(int count, String reason) {
		if (count > 0) {
			this.reason = reason;
			this.unreported.addAndGet(count);
			this.meter.accept(count);
			report();
		}
	}

	/**
	 * Log a warning about unreported losses, if the last warning was a minute ago.
	 */
	void report() {
		long next = this.next.get();
		long now = this.nanoTime.getAsLong();
		if (this.unreported.get() > 0 && now - next >= 0 && this.next.compareAndSet(next, now + PAUSE)) {
			warn();
		}
	}

	/**
	 * Log a warning about all unreported losses.
	 */
	void warn() {
		long count = this.unreported.getAndSet(0);
		if (count > 0) {
			logger.warn("{} records of the audit of MCP servers are lost, since '{}' did not accept them: {}", count,
					this.sink, this.reason);
		}
	}

}
