package io.github.mcpclient.session;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult.UnknownContent;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult.CompleteCompletion;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpTransport;

/**
 * Reads a prompt, resource or completion. Content of an unknown type becomes
 * {@link UnknownContent}; any other malformed answer is a failure, since a part of it
 * would be misleading.
 */
final class AnswerReader {

	private static final List<String> OPTIONAL = List.of("_meta", "annotations", "mimeType");

	private AnswerReader() {
	}

	static GetPromptResult readPrompt(McpTransport transport, Object result) {
		return Json.answer(transport, result, McpSchema.METHOD_PROMPT_GET, (answer) -> {
			List<PromptMessage> messages = list(answer, "messages").stream()
				.map((message) -> new PromptMessage(Json.convert(message.get("role"), Role.class),
						ToolResultReader.item(message.get("content"))))
				.toList();
			String description = (answer.get("description") instanceof String text) ? text : null;
			return new GetPromptResult(description, messages, Json.objectOrNull(answer.get("_meta")));
		});
	}

	static ReadResourceResult readResource(McpTransport transport, Object result) {
		return Json.answer(transport, result, McpSchema.METHOD_RESOURCES_READ, (answer) -> {
			List<ResourceContents> contents = list(answer, "contents").stream()
				.map((item) -> Json.convert(Json.object(item), ResourceContents.class, OPTIONAL))
				.toList();
			return new ReadResourceResult(contents, Json.objectOrNull(answer.get("_meta")));
		});
	}

	static CompleteResult readCompletion(McpTransport transport, Object result) {
		return Json.answer(transport, result, McpSchema.METHOD_COMPLETION_COMPLETE, (answer) -> {
			if (!(answer.get("completion") instanceof Map<?, ?> completion)) {
				throw new IllegalArgumentException("There is no completion");
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

}
