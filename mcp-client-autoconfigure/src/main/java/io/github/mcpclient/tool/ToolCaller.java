package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.connection.CallCheck;
import io.github.mcpclient.connection.ToolCall;
import io.github.mcpclient.support.Times;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The way of a call from a tool to its connection and back.
 */
final class ToolCaller {

	/**
	 * A call ends by itself when its time is over. What is added here is the last resort
	 * of a caller who waits, where nobody is left to tell it.
	 */
	private static final Duration GRACE = Duration.ofSeconds(3);

	private final ModelText text;

	ToolCaller(McpJsonMapper mapper) {
		this.text = new ModelText(mapper);
	}

	McpToolResult call(ToolEntry entry, McpToolRequest request, CallCheck check) {
		checkThread(entry.name());
		Mono<McpToolResult> call = callAsync(entry, request, check);
		return await(entry, request, request.context().isEmpty() ? call : call.contextWrite(request.context()));
	}

	static void checkThread(String toolName) {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("call of MCP tool '" + toolName + "' would block thread '"
					+ Thread.currentThread().getName() + "', which must not block: use callAsync there");
		}
	}

	private static McpToolResult await(ToolEntry entry, McpToolRequest request, Mono<McpToolResult> call) {
		String toolName = entry.name();
		Duration timeout = timeout(entry, request);
		try {
			McpToolResult result = call.block(timeout.plus(GRACE));
			if (result == null) {
				throw new IllegalStateException("MCP tool '" + toolName + "' gave no result");
			}
			return result;
		}
		catch (RuntimeException ex) {
			if (Exceptions.unwrap(ex) instanceof InterruptedException interruption) {
				throw new IllegalStateException("The call of MCP tool '" + toolName + "' was interrupted",
						interruption);
			}
			if (ex.getCause() instanceof TimeoutException && ex instanceof IllegalStateException) {
				throw new McpRequestTimeoutException(entry.serverName(), "tools/call " + entry.tool().name(), timeout);
			}
			throw ex;
		}
	}

	private static Duration timeout(ToolEntry entry, McpToolRequest request) {
		Duration timeout = (request.maxTimeout() != null) ? request.maxTimeout() : request.timeout();
		return Times.atMostForever((timeout != null) ? timeout : entry.connection().definition().timeouts().request());
	}

	Mono<McpToolResult> callAsync(ToolEntry entry, McpToolRequest request, CallCheck check) {
		CallToolRequest call = new CallToolRequest(entry.tool().name(), request.arguments(),
				request.meta().isEmpty() ? null : request.meta());
		Mono<McpToolResult> result = entry.connection()
			.callTool(new ToolCall(call, request.timeout(), request.maxTimeout(), request.progress(),
					entry.repeatable(), check))
			.map((answer) -> convert(entry.name(), answer));
		SchemaCheck resultCheck = entry.resultCheck();
		if (resultCheck != null) {
			result = result.flatMap((answer) -> checked(entry, resultCheck, answer));
		}
		SchemaCheck argumentsCheck = entry.argumentsCheck();
		return (argumentsCheck != null) ? checked(entry, argumentsCheck, request).then(result) : result;
	}

	private static Mono<Void> checked(ToolEntry entry, SchemaCheck check, McpToolRequest request) {
		return check.violations(request.arguments())
			.flatMap((violations) -> violations.isEmpty() ? Mono.empty()
					: Mono.error(new McpSchemaViolationException(entry.serverName(),
							"MCP tool '" + entry.name() + "' was not called: its arguments do not fit its input schema",
							violations)));
	}

	private static Mono<McpToolResult> checked(ToolEntry entry, SchemaCheck check, McpToolResult result) {
		if (result.isError() || result.structuredContent() == null) {
			return Mono.just(result);
		}
		return check.violations(result.structuredContent())
			.flatMap((violations) -> violations.isEmpty() ? Mono.just(result)
					: Mono.error(new McpSchemaViolationException(entry.serverName(),
							"MCP tool '" + entry.name()
									+ "' was called, but its structured result does not fit its output schema",
							violations)));
	}

	McpToolRequest parse(String toolName, String arguments) {
		return McpToolRequest.of(this.text.arguments(toolName, arguments));
	}

	private static McpToolResult convert(String toolName, CallToolResult result) {
		return new McpToolResult(toolName, (result.content() != null) ? result.content() : List.of(),
				result.structuredContent(), Boolean.TRUE.equals(result.isError()),
				(result.meta() != null) ? result.meta() : Map.of());
	}

}
