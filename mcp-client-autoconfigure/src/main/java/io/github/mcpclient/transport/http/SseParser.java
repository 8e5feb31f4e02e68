package io.github.mcpclient.transport.http;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import org.jspecify.annotations.Nullable;

/**
 * Parses a stream of server-sent events, in pieces of any size, as WHATWG's HTML standard
 * (section 9.2.6) defines it. It works on bytes, so that a character may be split between
 * two pieces, and keeps nothing but the event that it is in. Not safe for use by many
 * threads, but for {@link #lastEventId()} and {@link #retryMillis()}.
 *
 * <p>
 * Events of a type other than {@code message}, which an event without a type has, and
 * {@code endpoint} are left out, and so are events without data, such as those that only
 * tell an id. An id that could not be sent back as a header is ignored.
 */
final class SseParser {

	private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

	private static final int LONGEST_NAME = 5;

	private static final int LONGEST_VALUE = 1024;

	private final Listener listener;

	private final HttpContentBuffer data;

	private final int suspectSize;

	private final byte[] name = new byte[LONGEST_NAME];

	private final byte[] value = new byte[LONGEST_VALUE];

	private int byteOrderMark;

	private boolean skipLineFeed;

	private State state = State.NAME;

	private Field field = Field.UNKNOWN;

	private int nameLength;

	private int valueLength;

	private boolean hasData;

	private boolean suspected;

	private EventType type = EventType.MESSAGE;

	private @Nullable String id;

	private boolean stopped;

	private volatile @Nullable String lastEventId;

	private volatile long retryMillis = -1;

	/**
	 * Create a parser for one stream.
	 * @param maxEventSize the largest size of the data of an event, in bytes
	 * @param suspectSize the size beyond which the listener is told of an event that is
	 * not complete
	 * @param lastEventId the id of the last event of the stream that this one continues,
	 * or {@code null}
	 * @param listener told of the events
	 */
	SseParser(int maxEventSize, int suspectSize, @Nullable String lastEventId, Listener listener) {
		this.data = new HttpContentBuffer(maxEventSize);
		this.suspectSize = suspectSize;
		this.lastEventId = lastEventId;
		this.listener = listener;
	}

	/**
	 * Return the id of the last complete event that told one.
	 * @return the bytes of the id as ISO-8859-1 characters, as a header wants them, or
	 * {@code null}
	 */
	@Nullable String lastEventId() {
		return this.lastEventId;
	}

	/**
	 * Return how long the server wants the client to wait before it reconnects.
	 * @return the time in milliseconds, or -1 if the server did not say
	 */
	long retryMillis() {
		return this.retryMillis;
	}

	/**
	 * Ignore all that follows.
	 */
	void stop() {
		this.stopped = true;
	}

	/**
	 * Parse the next piece.
	 * @param chunk the piece, of which all bytes are taken
	 * @throws HttpContentBuffer.TooLargeException if the data of an event is too large
	 */
	void feed(ByteBuf chunk) {
		while (!this.stopped && chunk.isReadable()) {
			if (this.state == State.VALUE) {
				value(chunk);
				continue;
			}
			byte next = chunk.readByte();
			if (next == '\n' && this.skipLineFeed) {
				this.skipLineFeed = false;
				continue;
			}
			this.skipLineFeed = false;
			if (next == '\r' || next == '\n') {
				this.skipLineFeed = (next == '\r');
				endOfLine();
			}
			else if (this.state == State.NAME) {
				name(next);
			}
			else {
				this.state = State.VALUE;
				// one space after the colon is not part of the value
				if (next != ' ') {
					chunk.readerIndex(chunk.readerIndex() - 1);
				}
			}
		}
	}

	private void name(byte next) {
		if (this.byteOrderMark < BYTE_ORDER_MARK.length && this.nameLength == 0) {
			if (next == BYTE_ORDER_MARK[this.byteOrderMark]) {
				this.byteOrderMark++;
				return;
			}
			// a part of the mark is a part of an unknown name
			this.nameLength = (this.byteOrderMark != 0) ? LONGEST_NAME + 1 : 0;
			this.byteOrderMark = BYTE_ORDER_MARK.length;
		}
		if (next == ':') {
			this.field = Field.of(this.name, this.nameLength);
			this.state = State.AFTER_COLON;
			startValue();
		}
		else if (this.nameLength < LONGEST_NAME) {
			this.name[this.nameLength++] = next;
		}
		else {
			// too long for any that is known: as a comment
			this.nameLength = LONGEST_NAME + 1;
		}
	}

	private void startValue() {
		this.valueLength = 0;
		if (this.field == Field.DATA) {
			if (this.hasData) {
				this.data.append((byte) '\n');
			}
			this.hasData = true;
		}
	}

	private void value(ByteBuf chunk) {
		int start = chunk.readerIndex();
		int end = chunk.forEachByte(ByteProcessor.FIND_CRLF);
		int count = ((end != -1) ? end : chunk.writerIndex()) - start;
		switch (this.field) {
			case DATA -> {
				this.data.append(chunk, count);
				if (this.data.length() > this.suspectSize && !this.suspected) {
					this.suspected = true;
					this.listener.large(this.data.toByteArray());
				}
			}
			case ID, EVENT, RETRY -> {
				int kept = Math.max(0, Math.min(count, LONGEST_VALUE - this.valueLength));
				chunk.getBytes(start, this.value, Math.min(this.valueLength, LONGEST_VALUE), kept);
				// longer than what is kept: not usable
				this.valueLength = (kept == count) ? this.valueLength + count : LONGEST_VALUE + 1;
				chunk.skipBytes(count);
			}
			case UNKNOWN -> chunk.skipBytes(count);
		}
		if (end != -1) {
			this.skipLineFeed = (chunk.readByte() == '\r');
			endOfLine();
		}
	}

	private void endOfLine() {
		this.byteOrderMark = BYTE_ORDER_MARK.length;
		if (this.state == State.NAME) {
			if (this.nameLength == 0) {
				endOfEvent();
				return;
			}
			// a line without a colon is a name without a value
			this.field = Field.of(this.name, this.nameLength);
			startValue();
		}
		this.state = State.NAME;
		this.nameLength = 0;
		switch (this.field) {
			case EVENT -> {
				this.type = eventType();
			}
			case ID -> {
				this.id = isUsableId() ? value() : this.id;
			}
			case RETRY -> {
				this.retryMillis = retry();
			}
			case DATA, UNKNOWN -> {
			}
		}
	}

	private void endOfEvent() {
		String told = this.id;
		EventType type = this.type;
		byte @Nullable [] bytes = (type != EventType.OTHER && this.data.length() > 0) ? this.data.toByteArray() : null;
		this.data.clear();
		this.hasData = false;
		this.suspected = false;
		this.type = EventType.MESSAGE;
		this.id = null;
		if (told != null) {
			this.lastEventId = told.isEmpty() ? null : told;
		}
		if (bytes == null) {
			return;
		}
		if (type == EventType.ENDPOINT) {
			this.listener.endpoint(bytes);
		}
		else {
			this.listener.message(bytes);
		}
	}

	private EventType eventType() {
		if (this.valueLength > LONGEST_VALUE) {
			return EventType.OTHER;
		}
		return switch (value()) {
			case "", "message" -> EventType.MESSAGE;
			case "endpoint" -> EventType.ENDPOINT;
			default -> EventType.OTHER;
		};
	}

	private boolean isUsableId() {
		if (this.valueLength > LONGEST_VALUE) {
			return false;
		}
		for (int i = 0; i < this.valueLength; i++) {
			byte next = this.value[i];
			if ((next >= 0 && next < ' ' && next != '\t') || next == 0x7F) {
				return false;
			}
		}
		return true;
	}

	private long retry() {
		if (this.valueLength == 0 || this.valueLength > LONGEST_VALUE) {
			return this.retryMillis;
		}
		long millis = 0;
		for (int i = 0; i < this.valueLength; i++) {
			byte digit = this.value[i];
			if (digit < '0' || digit > '9') {
				return this.retryMillis;
			}
			millis = Math.min(Integer.MAX_VALUE, millis * 10 + (digit - '0'));
		}
		return millis;
	}

	private String value() {
		return new String(this.value, 0, this.valueLength, StandardCharsets.ISO_8859_1);
	}

	/**
	 * Told of the events of a stream.
	 */
	@FunctionalInterface
	interface Listener {

		/**
		 * The stream holds a message.
		 * @param data its data, not empty; valid during the call only
		 */
		void message(byte[] data);

		/**
		 * The stream of the older transport tells where to send messages.
		 * @param data the reference, not empty; valid during the call only
		 */
		default void endpoint(byte[] data) {
		}

		/**
		 * The stream holds an event that is large, and goes on. It may {@link #stop} the
		 * parser.
		 * @param data the beginning of its data; valid during the call only
		 */
		default void large(byte[] data) {
		}

	}

	private enum EventType {

		MESSAGE, ENDPOINT, OTHER

	}

	private enum State {

		NAME, AFTER_COLON, VALUE

	}

	private enum Field {

		DATA("data"), EVENT("event"), ID("id"), RETRY("retry"), UNKNOWN("");

		private static final Field[] FIELDS = values();

		private final byte[] name;

		Field(String name) {
			this.name = name.getBytes(StandardCharsets.US_ASCII);
		}

		static Field of(byte[] name, int length) {
			for (Field field : FIELDS) {
				if (field.hasName(name, length)) {
					return field;
				}
			}
			return UNKNOWN;
		}

		private boolean hasName(byte[] name, int length) {
			if (length != this.name.length) {
				return false;
			}
			for (int i = 0; i < length; i++) {
				if (name[i] != this.name[i]) {
					return false;
				}
			}
			return true;
		}

	}

}
