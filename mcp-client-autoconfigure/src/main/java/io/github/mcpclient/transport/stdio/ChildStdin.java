package io.github.mcpclient.transport.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.transport.TransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Writes to a child's standard input: a queue, bounded in bytes, and one thread. Lines
 * that come before the process has started wait for it. Safe for use by many threads.
 */
final class ChildStdin {

	/**
	 * What a line counts for beside its bytes, so that the number of lines is bounded.
	 */
	private static final int OVERHEAD = 256;

	private static final int BATCH = 64;

	private final long capacity;

	private final String nextStep;

	private final Scheduler scheduler;

	/**
	 * Lines not yet taken by the writer; a set, since any of them may be cancelled.
	 * Guards all that follows.
	 */
	private final Set<Line> queue = new LinkedHashSet<>();

	/**
	 * Lines that are being written, or were when the child's input broke.
	 */
	private final Set<Line> writing = new HashSet<>();

	private long size;

	private @Nullable TransportException refusal;

	private boolean closed;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	ChildStdin(long capacity, String nextStep, Scheduler scheduler) {
		this.capacity = capacity;
		this.nextStep = nextStep;
		this.scheduler = scheduler;
	}

	/**
	 * Writes a line, given without its end. The sink is completed on the thread that
	 * writes; cancelling it takes the line out of the queue.
	 */
	void write(byte[] json, MonoSink<Void> sink) {
		Line line = new Line(json, sink);
		TransportException problem = enqueue(line);
		if (problem != null) {
			sink.error(problem);
		}
		else {
			sink.onCancel(() -> cancel(line));
		}
	}

	private @Nullable TransportException enqueue(Line line) {
		synchronized (this.queue) {
			if (this.refusal != null) {
				return this.refusal.notSent();
			}
			// a line that is larger than all of the queue may go alone
			if (!this.queue.isEmpty() && this.size + line.cost() > this.capacity) {
				return new TransportException("The process does not read its stdin: " + this.queue.size()
						+ " messages (" + this.size / 1024 + " KB) wait to be written", this.nextStep, false, null);
			}
			this.queue.add(line);
			this.size += line.cost();
			this.queue.notifyAll();
			return null;
		}
	}

	private void cancel(Line line) {
		synchronized (this.queue) {
			this.size -= this.queue.remove(line) ? line.cost() : 0;
			this.writing.remove(line);
		}
	}

	/**
	 * Refuses all further lines, and fails those that wait; those that are being written
	 * may have reached the child.
	 */
	void refuse(TransportException reason) {
		List<Line> waiting;
		List<Line> interrupted;
		synchronized (this.queue) {
			if (this.refusal != null) {
				return;
			}
			this.refusal = reason;
			waiting = List.copyOf(this.queue);
			interrupted = List.copyOf(this.writing);
			this.queue.clear();
			this.size = 0;
		}
		if (!waiting.isEmpty() || !interrupted.isEmpty()) {
			// subscribers run their own code, and this may be the thread of a reader
			this.scheduler.schedule(() -> {
				waiting.forEach((line) -> line.sink().error(reason.notSent()));
				interrupted.forEach((line) -> line.sink().error(reason));
			});
		}
	}

	/**
	 * Closes the child's standard input. Does not wait: a child that does not read keeps
	 * the writer busy until it ends.
	 */
	void close() {
		synchronized (this.queue) {
			this.closed = true;
			this.queue.notifyAll();
		}
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
			for (List<Line> lines = take(); !lines.isEmpty(); lines = take()) {
				for (Line line : lines) {
					if (encoding.equals(StandardCharsets.UTF_8)) {
						out.write(line.json());
						out.write('\n');
					}
					else {
						writer.write(new String(line.json(), StandardCharsets.UTF_8) + '\n');
					}
				}
				writer.flush();
				written(lines);
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
	private List<Line> take() {
		synchronized (this.queue) {
			while (this.queue.isEmpty() && !this.closed) {
				try {
					this.queue.wait();
				}
				catch (InterruptedException ex) {
					// nobody but us knows this thread
					this.closed = true;
				}
			}
			List<Line> lines = this.closed ? List.of() : this.queue.stream().limit(BATCH).toList();
			lines.forEach((line) -> {
				this.queue.remove(line);
				this.size -= line.cost();
			});
			this.writing.addAll(lines);
			return lines;
		}
	}

	private void written(List<Line> lines) {
		synchronized (this.queue) {
			if (this.refusal != null) {
				return;
			}
			this.writing.clear();
		}
		lines.forEach((line) -> line.sink().success());
	}

	/**
	 * A line that waits. Two are never equal, since each has a sink of its own.
	 */
	private record Line(byte[] json, MonoSink<Void> sink) {

		long cost() {
			return this.json.length + OVERHEAD;
		}

	}

}
