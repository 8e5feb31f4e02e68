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
import java.util.function.Consumer;

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

	private long size;

	/**
	 * Lines that were being written when the child's input broke.
	 */
	private final List<Line> broken = new ArrayList<>();

	private @Nullable TransportException refusal;

	private boolean closed;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	/**
	 * Create the way to a child that is yet to be started.
	 * @param capacity how many bytes may wait
	 * @param nextStep what to do when the child does not read
	 * @param scheduler tells those whose lines cannot be written
	 */
	ChildStdin(long capacity, String nextStep, Scheduler scheduler) {
		this.capacity = capacity;
		this.nextStep = nextStep;
		this.scheduler = scheduler;
	}

	/**
	 * Write a line.
	 * @param json the line without its end
	 * @param sink told, on the thread that writes, when the line is written; on the
	 * caller's, when too much waits already. Cancelling it takes the line out of the
	 * queue
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
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Refuse all further lines, and fail those that wait.
	 * @param reason why
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
			waiting = new ArrayList<>(this.queue);
			interrupted = new ArrayList<>(this.broken);
			this.queue.clear();
			this.broken.clear();
			this.size = 0;
		}
		finally {
			this.lock.unlock();
		}
		error(waiting, refused(reason));
		error(interrupted, reason);
	}

	/**
	 * Close the child's standard input. Does not wait: a child that does not read keeps
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
	 * Return when the writer has ended.
	 * @return completes when it has ended; not at all if it was never started
	 */
	CompletableFuture<Void> done() {
		return this.done;
	}

	/**
	 * Write what is in the queue until it is closed. Runs on a thread of its own.
	 * @param out the child's standard input
	 * @param broken told when it cannot be written to
	 */
	void pump(OutputStream out, Consumer<IOException> broken) {
		try (out) {
			for (List<Line> lines = take(); !lines.isEmpty(); lines = take()) {
				write(lines, out);
				lines.forEach((line) -> line.sink().success());
			}
		}
		catch (IOException ex) {
			broken.accept(ex);
		}
		finally {
			this.done.complete(null);
		}
	}

	private void write(List<Line> lines, OutputStream out) throws IOException {
		try {
			for (Line line : lines) {
				out.write(line.json());
				out.write('\n');
			}
			out.flush();
		}
		catch (IOException ex) {
			fail(lines);
			throw ex;
		}
	}

	/**
	 * Wait for lines to write.
	 * @return some lines; none when the input is to be closed
	 */
	private List<Line> take() {
		List<Line> lines = new ArrayList<>(BATCH);
		this.lock.lock();
		try {
			while (this.queue.isEmpty() && !this.closed) {
				this.changed.awaitUninterruptibly();
			}
			if (this.closed) {
				return List.of();
			}
			Iterator<Line> iterator = this.queue.iterator();
			while (iterator.hasNext() && lines.size() < BATCH) {
				Line line = iterator.next();
				iterator.remove();
				this.size -= line.cost();
				lines.add(line);
			}
			return lines;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Fail lines that may have been written in part, once it is known why.
	 * @param lines the lines
	 */
	private void fail(List<Line> lines) {
		TransportException reason;
		this.lock.lock();
		try {
			reason = this.refusal;
			if (reason == null) {
				this.broken.addAll(lines);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (reason != null) {
			error(lines, reason);
		}
	}

	private void error(List<Line> lines, TransportException reason) {
		if (!lines.isEmpty()) {
			// whoever waits has code to run, and this may be the thread of a reader
			this.scheduler.schedule(() -> lines.forEach((line) -> line.sink().error(reason)));
		}
	}

	private static TransportException refused(TransportException reason) {
		return new TransportException(String.valueOf(reason.getMessage()), reason.getNextStep(), false, reason);
	}

	/**
	 * A line that waits. Compared by identity: two may be alike.
	 */
	private static final class Line {

		private final byte[] json;

		private final MonoSink<Void> sink;

		Line(byte[] json, MonoSink<Void> sink) {
			this.json = json;
			this.sink = sink;
		}

		byte[] json() {
			return this.json;
		}

		MonoSink<Void> sink() {
			return this.sink;
		}

		long cost() {
			return this.json.length + OVERHEAD;
		}

	}

}
