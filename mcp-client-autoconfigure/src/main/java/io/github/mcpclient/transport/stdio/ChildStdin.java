package io.github.mcpclient.transport.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.github.mcpclient.transport.TransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * The way to a child's standard input: a queue, bounded in bytes, and one thread that
 * writes what is in it. Lines are taken before the process has started, and wait for it.
 * Safe for use by many threads.
 */
final class ChildStdin {

	/**
	 * What a line is taken to need beside its bytes, so that the number of lines is
	 * bounded, too.
	 */
	private static final int OVERHEAD = 256;

	private static final int BATCH = 64;

	private final long capacity;

	private final String nextStep;

	private final Scheduler scheduler;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/**
	 * Lines not yet taken by the writer; a set, since any of them may be cancelled.
	 */
	private final Set<Line> queue = new LinkedHashSet<>();

	/**
	 * Lines that are being written, or were when the child's input broke.
	 */
	private List<Line> writing = List.of();

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
		this.lock.lock();
		try {
			if (this.refusal != null) {
				return refused(this.refusal);
			}
			// a line that is larger than all of the queue may go alone
			if (!this.queue.isEmpty() && this.size + line.cost() > this.capacity) {
				return new TransportException("The process does not read its stdin: " + this.queue.size()
						+ " messages (" + this.size / 1024 + " KB) wait to be written", this.nextStep, false, null);
			}
			this.queue.add(line);
			this.size += line.cost();
			this.changed.signal();
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void cancel(Line line) {
		this.lock.lock();
		try {
			if (this.queue.remove(line)) {
				this.size -= line.cost();
			}
			this.writing = this.writing.stream().filter((other) -> other != line).toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Refuses all further lines, and fails those that wait; those that are being written
	 * may have reached the child.
	 */
	void refuse(TransportException reason) {
		List<Line> waiting;
		List<Line> interrupted;
		this.lock.lock();
		try {
			if (this.refusal != null) {
				return;
			}
			this.refusal = reason;
			waiting = List.copyOf(this.queue);
			interrupted = this.writing;
			this.queue.clear();
			this.size = 0;
		}
		finally {
			this.lock.unlock();
		}
		if (!waiting.isEmpty() || !interrupted.isEmpty()) {
			// whoever waits has code to run, and this may be the thread of a reader
			this.scheduler.schedule(() -> {
				waiting.forEach((line) -> line.sink().error(refused(reason)));
				interrupted.forEach((line) -> line.sink().error(reason));
			});
		}
	}

	/**
	 * Closes the child's standard input. Does not wait: a child that does not read keeps
	 * the writer busy until it ends.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
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
	void pump(OutputStream out, Runnable broken) {
		try (out) {
			for (List<Line> lines = take(); !lines.isEmpty(); lines = take()) {
				for (Line line : lines) {
					out.write(line.json());
					out.write('\n');
				}
				out.flush();
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
		List<Line> lines = new ArrayList<>(BATCH);
		this.lock.lock();
		try {
			while (this.queue.isEmpty() && !this.closed) {
				this.changed.awaitUninterruptibly();
			}
			Iterator<Line> next = this.queue.iterator();
			while (!this.closed && next.hasNext() && lines.size() < BATCH) {
				Line line = next.next();
				next.remove();
				this.size -= line.cost();
				lines.add(line);
			}
			this.writing = lines;
			return lines;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void written(List<Line> lines) {
		this.lock.lock();
		try {
			if (this.refusal != null) {
				return;
			}
			this.writing = List.of();
		}
		finally {
			this.lock.unlock();
		}
		lines.forEach((line) -> line.sink().success());
	}

	private static TransportException refused(TransportException reason) {
		return new TransportException(String.valueOf(reason.getMessage()), reason.getNextStep(), false, reason);
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
