package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Limits the number of log lines that a server can cause in a window of time:
 * {@value #LINES} in ten seconds by default. Then a notice is logged, and after the
 * window another one with the number of omitted lines. Thread-safe.
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
	 * @param nanoTime the time in nanoseconds, for differences only
	 */
	public LogLimit(LongSupplier nanoTime) {
		this(nanoTime, LINES, WINDOW);
	}

	/**
	 * Create a limit of the given number of lines in a window.
	 */
	public LogLimit(LongSupplier nanoTime, int maxLines, Duration window) {
		this.nanoTime = nanoTime;
		this.maxLines = maxLines;
		this.window = window;
		this.windowStart = nanoTime.getAsLong();
	}

	/**
	 * Log a line, or omit it.
	 * @param notice logs a line about the omitted lines
	 */
	public void log(Runnable line, Consumer<String> notice) {
		String text = null;
		long count;
		synchronized (this) {
			long now = this.nanoTime.getAsLong();
			long age = now - this.windowStart;
			// if the clock was set to an earlier time, a new window begins
			if (age < 0 || age >= this.window.toNanos()) {
				text = (this.lines > this.maxLines) ? this.lines - this.maxLines + " lines were omitted" : null;
				this.windowStart = now;
				this.lines = 0;
			}
			count = ++this.lines;
		}
		if (count == this.maxLines + 1L) {
			text = "More than " + this.maxLines + " lines in " + this.window.toSeconds()
					+ " s: further lines are omitted";
		}
		if (text != null) {
			notice.accept(text);
		}
		if (count <= this.maxLines) {
			line.run();
		}
	}

}
