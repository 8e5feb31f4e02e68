package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpInterruptedException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.schema.CheckThreads;
import io.github.mcpclient.schema.SchemaCheck;
import io.github.mcpclient.session.Call;
import io.github.mcpclient.session.CallOptions;
import io.github.mcpclient.support.Deadline;
import io.github.mcpclient.support.PropertyNames;
import io.github.mcpclient.support.Times;
import io.github.mcpclient.tool.RuleStep.RuledCall;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Makes the calls of tools: checks the arguments, sends the call, and checks the result.
 */
record ToolCaller(CheckThreads checks, CallLog log) {

	// a call ends by itself when its time is over; the last resort of a caller who waits
	private static final Duration GRACE = Duration.ofSeconds(3);

	McpToolResult call(CalledTool tool, ToolEntry entry, McpToolRequest request, Duration spent) {
		Mono<McpToolResult> call = callAsync(tool, entry, request, spent);
		Duration timeout = longest(entry, request);
		try {
			return Objects.requireNonNull((request.context().isEmpty() ? call : call.contextWrite(request.context()))
				.block(timeout.plus(GRACE)));
		}
		catch (RuntimeException ex) {
			if (Exceptions.unwrap(ex) instanceof InterruptedException interruption) {
				throw new McpInterruptedException(entry.serverName(), "tools/call " + entry.tool().name(),
						interruption);
			}
			if (ex.getCause() instanceof TimeoutException && ex instanceof IllegalStateException) {
				throw new McpRequestTimeoutException(entry.serverName(), "tools/call " + entry.tool().name(), timeout,
						true, raise(entry, request));
			}
			throw ex;
		}
	}

	static void checkThread(String toolName) {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("Calling MCP tool '" + toolName + "' would block thread '"
					+ Thread.currentThread().getName() + "', which must not block: use callAsync there");
		}
	}

	// so much of the timeout is spent
	Mono<McpToolResult> callAsync(CalledTool tool, ToolEntry entry, McpToolRequest request, Duration spent) {
		Call.Check check = () -> tool.refusal(entry);
		RuledTool ruled = entry.ruled();
		if (ruled == null) {
			return callAsync(entry, request, check, spent);
		}
		return Mono.defer(() -> {
			RuledCall call = new RuledCall(tool, entry.connection(), () -> entry.isStill(tool.entry()),
					longest(entry, request), this.checks::nanoTime, this.checks.nanoTime() - spent.toNanos());
			return follow(ruled.steps(), 0, call, request, (last) -> callAsync(entry, last, check, call.spent()));
		});
	}

	private static Mono<McpToolResult> follow(List<RuleStep> steps, int index, RuledCall call, McpToolRequest request,
			Function<McpToolRequest, Mono<McpToolResult>> end) {
		return (index != steps.size())
				? steps.get(index).call(call, request, (next) -> follow(steps, index + 1, call, next, end))
				: end.apply(request);
	}

	private Mono<McpToolResult> callAsync(ToolEntry entry, McpToolRequest request, Call.Check check, Duration spent) {
		RecordedCall recorded = new RecordedCall(entry, check, this.checks);
		return recorded.record(begin(entry, request, recorded, spent));
	}

	private Mono<McpToolResult> begin(ToolEntry entry, McpToolRequest request, Call.Check check, Duration spent) {
		SchemaCheck argumentsCheck = entry.argumentsCheck();
		if (argumentsCheck == null) {
			return send(entry, request, check, spent);
		}
		Duration timeout = timeout(entry, request);
		return Mono.defer(() -> {
			long started = this.checks.nanoTime() - spent.toNanos();
			return checked(entry, argumentsCheck, request.arguments(), timeout.minus(spent),
					() -> timedOut(entry, request, " (it waited for the check of its arguments; nothing was sent)",
							timeout),
					"was not called: its arguments do not fit its input schema",
					Mono.defer(() -> send(entry, request, check, since(started))));
		});
	}

	private Mono<McpToolResult> send(ToolEntry entry, McpToolRequest request, Call.Check check, Duration spent) {
		CallToolRequest call = new CallToolRequest(entry.tool().name(), request.arguments(),
				request.meta().isEmpty() ? null : request.meta());
		Deadline deadline = this.checks.deadline(longest(entry, request).minus(spent));
		CallOptions options = new CallOptions(timeout(entry, request), maxTimeout(entry, request), deadline,
				raise(entry, request), request.progress(), entry.repeatable(), check);
		Mono<McpToolResult> result = entry.connection()
			.call(Call.tool(call, options))
			.map((answer) -> convert(entry, answer));
		SchemaCheck resultCheck = entry.resultCheck();
		if (resultCheck == null) {
			return result;
		}
		long started = this.checks.nanoTime() - spent.toNanos();
		return result.flatMap((answer) -> answer.isError() ? Mono.just(answer)
				: checked(entry, resultCheck, request, answer, started));
	}

	private McpToolResult convert(ToolEntry entry, CallToolResult answer) {
		McpToolResult result = McpToolResult.of(entry.name(), answer);
		if (result.isError()) {
			this.log.toolError(entry.serverName(), entry.connection().transport(), entry.name(),
					() -> entry.connection().line(result.text()));
		}
		return result;
	}

	private Mono<McpToolResult> checked(ToolEntry entry, SchemaCheck check, McpToolRequest request,
			McpToolResult result, long started) {
		if (result.structuredContent() == null) {
			check.logMissing();
			return Mono.just(result);
		}
		Duration timeout = longest(entry, request);
		return checked(entry, check, result.structuredContent(), timeout.minus(since(started)),
				() -> timedOut(entry, request, " with a result that was checked against its output schema", timeout),
				"was called, but its structured result does not fit its output schema", Mono.just(result));
	}

	// go on where a value passes the check, perhaps on another thread
	private Mono<McpToolResult> checked(ToolEntry entry, SchemaCheck check, Object value, Duration timeout,
			Supplier<McpRequestTimeoutException> timedOut, String failure, Mono<McpToolResult> next) {
		List<String> known = check.quickly(value);
		Mono<List<String>> violations = (known != null) ? Mono.just(known)
				: this.checks.check(check, value, timeout, timedOut)
					.onErrorMap(CancellationException.class,
							(ex) -> new McpServerUnavailableException(entry.connection().status()));
		Mono<McpToolResult> result = violations
			.flatMap((found) -> found.isEmpty() ? next : Mono.error(new McpSchemaViolationException(entry.serverName(),
					"MCP tool '" + entry.name() + "' " + failure, found)));
		return (known != null) ? result : result.contextWrite(entry.connection()::withThread);
	}

	// nothing was sent, or the answer has come
	static McpRequestTimeoutException timedOut(ToolEntry entry, McpToolRequest request, String detail,
			Duration timeout) {
		return new McpRequestTimeoutException(entry.serverName(), "tools/call " + entry.tool().name() + detail, timeout,
				false, raise(entry, request));
	}

	// null for the request-timeout of the server
	private static @Nullable String raise(ToolEntry entry, McpToolRequest request) {
		if (request.timeout() != null) {
			return "the timeout of the call";
		}
		String setting = entry.timeoutSetting();
		if (maxTimeout(entry, request) != null) {
			return ((setting != null) ? setting : PropertyNames.ofServer(entry.serverName(), "request-timeout"))
					+ " or " + PropertyNames.ofServer(entry.serverName(), "progress-extends-timeout-to");
		}
		return (setting != null) ? setting + ", or the timeout of the call," : null;
	}

	private Duration since(long nanoTime) {
		return Duration.ofNanos(this.checks.nanoTime() - nanoTime);
	}

	private static Duration longest(ToolEntry entry, McpToolRequest request) {
		Duration longest = maxTimeout(entry, request);
		return Times.atMostForever((longest != null) ? longest : timeout(entry, request));
	}

	// a call with a time of its own keeps it
	private static @Nullable Duration maxTimeout(ToolEntry entry, McpToolRequest request) {
		return (request.maxTimeout() != null || request.timeout() != null) ? request.maxTimeout() : entry.maxTimeout();
	}

	static Duration timeout(ToolEntry entry, McpToolRequest request) {
		return (request.timeout() != null) ? request.timeout() : entry.timeout();
	}

}
