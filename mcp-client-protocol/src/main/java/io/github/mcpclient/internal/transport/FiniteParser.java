package io.github.mcpclient.internal.transport;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * Reads {@code NaN} and infinite numbers as {@code null}, as JavaScript writes them.
 */
final class FiniteParser extends JsonParserDelegate {

	FiniteParser(JsonParser parser) {
		super(parser);
	}

	@Override
	public JsonToken nextToken() {
		JsonToken token = super.nextToken();
		return (token == JsonToken.VALUE_NUMBER_FLOAT && isNaN()) ? JsonToken.VALUE_NULL : token;
	}

}
