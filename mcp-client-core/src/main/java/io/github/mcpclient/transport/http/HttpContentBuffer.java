package io.github.mcpclient.transport.http;

import io.github.mcpclient.transport.MessageBytes;
import io.netty.buffer.ByteBuf;

/**
 * Collects the bytes of one message, up to a limit. Not safe for use by many threads.
 */
final class HttpContentBuffer {

	private final int limit;

	private final MessageBytes bytes = new MessageBytes();

	HttpContentBuffer(int limit) {
		this.limit = limit;
	}

	void append(ByteBuf source, int count) {
		requireRoom(count);
		this.bytes.append(count, source::readBytes);
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
	 * Return what was collected. Not to be changed; valid until the next call of
	 * {@link #append}.
	 */
	byte[] toByteArray() {
		return this.bytes.toByteArray();
	}

	void clear() {
		this.bytes.clear();
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
