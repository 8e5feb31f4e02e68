package io.github.mcpclient.internal.registry;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The latest messages of one server, until it is removed. Thread-safe.
 */
final class MessageJournal {

	// the size of a message without its text
	private static final int OVERHEAD = 512;

	private final Memory memory;

	private final Deque<RecentMessage> messages = new ArrayDeque<>(0);

	private long sequence;

	private long size;

	private volatile boolean closed;

	private MessageJournal(Memory memory) {
		this.memory = memory;
	}

	void add(RecentMessage message) {
		if (this.closed) {
			return;
		}
		this.memory.joined(this);
		synchronized (this.messages) {
			if (!this.closed) {
				addNow(message);
				return;
			}
		}
		this.memory.left(this);
	}

	private void addNow(RecentMessage message) {
		String text = Printable.cut(message.text(), (int) Math.max(this.memory.share - OVERHEAD, 0) / 2);
		RecentMessage added = new RecentMessage(++this.sequence, message.time(), message.sent(), message.kind(),
				(message.method() != null) ? message.method() : methodOf(message), message.id(), message.size(), text,
				message.truncated() || text.length() < message.text().length());
		this.messages.addLast(added);
		resize(sizeOf(added));
		if (this.messages.size() > this.memory.most) {
			removeFirst();
		}
		shrink();
	}

	private void shrink() {
		synchronized (this.messages) {
			while (this.size > this.memory.share && this.memory.used() > this.memory.size) {
				removeFirst();
			}
		}
	}

	private void removeFirst() {
		resize(-sizeOf(this.messages.removeFirst()));
	}

	// the method of a late response, or of a response to the server
	private @Nullable String methodOf(RecentMessage answer) {
		for (Iterator<RecentMessage> earlier = this.messages.descendingIterator(); earlier.hasNext();) {
			RecentMessage request = earlier.next();
			if (request.kind() == Kind.REQUEST && request.sent() != answer.sent()
					&& String.valueOf(request.id()).equals(answer.id())) {
				return request.method();
			}
		}
		return null;
	}

	private void resize(long bytes) {
		this.size += bytes;
		this.memory.used.addAndGet(bytes);
	}

	// as if each character took two bytes, which is true for many texts
	private static long sizeOf(RecentMessage message) {
		return OVERHEAD + 2L * message.text().length();
	}

	/**
	 * Return the messages after the one with the given sequence, the oldest first, with
	 * values that look like a credential masked. The masks are applied on reading, not on
	 * sending.
	 */
	List<RecentMessage> after(long sequence) {
		List<RecentMessage> after;
		synchronized (this.messages) {
			after = this.messages.stream().filter((message) -> message.sequence() > sequence).toList();
		}
		return after.stream()
			.map((message) -> new RecentMessage(message.sequence(), message.time(), message.sent(), message.kind(),
					message.method(), message.id(), message.size(), Redaction.json(message.text()),
					message.truncated()))
			.toList();
	}

	/**
	 * Discard all messages, including future ones.
	 */
	void close() {
		synchronized (this.messages) {
			this.closed = true;
			this.messages.clear();
			resize(-this.size);
		}
		this.memory.left(this);
	}

	/**
	 * The memory of the journals of all servers. Once it is exhausted, journals that take
	 * more than an even share shrink in favor of others, so that all together never take
	 * more than twice as much.
	 */
	static final class Memory {

		private final int most;

		private final long size;

		private final AtomicLong used = new AtomicLong();

		private final Set<MessageJournal> journals = ConcurrentHashMap.newKeySet();

		private volatile long share;

		/**
		 * Create the memory.
		 * @param most how many messages of each server are recorded
		 * @param size the number of bytes for all servers
		 */
		Memory(int most, long size) {
			this.most = most;
			this.size = size;
			this.share = size;
		}

		@Nullable MessageJournal journal() {
			return (this.most > 0) ? new MessageJournal(this) : null;
		}

		long used() {
			return this.used.get();
		}

		private void joined(MessageJournal journal) {
			if (this.journals.add(journal)) {
				share();
			}
		}

		private void left(MessageJournal journal) {
			if (this.journals.remove(journal)) {
				share();
			}
		}

		// changes when the number of journals doubles: all journals shrink then, which is
		// rare
		private void share() {
			synchronized (this.journals) {
				long before = this.share;
				this.share = this.size / Math.max(Integer.highestOneBit(2 * this.journals.size() - 1), 1);
				if (this.share < before) {
					this.journals.forEach(MessageJournal::shrink);
				}
			}
		}

	}

}
