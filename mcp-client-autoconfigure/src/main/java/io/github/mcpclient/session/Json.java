package io.github.mcpclient.session;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.mcpclient.support.Printable;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes sense of JSON that is not quite as it should be. Used only where binding as a
 * whole failed, or where speed does not matter.
 */
final class Json {

	/**
	 * A mapper of our own: the application's would bring its conventions along.
	 */
	private static final JsonMapper mapper = JsonMapper.builder().build();

	private static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {
	};

	private static final int EXCERPT = 200;

	private Json() {
	}

	/**
	 * Read what came over a transport as an object.
	 * @param transport the transport
	 * @param value what came
	 * @param what what it is, for the message of an exception
	 * @return the object, as maps, lists and simple values
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

	/**
	 * Say that something cannot be understood, and how it begins.
	 * @param value what came
	 * @param what what it is
	 * @param reason why not, or {@code null}
	 * @return the exception to throw
	 */
	static SessionProtocolException unreadable(Object value, String what, @Nullable RuntimeException reason) {
		return new SessionProtocolException(
				what + " cannot be understood: " + Printable.line(String.valueOf(value), EXCERPT), reason);
	}

	/**
	 * Make the names of a map strings, which they are: it came from JSON.
	 * @param map a map
	 * @return a copy that can be changed
	 */
	static Map<String, Object> object(Map<?, ?> map) {
		Map<String, Object> object = new LinkedHashMap<>();
		map.forEach((name, value) -> object.put(String.valueOf(name), value));
		return object;
	}

	/**
	 * Convert an object, leaving out those of its optional parts that are odd.
	 * @param <T> the type
	 * @param value the object as a map
	 * @param type the type to convert to
	 * @param optional the names of what it can do without
	 * @return the converted object
	 * @throws RuntimeException if a part that is not optional is odd
	 */
	static <T> T convert(Map<String, Object> value, Class<T> type, Collection<String> optional) {
		try {
			return convert(value, type);
		}
		catch (RuntimeException ex) {
			Map<String, Object> good = new LinkedHashMap<>(value);
			good.keySet().removeAll(optional);
			T result = convert(good, type);
			for (String name : optional) {
				if (value.containsKey(name)) {
					good.put(name, value.get(name));
					try {
						result = convert(good, type);
					}
					catch (RuntimeException odd) {
						good.remove(name);
					}
				}
			}
			return result;
		}
	}

	/**
	 * Convert a value.
	 * @param <T> the type
	 * @param value maps, lists and simple values
	 * @param type the type to convert to
	 * @return the converted value
	 * @throws RuntimeException if it does not fit
	 */
	static <T> T convert(@Nullable Object value, Class<T> type) {
		return mapper.convertValue(MissingMembers.fillIn(value, type), type);
	}

	/**
	 * Write a value as text.
	 * @param value maps, lists and simple values
	 * @return a string as it is, anything else as compact JSON
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
