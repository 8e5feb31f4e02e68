package io.github.mcpclient.internal.transport;

import io.github.mcpclient.internal.support.MemoryBudget;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * Counts the tokens of a large message, and the memory that its objects take: JSON grows
 * by up to fifty times where it consists of little else than brackets.
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

	private final MemoryBudget.Lease lease;

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

}
