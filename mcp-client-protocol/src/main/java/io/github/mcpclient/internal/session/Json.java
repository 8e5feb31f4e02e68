package io.github.mcpclient.internal.session;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Binds JSON that may be malformed, as maps, lists and simple values. Used only where
 * binding as a whole failed, or where speed does not matter.
 */
final class Json {

	// a dedicated mapper: the application's mapper would apply its conventions
	private static final JsonMapper mapper = JsonMapper.builder().build();

	private static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {
	};

	private static final int EXCERPT = 200;

	private Json() {
	}

	/**
	 * Read the result of a request.
	 * @throws SessionProtocolException if it is not an object, or the reader fails
	 */
	static <T> T answer(McpTransport transport, Object result, String method, Function<Map<String, Object>, T> reader) {
		String what = "The server's response to " + method;
		Map<String, Object> answer = object(transport, result, what);
		try {
			return reader.apply(answer);
		}
		catch (SessionProtocolException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw unreadable(result, what, ex);
		}
	}

	/**
	 * Read an object that came over a transport.
	 * @throws SessionProtocolException if it is something else
	 */
	static Map<String, Object> object(McpTransport transport, Object value, String what) {
		RuntimeException reason = null;
		try {
			Map<String, Object> object = transport.unmarshalFrom(value, OBJECT);
			if (object != null) {
				return object;
			}
		}
		catch (RuntimeException ex) {
			reason = ex;
		}
		throw unreadable(value, what, reason);
	}

	private static SessionProtocolException unreadable(Object value, String what, @Nullable RuntimeException reason) {
		return new SessionProtocolException(
				what + " cannot be understood: " + Printable.line(String.valueOf(value), EXCERPT), null, reason);
	}

	static Map<String, Object> object(Map<?, ?> map) {
		Map<String, Object> object = new LinkedHashMap<>();
		map.forEach((name, value) -> object.put(String.valueOf(name), value));
		return object;
	}

	static @Nullable Map<String, Object> objectOrNull(@Nullable Object value) {
		return (value instanceof Map<?, ?> map) ? object(map) : null;
	}

	/**
	 * Return the value at a path within an object that came over a transport, or
	 * {@code null}.
	 */
	static @Nullable Object at(@Nullable Object object, String... path) {
		Object value = object;
		for (String name : path) {
			value = (value instanceof JsonNode tree) ? tree.get(name)
					: (value instanceof Map<?, ?> map) ? map.get(name) : null;
		}
		return value;
	}

	/**
	 * Return a text within an object that came over a transport, or an empty one.
	 */
	static String textAt(@Nullable Object object, String... path) {
		Object value = at(object, path);
		return (value instanceof JsonNode node) ? node.asString("") : (value instanceof String text) ? text : "";
	}

	/**
	 * Convert an object without its malformed optional members. Each optional member is
	 * tried separately, since others may be present, or nested in it.
	 * @throws RuntimeException if another member is malformed
	 */
	static <T> T convert(Map<String, Object> value, Class<T> type, Collection<String> optional) {
		try {
			return convert(value, type);
		}
		catch (RuntimeException ex) {
			Map<String, Object> tried = new LinkedHashMap<>(value);
			optional.forEach(tried::remove);
			convert(tried, type);
			Map<String, Object> good = new LinkedHashMap<>(tried);
			for (Map.Entry<String, Object> member : members(value, optional).entrySet()) {
				tried.put(member.getKey(), member.getValue());
				try {
					convert(tried, type);
					good.put(member.getKey(), member.getValue());
				}
				catch (RuntimeException malformed) {
					// the others may do
				}
				tried.remove(member.getKey());
			}
			return convert(good, type);
		}
	}

	/**
	 * Return the members of an object that have one of these names.
	 */
	static Map<String, Object> members(Map<?, ?> value, Collection<String> names) {
		Map<String, Object> members = new LinkedHashMap<>();
		for (String name : names) {
			if (value.containsKey(name)) {
				members.put(name, value.get(name));
			}
		}
		return members;
	}

	static <T> T convert(@Nullable Object value, Class<T> type) {
		return mapper.convertValue(MissingMembers.fillIn(value, type), type);
	}

	/**
	 * Return an object of JSON's own types as compact JSON.
	 */
	static String encode(Map<String, Object> object) {
		return mapper.writeValueAsString(object);
	}

	/**
	 * Return a string unchanged, and any other value as compact JSON.
	 */
	static String text(@Nullable Object value) {
		if (value instanceof String text) {
			return text;
		}
		try {
			return mapper.writeValueAsString(value);
		}
		catch (RuntimeException ex) {
			return String.valueOf(value);
		}
	}

}
