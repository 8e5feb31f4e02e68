package io.github.mcpclient.tool;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.connection.CallCheck;
import io.github.mcpclient.connection.ToolCall;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The way of a call from a tool to its connection and back.
 */
final class ToolCaller {

	private static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {
	};

	private final McpJsonMapper mapper;

	ToolCaller(McpJsonMapper mapper) {
		this.mapper = mapper;
	}

	McpToolResult call(ToolEntry entry, McpToolRequest request, CallCheck check) {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("call of MCP tool '" + entry.name() + "' would block thread '"
					+ Thread.currentThread().getName() + "', which must not block: use callAsync there");
		}
		McpToolResult result = callAsync(entry, request, check).block();
		if (result == null) {
			throw new IllegalStateException("MCP tool '" + entry.name() + "' gave no result");
		}
		return result;
	}

	Mono<McpToolResult> callAsync(ToolEntry entry, McpToolRequest request, CallCheck check) {
		CallToolRequest call = new CallToolRequest(entry.tool().name(), request.arguments(),
				request.meta().isEmpty() ? null : request.meta());
		return entry.connection()
			.callTool(new ToolCall(call, request.timeout(), request.maxTimeout(), request.progress(),
					entry.repeatable(), check))
			.map((result) -> convert(entry.name(), result));
	}

	McpToolRequest parse(String toolName, String arguments) {
		if (arguments.isBlank()) {
			return McpToolRequest.of(Map.of());
		}
		try {
			return McpToolRequest.of(this.mapper.readValue(arguments, OBJECT));
		}
		catch (IOException | RuntimeException ex) {
			// without the cause, whose message quotes the arguments
			throw new IllegalArgumentException(
					"The arguments of MCP tool '" + toolName + "' must be one JSON object, and are not");
		}
	}

	private static McpToolResult convert(String toolName, CallToolResult result) {
		return new McpToolResult(toolName, (result.content() != null) ? result.content() : List.of(),
				result.structuredContent(), Boolean.TRUE.equals(result.isError()),
				(result.meta() != null) ? result.meta() : Map.of());
	}

}
