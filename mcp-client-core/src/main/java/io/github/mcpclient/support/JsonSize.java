package io.github.mcpclient.support;

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
		String text = (value instanceof JsonNode node) ? node.asString("")
				: (value instanceof String string) ? string : "";
		return OVERHEAD + text.length();
	}

}
