package io.github.mcpclient.tool;

import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Tells large values from small ones without looking at all of a large one.
 */
final class Weight {

	private static final int CHARACTERS = 16;

	private static final int MAX_DEPTH = 200;

	private Weight() {
	}

	/**
	 * Return about how many values there are in a value of JSON.
	 * @param value the value
	 * @param limit what is large
	 * @return the number, or one above the limit where the value is large, or deep
	 */
	static long of(@Nullable Object value, long limit) {
		return of(value, limit, 0);
	}

	private static long of(@Nullable Object value, long limit, int depth) {
		if (depth > MAX_DEPTH) {
			return limit + 1;
		}
		long weight = 1;
		if (value instanceof Map<?, ?> map) {
			for (Map.Entry<?, ?> entry : map.entrySet()) {
				weight += String.valueOf(entry.getKey()).length() / CHARACTERS;
				weight += of(entry.getValue(), limit - weight, depth + 1);
				if (weight > limit) {
					return limit + 1;
				}
			}
		}
		else if (value instanceof Collection<?> collection) {
			for (Object element : collection) {
				weight += of(element, limit - weight, depth + 1);
				if (weight > limit) {
					return limit + 1;
				}
			}
		}
		else if (value instanceof CharSequence text) {
			weight += text.length() / CHARACTERS;
		}
		return Math.min(weight, Math.max(limit, 0) + 1);
	}

}
