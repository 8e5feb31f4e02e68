package io.github.mcpclient.internal.mcpjson;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON file, with its position.
 *
 * @param text the text, or the unparsed number or boolean; empty for others
 * @param members the members of an object, in the order of the file; empty for others
 * @param items the items of a list; empty for others
 * @param line the line, from 1
 * @param column the column, from 1
 */
record JsonValue(Kind kind, String text, Map<String, JsonValue> members, List<JsonValue> items, int line, int column) {

	JsonValue withText(String text) {
		return new JsonValue(Kind.TEXT, text, Map.of(), List.of(), this.line, this.column);
	}

	JsonValue withItems(List<JsonValue> items) {
		return new JsonValue(Kind.LIST, "", Map.of(), items, this.line, this.column);
	}

	boolean is(Kind kind) {
		return this.kind == kind;
	}

	/**
	 * Return whether this is a text, number or boolean.
	 */
	boolean hasText() {
		return this.kind == Kind.TEXT || this.kind == Kind.NUMBER || this.kind == Kind.BOOLEAN;
	}

	boolean isNotBlank() {
		return this.kind == Kind.TEXT && !this.text.isBlank();
	}

	@Nullable JsonValue get(String name) {
		return this.members.get(name);
	}

	@Nullable JsonValue get(String name, Kind kind) {
		JsonValue member = this.members.get(name);
		return (member != null && member.is(kind)) ? member : null;
	}

	boolean hasAny(Collection<String> names) {
		return names.stream().anyMatch(this.members::containsKey);
	}

	enum Kind {

		OBJECT, LIST, TEXT, NUMBER, BOOLEAN, NULL

	}

}
