package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpInterruptedException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.connection.ToolConnection.FailureLog;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.Monos;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.SendState;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.management.ManagedMcpServer.RecentCall;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

/**
 * Executes the calls of tools: calls their interceptors, if any, then validates the
 * arguments, sends the call, validates the result, and records the call among the latest
 * calls of the server. Thread-safe.
 */
final class ToolCaller {

	// a call ends by itself after its time limit; this is the last resort of a caller
	// that waits
	private static final Duration GRACE = Duration.ofSeconds(3);

	private static final int LONGEST_ERROR = 256;

	private final Supplier<List<McpToolInterceptor>> interceptors;

	private final Supplier<ServerThreads> threads;

	private final SchemaCheck.Threads checks;

	private final Scheduler scheduler;

	private final @Nullable JsonMapper mapper;

	private final FailureLog log;

	private volatile @Nullable List<McpToolInterceptor> known;

	/**
	 * Create an instance. The interceptors, in Spring's order, are not created before the
	 * first call, as they may use the tools themselves.
	 * @param threads the threads on which interceptors may block if the caller does not
	 * wait
	 * @param checks the threads on which arguments and results are validated
	 * @param scheduler provides the time
	 * @param mapper the mapper for types of the application, or {@code null} for a mapper
	 * without customizers
	 */
	ToolCaller(Supplier<List<McpToolInterceptor>> interceptors, Supplier<ServerThreads> threads,
			SchemaCheck.Threads checks, Scheduler scheduler, @Nullable JsonMapper mapper) {
		this.interceptors = interceptors;
		this.threads = threads;
		this.checks = checks;
		this.scheduler = scheduler;
		this.mapper = mapper;
		this.log = FailureLog.create(() -> scheduler.now(TimeUnit.NANOSECONDS));
	}

	FailureLog log() {
		return this.log;
	}

	@Nullable JsonMapper mapper() {
		return this.mapper;
	}

	McpToolResult readable(McpToolResult result) {
		return (this.mapper != null) ? result.withJsonMapper(this.mapper) : result;
	}

	Supplier<ServerThreads> threads() {
		return this.threads;
	}

	/**
	 * Call a tool, and wait for the result.
	 * @param entry the currently listed tool
	 */
	McpToolResult call(CalledTool tool, ToolEntry entry, McpToolRequest request) {
		List<McpToolInterceptor> interceptors = CalledTool.logged(() -> {
			checkThread(tool.name());
			return interceptors(entry);
		}, tool::failed);
		if (!interceptors.isEmpty()) {
			return ToolChain.call(this, tool, entry, interceptors, request);
		}
		return CalledTool.logged(() -> {
			SendState sent = new SendState();
			return await(entry, request, longest(entry, request), sent,
					send(tool, entry, request, deadline(entry, request, Duration.ZERO))
						.contextWrite((context) -> sent.in(context.putAll(request.context()))));
		}, tool::failed);
	}

	/**
	 * Call a tool without blocking, immediately. The result is for one subscription.
	 */
	Mono<McpToolResult> callAsync(CalledTool tool, ToolEntry entry, McpToolRequest request) {
		List<McpToolInterceptor> interceptors = interceptors(entry);
		return interceptors.isEmpty()
				? send(tool, entry, request, deadline(entry, request, Duration.ZERO)).doOnError(tool::failed)
				: ToolChain.callAsync(this, tool, entry, interceptors, request);
	}

	/**
	 * Return the interceptors of a tool by their phases: interceptors of the application,
	 * then interceptors of the listing.
	 */
	List<McpToolInterceptor> interceptors(ToolEntry entry) {
		List<McpToolInterceptor> known = this.known;
		if (known == null) {
			known = sorted(this.interceptors.get().stream());
			this.known = known;
		}
		List<McpToolInterceptor> own = entry.customized().interceptors();
		return own.isEmpty() ? known : sorted(Stream.concat(known.stream(), own.stream()));
	}

	/**
	 * Notify interceptors of a call that reaches no tool.
	 */
	void missed(String name, McpToolRequest request, Throwable failure) {
		this.interceptors.get().forEach((interceptor) -> interceptor.missed(name, request, failure));
	}

	/**
	 * Return the number of interceptors of each tool before the timeout begins. These are
	 * interceptors of the application only, since the listing of a tool may have changed.
	 */
	int ofApplication() {
		return (int) Objects.requireNonNull(this.known)
			.stream()
			.filter((one) -> one.phase() == McpToolInterceptor.Phase.APPLICATION)
			.count();
	}

	private static List<McpToolInterceptor> sorted(Stream<McpToolInterceptor> interceptors) {
		return interceptors.sorted(Comparator.comparing(McpToolInterceptor::phase)).toList();
	}

	static void checkThread(String toolName) {
		Monos.checkThread("Calling MCP tool '%s'", toolName, "callAsync");
	}

	/**
	 * Wait for the result of a call, for a limited time.
	 * @param sent records whether it was sent
	 */
	McpToolResult await(ToolEntry entry, McpToolRequest request, Duration time, SendState sent,
			Mono<McpToolResult> call) {
		return Objects.requireNonNull(Monos.await(
				call, time.plus(GRACE), (cause) -> new McpInterruptedException(entry.serverName(),
						"tools/call " + entry.tool().name(), !sent.isSent(), cause),
				() -> overdue(entry, request, sent)));
	}

	/**
	 * Fail a call that does not end by itself after its time limit.
	 */
	Mono<McpToolResult> limited(ToolEntry entry, McpToolRequest request, Deadline deadline, SendState sent,
			Mono<McpToolResult> call) {
		return call.timeout(deadline.remaining().plus(GRACE), Mono.error(() -> overdue(entry, request, sent)),
				this.scheduler);
	}

	/**
	 * Return a value if it arrives within the given time, and complete empty otherwise.
	 */
	<T> Mono<T> inTime(Duration time, Mono<T> value) {
		return value.timeout(time, Mono.empty(), this.scheduler).onErrorComplete();
	}

	private static McpRequestTimeoutException overdue(ToolEntry entry, McpToolRequest request, SendState sent) {
		return new McpRequestTimeoutException(entry.serverName(), "tools/call " + entry.tool().name(),
				longest(entry, request), sent.isSent(), !sent.isSent(), raise(entry, request));
	}

	/**
	 * Send a call after all interceptors, for one subscription.
	 */
	Mono<McpToolResult> send(CalledTool tool, ToolEntry entry, McpToolRequest request, Deadline deadline) {
		Recorded recorded = new Recorded(tool, entry);
		Call.Options options = new Call.Options(timeout(entry, request), maxTimeout(entry, request), deadline,
				raise(entry, request), request.progress(), entry.repeatable(), recorded);
		SchemaCheck argumentsCheck = entry.argumentsCheck();
		Mono<McpToolResult> result = (argumentsCheck != null) ? Mono.defer(() -> checked(entry, argumentsCheck, request,
				request.arguments(), options, false, Mono.defer(() -> send(entry, request, options))))
				: send(entry, request, options);
		return Monos.watched(result, recorded::end);
	}

	private Mono<McpToolResult> send(ToolEntry entry, McpToolRequest request, Call.Options options) {
		Function<McpToolRequest, Mono<CallToolResult>> own = entry.customized().handler();
		Mono<McpToolResult> result = ((own != null)
				? answered(entry, request, options, Mono.defer(() -> own.apply(request)))
				: entry.connection()
					.call(Call.tool(new CallToolRequest(entry.tool().name(), request.arguments(),
							request.meta().isEmpty() ? null : request.meta()), options)))
			.map((answer) -> convert(entry, answer));
		SchemaCheck resultCheck = entry.resultCheck();
		return (resultCheck != null) ? result.flatMap((answer) -> answer.isError() ? Mono.just(answer)
				: checked(entry, resultCheck, request, answer, options)) : result;
	}

	private Mono<CallToolResult> answered(ToolEntry entry, McpToolRequest request, Call.Options options,
			Mono<CallToolResult> answer) {
		return Mono.deferContextual((context) -> {
			RuntimeException refusal = options.check().beforeSend();
			return (refusal != null) ? Mono.error(refusal) : answer.doOnSubscribe((begun) -> SendState.sent(context))
				.timeout(options.remaining(), Mono.error(() -> timedOut(entry, request, "", false)), this.scheduler);
		}).contextWrite(entry.connection()::withThread);
	}

	private McpToolResult convert(ToolEntry entry, CallToolResult answer) {
		McpToolResult result = readable(McpToolResult.of(entry.name(), answer));
		if (result.isError()) {
			this.log.toolError(entry.serverName(), entry.connection().transport(), entry.name(),
					() -> entry.connection().line(result.text()));
		}
		return result;
	}

	private Mono<McpToolResult> checked(ToolEntry entry, SchemaCheck check, McpToolRequest request,
			McpToolResult result, Call.Options options) {
		if (result.structuredContent() == null) {
			check.logMissing();
			return Mono.just(result);
		}
		return checked(entry, check, request, result.structuredContent(), options, true, Mono.just(result));
	}

	// continue if arguments or a result pass the check, perhaps on another thread
	private Mono<McpToolResult> checked(ToolEntry entry, SchemaCheck check, McpToolRequest request, Object value,
			Call.Options options, boolean answered, Mono<McpToolResult> next) {
		List<String> known = check.tryCheck(value);
		String late = answered ? " with a result that was checked against its output schema"
				: " (it waited for the check of its arguments; nothing was sent)";
		String failure = answered ? "was called, but its structured result does not fit its output schema"
				: "was not called: its arguments do not fit its input schema";
		Mono<List<String>> violations = (known != null) ? Mono.just(known)
				: this.checks
					.check(check, value, answered ? options.remaining() : options.untilSent(),
							() -> timedOut(entry, request, late, !answered))
					.onErrorMap(CancellationException.class,
							(ex) -> new McpServerUnavailableException(entry.connection().status(), !answered));
		Mono<McpToolResult> result = violations
			.flatMap((found) -> found.isEmpty() ? next : Mono.error(new McpSchemaViolationException(entry.serverName(),
					"MCP tool '" + entry.name() + "' " + failure, found)));
		return (known != null) ? result : result.contextWrite(entry.connection()::withThread);
	}

	/**
	 * Return the failure of a call that was not sent in time, or whose response has
	 * arrived.
	 * @param detail the reason for the wait, or a description of the response
	 */
	static McpRequestTimeoutException timedOut(ToolEntry entry, McpToolRequest request, String detail, boolean unsent) {
		Duration timeout = unsent ? Deadline.atMostForever(timeout(entry, request)) : longest(entry, request);
		return new McpRequestTimeoutException(entry.serverName(), "tools/call " + entry.tool().name() + detail, timeout,
				false, unsent, raise(entry, request));
	}

	// null for the request-timeout of the server
	private static @Nullable String raise(ToolEntry entry, McpToolRequest request) {
		if (request.timeout() != null) {
			return "the timeout of the call";
		}
		String setting = entry.customized().timeoutSetting();
		if (maxTimeout(entry, request) != null) {
			return ((setting != null) ? setting : PropertyNames.ofServer(entry.serverName(), "request-timeout"))
					+ " or " + PropertyNames.ofServer(entry.serverName(), "progress-extends-timeout-to");
		}
		return (setting != null) ? setting + ", or the timeout of the call," : null;
	}

	/**
	 * Return when a call that begins now times out, regardless of progress.
	 * @param queued how long the call has already waited for threads
	 */
	Deadline deadline(ToolEntry entry, McpToolRequest request, Duration queued) {
		return Deadline.after(longest(entry, request).minus(queued), this.scheduler);
	}

	/**
	 * Return when a call has waited so long that it is not sent any more.
	 */
	Deadline patience(ToolEntry entry, McpToolRequest request, Duration queued) {
		return Deadline.after(timeout(entry, request).minus(queued), this.scheduler);
	}

	private static Duration longest(ToolEntry entry, McpToolRequest request) {
		Duration longest = maxTimeout(entry, request);
		return Deadline.atMostForever((longest != null) ? longest : timeout(entry, request));
	}

	// a call with its own timeout is not extended by the configuration
	private static @Nullable Duration maxTimeout(ToolEntry entry, McpToolRequest request) {
		return (request.maxTimeout() != null || request.timeout() != null) ? request.maxTimeout() : entry.maxTimeout();
	}

	private static Duration timeout(ToolEntry entry, McpToolRequest request) {
		return (request.timeout() != null) ? request.timeout() : entry.timeout();
	}

	/**
	 * A call that is added to the latest calls of its server when it has ended.
	 */
	private final class Recorded implements Call.Check {

		private final CalledTool tool;

		private final ToolEntry entry;

		private final Instant started;

		private final long startedNanos = ToolCaller.this.scheduler.now(TimeUnit.NANOSECONDS);

		private volatile int sent;

		private Recorded(CalledTool tool, ToolEntry entry) {
			this.tool = tool;
			this.entry = entry;
			this.started = entry.connection().now();
		}

		@Override
		public @Nullable RuntimeException beforeSend() {
			RuntimeException refusal = this.tool.refusal(this.entry);
			if (refusal == null) {
				// the attempts are sequential
				this.sent = this.sent + 1;
			}
			return refusal;
		}

		private void end(@Nullable McpToolResult answer, @Nullable Throwable failure) {
			if (answer != null) {
				end(answer.isError() ? "tool_error" : "success", null);
			}
			else if (failure != null) {
				Throwable cause = Exceptions.unwrap(failure);
				end(cause.getClass().getSimpleName(),
						(cause instanceof McpException) ? Printable.line(cause.getMessage(), LONGEST_ERROR) : null);
			}
			else {
				end("cancelled", null);
			}
		}

		private void end(String outcome, @Nullable String error) {
			Duration time = Duration.ofNanos(ToolCaller.this.scheduler.now(TimeUnit.NANOSECONDS) - this.startedNanos);
			this.entry.server()
				.scope()
				.calls()
				.add(new RecentCall(this.entry.name(), this.started, time, this.sent > 1, outcome, error));
		}

	}

}
