package io.github.mcpclient.internal.transport;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of one server, within its share of the memory, and without
 * notifications that have no listener. Safe for use by many threads.
 */
public final class MessageReader {

	/**
	 * The number of bytes, at the beginning and at the end, that identify the request of
	 * a message.
	 */
	public static final int EXCERPT = AnswerEnvelope.EXCERPT;

	private static final char BYTE_ORDER_MARK = '\uFEFF';

	private static final char REPLACEMENT = '\uFFFD';

	private static final String NOT_JSON = "NaN, raw control characters or commas that are not valid JSON";

	private final JsonRpcCodec codec;

	private final String serverName;

	private final ClientScheduler scheduler;

	private final MemoryBudget memory;

	private final AtomicLong defects = new AtomicLong();

	private volatile BiConsumer<Kind, String> deviations = (kind, detail) -> {
	};

	private volatile Predicate<String> wanted = (method) -> true;

	/**
	 * Create a reader of the messages of a server.
	 * @param scheduler has the threads for large ones
	 */
	public MessageReader(JsonRpcCodec codec, String serverName, ClientScheduler scheduler) {
		this.codec = codec;
		this.serverName = serverName;
		this.scheduler = scheduler;
		this.memory = MemoryBudget.of(serverName);
	}

	/**
	 * Skip the parameters of notifications whose method is not wanted.
	 */
	public void skipUnless(Predicate<String> wanted) {
		this.wanted = wanted;
	}

	/**
	 * Report deviations to a listener.
	 */
	public void onDeviation(BiConsumer<Kind, String> listener) {
		this.deviations = listener;
	}

	/**
	 * Report a deviation of the server from the protocol, which the client tolerates.
	 * @param detail the observed behavior, without the credentials of requests
	 */
	public void deviation(Kind kind, String detail) {
		this.deviations.accept(kind, detail);
	}

	/**
	 * Return the share of the memory.
	 */
	public MemoryBudget memory() {
		return this.memory;
	}

	/**
	 * Return whether a message of so many bytes takes long to be read, and to be dealt
	 * with.
	 */
	static boolean isLarge(int size) {
		return size > JsonRpcCodec.LARGE;
	}

	/**
	 * Read and process a message on a thread of its server if it is large.
	 * @param size how many bytes it has
	 * @return whether it is large
	 * @throws UnreadMessageException if there is no memory for it while it waits
	 */
	public boolean aside(int size, Runnable reading) {
		if (!isLarge(size)) {
			return false;
		}
		MemoryBudget.Lease waiting = this.memory.lease();
		// it does not grow during the wait: as many more may be waiting
		if (!waiting.take(size / 2)) {
			throw UnreadMessageException.memory();
		}
		execute(() -> {
			waiting.close();
			reading.run();
		});
		return true;
	}

	/**
	 * Run the processing of a large message.
	 */
	void execute(Runnable task) {
		this.scheduler.execute(this.serverName, () -> {
			try {
				task.run();
			}
			catch (Throwable ex) {
				defect(ex);
			}
		});
	}

	/**
	 * Read a message or a batch of them, as {@link JsonRpcCodec#decode} does.
	 * @param lease takes the memory that they need
	 * @param credentials the credentials of the requests that the server may respond to
	 */
	public List<JSONRPCMessage> read(byte[] json, int offset, int length, @Nullable Object only,
			MemoryBudget.Lease lease, Secrets credentials) {
		return read(json, offset, length, () -> StandardCharsets.UTF_8, only,
				new Reading(this.wanted, lease, credentials, this.deviations, false));
	}

	/**
	 * Read a complete response, which is read again as text if it is not JSON in UTF-8.
	 * @param charset the charset of the text that the server declares
	 */
	public List<JSONRPCMessage> read(byte[] json, int offset, int length, Supplier<Charset> charset,
			@Nullable Object only, MemoryBudget.Lease lease, Secrets credentials) {
		return read(json, offset, length, charset, only,
				new Reading(this.wanted, lease, credentials, this.deviations, true));
	}

	private List<JSONRPCMessage> read(byte[] json, int offset, int length, Supplier<Charset> charset,
			@Nullable Object only, Reading reading) {
		try {
			try {
				return this.codec.decode(json, offset, length, only, reading);
			}
			catch (MalformedMessageException ex) {
				return readText(json, offset, length, charset.get(), only, reading, ex);
			}
		}
		catch (TransportException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw defect(ex);
		}
	}

	private List<JSONRPCMessage> readText(byte[] json, int offset, int length, Charset declared, @Nullable Object only,
			Reading reading, MalformedMessageException strict) {
		if (isLarge(length) && !reading.lease().take(2 * length)) {
			throw UnreadMessageException.memory();
		}
		int start = offset;
		while (start < offset + Math.min(3, length - 1) && json[start] != '{' && json[start] != '[') {
			start++;
		}
		// lines of UTF-16 are parted in the middle of their line feed
		boolean utf16 = start < offset + length - 1 && json[start] > ' ' && json[start + 1] == 0;
		Charset charset = utf16 ? StandardCharsets.UTF_16LE : declared;
		String text = utf16 ? new String(json, start, (offset + length - start) & ~1, charset)
				: new String(json, offset, length, charset);
		text = (text.indexOf(BYTE_ORDER_MARK) == 0) ? text.substring(1) : text;
		MalformedMessageException malformed = strict;
		if (strict.isSyntax()) {
			try {
				List<JSONRPCMessage> messages = this.codec.decodeLeniently(text, only, reading);
				deviation(Kind.ENCODING, (charset != StandardCharsets.UTF_8) ? "text in " + charset
						: (text.indexOf(REPLACEMENT) != -1) ? "bytes that are not UTF-8" : NOT_JSON);
				return messages;
			}
			catch (MalformedMessageException ex) {
				malformed = ex;
			}
		}
		// log output of a server may have IDs, too
		boolean message = malformed.isSyntax() && text.contains("\"jsonrpc\"");
		throw malformed.of(text, message ? AnswerEnvelope.id(json, offset, length) : null);
	}

	/**
	 * Log a defect of the client, for any message of the server, and return the failure
	 * of that message.
	 */
	public UnreadMessageException defect(Throwable failure) {
		return UnreadMessageException.defect(this.serverName, this.defects, failure);
	}

	/**
	 * Return whether a message, or its beginning, seems to be a response.
	 */
	public static boolean isAnswer(byte[] json, int offset, int length) {
		return AnswerEnvelope.isAnswer(json, offset, length);
	}

	/**
	 * Return the ID of the request that a message responds to, whose middle may be
	 * missing; {@code null} if it is not a response, or has no ID.
	 */
	public static @Nullable Object answered(byte[] json, int offset, int length) {
		return AnswerEnvelope.id(json, offset, length);
	}

	/**
	 * How a message is read.
	 *
	 * @param wanted the notifications whose parameters are read, if their method comes
	 * first
	 * @param lease takes the memory that large messages need
	 * @param credentials the secrets to mask in all texts
	 * @param deviations receives the tolerated deviations
	 * @param alone whether it is the only message of the response
	 */
	record Reading(Predicate<String> wanted, MemoryBudget.Lease lease, Secrets credentials,
			BiConsumer<Kind, String> deviations, boolean alone) {
	}

	/**
	 * Collects the bytes of one message. Its size follows the received bytes, not the
	 * size that a server announces: a small message grows by doubling, a large one piece
	 * by piece, so that it is copied once. Not safe for use by many threads.
	 */
	public static final class Bytes {

		private static final int INITIAL_CAPACITY = 512;

		// the size of a piece, and of the buffer that is reused for the next message
		private static final int PIECE = 64 * 1024;

		private static final byte[] NONE = {};

		private final List<byte[]> full = new ArrayList<>(0);

		private byte[] piece = NONE;

		// of the piece
		private int used;

		private int length;

		/**
		 * Take so many bytes of a source.
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
		 * Return how many bytes were collected.
		 */
		public int length() {
			return this.length;
		}

		/**
		 * Return the collected bytes; valid until the next call of {@link #append}.
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
		 * Discard the collected bytes.
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
			 * Copy the next bytes.
			 */
			void read(byte[] target, int offset, int count);

		}

	}

}
