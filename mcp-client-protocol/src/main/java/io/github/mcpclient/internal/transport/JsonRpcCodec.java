package io.github.mcpclient.internal.transport;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.MessageReader.Reading;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * JSON-RPC messages from and to bytes. A message is parsed once: {@code params},
 * {@code result} and the {@code data} of an error stay {@link JsonNode trees} until
 * {@link #unmarshal} binds them to a type. The mapper's constraints limit the depth of
 * nesting and the length of numbers and names; this class limits the number of values and
 * the length of IDs and methods. Safe for use by many threads.
 *
 * <p>
 * IDs are a {@link String}, an {@link Integer} if that is large enough, or a
 * {@link Long}, just as the SDK reads them.
 */
public final class JsonRpcCodec {

	private static final Logger logger = LoggerFactory.getLogger(JsonRpcCodec.class);

	/**
	 * The size in bytes from which on a message is counted. A smaller one has fewer
	 * values than any bound.
	 */
	static final int LARGE = 16 * 1024;

	// how many names, values and brackets the parameters of a notification or a request
	// may have, and an error
	private static final int MAX_UNASKED_TOKENS = 100_000;

	private static final int MAX_NAME = 1024;

	private static final JsonMapper LENIENT = new JsonMapper(JsonFactory.builder()
		.enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS, JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS,
				JsonReadFeature.ALLOW_TRAILING_COMMA)
		.build());

	private final JsonMapper mapper;

	private final ObjectReader reader;

	private final ObjectWriter writer;

	private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

	/**
	 * Create a codec on a mapper.
	 */
	public JsonRpcCodec(JsonMapper mapper) {
		this.mapper = mapper;
		this.reader = mapper.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
		this.writer = mapper.writer().without(SerializationFeature.INDENT_OUTPUT);
	}

	/**
	 * Read a message, or a batch of messages as protocol version 2025-03-26 has it.
	 * @param json holds the JSON text in UTF-8, with or without a byte order mark
	 * @param only the ID of the only request that a response without an ID can belong to,
	 * or {@code null} if there is no such request
	 * @return the messages; malformed messages of a batch are excluded
	 * @throws MalformedMessageException if no message can be understood
	 * @throws UnreadMessageException if the message exceeds a limit
	 */
	List<JSONRPCMessage> decode(byte[] json, int offset, int length, @Nullable Object only, Reading reading) {
		boolean large = length > LARGE;
		if (large && !reading.lease().take(length)) {
			throw UnreadMessageException.memory();
		}
		try (JsonParser small = this.mapper.tokenStreamFactory()
			.createParser(ObjectReadContext.empty(), json, offset, length);
				JsonParser parser = large ? new CountingParser(small, reading.lease()) : small) {
			if (parser.nextToken() == null) {
				throw new MalformedMessageException("it is empty");
			}
			return decode(parser, only, reading);
		}
		catch (JacksonException ex) {
			throw failure(ex);
		}
	}

	/**
	 * Read text that is not JSON because of raw control characters in strings, NaN or
	 * infinite numbers, which are read as {@code null}, or an additional comma.
	 */
	List<JSONRPCMessage> decodeLeniently(String text, @Nullable Object only, Reading reading) {
		try (JsonParser finite = new FiniteParser(
				LENIENT.tokenStreamFactory().createParser(ObjectReadContext.empty(), text));
				JsonParser parser = new CountingParser(finite, reading.lease())) {
			parser.nextToken();
			return decode(parser, only, reading);
		}
		catch (JacksonException ex) {
			throw failure(ex);
		}
	}

	/**
	 * Read small JSON with which a server refuses a request, in any encoding.
	 * @throws JacksonException if it is not JSON
	 */
	public static JsonNode refusal(byte[] json) {
		try {
			return LENIENT.readTree(json);
		}
		catch (JacksonException ex) {
			return LENIENT.readTree(new String(json, StandardCharsets.UTF_8));
		}
	}

	private static TransportException failure(JacksonException failure) {
		if (failure instanceof StreamConstraintsException) {
			return UnreadMessageException.json("nesting that is too deep, or a name or a number that is too long");
		}
		// the parser's own message quotes the text
		return new MalformedMessageException(
				(failure instanceof UnexpectedEndOfInputException) ? "it ends too early" : "it is not JSON",
				failure.getLocation());
	}

	private List<JSONRPCMessage> decode(JsonParser parser, @Nullable Object only, Reading reading) {
		List<JSONRPCMessage> messages = (parser.currentToken() == JsonToken.START_ARRAY)
				? decodeBatch(parser, only, reading)
				: List.of(decode(members(parser, reading), only, reading.alone(), reading));
		if (parser.nextToken() != null) {
			throw new MalformedMessageException("it is not JSON", parser.currentTokenLocation());
		}
		return messages;
	}

	private List<JSONRPCMessage> decodeBatch(JsonParser parser, @Nullable Object only, Reading reading) {
		List<JSONRPCMessage> messages = new ArrayList<>();
		MalformedMessageException malformed = null;
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			Members members = members(parser, reading);
			try {
				messages.add(decode(members, only, false, reading));
			}
			catch (MalformedMessageException ex) {
				logger.debug("Skipping an element of a batch", ex);
				malformed = ex;
			}
		}
		if (messages.isEmpty()) {
			throw (malformed != null) ? malformed : new MalformedMessageException("it is an empty batch");
		}
		return messages;
	}

	// reads the members of a message; null if it is not an object
	private @Nullable Members members(JsonParser parser, Reading reading) {
		if (parser.currentToken() != JsonToken.START_OBJECT) {
			parser.skipChildren();
			return null;
		}
		Members members = new Members();
		for (String name = parser.nextName(); name != null; name = parser.nextName()) {
			JsonToken value = parser.nextToken();
			// like an absent member
			if (value != JsonToken.VALUE_NULL) {
				read(parser, name, value, members, reading);
			}
		}
		return members;
	}

	private void read(JsonParser parser, String name, JsonToken value, Members members, Reading reading) {
		switch (name) {
			case "jsonrpc" -> {
				members.version = scalar(parser, name, value);
			}
			case "method" -> {
				members.method = scalar(parser, name, value);
			}
			case "id" -> {
				members.id = scalar(parser, name, value);
			}
			case "params" -> {
				if (isSkipped(members, reading.wanted())) {
					parser.skipChildren();
				}
				else {
					members.params = tree(parser, MAX_UNASKED_TOKENS, reading);
				}
			}
			case "result" -> {
				members.result = tree(parser, CountingParser.MAX_TOKENS, reading);
			}
			case "error" -> {
				members.error = tree(parser, MAX_UNASKED_TOKENS, reading);
			}
			default -> parser.skipChildren();
		}
	}

	private static boolean isSkipped(Members members, Predicate<String> wanted) {
		String method = (members.method != null) ? members.method.asString("") : "";
		return method.startsWith("notifications/") && members.id == null && !wanted.test(method);
	}

	private JsonNode scalar(JsonParser parser, String name, JsonToken value) {
		if (value == JsonToken.VALUE_STRING && parser.getStringLength() > MAX_NAME) {
			throw UnreadMessageException.json("a " + name + " of more than " + MAX_NAME + " characters");
		}
		if (value.isStructStart()) {
			parser.skipChildren();
			// which is malformed there
			return this.mapper.createObjectNode();
		}
		// without the context that the mapper creates for each tree
		return switch (value) {
			case VALUE_STRING -> StringNode.valueOf(parser.getString());
			case VALUE_NUMBER_INT -> (parser.getNumberType() == NumberType.INT) ? IntNode.valueOf(parser.getIntValue())
					: this.reader.readTree(parser);
			default -> this.reader.readTree(parser);
		};
	}

	private JsonNode tree(JsonParser parser, int tokens, Reading reading) {
		if (parser instanceof CountingParser counting) {
			counting.limit(tokens);
		}
		JsonNode tree = this.reader.readTree(parser);
		return reading.credentials().isEmpty() ? tree : mask(tree, reading.credentials());
	}

	/**
	 * Mask secrets in all texts of a tree, in place.
	 */
	public static JsonNode mask(JsonNode tree, Secrets secrets) {
		if (tree instanceof ObjectNode object) {
			for (String name : List.copyOf(object.propertyNames())) {
				JsonNode value = mask(object.get(name), secrets);
				String masked = secrets.mask(name);
				if (!masked.equals(name)) {
					object.remove(name);
				}
				object.set(masked, value);
			}
		}
		else if (tree instanceof ArrayNode array) {
			for (int i = 0; i < array.size(); i++) {
				array.set(i, mask(array.get(i), secrets));
			}
		}
		else if (tree.isString()) {
			String masked = secrets.mask(tree.asString());
			return masked.equals(tree.asString()) ? tree : StringNode.valueOf(masked);
		}
		return tree;
	}

	// a response that has an ID but is malformed otherwise becomes an error response, so
	// that
	// it fails only its request; in a batch, a result without an ID may belong to another
	// client
	private JSONRPCMessage decode(@Nullable Members members, @Nullable Object only, boolean alone, Reading reading) {
		if (members == null) {
			throw new MalformedMessageException("it is not a JSON object");
		}
		JsonNode method = members.method;
		Object id = id(members.id);
		if (method != null) {
			return decodeCall(members, method, id);
		}
		boolean error = members.error != null && members.error.isObject();
		boolean anonymous = members.id == null && (error || (alone && members.result != null)) && isVersion2(members);
		Object answered = anonymous ? only : id;
		if (answered == null) {
			throw new MalformedMessageException("it has neither a method nor a request ID");
		}
		if (anonymous && !error) {
			reading.deviations().accept(Kind.RESPONSE_ID, "a result without an ID");
		}
		return decodeResponse(members, answered);
	}

	private JSONRPCMessage decodeCall(Members members, JsonNode method, @Nullable Object id) {
		// a program may log JSON with a "method": GET, for example
		if (!isVersion2(members)) {
			throw new MalformedMessageException("it does not have \"jsonrpc\": \"2.0\"");
		}
		if (!method.isString()) {
			throw new MalformedMessageException("its method is not a string");
		}
		if (id != null) {
			return new JSONRPCRequest(McpSchema.JSONRPC_VERSION, method.asString(), id, members.params);
		}
		if (members.id != null) {
			throw new MalformedMessageException("its ID is neither a string nor an integer");
		}
		return new JSONRPCNotification(McpSchema.JSONRPC_VERSION, method.asString(), members.params);
	}

	private JSONRPCMessage decodeResponse(Members members, Object id) {
		JsonNode result = members.result;
		JsonNode error = members.error;
		if (result == null && (error == null || !error.isObject()) && !isVersion2(members)) {
			throw new MalformedMessageException("it has neither a method, nor a result, nor an error");
		}
		if (error != null) {
			return JSONRPCResponse.error(id, error(error));
		}
		if (result != null) {
			return JSONRPCResponse.result(id, result);
		}
		return JSONRPCResponse.error(id, new JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR,
				"The server's response has neither a result nor an error"));
	}

	private static JSONRPCError error(JsonNode error) {
		JsonNode code = error.get("code");
		JsonNode message = error.isString() ? error : error.get("message");
		JsonNode data = error.get("data");
		return new JSONRPCError(
				(code != null && code.isIntegralNumber() && code.canConvertToInt()) ? code.intValue()
						: McpSchema.ErrorCodes.INTERNAL_ERROR,
				(message != null && message.isString()) ? message.asString() : "The server's error has no message",
				(data != null && !data.isNull()) ? data : null);
	}

	/**
	 * Read an ID; {@code null} if the value is not an ID.
	 */
	public static @Nullable Object id(@Nullable JsonNode id) {
		if (id == null) {
			return null;
		}
		if (id.isString()) {
			return id.asString();
		}
		if (id.isNumber() && id.canConvertToExactIntegral() && id.canConvertToLong()) {
			long value = id.longValue();
			return (value == (int) value) ? (Object) (int) value : (Object) value;
		}
		return null;
	}

	private static boolean isVersion2(Members members) {
		JsonNode version = members.version;
		return version != null && version.isString() && McpSchema.JSONRPC_VERSION.equals(version.asString());
	}

	/**
	 * Return a message as JSON text in UTF-8.
	 */
	public byte[] encode(JSONRPCMessage message) {
		return this.writer.writeValueAsBytes(message);
	}

	/**
	 * Bind {@code params}, a {@code result} or the {@code data} of an error to a type.
	 */
	@SuppressWarnings("NullAway") // the SDK's interface is not annotated
	public <T> T unmarshal(@Nullable Object data, TypeRef<T> type) {
		if (data instanceof JsonNode tree) {
			return reader(type.getType()).readValue(tree);
		}
		return this.mapper.convertValue(data, this.mapper.constructType(type.getType()));
	}

	private ObjectReader reader(Type type) {
		// the types are named in code, so there are few
		ObjectReader reader = this.readers.get(type);
		if (reader == null) {
			reader = this.mapper.readerFor(this.mapper.constructType(type));
			this.readers.put(type, reader);
		}
		return reader;
	}

	/**
	 * The members of a message, before its kind is known.
	 */
	private static final class Members {

		private @Nullable JsonNode version;

		private @Nullable JsonNode method;

		private @Nullable JsonNode id;

		private @Nullable JsonNode params;

		private @Nullable JsonNode result;

		private @Nullable JsonNode error;

	}

}
