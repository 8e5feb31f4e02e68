package io.github.mcpclient.internal.support;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Roughly how many bytes the JSON that a server sent takes in memory.
 */
public final class JsonSize {

	// of a value or a name: an empty map, for example, in a list
	private static final int OVERHEAD = 64;

	private static final char LATIN = 0xFF;

	private JsonSize() {
	}

	/**
	 * Returns the size of a tree, or of maps, lists and simple values.
	 */
	public static long of(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return of(map.keySet()) + of(map.values());
		}
		if (value instanceof JsonNode tree && tree.isContainer()) {
			return of(tree.propertyNames()) + of(tree.values());
		}
		if (value instanceof Collection<?> items) {
			return OVERHEAD + items.stream().mapToLong(JsonSize::of).sum();
		}
		if (value instanceof JsonNode node) {
			return OVERHEAD + bytes(node.asString(""));
		}
		boolean isLong = value instanceof String || value instanceof BigInteger || value instanceof BigDecimal;
		return OVERHEAD + (isLong ? bytes(String.valueOf(value)) : 0);
	}

	// two for each character, unless all are Latin
	private static long bytes(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) > LATIN) {
				return 2L * text.length();
			}
		}
		return text.length();
	}

}
