package io.github.mcpclient.config.mcpjson;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a server in a file, of which what was used is taken away.
 */
final class ServerEntry {

	private final JsonValue value;

	private final Map<String, JsonValue> rest;

	ServerEntry(JsonValue value) {
		this.value = value;
		this.rest = new LinkedHashMap<>(value.members());
		JsonValue transport = value.get("transport", Kind.OBJECT);
		if (transport != null) {
			this.rest.remove("transport");
			transport.members().forEach(this.rest::putIfAbsent);
		}
		this.rest.values().removeIf((member) -> member.is(Kind.NULL));
	}

	JsonValue value() {
		return this.value;
	}

	/**
	 * Take what is under one of several names.
	 * @param names the names, that which counts most first
	 * @return the value, or {@code null} if there is none
	 */
	@Nullable JsonValue take(String... names) {
		JsonValue taken = null;
		for (String name : names) {
			JsonValue member = this.rest.remove(name);
			taken = (taken != null) ? taken : member;
		}
		return taken;
	}

	@Nullable JsonValue take(String name, Kind kind) {
		JsonValue member = this.rest.get(name);
		return (member != null && member.is(kind)) ? this.rest.remove(name) : null;
	}

	Set<String> rest() {
		return this.rest.keySet();
	}

}
