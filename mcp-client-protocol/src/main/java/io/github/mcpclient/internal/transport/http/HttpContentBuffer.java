package io.github.mcpclient.internal.transport.http;

import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Collects the bytes of one message, up to a limit, and within the memory of its server
 * where any number of messages may come at a time. Not safe for use by many threads, but
 * for {@link #release}.
 */
final class HttpContentBuffer {

	// how many bytes more of a large message are taken from the share at a time
	private static final int STEP = 64 * 1024;

	// bytes that wait do not grow, as a message does that is read: as many more of them
	// may be there
	private static final int WEIGHT = 2;

	private final int limit;

	private final @Nullable MemoryBudget memory;

	private final MessageReader.Bytes bytes = new MessageReader.Bytes();

	private int taken;

	private volatile boolean released;

	HttpContentBuffer(int limit, @Nullable MemoryBudget memory) {
		this.limit = limit;
		this.memory = memory;
	}

	/**
	 * Append the next bytes.
	 * @throws TooLargeException if there would be more than the limit
	 * @throws UnreadMessageException if they take more memory than there is for them
	 */
	void append(ByteBuf source, int count) {
		requireRoom(count);
		this.bytes.append(count, source::readBytes);
		if (this.memory != null && this.bytes.length() > STEP + WEIGHT * this.taken) {
			take(this.memory);
		}
	}

	private void take(MemoryBudget memory) {
		synchronized (this.bytes) {
			int more = this.bytes.length() / WEIGHT - this.taken;
			if (!this.released) {
				if (!memory.take(more)) {
					throw UnreadMessageException.memory();
				}
				this.taken += more;
			}
		}
	}

	void append(byte value) {
		requireRoom(1);
		this.bytes.append(1, (target, offset, count) -> target[offset] = value);
	}

	private void requireRoom(int count) {
		if (count > this.limit - this.bytes.length()) {
			throw new TooLargeException();
		}
	}

	int length() {
		return this.bytes.length();
	}

	/**
	 * Return the collected bytes. Not to be changed; valid until the next call of
	 * {@link #append}.
	 */
	byte[] toByteArray() {
		return this.bytes.toByteArray();
	}

	void clear() {
		this.bytes.clear();
		give();
	}

	/**
	 * Give the memory back for good, on any thread.
	 */
	void release() {
		this.released = true;
		give();
	}

	private void give() {
		synchronized (this.bytes) {
			if (this.memory != null && this.taken != 0) {
				this.memory.give(this.taken);
				this.taken = 0;
			}
		}
	}

	/**
	 * A server sent more than the limit allows.
	 */
	static final class TooLargeException extends RuntimeException {

		TooLargeException() {
			super("The message is too large", null, false, false);
		}

	}

}
