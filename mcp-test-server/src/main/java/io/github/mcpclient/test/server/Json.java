package io.github.mcpclient.test.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/**
 * JSON-RPC messages as text.
 */
final class Json {

	static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final int RAW = 0xDC00;

	private Json() {
	}

	/**
	 * Return bytes as characters of a text, which {@link #bytes} converts back. Bytes
	 * other than ASCII become lone surrogates, which do not occur in valid text.
	 */
	static String text(byte[] bytes) {
		int[] text = new String(bytes, StandardCharsets.ISO_8859_1).chars()
			.map((c) -> (c < 0x80) ? c : RAW + c)
			.toArray();
		return new String(text, 0, text.length);
	}

	/**
	 * Return a text in UTF-8; embedded bytes remain unchanged.
	 */
	static byte[] bytes(String text) {
		if (text.chars().noneMatch((c) -> c >> 8 == RAW >> 8)) {
			return text.getBytes(StandardCharsets.UTF_8);
		}
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
		text.codePoints()
			.forEach((c) -> bytes.writeBytes((c >> 8 == RAW >> 8) ? new byte[] { (byte) c }
					: Character.toString(c).getBytes(StandardCharsets.UTF_8)));
		return bytes.toByteArray();
	}

	/**
	 * Write a value as JSON; a string is used verbatim.
	 */
	static String write(Object value) {
		return (value instanceof String text) ? text : MAPPER.writeValueAsString(value);
	}

	/**
	 * Read a message; returns an empty object if the text is not a JSON object.
	 */
	static JsonNode read(String body) {
		try {
			JsonNode node = body.isEmpty() ? MAPPER.createObjectNode() : MAPPER.readTree(body);
			return node.isObject() ? node : MAPPER.createObjectNode();
		}
		catch (JacksonException ex) {
			return MAPPER.createObjectNode();
		}
	}

	static Map<String, Object> map(JsonNode node) {
		@SuppressWarnings("unchecked")
		Map<String, Object> map = node.isObject() ? MAPPER.convertValue(node, Map.class) : Map.of();
		return map;
	}

	static String response(@Nullable Object id, String key, @Nullable Object value) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("jsonrpc", "2.0");
		message.put("id", id);
		message.put(key, (value instanceof String text) ? new RawValue(text) : value);
		return MAPPER.writeValueAsString(message);
	}

	static Map<String, Object> notification(String method, Map<String, ?> params) {
		Map<String, Object> message = new LinkedHashMap<>();
		message.put("jsonrpc", "2.0");
		message.put("method", method);
		if (!params.isEmpty()) {
			message.put("params", params);
		}
		return message;
	}

}
