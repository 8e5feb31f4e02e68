package io.github.mcpclient.transport.stdio;

import java.nio.ByteBuffer;

import io.github.mcpclient.transport.MessageBytes;
import org.jspecify.annotations.Nullable;

/**
 * Splits UTF-8 into lines of bounded length. Of a longer line only the start is kept, and
 * as much of the end as is asked for. Not safe for use by many threads.
 */
final class LineSplitter {

	private final int limit;

	private final int keptEnd;

	private final boolean carriageReturnEnds;

	private final Consumer consumer;

	private final MessageBytes carry = new MessageBytes();

	// what is kept of a line that is too long
	private byte @Nullable [] overflow;

	private long skipped;

	/**
	 * Creates a splitter.
	 * @param keptEnd how many bytes at the end of a longer line replace the last ones
	 * within the limit
	 * @param carriageReturnEnds whether a carriage return ends a line, as in a progress
	 * bar; otherwise it is left out only before the line feed
	 */
	LineSplitter(int limit, int keptEnd, boolean carriageReturnEnds, Consumer consumer) {
		this.limit = limit;
		this.keptEnd = Math.min(limit, keptEnd);
		this.carriageReturnEnds = carriageReturnEnds;
		this.consumer = consumer;
	}

	/**
	 * Splits the first bytes of a chunk, which is not kept.
	 */
	void accept(byte[] chunk, int count) {
		int start = 0;
		for (int i = 0; i < count; i++) {
			if (chunk[i] == '\n' || (this.carriageReturnEnds && chunk[i] == '\r')) {
				endLine(chunk, start, i);
				start = i + 1;
			}
		}
		if (start < count) {
			keep(chunk, start, count);
		}
	}

	/**
	 * Returns how many bytes of the line that has not ended yet are beyond the limit.
	 */
	long skipped() {
		return this.skipped;
	}

	/**
	 * Passes on the last line, if it has no line feed.
	 */
	void end() {
		if (this.carry.length() > 0) {
			endLine(new byte[0], 0, 0);
		}
	}

	private void endLine(byte[] chunk, int start, int end) {
		if (this.carry.length() == 0 && end - start <= this.limit) {
			// the usual case: a whole line in one chunk is not copied
			emit(chunk, start, end);
			return;
		}
		keep(chunk, start, end);
		byte[] line = (this.overflow != null) ? this.overflow : this.carry.toByteArray();
		this.carry.clear();
		emit(line, 0, line.length);
		this.overflow = null;
		this.skipped = 0;
	}

	private void emit(byte[] buffer, int start, int end) {
		int last = (end > start && buffer[end - 1] == '\r') ? end - 1 : end;
		this.consumer.line(buffer, start, last - start, this.overflow != null);
	}

	private void keep(byte[] chunk, int start, int end) {
		int count = Math.min(end - start, this.limit - this.carry.length());
		this.carry.append(count, ByteBuffer.wrap(chunk, start, count)::get);
		if (count < end - start) {
			overflow(chunk, start + count, end);
		}
	}

	private void overflow(byte[] chunk, int start, int end) {
		if (this.overflow == null) {
			this.overflow = this.carry.toByteArray();
			this.consumer.overflow(this.overflow, this.overflow.length);
		}
		this.skipped += end - start;
		int count = Math.min(end - start, this.keptEnd);
		int keptEndStart = this.limit - this.keptEnd;
		System.arraycopy(this.overflow, keptEndStart + count, this.overflow, keptEndStart, this.keptEnd - count);
		System.arraycopy(chunk, end - count, this.overflow, this.limit - count, count);
	}

	/**
	 * Takes lines, in buffers that are reused.
	 */
	interface Consumer {

		/**
		 * Takes a line without its end, or what is kept of a line that was too long.
		 */
		void line(byte[] buffer, int offset, int length, boolean truncated);

		/**
		 * Takes the start of a line as soon as it is too long, before {@link #line}.
		 */
		default void overflow(byte[] buffer, int length) {
		}

	}

}
