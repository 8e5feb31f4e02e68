package io.github.mcpclient.internal.transport.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.github.mcpclient.internal.transport.OutboundQueue;
import io.github.mcpclient.internal.transport.OutboundQueue.Message;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Writes to a child's standard input: a queue, bounded in bytes, and a thread while there
 * is something to write. Lines that come before the process has started wait for it. Safe
 * for use by many threads.
 */
final class ChildStdin {

	private static final int BATCH = 64;

	private final OutboundQueue queue;

	private final ThreadPoolExecutor writer;

	// above zero while something is written, and until it is known where to
	private final AtomicInteger changes = new AtomicInteger(1);

	private volatile boolean closed;

	private volatile @Nullable Target target;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	/**
	 * Create the writer of a child's lines.
	 * @param threadName the name of the thread that writes
	 * @param idle how long it waits for more before it ends
	 */
	ChildStdin(String threadName, Duration idle, long capacity, String nextStep, Scheduler scheduler) {
		this.queue = new OutboundQueue(capacity, "The process does not read its stdin", nextStep, scheduler,
				this::changed);
		this.writer = new ThreadPoolExecutor(1, 1, idle.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(),
				(task) -> new TransportThread(threadName, task));
		this.writer.allowCoreThreadTimeOut(true);
	}

	/**
	 * Return the lines, each without its end. Their sinks are completed on the thread
	 * that writes.
	 */
	OutboundQueue queue() {
		return this.queue;
	}

	/**
	 * Write the queued messages, and later ones, until it is closed.
	 * @param broken run when the child's standard input cannot be written to: the current
	 * message fails once the reason is {@linkplain OutboundQueue#refuse known}
	 */
	void start(OutputStream out, Charset encoding, Runnable broken) {
		this.target = new Target(out,
				encoding.equals(StandardCharsets.UTF_8) ? null : new OutputStreamWriter(out, encoding), broken);
		this.writer.execute(this::drain);
	}

	/**
	 * Close the child's standard input. Does not wait: a child that does not read keeps
	 * the writer busy until it ends.
	 */
	void close() {
		this.closed = true;
		try {
			changed();
		}
		catch (Error ex) {
			// the system has no thread left, and the child is about to end
			this.done.complete(null);
		}
	}

	/**
	 * Return a future that completes when the child's standard input is closed; it never
	 * completes if nothing was to be written there.
	 */
	CompletableFuture<Void> done() {
		return this.done;
	}

	private void changed() {
		if (this.changes.getAndIncrement() == 0) {
			try {
				this.writer.execute(this::drain);
			}
			catch (Throwable ex) {
				this.changes.set(0);
				throw ex;
			}
		}
	}

	private void drain() {
		int seen = this.changes.get();
		while (seen != 0 && write(Objects.requireNonNull(this.target))) {
			// messages that arrived since then may have been missed
			seen = this.changes.addAndGet(-seen);
		}
	}

	// returns whether more can be written
	private boolean write(Target target) {
		boolean open = false;
		try {
			open = target.write(this.queue, () -> this.closed);
		}
		finally {
			if (!open) {
				this.done.complete(null);
				this.writer.shutdown();
			}
		}
		return open;
	}

	/**
	 * The child's standard input.
	 *
	 * @param text writes to the output if the child has its own encoding, or {@code null}
	 */
	private record Target(OutputStream out, @Nullable Writer text, Runnable broken) {

		boolean write(OutboundQueue queue, BooleanSupplier closed) {
			try {
				while (!closed.getAsBoolean()) {
					List<Message> lines = queue.take(BATCH);
					if (lines.isEmpty()) {
						return true;
					}
					for (Message line : lines) {
						write(line.json());
					}
					flush();
					queue.written(lines);
				}
				this.out.close();
			}
			catch (IOException ex) {
				discard();
				this.broken.run();
			}
			return false;
		}

		private void write(byte[] json) throws IOException {
			if (this.text == null) {
				this.out.write(json);
				this.out.write('\n');
			}
			else {
				this.text.write(new String(json, StandardCharsets.UTF_8) + '\n');
			}
		}

		private void flush() throws IOException {
			if (this.text != null) {
				this.text.flush();
			}
			this.out.flush();
		}

		private void discard() {
			try {
				this.out.close();
			}
			catch (IOException ex) {
				// the remaining messages cannot be written either
			}
		}

	}

}
