package io.github.mcpclient.test.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The received and pending requests, and the threads that wait for a change.
 */
final class RequestLog {

	private final Deque<McpTestRequest> requests = new ArrayDeque<>();

	private final Set<McpTestRequest> pending = new LinkedHashSet<>();

	private int limit = 10_000;

	private volatile Duration timeout = Duration.ofSeconds(30);

	synchronized void limit(int limit) {
		this.limit = limit;
		trim();
	}

	void timeout(Duration timeout) {
		this.timeout = timeout;
	}

	synchronized void add(McpTestRequest request) {
		this.requests.add(request);
		if (request.isRequest()) {
			this.pending.add(request);
		}
		trim();
		notifyAll();
	}

	private void trim() {
		for (Collection<McpTestRequest> kept : List.of(this.requests, this.pending)) {
			while (kept.size() > this.limit) {
				Iterator<McpTestRequest> oldest = kept.iterator();
				oldest.next();
				oldest.remove();
			}
		}
	}

	/**
	 * Remove a request that has a response or was cancelled.
	 */
	synchronized void done(McpTestRequest request) {
		this.pending.remove(request);
		notifyAll();
	}

	synchronized void cancelled(Session session, String id) {
		this.pending.removeIf((request) -> request.session() == session && id.equals(request.id()));
		notifyAll();
	}

	/**
	 * Notify waiting threads of a change outside this log.
	 */
	synchronized void changed() {
		notifyAll();
	}

	synchronized void clearPending() {
		this.pending.clear();
		notifyAll();
	}

	synchronized void clear() {
		this.requests.clear();
	}

	synchronized List<McpTestRequest> requests() {
		return List.copyOf(this.requests);
	}

	synchronized List<McpTestRequest> requests(String method) {
		return matching(this.requests, method);
	}

	synchronized List<McpTestRequest> pending(String method) {
		return matching(this.pending, method);
	}

	private static List<McpTestRequest> matching(Collection<McpTestRequest> requests, String method) {
		return requests.stream()
			.filter((request) -> method.equals(request.method()) || method.equals(request.httpMethod()))
			.toList();
	}

	/**
	 * Wait for a condition, which is checked after each change.
	 */
	synchronized void await(BooleanSupplier condition, Supplier<String> description) {
		Duration timeout = this.timeout;
		long deadline = System.nanoTime() + timeout.toNanos();
		while (!condition.getAsBoolean()) {
			long left = deadline - System.nanoTime();
			if (left <= 0) {
				throw new AssertionError(description.get() + " within " + timeout + ", but received: " + this.requests);
			}
			try {
				wait(left / 1_000_000, (int) (left % 1_000_000));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted", ex);
			}
		}
	}

	/**
	 * Wait for a child process.
	 */
	<T> T await(CompletableFuture<T> future, String what) {
		try {
			return future.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			throw new AssertionError("Expected that " + what + " within " + this.timeout, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

}
