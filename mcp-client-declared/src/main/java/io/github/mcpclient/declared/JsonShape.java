package io.github.mcpclient.declared;

import java.util.Collections;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What is known for certain of the JSON that values of a type are. Immutable.
 *
 * @param types the types that JSON Schema has for it; empty if any is possible
 * @param members the members of an object, or {@code null} if they are not known
 * @param items the items of an array, or {@code null} if they are not known
 */
record JsonShape(Set<String> types, @Nullable Map<String, JsonShape> members, @Nullable JsonShape items) {

	static final String OBJECT = "object";

	static final String ARRAY = "array";

	static final String NUMBER = "number";

	static final String INTEGER = "integer";

	/**
	 * The types of JSON Schema.
	 */
	static final Set<String> TYPES = Set.of(OBJECT, ARRAY, NUMBER, INTEGER, "string", "boolean", "null");

	/**
	 * Nothing is known.
	 */
	static final JsonShape ANY = new JsonShape(Set.of(), null, null);

	static JsonShape of(String... types) {
		return new JsonShape(Set.of(types), null, null);
	}

	static JsonShape array(JsonShape items) {
		return new JsonShape(Set.of(ARRAY), null, items);
	}

	static JsonShape object(Map<String, JsonShape> members) {
		return new JsonShape(Set.of(OBJECT), Collections.unmodifiableMap(members), null);
	}

	/**
	 * Return whether a value may be of one of these types.
	 */
	boolean mayBe(Set<String> allowed) {
		return this.types.isEmpty() || this.types.stream()
			.anyMatch((type) -> allowed.contains(type) || (type.equals(INTEGER) && allowed.contains(NUMBER))
					|| (type.equals(NUMBER) && allowed.contains(INTEGER)));
	}

}
