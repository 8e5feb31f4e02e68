package io.github.mcpclient.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult.UnknownContent;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult.CompleteCompletion;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a server answers when it is asked for a prompt, a resource or a completion.
 * Content of an unknown type becomes {@link UnknownContent}; an answer that cannot be
 * understood otherwise is a failure, since a part of it would be misleading.
 */
final class AnswerReader {

	private static final List<String> OPTIONAL = List.of("_meta", "annotations", "mimeType");

	private final McpTransport transport;

	AnswerReader(McpTransport transport) {
		this.transport = transport;
	}

	GetPromptResult readPrompt(Object result) {
		String what = "The server's answer to prompts/get";
		Map<String, Object> answer = Json.object(this.transport, result, what);
		List<PromptMessage> messages = new ArrayList<>();
		try {
			for (Object item : list(answer, "messages")) {
				Map<?, ?> message = (Map<?, ?>) item;
				messages.add(new PromptMessage(Json.convert(message.get("role"), Role.class),
						ToolResultReader.item(message.get("content"))));
			}
		}
		catch (RuntimeException ex) {
			throw Json.unreadable(result, what, ex);
		}
		String description = (answer.get("description") instanceof String text) ? text : null;
		return new GetPromptResult(description, List.copyOf(messages), meta(answer));
	}

	ReadResourceResult readResource(Object result) {
		String what = "The server's answer to resources/read";
		Map<String, Object> answer = Json.object(this.transport, result, what);
		List<ResourceContents> contents = new ArrayList<>();
		try {
			for (Object item : list(answer, "contents")) {
				contents.add(Json.convert(Json.object((Map<?, ?>) item), ResourceContents.class, OPTIONAL));
			}
		}
		catch (RuntimeException ex) {
			throw Json.unreadable(result, what, ex);
		}
		return new ReadResourceResult(List.copyOf(contents), meta(answer));
	}

	CompleteResult readCompletion(Object result) {
		String what = "The server's answer to completion/complete";
		Map<String, Object> answer = Json.object(this.transport, result, what);
		if (!(answer.get("completion") instanceof Map<?, ?> completion)) {
			throw Json.unreadable(result, what, null);
		}
		try {
			return new CompleteResult(
					Json.convert(Json.object(completion), CompleteCompletion.class, List.of("total", "hasMore")),
					meta(answer));
		}
		catch (RuntimeException ex) {
			throw Json.unreadable(result, what, ex);
		}
	}

	private static List<?> list(Map<String, Object> answer, String member) {
		Object value = answer.get(member);
		return (value != null) ? (List<?>) value : List.of();
	}

	private static @Nullable Map<String, Object> meta(Map<String, Object> answer) {
		return (answer.get("_meta") instanceof Map<?, ?> meta) ? Json.object(meta) : null;
	}

}
