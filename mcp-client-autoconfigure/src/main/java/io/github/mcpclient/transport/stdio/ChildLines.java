package io.github.mcpclient.transport.stdio;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last lines that a child process wrote. Bounded; safe for use by many threads.
 */
final class ChildLines {

	static final int MAX_LINES = 20;

	static final int MAX_LENGTH = 500;

	private static final int MAX_SUMMARY = 1000;

	private final ReentrantLock lock = new ReentrantLock();

	private final Deque<String> lines = new ArrayDeque<>(MAX_LINES);

	void add(String line) {
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
	}

	/**
	 * Return the last lines.
	 * @return the lines, oldest first
	 */
	List<String> toList() {
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
	 * @return as many whole lines as make a message of fair length
	 */
	String summary() {
		List<String> all = toList();
		StringBuilder summary = new StringBuilder();
		for (int i = all.size() - 1; i >= 0; i--) {
			String line = all.get(i);
			if (!summary.isEmpty() && summary.length() + line.length() > MAX_SUMMARY) {
				break;
			}
			summary.insert(0, summary.isEmpty() ? line : line + " | ");
		}
		return summary.toString();
	}

}
