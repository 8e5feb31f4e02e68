package io.github.mcpclient.internal.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects the bytes of one message. It grows with what arrives, not with what a server
 * announces: a small message by doubling, a large one piece by piece, so that it is
 * copied once. Not safe for use by many threads.
 */
public final class MessageBytes {

	private static final int INITIAL_CAPACITY = 512;

	/**
	 * The size of a piece; and what is kept for the next message.
	 */
	private static final int PIECE = 64 * 1024;

	private static final byte[] NONE = {};

	private final List<byte[]> full = new ArrayList<>(0);

	private byte[] piece = NONE;

	// of the piece
	private int used;

	private int length;

	/**
	 * Takes so many bytes of a source.
	 */
	public void append(int count, Source source) {
		int left = count;
		while (left > 0) {
			if (this.used == this.piece.length) {
				grow(left);
			}
			int next = Math.min(left, this.piece.length - this.used);
			source.read(this.piece, this.used, next);
			this.used += next;
			this.length += next;
			left -= next;
		}
	}

	private void grow(int count) {
		if (this.length == 0) {
			// a body that comes in one piece takes just its size
			this.piece = new byte[count];
		}
		else if (this.piece.length < PIECE) {
			int doubled = Math.max(INITIAL_CAPACITY, 2 * this.piece.length);
			this.piece = Arrays.copyOf(this.piece, Math.min(PIECE, Math.max(doubled, this.used + count)));
		}
		else {
			this.full.add(this.piece);
			this.piece = new byte[PIECE];
			this.used = 0;
		}
	}

	/**
	 * Returns how many bytes were collected.
	 */
	public int length() {
		return this.length;
	}

	/**
	 * Returns what was collected; valid until the next call of {@link #append}.
	 */
	public byte[] toByteArray() {
		if (this.full.isEmpty()) {
			return (this.length == this.piece.length) ? this.piece : Arrays.copyOf(this.piece, this.length);
		}
		byte[] bytes = new byte[this.length];
		int start = 0;
		for (byte[] next : this.full) {
			System.arraycopy(next, 0, bytes, start, next.length);
			start += next.length;
		}
		System.arraycopy(this.piece, 0, bytes, start, this.used);
		return bytes;
	}

	/**
	 * Forgets what was collected.
	 */
	public void clear() {
		this.full.clear();
		this.used = 0;
		this.length = 0;
		if (this.piece.length > PIECE) {
			this.piece = NONE;
		}
	}

	/**
	 * Where bytes come from.
	 */
	@FunctionalInterface
	public interface Source {

		/**
		 * Copies the next bytes.
		 */
		void read(byte[] target, int offset, int count);

	}

}
