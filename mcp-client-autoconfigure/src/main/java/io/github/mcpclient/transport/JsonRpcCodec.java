package io.github.mcpclient.transport;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON-RPC messages from and to bytes. A message is parsed once: {@code params},
 * {@code result} and the {@code data} of an error stay {@link JsonNode trees} until
 * {@link #unmarshal} binds them to a type. Depth of nesting and length of numbers and
 * names are bounded by the mapper's constraints. Safe for use by many threads.
 *
 * <p>
 * Ids are a {@link String}, an {@link Integer} where that is large enough, or a
 * {@link Long}, just as the SDK reads them.
 */
public final class JsonRpcCodec {

	private static final Logger logger = LoggerFactory.getLogger(JsonRpcCodec.class);

	private final JsonMapper mapper;

	private final ObjectWriter writer;

	private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

	/**
	 * Creates a codec on a mapper.
	 */
	public JsonRpcCodec(JsonMapper mapper) {
		this.mapper = mapper;
		this.writer = mapper.writer().without(SerializationFeature.INDENT_OUTPUT);
	}

	/**
	 * Reads a message, or a batch of them, as {@link #decode(byte[], int, int, Object)}.
	 */
	public List<JSONRPCMessage> decode(byte[] json, @Nullable Object only) {
		return decode(json, 0, json.length, only);
	}

	/**
	 * Reads a message, or a batch of them as revision 2025-03-26 has it.
	 * @param json holds the JSON text in UTF-8, with or without a byte order mark
	 * @param only the id of the only request that can be meant by an error that names
	 * none, or {@code null} where there is no such request
	 * @return the messages; those of a batch that cannot be understood are left out
	 * @throws MalformedMessageException if no message can be understood
	 */
	public List<JSONRPCMessage> decode(byte[] json, int offset, int length, @Nullable Object only) {
		JsonNode tree = parse(json, offset, length);
		return tree.isArray() ? decodeBatch(tree, only) : List.of(decode(tree, only));
	}

	private JsonNode parse(byte[] json, int offset, int length) {
		try {
			return this.mapper.readTree(json, offset, length);
		}
		catch (JacksonException ex) {
			// the parser's own message quotes the text
			throw new MalformedMessageException((length != 0) ? "it is not JSON" : "it is empty");
		}
	}

	private List<JSONRPCMessage> decodeBatch(JsonNode batch, @Nullable Object only) {
		List<JSONRPCMessage> messages = new ArrayList<>(batch.size());
		MalformedMessageException malformed = null;
		for (JsonNode element : batch) {
			try {
				messages.add(decode(element, only));
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

	// an answer that has an id but nothing that can be understood becomes an error
	// response, so that it costs only the request that it answers
	private JSONRPCMessage decode(JsonNode tree, @Nullable Object only) {
		if (!tree.isObject()) {
			throw new MalformedMessageException(tree.isMissingNode() ? "it is empty" : "it is not a JSON object");
		}
		JsonNode method = tree.get("method");
		Object id = id(tree.get("id"));
		if (isPresent(method)) {
			return decodeCall(tree, method, id);
		}
		boolean anonymous = id == null && !isPresent(tree.get("id")) && tree.path("error").isObject()
				&& isVersion2(tree);
		Object answered = anonymous ? only : id;
		if (answered == null) {
			throw new MalformedMessageException("it has no method, and no id of a request");
		}
		return decodeResponse(tree, answered);
	}

	private JSONRPCMessage decodeCall(JsonNode tree, JsonNode method, @Nullable Object id) {
		// what a program logs as JSON may well have a "method": GET, for example
		if (!isVersion2(tree)) {
			throw new MalformedMessageException("it does not say \"jsonrpc\": \"2.0\"");
		}
		if (!method.isString()) {
			throw new MalformedMessageException("its method is not a string");
		}
		JsonNode params = present(tree.get("params"));
		if (id != null) {
			return new JSONRPCRequest(McpSchema.JSONRPC_VERSION, method.asString(), id, params);
		}
		if (isPresent(tree.get("id"))) {
			throw new MalformedMessageException("its id is neither a string nor an integer");
		}
		return new JSONRPCNotification(McpSchema.JSONRPC_VERSION, method.asString(), params);
	}

	private JSONRPCMessage decodeResponse(JsonNode tree, Object id) {
		JsonNode result = present(tree.get("result"));
		JsonNode error = present(tree.get("error"));
		if (result == null && (error == null || !error.isObject()) && !isVersion2(tree)) {
			throw new MalformedMessageException("it has neither a method, nor a result, nor an error");
		}
		if (error != null) {
			return JSONRPCResponse.error(id, error(error));
		}
		if (result != null) {
			return JSONRPCResponse.result(id, result);
		}
		return JSONRPCResponse.error(id, new JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR,
				"The server's answer has neither a result nor an error"));
	}

	private static JSONRPCError error(JsonNode error) {
		JsonNode code = error.get("code");
		JsonNode message = present(error.isString() ? error : error.get("message"));
		return new JSONRPCError(
				(code != null && code.isIntegralNumber() && code.canConvertToInt()) ? code.intValue()
						: McpSchema.ErrorCodes.INTERNAL_ERROR,
				(message != null && message.isString()) ? message.asString() : "The server's error has no message",
				present(error.get("data")));
	}

	/**
	 * Reads an id; {@code null} if it is not one.
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

	private static boolean isVersion2(JsonNode tree) {
		JsonNode version = tree.get("jsonrpc");
		return version != null && version.isString() && McpSchema.JSONRPC_VERSION.equals(version.asString());
	}

	private static boolean isPresent(@Nullable JsonNode node) {
		return node != null && !node.isNull();
	}

	private static @Nullable JsonNode present(@Nullable JsonNode node) {
		return isPresent(node) ? node : null;
	}

	/**
	 * Returns a message as JSON text in UTF-8.
	 */
	public byte[] encode(JSONRPCMessage message) {
		return this.writer.writeValueAsBytes(message);
	}

	/**
	 * Binds {@code params}, a {@code result} or the {@code data} of an error to a type.
	 */
	@SuppressWarnings("NullAway") // the SDK's interface is not annotated
	public <T> T unmarshal(@Nullable Object data, TypeRef<T> type) {
		if (data instanceof JsonNode tree) {
			return reader(type.getType()).readValue(tree);
		}
		return this.mapper.convertValue(data, this.mapper.constructType(type.getType()));
	}

	private ObjectReader reader(Type type) {
		// the types are those that code names, hence few
		ObjectReader reader = this.readers.get(type);
		if (reader == null) {
			reader = this.mapper.readerFor(this.mapper.constructType(type));
			this.readers.put(type, reader);
		}
		return reader;
	}

}
