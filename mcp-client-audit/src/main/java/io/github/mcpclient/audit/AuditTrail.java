package io.github.mcpclient.audit;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpInterruptedException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.audit.McpAuditRecord.Outcome;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.util.context.ContextView;

/**
 * Creates records of calls and administrative actions when they end, and passes them to
 * all sinks. Safe for use by multiple threads.
 */
final class AuditTrail implements AutoCloseable {

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

	private static final int LONGEST_NAME = 224;

	private static final int LONGEST_CAUSE = 480;

	private final List<SinkQueue> sinks;

	private final AuditedArguments arguments;

	private final McpCallerIdentity callers;

	private final ClientScheduler time;

	AuditTrail(List<SinkQueue> sinks, AuditedArguments arguments, McpCallerIdentity callers, ClientScheduler time) {
		this.sinks = sinks;
		this.arguments = arguments;
		this.callers = callers;
		this.time = time;
	}

	/**
	 * Begin the record of a call.
	 * @param server the name of the server, if it is known
	 * @param tool the name of the tool, which is untrusted
	 * @param caller the context that may have the user of the caller, as this thread may
	 */
	Pending call(@Nullable String server, String tool, McpToolRequest request, ContextView caller) {
		return new Pending(McpAuditRecord.CALL, server, tool, this.arguments.hash(request.arguments()),
				this.arguments.masked(request.arguments()), caller);
	}

	/**
	 * Begin the record of an administrative action.
	 * @param server the name of the server, or {@code null} for all
	 * @param details the details to record unchanged, or {@code null}
	 */
	Pending administration(String action, @Nullable String server, @Nullable Map<?, ?> details, ContextView caller) {
		return new Pending(action, server, null, null, (details != null) ? AuditedArguments.details(details) : null,
				caller);
	}

	@Override
	public void close() {
		this.sinks.forEach(SinkQueue::close);
		long end = this.time.now(TimeUnit.MILLISECONDS) + LONGEST_CLOSE.toMillis();
		this.sinks.forEach((sink) -> sink.await(end - this.time.now(TimeUnit.MILLISECONDS)));
	}

	private static @Nullable String name(@Nullable String name) {
		return (name != null) ? Printable.line(name, LONGEST_NAME) : null;
	}

	private static Outcome outcome(Throwable failure) {
		if (failure instanceof NoSuchMcpToolException) {
			return Outcome.REFUSED;
		}
		if (failure instanceof McpRequestTimeoutException) {
			return Outcome.TIMEOUT;
		}
		return (failure instanceof McpInterruptedException || failure instanceof CancellationException)
				? Outcome.CANCELLED : Outcome.FAILED;
	}

	// messages of exceptions of the application, such as its interceptors, may have
	// secrets
	private static String cause(String action, Throwable failure) {
		boolean ours = failure instanceof McpException
				|| (failure instanceof IllegalArgumentException && !action.equals(McpAuditRecord.CALL));
		String message = ours ? failure.getMessage() : null;
		return Printable.line((message != null) ? message : failure.getClass().getName(), LONGEST_CAUSE);
	}

	/**
	 * A call or action that has begun. Its end is recorded once.
	 */
	final class Pending {

		private final String action;

		private final @Nullable String server;

		private final @Nullable String tool;

		private final @Nullable String hash;

		private final @Nullable String arguments;

		private final Instant began = AuditTrail.this.time.instant();

		private final long beganNanos = AuditTrail.this.time.now(TimeUnit.NANOSECONDS);

		private final AtomicBoolean ended = new AtomicBoolean();

		private volatile @Nullable String caller;

		private Pending(String action, @Nullable String server, @Nullable String tool, @Nullable String hash,
				@Nullable String arguments, ContextView caller) {
			this.action = action;
			this.server = name(server);
			this.tool = name(tool);
			this.hash = hash;
			this.arguments = arguments;
			// also available without Spring Security
			if (caller.getOrDefault(Principal.class, null) instanceof Principal principal) {
				this.caller = principal.getName();
			}
			CallerContext.bound(AuditTrail.this.callers::name)
				.contextWrite((context) -> context.putAll(caller))
				.subscribe((name) -> this.caller = name, (failure) -> {
				});
		}

		void end(McpToolResult result) {
			if (result.refused()) {
				end(Outcome.REFUSED, Printable.line(result.text(), LONGEST_CAUSE));
			}
			else {
				end(result.isError() ? Outcome.TOOL_ERROR : Outcome.SUCCESS, null);
			}
		}

		void succeed() {
			end(Outcome.SUCCESS, null);
		}

		void fail(Throwable failure) {
			Throwable cause = Exceptions.unwrap(failure);
			end(outcome(cause), cause(this.action, cause));
		}

		void fail(String cause) {
			end(Outcome.FAILED, Printable.line(cause, LONGEST_CAUSE));
		}

		void cancel() {
			end(Outcome.CANCELLED, null);
		}

		private void end(Outcome outcome, @Nullable String cause) {
			if (this.ended.compareAndSet(false, true)) {
				McpAuditRecord made = new McpAuditRecord(this.began, this.action, this.server, this.tool,
						name(this.caller), outcome,
						Duration.ofNanos(AuditTrail.this.time.now(TimeUnit.NANOSECONDS) - this.beganNanos), cause,
						this.hash, this.arguments);
				AuditTrail.this.sinks.forEach((sink) -> sink.add(made));
			}
		}

	}

}
