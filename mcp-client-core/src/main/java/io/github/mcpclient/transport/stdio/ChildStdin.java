package io.github.mcpclient.transport.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

import io.github.mcpclient.transport.OutboundQueue;
import io.github.mcpclient.transport.OutboundQueue.Message;
import reactor.core.scheduler.Scheduler;

/**
 * Writes to a child's standard input: a queue, bounded in bytes, and one thread. Lines
 * that come before the process has started wait for it. Safe for use by many threads.
 */
final class ChildStdin {

	private static final int BATCH = 64;

	private final OutboundQueue queue;

	private final Semaphore changed = new Semaphore(0);

	private volatile boolean closed;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	ChildStdin(long capacity, String nextStep, Scheduler scheduler) {
		this.queue = new OutboundQueue(capacity, "The process does not read its stdin", nextStep, scheduler,
				this.changed::release);
	}

	/**
	 * Returns the lines, each without its end. Their sinks are completed on the thread
	 * that writes.
	 */
	OutboundQueue queue() {
		return this.queue;
	}

	/**
	 * Closes the child's standard input. Does not wait: a child that does not read keeps
	 * the writer busy until it ends.
	 */
	void close() {
		this.closed = true;
		this.changed.release();
	}

	/**
	 * Completes when the writer has ended; not at all if it was never started.
	 */
	CompletableFuture<Void> done() {
		return this.done;
	}

	/**
	 * Writes what is in the queue until it is closed. Runs on a thread of its own.
	 * @param broken run when the child's standard input cannot be written to: what was
	 * being written fails once it is {@linkplain #refuse known} why
	 */
	void pump(OutputStream out, Charset encoding, Runnable broken) {
		try (out; Writer writer = new OutputStreamWriter(out, encoding)) {
			for (List<Message> lines = take(); !lines.isEmpty(); lines = take()) {
				for (Message line : lines) {
					if (encoding.equals(StandardCharsets.UTF_8)) {
						out.write(line.json());
						out.write('\n');
					}
					else {
						writer.write(new String(line.json(), StandardCharsets.UTF_8) + '\n');
					}
				}
				writer.flush();
				this.queue.written(lines);
			}
		}
		catch (IOException ex) {
			broken.run();
		}
		finally {
			this.done.complete(null);
		}
	}

	/**
	 * Waits for lines to write; returns none when the input is to be closed.
	 */
	private List<Message> take() {
		while (!this.closed) {
			List<Message> lines = this.queue.take(BATCH);
			if (!lines.isEmpty()) {
				return lines;
			}
			this.changed.acquireUninterruptibly();
			this.changed.drainPermits();
		}
		return List.of();
	}

}
