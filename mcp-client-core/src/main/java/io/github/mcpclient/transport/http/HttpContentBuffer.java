package io.github.mcpclient.transport.http;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;

/**
 * Collects the bytes of one message, up to a limit. It grows with what arrives, not with
 * what a server announces. Not safe for use by many threads.
 */
final class HttpContentBuffer {

	private static final int INITIAL_CAPACITY = 512;

	// what is kept for the next message of a stream
	private static final int RETAINED_CAPACITY = 64 * 1024;

	private static final byte[] NONE = {};

	private final int limit;

	private byte[] bytes = NONE;

	private int length;

	HttpContentBuffer(int limit) {
		this.limit = limit;
	}

	void append(ByteBuf source, int count) {
		ensureCapacity(count);
		source.readBytes(this.bytes, this.length, count);
		this.length += count;
	}

	void append(byte value) {
		ensureCapacity(1);
		this.bytes[this.length++] = value;
	}

	private void ensureCapacity(int count) {
		if (count > this.limit - this.length) {
			throw new TooLargeException();
		}
		int needed = this.length + count;
		if (needed > this.bytes.length) {
			// a body that comes in one piece takes just its size
			int doubled = (this.length != 0) ? Math.max(INITIAL_CAPACITY, 2 * this.bytes.length) : needed;
			int capacity = (doubled < 0) ? this.limit : Math.min(this.limit, doubled);
			this.bytes = Arrays.copyOf(this.bytes, Math.max(needed, capacity));
		}
	}

	int length() {
		return this.length;
	}

	/**
	 * Return what was collected. Not to be changed; valid until the next call of
	 * {@link #append} or {@link #clear}.
	 */
	byte[] toByteArray() {
		return (this.length == this.bytes.length) ? this.bytes : Arrays.copyOf(this.bytes, this.length);
	}

	void clear() {
		this.length = 0;
		if (this.bytes.length > RETAINED_CAPACITY) {
			this.bytes = NONE;
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
