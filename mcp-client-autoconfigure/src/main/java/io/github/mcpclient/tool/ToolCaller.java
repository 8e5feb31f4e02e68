package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
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

	private final CheckThreads checks;

	private final CallLog log;

	ToolCaller(McpJsonMapper mapper, CheckThreads checks, CallLog log) {
		this.text = new ModelText(mapper, log);
		this.checks = checks;
		this.log = log;
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
		Duration timeout = longest(entry, request);
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
				throw new McpRequestTimeoutException(entry.serverName(), request(entry), timeout);
			}
			throw ex;
		}
	}

	Mono<McpToolResult> callAsync(ToolEntry entry, McpToolRequest request, CallCheck check) {
		SchemaCheck argumentsCheck = entry.argumentsCheck();
		return (argumentsCheck != null) ? Mono.defer(() -> checked(entry, argumentsCheck, request, check))
				: send(entry, request, check, Duration.ZERO);
	}

	private Mono<McpToolResult> checked(ToolEntry entry, SchemaCheck argumentsCheck, McpToolRequest request,
			CallCheck check) {
		List<String> known = argumentsCheck.quickly(request.arguments());
		if (known != null) {
			return known.isEmpty() ? send(entry, request, check, Duration.ZERO) : unfit(entry, known);
		}
		long started = this.checks.nanoTime();
		Duration timeout = (request.timeout() != null) ? request.timeout() : longest(entry, request);
		return run(entry, argumentsCheck, request.arguments(), timeout,
				() -> new McpRequestTimeoutException(entry.serverName(),
						request(entry) + " (it waited for the check of its arguments; nothing was sent)", timeout))
			.flatMap((violations) -> violations.isEmpty() ? send(entry, request, check, since(started))
					: unfit(entry, violations));
	}

	private static Mono<McpToolResult> unfit(ToolEntry entry, List<String> violations) {
		return Mono.error(new McpSchemaViolationException(entry.serverName(),
				"MCP tool '" + entry.name() + "' was not called: its arguments do not fit its input schema",
				violations));
	}

	private Mono<McpToolResult> send(ToolEntry entry, McpToolRequest request, CallCheck check, Duration spent) {
		CallToolRequest call = new CallToolRequest(entry.tool().name(), request.arguments(),
				request.meta().isEmpty() ? null : request.meta());
		Mono<McpToolResult> result = entry.connection()
			.callTool(new ToolCall(call, request.timeout(), request.maxTimeout(), request.progress(),
					entry.repeatable(), check, spent))
			.map((answer) -> convert(entry, answer));
		SchemaCheck resultCheck = entry.resultCheck();
		if (resultCheck == null) {
			return result;
		}
		long started = this.checks.nanoTime() - spent.toNanos();
		return result.flatMap((answer) -> checked(entry, resultCheck, request, answer, started));
	}

	private Mono<McpToolResult> checked(ToolEntry entry, SchemaCheck check, McpToolRequest request,
			McpToolResult result, long started) {
		if (result.isError()) {
			return Mono.just(result);
		}
		if (result.structuredContent() == null) {
			check.logMissing();
			return Mono.just(result);
		}
		List<String> known = check.quickly(result.structuredContent());
		if (known != null) {
			return fitting(entry, result, known);
		}
		Duration timeout = longest(entry, request);
		return run(entry, check, result.structuredContent(), timeout.minus(since(started)),
				() -> new McpRequestTimeoutException(entry.serverName(),
						request(entry) + " with a result that was checked against its output schema", timeout))
			.flatMap((violations) -> fitting(entry, result, violations));
	}

	private static Mono<McpToolResult> fitting(ToolEntry entry, McpToolResult result, List<String> violations) {
		return violations.isEmpty() ? Mono.just(result)
				: Mono.error(new McpSchemaViolationException(entry.serverName(),
						"MCP tool '" + entry.name()
								+ "' was called, but its structured result does not fit its output schema",
						violations));
	}

	private Mono<List<String>> run(ToolEntry entry, SchemaCheck check, Object value, Duration timeout,
			Supplier<? extends Throwable> timedOut) {
		return this.checks.run(entry.serverName(), (budget) -> check.thoroughly(value, budget), timeout, timedOut)
			.onErrorMap(CancellationException.class,
					(ex) -> new McpServerUnavailableException(entry.connection().status()));
	}

	private Duration since(long nanoTime) {
		return Duration.ofNanos(this.checks.nanoTime() - nanoTime);
	}

	private static Duration longest(ToolEntry entry, McpToolRequest request) {
		Duration timeout = (request.maxTimeout() != null) ? request.maxTimeout() : request.timeout();
		return Times.atMostForever((timeout != null) ? timeout : entry.connection().definition().timeouts().request());
	}

	private static String request(ToolEntry entry) {
		return "tools/call " + entry.tool().name();
	}

	McpToolRequest parse(McpTool tool, String arguments) {
		return this.text.request(tool, arguments);
	}

	private McpToolResult convert(ToolEntry entry, CallToolResult answer) {
		McpToolResult result = McpToolResult.of(entry.name(), answer);
		if (result.isError()) {
			this.log.toolError(entry.serverName(), result);
		}
		return result;
	}

}
