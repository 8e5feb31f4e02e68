package io.github.mcpclient.internal.transport.http;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import org.jspecify.annotations.Nullable;

/**
 * Parses a stream of server-sent events, in pieces of any size, as WHATWG's HTML standard
 * (section 9.2.6) defines it. It works on bytes, so that a character may be split between
 * two pieces, and retains only the current event. Not safe for use by many threads,
 * except for {@link #lastEventId()} and {@link #retryMillis()}.
 *
 * <p>
 * Events without data, and events of types that {@link Event} does not have, are skipped.
 * An ID that cannot be sent back as a header is ignored.
 */
final class SseParser {

	private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

	private static final byte[] NONE = {};

	private static final int MAX_NAME_LENGTH = 5;

	private static final int MAX_VALUE_LENGTH = 1024;

	private static final BigInteger MAX_RETRY = BigInteger.valueOf(Integer.MAX_VALUE);

	private final HttpContentBuffer data;

	private final int suspectSize;

	private final byte[] name = new byte[MAX_NAME_LENGTH];

	private byte[] value = NONE;

	private int byteOrderMark;

	private boolean skipLineFeed;

	private State state = State.NAME;

	private Field field = Field.UNKNOWN;

	private int nameLength;

	private int valueLength;

	private boolean hasData;

	private boolean suspected;

	// the type of the event; null for an event that is skipped
	private @Nullable Event type = Event.MESSAGE;

	private byte[] event = NONE;

	private @Nullable String id;

	private volatile @Nullable String lastEventId;

	private volatile long retryMillis = -1;

	/**
	 * Create a parser for one stream.
	 * @param maxEventSize the largest size of the data of an event, in bytes
	 * @param suspectSize the size from which on an event is {@link Event#UNFINISHED}
	 * @param lastEventId the ID of the last event of the stream that this one continues
	 * @param memory the memory that the data takes if there may be any number of streams
	 */
	SseParser(int maxEventSize, int suspectSize, @Nullable String lastEventId, @Nullable MemoryBudget memory) {
		this.data = new HttpContentBuffer(maxEventSize, memory);
		this.suspectSize = suspectSize;
		this.lastEventId = lastEventId;
	}

	/**
	 * Return the ID of the last complete event that had one: its bytes as ISO-8859-1
	 * characters, as required in a header.
	 */
	@Nullable String lastEventId() {
		return this.lastEventId;
	}

	/**
	 * Return the delay that the server requests before a reconnection, or -1.
	 */
	long retryMillis() {
		return this.retryMillis;
	}

	/**
	 * Take the data of the event that {@link #next} found.
	 * @return the data, not empty; valid until the next call of {@link #next}
	 */
	byte[] data() {
		byte[] data = this.event;
		this.event = NONE;
		return data;
	}

	/**
	 * The stream has ended, maybe within an event, whose ID does not count: the missing
	 * part can be requested.
	 * @return whether it has data
	 */
	boolean end() {
		this.id = null;
		return endOfEvent() == Event.MESSAGE;
	}

	/**
	 * Give back the memory of an event that has not ended, on any thread.
	 */
	void release() {
		this.data.release();
	}

	/**
	 * Parse up to the next event.
	 * @param chunk the next piece of the stream, of which the bytes are taken
	 * @return the event, or {@code null} if the piece ends before
	 * @throws HttpContentBuffer.TooLargeException if the data of an event is too large
	 * @throws UnreadMessageException if it takes more memory than there is for it
	 */
	@Nullable Event next(ByteBuf chunk) {
		Event event = null;
		while (event == null && chunk.isReadable()) {
			if (this.state == State.VALUE) {
				event = value(chunk);
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
				event = endOfLine();
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
		return event;
	}

	private void name(byte next) {
		if (this.byteOrderMark < BYTE_ORDER_MARK.length && this.nameLength == 0) {
			if (next == BYTE_ORDER_MARK[this.byteOrderMark]) {
				this.byteOrderMark++;
				return;
			}
			// a part of the mark is a part of an unknown name
			this.nameLength = (this.byteOrderMark != 0) ? MAX_NAME_LENGTH + 1 : 0;
			this.byteOrderMark = BYTE_ORDER_MARK.length;
		}
		if (next == ':') {
			this.field = Field.of(this.name, this.nameLength);
			this.state = State.AFTER_COLON;
			startValue();
		}
		else if (this.nameLength < MAX_NAME_LENGTH) {
			this.name[this.nameLength++] = next;
		}
		else {
			// too long for any that is known: as a comment
			this.nameLength = MAX_NAME_LENGTH + 1;
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

	private @Nullable Event value(ByteBuf chunk) {
		int start = chunk.readerIndex();
		int end = chunk.forEachByte(ByteProcessor.FIND_CRLF);
		int count = ((end != -1) ? end : chunk.writerIndex()) - start;
		switch (this.field) {
			case DATA -> {
				this.data.append(chunk, count);
				if (this.data.length() > this.suspectSize && !this.suspected) {
					this.suspected = true;
					this.event = this.data.toByteArray();
					return Event.UNFINISHED;
				}
			}
			case ID, EVENT, RETRY -> {
				int kept = Math.max(0, Math.min(count, MAX_VALUE_LENGTH - this.valueLength));
				if (kept != 0 && this.value.length == 0) {
					// many streams have nothing but data
					this.value = new byte[MAX_VALUE_LENGTH];
				}
				chunk.getBytes(start, this.value, Math.min(this.valueLength, this.value.length), kept);
				// longer than the buffer: not usable
				this.valueLength = (kept == count) ? this.valueLength + count : MAX_VALUE_LENGTH + 1;
				chunk.skipBytes(count);
			}
			case UNKNOWN -> chunk.skipBytes(count);
		}
		if (end != -1) {
			this.skipLineFeed = (chunk.readByte() == '\r');
			return endOfLine();
		}
		return null;
	}

	private @Nullable Event endOfLine() {
		this.byteOrderMark = BYTE_ORDER_MARK.length;
		if (this.state == State.NAME) {
			if (this.nameLength == 0) {
				return endOfEvent();
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
			case ID -> id();
			case RETRY -> retry();
			case DATA, UNKNOWN -> {
			}
		}
		return null;
	}

	private @Nullable Event endOfEvent() {
		Event event = (this.data.length() > 0) ? this.type : null;
		if (event != null) {
			this.event = this.data.toByteArray();
		}
		this.data.clear();
		this.hasData = false;
		this.suspected = false;
		this.type = Event.MESSAGE;
		if (this.id != null) {
			this.lastEventId = this.id.isEmpty() ? null : this.id;
			this.id = null;
		}
		return event;
	}

	private @Nullable Event eventType() {
		if (this.valueLength > MAX_VALUE_LENGTH) {
			return null;
		}
		return switch (value()) {
			case "", "message", "error" -> Event.MESSAGE;
			case "endpoint" -> Event.ENDPOINT;
			default -> null;
		};
	}

	private void id() {
		if (this.valueLength <= MAX_VALUE_LENGTH
				&& value().chars().allMatch((c) -> (c >= ' ' && c != 0x7F) || c == '\t')) {
			this.id = value();
		}
	}

	private void retry() {
		String value = (this.valueLength <= MAX_VALUE_LENGTH) ? value() : "";
		if (!value.isEmpty() && value.chars().allMatch((c) -> c >= '0' && c <= '9')) {
			this.retryMillis = new BigInteger(value).min(MAX_RETRY).longValue();
		}
	}

	private String value() {
		return new String(this.value, 0, this.valueLength, StandardCharsets.ISO_8859_1);
	}

	enum Event {

		/** A message; an event without a type is one. */
		MESSAGE,

		/** Where to send messages, in the older protocol. */
		ENDPOINT,

		/** The beginning of an event that is large, and follows when it is complete. */
		UNFINISHED

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
				if (length == field.name.length && Arrays.equals(name, 0, length, field.name, 0, length)) {
					return field;
				}
			}
			return UNKNOWN;
		}

	}

}
