package io.github.mcpclient.transport;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The last lines of a child's standard error, each also logged at {@code DEBUG} under the
 * name {@code io.github.mcpclient.stderr.<server>}. Written by one thread, read by any.
 */
final class ChildStderr {

	static final int MAX_LINES = 20;

	static final int MAX_LENGTH = 500;

	private static final String LOGGER = "io.github.mcpclient.stderr.";

	/**
	 * How much of a line is looked at. More than is kept, as masked secrets shrink.
	 */
	private static final int MAX_BYTES = 4 * 1024;

	private static final int MAX_SUMMARY = 1000;

	private final Log logger;

	private final ChildText text;

	private final ReentrantLock lock = new ReentrantLock();

	private final Deque<String> lines = new ArrayDeque<>(MAX_LINES);

	ChildStderr(String serverName, ChildText text) {
		this.logger = LogFactory.getLog(LOGGER + serverName);
		this.text = text;
	}

	/**
	 * Read until the stream ends. How it ends is of no interest: a child may close it.
	 * @param in the child's standard error, in UTF-8
	 */
	void pump(InputStream in) {
		LineSplitter splitter = new LineSplitter(MAX_BYTES, true, this::add);
		byte[] chunk = new byte[8192];
		try {
			for (int count = in.read(chunk); count != -1; count = in.read(chunk)) {
				splitter.accept(chunk, count);
			}
		}
		catch (IOException ex) {
			this.logger.trace("Cannot read on", ex);
		}
		splitter.end();
	}

	private void add(byte[] buffer, int offset, int length, boolean truncated) {
		String line = this.text.clean(buffer, offset, length, truncated, MAX_LENGTH);
		if (line.isEmpty()) {
			return;
		}
		this.lock.lock();
		try {
			if (this.lines.size() == MAX_LINES) {
				this.lines.removeFirst();
			}
			this.lines.addLast(line);
		}
		finally {
			this.lock.unlock();
		}
		this.logger.debug(line);
	}

	/**
	 * Return the last lines.
	 * @return the lines, oldest first
	 */
	List<String> lines() {
		this.lock.lock();
		try {
			return List.copyOf(this.lines);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return the last lines for an error message.
	 * @return the end of a sentence, or nothing where there are no lines
	 */
	String summary() {
		List<String> all = lines();
		StringBuilder summary = new StringBuilder();
		for (int i = all.size() - 1; i >= 0; i--) {
			String line = all.get(i);
			if (!summary.isEmpty() && summary.length() + line.length() > MAX_SUMMARY) {
				break;
			}
			summary.insert(0, summary.isEmpty() ? line : line + " | ");
		}
		return summary.isEmpty() ? "" : ": last lines of stderr: " + summary;
	}

}
