package io.github.mcpclient.audit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Queue of the records for a sink, with a share for each server: a server with many
 * records does not displace records of others. Safe for use by multiple threads.
 */
final class FairQueue {

	static final int CAPACITY = 8192;

	static final int SHARE = 1024;

	// per server, even if others have filled the queue
	static final int GUARANTEED = 16;

	private final Lock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	// in the order in which servers are served
	private final Map<String, Queue<McpAuditRecord>> servers = new LinkedHashMap<>();

	private int size;

	private boolean closed;

	/**
	 * Add a record if the queue has room for it.
	 * @return whether it was added
	 */
	boolean offer(McpAuditRecord added) {
		String server = (added.server() != null) ? added.server() : "";
		this.lock.lock();
		try {
			Queue<McpAuditRecord> own = this.servers.get(server);
			int waiting = (own != null) ? own.size() : 0;
			if (this.closed || waiting >= SHARE || (this.size >= CAPACITY && waiting >= GUARANTEED)) {
				return false;
			}
			this.servers.computeIfAbsent(server, (absent) -> new ArrayDeque<>()).add(added);
			this.size++;
			this.changed.signal();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Take records, alternating between servers. Waits for the first one.
	 * @param most the maximum number of records
	 * @param seconds the maximum time to wait
	 * @return the records, empty after that time or if the queue was closed
	 */
	List<McpAuditRecord> take(int most, long seconds) throws InterruptedException {
		List<McpAuditRecord> taken = new ArrayList<>();
		this.lock.lock();
		try {
			long left = TimeUnit.SECONDS.toNanos(seconds);
			while (this.size == 0 && !this.closed && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			while (this.size > 0 && taken.size() < most) {
				Iterator<Map.Entry<String, Queue<McpAuditRecord>>> first = this.servers.entrySet().iterator();
				Map.Entry<String, Queue<McpAuditRecord>> next = first.next();
				first.remove();
				taken.add(next.getValue().remove());
				this.size--;
				if (!next.getValue().isEmpty()) {
					this.servers.put(next.getKey(), next.getValue());
				}
			}
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Accept no more records. Waiting records can still be taken.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Discard waiting records.
	 * @return the number of discarded records
	 */
	int clear() {
		this.lock.lock();
		try {
			int waiting = this.size;
			this.servers.clear();
			this.size = 0;
			return waiting;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isClosed() {
		this.lock.lock();
		try {
			return this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

}
