package io.github.mcpclient.support;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Bounds what a server can make us log: so many lines in a window of time,
 * {@value #LINES} in ten seconds by default, then one that says so, and with the next
 * line that passes one that tells how many were left out. Safe for use by many threads.
 */
public final class LogLimit {

	static final int LINES = 200;

	static final Duration WINDOW = Duration.ofSeconds(10);

	private final LongSupplier nanoTime;

	private final int maxLines;

	private final Duration window;

	private final ReentrantLock lock = new ReentrantLock();

	private long windowStart;

	private int lines;

	private long leftOut;

	/**
	 * Creates a limit of the default size.
	 * @param nanoTime the time in nanoseconds, good for differences only
	 */
	public LogLimit(LongSupplier nanoTime) {
		this(nanoTime, LINES, WINDOW);
	}

	/**
	 * Creates a limit.
	 * @param nanoTime the time in nanoseconds, good for differences only
	 * @param maxLines how many lines pass in a window
	 */
	public LogLimit(LongSupplier nanoTime, int maxLines, Duration window) {
		this.nanoTime = nanoTime;
		this.maxLines = maxLines;
		this.window = window;
		this.windowStart = nanoTime.getAsLong();
	}

	/**
	 * Logs a line, or leaves it out.
	 * @param notice logs a line about those that are left out
	 */
	public void log(Runnable line, Consumer<String> notice) {
		boolean passes;
		String text;
		this.lock.lock();
		try {
			text = turn();
			passes = ++this.lines <= this.maxLines;
			if (!passes && ++this.leftOut == 1) {
				text = "More than " + this.maxLines + " lines in " + this.window.toSeconds()
						+ " s: further ones are left out";
			}
		}
		finally {
			this.lock.unlock();
		}
		if (text != null) {
			notice.accept(text);
		}
		if (passes) {
			line.run();
		}
	}

	/**
	 * Begins a new window if the last one is over, and returns what to say about it.
	 */
	private @Nullable String turn() {
		long now = this.nanoTime.getAsLong();
		long age = now - this.windowStart;
		// whatever the clock, a new window begins where it was set back
		if (age >= 0 && age < this.window.toNanos()) {
			return null;
		}
		String text = (this.leftOut > 0) ? this.leftOut + " lines were left out" : null;
		this.windowStart = now;
		this.lines = 0;
		this.leftOut = 0;
		return text;
	}

}
