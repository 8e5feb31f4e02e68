package io.github.mcpclient.internal.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult.UnknownContent;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult.CompleteCompletion;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the results of calls. A well-formed result of a tool is bound in one step. In any
 * other result, malformed items become {@link UnknownContent}. A response that is not a
 * result at all becomes an error result that quotes its beginning. A prompt, resource or
 * completion that is malformed beyond its content is a failure, since a part of it would
 * be misleading.
 */
final class ResultReader {

	private static final Logger logger = LoggerFactory.getLogger(ResultReader.class);

	private static final TypeRef<CallToolResult> RESULT = new TypeRef<>() {
	};

	private static final TypeRef<Object> VALUE = new TypeRef<>() {
	};

	private static final int EXCERPT = 500;

	private static final List<String> OPTIONAL = List.of("annotations", "_meta");

	private static final List<String> OF_RESOURCE = List.of("_meta", "annotations", "mimeType");

	private static final String UNKNOWN = "unknown";

	private ResultReader() {
	}

	/**
	 * Refuse a response that is not a result, and would be read as an empty one.
	 */
	private static void requireResult(Object result, String method) {
		String instead = type(result).equals("input_required") ? "a request for more input (resultType input_required)"
				: isTask(result) ? "a task" : null;
		if (instead != null) {
			throw new SessionProtocolException(
					"The server responded to " + method + " with " + instead
							+ ", which was not requested, instead of a result",
					"Update the server, or configure it to return results: the protocol version allows nothing else.",
					null);
		}
	}

	/**
	 * Return whether the server runs the call as a task, and has no result yet. A result
	 * may carry an unrelated task.
	 */
	static boolean isTask(Object result) {
		String type = type(result);
		return type.isEmpty() ? !Json.textAt(result, "task", "taskId").isEmpty() && Json.at(result, "content") == null
				&& Json.at(result, "structuredContent") == null : type.equals("task");
	}

	/**
	 * Return the type that a result declares, or an empty text.
	 */
	static String type(Object result) {
		return Json.textAt(result, "resultType");
	}

	static CallToolResult readTool(McpTransport transport, Object result) {
		requireResult(result, McpSchema.METHOD_TOOLS_CALL);
		try {
			CallToolResult read = readPlainly(transport, result);
			if (read == null && !lacksSomething(result)) {
				read = transport.unmarshalFrom(result, RESULT);
			}
			if (read != null && !read.content().contains(null)) {
				return read;
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The result of a tool call is not well-formed", ex);
		}
		return readLeniently(transport, result);
	}

	/**
	 * Return a result that has nothing but texts and structured content, as most have, or
	 * {@code null}. The mapper takes several times as long: it calls the factory methods
	 * of the SDK's types with {@code MethodHandle.invokeWithArguments}.
	 */
	private static @Nullable CallToolResult readPlainly(McpTransport transport, Object result) {
		if (!(result instanceof ObjectNode tree) || !(tree.get("content") instanceof ArrayNode items)) {
			return null;
		}
		List<Content> content = texts(items);
		JsonNode isError = tree.get("isError");
		JsonNode structured = tree.get("structuredContent");
		int others = tree.size() - 1 - (tree.has("resultType") ? 1 : 0) - ((isError != null) ? 1 : 0)
				- ((structured != null) ? 1 : 0);
		if (content == null || others != 0 || (isError != null && !isError.isBoolean())) {
			return null;
		}
		return new CallToolResult(content, (isError != null) ? (Boolean) isError.booleanValue() : null,
				(structured != null) ? transport.unmarshalFrom(structured, VALUE) : null, null);
	}

	private static @Nullable List<Content> texts(ArrayNode items) {
		List<Content> texts = new ArrayList<>(items.size());
		for (JsonNode item : items) {
			JsonNode text = item.get("text");
			if (item.size() != 2 || text == null || !text.isString() || !Json.textAt(item, "type").equals("text")) {
				return null;
			}
			texts.add(TextContent.builder(text.stringValue()).build());
		}
		return texts;
	}

	private static CallToolResult readLeniently(McpTransport transport, Object result) {
		Map<String, Object> map;
		try {
			map = Json.object(transport, result, "The result");
		}
		catch (SessionProtocolException ex) {
			return malformed("it is not an object", result);
		}
		Object content = map.get("content");
		if (content != null && !(content instanceof List)) {
			return malformed("its content is not a list", result);
		}
		Boolean isError = isError(map.get("isError"));
		if (isError == null) {
			return malformed("its isError is neither true nor false", result);
		}
		return new CallToolResult(
				(content instanceof List<?> items) ? items.stream().map(ResultReader::item).toList() : List.of(),
				isError, map.get("structuredContent"), Json.objectOrNull(map.get("_meta")));
	}

	private static CallToolResult malformed(String reason, Object result) {
		String text = "The MCP server returned a malformed tool result: " + reason + ". It begins with: "
				+ Printable.line(Json.text(result), EXCERPT);
		return new CallToolResult(List.of(TextContent.builder(text).build()), true, null, null);
	}

	static GetPromptResult readPrompt(McpTransport transport, Object result) {
		requireResult(result, McpSchema.METHOD_PROMPT_GET);
		return Json.answer(transport, result, McpSchema.METHOD_PROMPT_GET, (answer) -> {
			List<PromptMessage> messages = list(answer, "messages").stream()
				.map((message) -> new PromptMessage(Json.convert(message.get("role"), Role.class),
						item(message.get("content"))))
				.toList();
			String description = (answer.get("description") instanceof String text) ? text : null;
			return new GetPromptResult(description, messages, Json.objectOrNull(answer.get("_meta")));
		});
	}

	static ReadResourceResult readResource(McpTransport transport, Object result) {
		requireResult(result, McpSchema.METHOD_RESOURCES_READ);
		return Json.answer(transport, result, McpSchema.METHOD_RESOURCES_READ, (answer) -> {
			List<ResourceContents> contents = list(answer, "contents").stream()
				.map((item) -> Json.convert(Json.object(item), ResourceContents.class, OF_RESOURCE))
				.toList();
			return new ReadResourceResult(contents, Json.objectOrNull(answer.get("_meta")));
		});
	}

	static CompleteResult readCompletion(McpTransport transport, Object result) {
		requireResult(result, McpSchema.METHOD_COMPLETION_COMPLETE);
		return Json.answer(transport, result, McpSchema.METHOD_COMPLETION_COMPLETE, (answer) -> {
			if (!(answer.get("completion") instanceof Map<?, ?> completion)) {
				throw new IllegalArgumentException("The response has no completion");
			}
			return new CompleteResult(
					Json.convert(Json.object(completion), CompleteCompletion.class, List.of("total", "hasMore")),
					Json.objectOrNull(answer.get("_meta")));
		});
	}

	private static List<Map<?, ?>> list(Map<String, Object> answer, String member) {
		Object items = answer.get(member);
		return ((items != null) ? (List<?>) items : List.of()).stream()
			.<Map<?, ?>>map((item) -> (Map<?, ?>) item)
			.toList();
	}

	static Content item(@Nullable Object item) {
		if (!(item instanceof Map<?, ?> map)) {
			return new UnknownContent(UNKNOWN, Collections.singletonMap("value", item));
		}
		Map<String, Object> value = Json.object(map);
		try {
			return Json.convert(value, Content.class, OPTIONAL);
		}
		catch (RuntimeException ex) {
			return new UnknownContent((value.get("type") instanceof String type) ? type : UNKNOWN, value);
		}
	}

	private static @Nullable Boolean isError(@Nullable Object isError) {
		try {
			return (isError != null) ? Json.convert(isError, Boolean.class) : Boolean.FALSE;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	// returns whether the SDK would log a warning, as for a structured result alone
	private static boolean lacksSomething(Object result) {
		if (!(result instanceof JsonNode tree)) {
			return true;
		}
		JsonNode content = tree.get("content");
		if (content == null || content.isNull()) {
			return true;
		}
		for (JsonNode item : content) {
			if (MissingMembers.mayBeIn(item)) {
				return true;
			}
		}
		return false;
	}

}
