package io.github.mcpclient.internal.transport.stdio;

import java.nio.ByteBuffer;

import io.github.mcpclient.internal.transport.MessageReader;
import org.jspecify.annotations.Nullable;

/**
 * Splits UTF-8 into lines of limited length. Of a longer line, only the start and the
 * requested length of the end are retained. Not safe for use by many threads.
 */
final class LineSplitter {

	private final int limit;

	private final int keptEnd;

	private final boolean carriageReturnEnds;

	private final Consumer consumer;

	private final MessageReader.Bytes carry = new MessageReader.Bytes();

	private boolean objects;

	// of the JSON object that has begun, if objects end lines
	private int depth;

	private boolean string;

	private boolean escaped;

	// the retained part of a line that is too long
	private byte @Nullable [] overflow;

	private long skipped;

	/**
	 * Create a splitter.
	 * @param keptEnd how many bytes at the end of a longer line replace the last ones
	 * within the limit
	 * @param carriageReturnEnds whether a carriage return ends a line, as in a progress
	 * bar; otherwise it is removed only before the line feed
	 */
	LineSplitter(int limit, int keptEnd, boolean carriageReturnEnds, Consumer consumer) {
		this.limit = limit;
		this.keptEnd = Math.min(limit, keptEnd);
		this.carriageReturnEnds = carriageReturnEnds;
		this.consumer = consumer;
	}

	/**
	 * Set whether a JSON object ends a line, too. It may be malformed, and text may
	 * precede it.
	 */
	void splitObjects(boolean objects) {
		this.objects = objects;
	}

	/**
	 * Split the first bytes of a chunk, which is not retained.
	 */
	void accept(byte[] chunk, int count) {
		int start = 0;
		for (int i = 0; i < count; i++) {
			boolean object = this.objects && endsObject(chunk[i]);
			if (object || chunk[i] == '\n' || (this.carriageReturnEnds && chunk[i] == '\r')) {
				endLine(chunk, start, object ? i + 1 : i);
				start = i + 1;
			}
		}
		if (start < count) {
			keep(chunk, start, count);
		}
	}

	private boolean endsObject(byte next) {
		if (next == '\n' || next == 0) {
			// UTF-16 is full of NUL
			this.depth = 0;
			this.string = false;
			this.escaped = false;
		}
		else if (this.string) {
			this.string = this.escaped || next != '"';
			this.escaped = !this.escaped && next == '\\';
		}
		else if (next == '{') {
			this.depth++;
		}
		else if (this.depth > 0) {
			this.string = next == '"';
			this.depth -= (next == '}') ? 1 : 0;
			return this.depth == 0;
		}
		return false;
	}

	/**
	 * Return how many bytes of the line that has not ended yet are beyond the limit.
	 */
	long skipped() {
		return this.skipped;
	}

	/**
	 * Pass on the last line, if it has no line feed.
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
		 * Take a line without its end, or the retained part of a line that was too long.
		 */
		void line(byte[] buffer, int offset, int length, boolean truncated);

		/**
		 * Take the start of a line once it is too long, before {@link #line}.
		 */
		default void overflow(byte[] buffer, int length) {
		}

	}

}
