package io.github.mcpclient.internal.transport.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.Secrets;

/**
 * One of the two output streams of a child process, and its last lines of text, bounded
 * and without secrets. One thread reads it.
 */
final class ChildOutput {

	private static final int MAX_LINES = 20;

	private static final int MAX_LENGTH = 500;

	private static final int MAX_SUMMARY = 1000;

	// as many as the JDK reads at once; each child has two
	private static final int CHUNK = 8 * 1024;

	private final Secrets secrets;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	private volatile boolean waiting;

	private volatile List<String> lines = List.of();

	ChildOutput(Secrets secrets) {
		this.secrets = secrets;
	}

	/**
	 * Read the stream to its end, and pass it on as UTF-8, whose lines are found by their
	 * bytes. A chunk holds as many bytes as the consumer is given, and is reused.
	 */
	void read(InputStream in, Charset encoding, ObjIntConsumer<byte[]> consumer) throws IOException {
		if (encoding.equals(StandardCharsets.UTF_8) || encoding.equals(StandardCharsets.US_ASCII)) {
			byte[] chunk = new byte[CHUNK];
			pump(() -> in.read(chunk), (count) -> consumer.accept(chunk, count));
			return;
		}
		Reader reader = new InputStreamReader(in, encoding);
		char[] chars = new char[4096];
		pump(() -> reader.read(chars), (count) -> {
			// a decoder does not split a surrogate pair
			byte[] chunk = new String(chars, 0, count).getBytes(StandardCharsets.UTF_8);
			consumer.accept(chunk, chunk.length);
		});
	}

	private void pump(Read read, IntConsumer consumer) throws IOException {
		int count;
		do {
			this.waiting = true;
			try {
				count = read.next();
			}
			finally {
				this.waiting = false;
			}
			if (count > 0) {
				consumer.accept(count);
			}
		}
		while (count != -1);
	}

	/**
	 * Completed by the thread that reads, once it has ended.
	 */
	CompletableFuture<Void> done() {
		return this.done;
	}

	/**
	 * Return whether the thread has something to do, or has not begun to read.
	 */
	boolean isBusy() {
		return !this.waiting && !this.done.isDone();
	}

	/**
	 * Retain a line, and return its printable text: empty if it is not retained.
	 */
	String keep(byte[] buffer, int offset, int length, boolean truncated) {
		String line = this.secrets.line(buffer, offset, length, MAX_LENGTH, truncated);
		if (!line.isEmpty()) {
			List<String> before = this.lines;
			this.lines = Stream
				.concat(before.stream().skip(Math.max(0, before.size() - MAX_LINES + 1)), Stream.of(line))
				.toList();
		}
		return line;
	}

	/**
	 * Return the last lines, oldest first.
	 */
	List<String> lines() {
		return this.lines;
	}

	/**
	 * Return as many of the last lines as fit into an error message.
	 */
	String summary() {
		return Printable.last(this.lines, MAX_SUMMARY);
	}

	private interface Read {

		int next() throws IOException;

	}

}
