package io.github.mcpclient.transport.stdio;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last lines that a child process wrote. Bounded; added by one thread, read by any.
 */
final class ChildLines {

	static final int MAX_LINES = 20;

	static final int MAX_LENGTH = 500;

	private static final int MAX_SUMMARY = 1000;

	private final Deque<String> lines = new ArrayDeque<>(MAX_LINES);

	private volatile List<String> snapshot = List.of();

	void add(String line) {
		if (this.lines.size() == MAX_LINES) {
			this.lines.removeFirst();
		}
		this.lines.addLast(line);
		this.snapshot = List.copyOf(this.lines);
	}

	/**
	 * Returns the last lines, oldest first.
	 */
	List<String> toList() {
		return this.snapshot;
	}

	/**
	 * Returns as many whole lines, the last ones, as make an error message of fair
	 * length.
	 */
	String summary() {
		List<String> all = this.snapshot;
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
