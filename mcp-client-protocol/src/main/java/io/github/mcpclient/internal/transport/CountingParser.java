package io.github.mcpclient.internal.transport;

import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.github.mcpclient.internal.support.MemoryBudget;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * Counts the tokens of a large message, and the memory that its objects take: JSON grows
 * by up to fifty times where it consists of little else than brackets. Reads the first
 * texts piece by piece: the parser alone would make two more copies of a large text, one
 * of them with two bytes a character.
 */
final class CountingParser extends JsonParserDelegate {

	// the memory of a token: an object with one member is three tokens, and some 370
	// bytes as a tree and as the map that is made of it
	private static final int BYTES = 100;

	/**
	 * How many names, values and brackets a message may have.
	 */
	static final int MAX_TOKENS = 2_000_000;

	private static final int STEP = 4096;

	// how many tokens may precede a text that is read piece by piece, which takes longer
	// for a short text: a message with many values has few large texts
	private static final int MAX_BEFORE_PIECES = 256;

	private static final boolean READS_PIECES = readsPieces();

	private final MemoryBudget.Lease lease;

	private final TextPieces text = new TextPieces();

	private long count;

	private long limit = MAX_TOKENS;

	CountingParser(JsonParser parser, MemoryBudget.Lease lease) {
		super(parser);
		this.lease = lease;
	}

	/**
	 * Allow a number of further tokens, limited by the number that a message may have.
	 */
	void limit(long tokens) {
		this.limit = Math.min(MAX_TOKENS, this.count + tokens);
	}

	private void count() {
		if (++this.count > this.limit) {
			throw UnreadMessageException.json("too many values");
		}
		if (this.count % STEP == 0 && !this.lease.take(STEP * BYTES)) {
			throw UnreadMessageException.memory();
		}
	}

	@Override
	public JsonToken nextToken() {
		count();
		return super.nextToken();
	}

	@Override
	public JsonToken nextValue() {
		count();
		return super.nextValue();
	}

	@Override
	public String nextName() {
		count();
		return super.nextName();
	}

	// to be called once for each text, as the mapper does
	@Override
	public String getString() {
		if (!READS_PIECES || this.count > MAX_BEFORE_PIECES || currentToken() != JsonToken.VALUE_STRING) {
			return super.getString();
		}
		readString(this.text);
		return this.text.take();
	}

	/**
	 * Return whether Jackson reads each text piece by piece. Up to 3.1.5, it fails
	 * (FasterXML/jackson-core#1673) if an escape or a character that is not ASCII follows
	 * a full buffer of other characters.
	 */
	private static boolean readsPieces() {
		String text = "a".repeat(64 * 1024) + "\\n";
		byte[] json = ('"' + text + '"').getBytes(StandardCharsets.UTF_8);
		try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
			parser.nextToken();
			parser.readString(Writer.nullWriter());
			return true;
		}
		catch (IndexOutOfBoundsException ex) {
			return false;
		}
	}

	/**
	 * Collects the pieces of a text.
	 */
	private static final class TextPieces extends Writer {

		private final List<String> pieces = new ArrayList<>();

		@Override
		public void write(char[] characters, int offset, int length) {
			this.pieces.add(new String(characters, offset, length));
		}

		private String take() {
			String text = (this.pieces.size() == 1) ? this.pieces.get(0) : String.join("", this.pieces);
			this.pieces.clear();
			return text;
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	}

}
