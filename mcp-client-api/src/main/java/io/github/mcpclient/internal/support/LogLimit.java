package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Bounds what a server can make us log: so many lines in a window of time,
 * {@value #LINES} in ten seconds by default, then a notice, and after the window another
 * one with the number of lines that were left out. Safe for use by many threads.
 */
public final class LogLimit {

	static final int LINES = 200;

	static final Duration WINDOW = Duration.ofSeconds(10);

	private final LongSupplier nanoTime;

	private final int maxLines;

	private final Duration window;

	private long windowStart;

	private long lines;

	/**
	 * Create a limit of the default size.
	 * @param nanoTime the time in nanoseconds, good for differences only
	 */
	public LogLimit(LongSupplier nanoTime) {
		this(nanoTime, LINES, WINDOW);
	}

	/**
	 * Create a limit of so many lines in a window.
	 */
	public LogLimit(LongSupplier nanoTime, int maxLines, Duration window) {
		this.nanoTime = nanoTime;
		this.maxLines = maxLines;
		this.window = window;
		this.windowStart = nanoTime.getAsLong();
	}

	/**
	 * Log a line, or leave it out.
	 * @param notice logs a line about those that are left out
	 */
	public void log(Runnable line, Consumer<String> notice) {
		String text = null;
		long count;
		synchronized (this) {
			long now = this.nanoTime.getAsLong();
			long age = now - this.windowStart;
			// where the clock was set back, a new window begins
			if (age < 0 || age >= this.window.toNanos()) {
				text = (this.lines > this.maxLines) ? this.lines - this.maxLines + " lines were left out" : null;
				this.windowStart = now;
				this.lines = 0;
			}
			count = ++this.lines;
		}
		if (count == this.maxLines + 1L) {
			text = "More than " + this.maxLines + " lines in " + this.window.toSeconds()
					+ " s: further ones are left out";
		}
		if (text != null) {
			notice.accept(text);
		}
		if (count <= this.maxLines) {
			line.run();
		}
	}

}
