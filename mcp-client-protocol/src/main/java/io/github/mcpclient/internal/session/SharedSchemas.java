package io.github.mcpclient.internal.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.mcpclient.internal.support.Records;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Stores the common parts of the schemas of one listing once, as a connection retains the
 * schemas for its life, and most consist of the same few parts. For one thread.
 */
final class SharedSchemas {

	// a server may list any number of parts that take long to compare
	private static final int MOST_PARTS = 64;

	private static final int LONGEST_TEXT = 64;

	private final Map<String, String> texts = new HashMap<>();

	private final Map<List<Object>, Object> parts = new HashMap<>();

	/**
	 * Return the same tool, of which nothing can be changed, with schemas that may be
	 * shared.
	 */
	Tool of(Tool tool) {
		return new Tool(tool.name(), tool.title(), tool.description(), schema(tool.inputSchema()),
				schema(tool.outputSchema()), tool.annotations(), schema(tool.meta()), Records.deepCopy(tool.icons()));
	}

	@SuppressWarnings("unchecked")
	private @Nullable Map<String, Object> schema(@Nullable Map<String, Object> schema) {
		return (Map<String, Object>) value(schema);
	}

	private @Nullable Object value(@Nullable Object value) {
		if (value instanceof String text && text.length() <= LONGEST_TEXT) {
			return this.texts.computeIfAbsent(text, (same) -> same);
		}
		List<Object> key = new ArrayList<>();
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
			copy.replaceAll((name, member) -> value(member));
			key.add(Map.class);
			copy.forEach((name, member) -> Collections.addAll(key, name, new Same(member)));
			return part(key, Collections.unmodifiableMap(copy));
		}
		if (value instanceof List<?> list) {
			List<?> copy = list.stream().map(this::value).toList();
			copy.forEach((member) -> key.add(new Same(member)));
			return part(key, copy);
		}
		return value;
	}

	private Object part(List<Object> key, Object part) {
		Object known = this.parts.get(key);
		if (known == null && this.parts.size() < MOST_PARTS) {
			this.parts.put(key, part);
		}
		return (known != null) ? known : part;
	}

	/**
	 * A member of a part, the parts within which are shared already. So comparing does
	 * not look into them.
	 */
	private record Same(@Nullable Object member) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Same same
					&& (isPart() ? same.member == this.member : Objects.equals(this.member, same.member));
		}

		@Override
		public int hashCode() {
			return isPart() ? System.identityHashCode(this.member) : Objects.hashCode(this.member);
		}

		private boolean isPart() {
			return this.member instanceof Map || this.member instanceof List;
		}

	}

}
