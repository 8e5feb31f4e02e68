package io.github.mcpclient.tool;

import java.time.Duration;
import java.time.Instant;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer.RecentCall;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.schema.CheckThreads;
import io.github.mcpclient.session.Call;
import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * A call that is one of the latest of its server when it has ended. It is asked each time
 * that the call is about to be sent.
 */
final class RecordedCall implements Call.Check {

	private static final int LONGEST_ERROR = 256;

	private final ToolEntry entry;

	private final Call.Check check;

	private final CheckThreads clock;

	private final Instant started;

	private final long startedNanos;

	private volatile int sent;

	private volatile boolean ended;

	RecordedCall(ToolEntry entry, Call.Check check, CheckThreads clock) {
		this.entry = entry;
		this.check = check;
		this.clock = clock;
		this.started = entry.connection().now();
		this.startedNanos = clock.nanoTime();
	}

	@Override
	public @Nullable RuntimeException refusal() {
		RuntimeException refusal = this.check.refusal();
		if (refusal == null) {
			// one after the other
			this.sent = this.sent + 1;
		}
		return refusal;
	}

	Mono<McpToolResult> record(Mono<McpToolResult> call) {
		return call.doOnSuccess((result) -> end(result.isError() ? "tool_error" : "success", null))
			.doOnError(this::fail)
			.doOnCancel(() -> end("cancelled", null));
	}

	private void fail(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		end(cause.getClass().getSimpleName(),
				(cause instanceof McpException) ? Printable.line(cause.getMessage(), LONGEST_ERROR) : null);
	}

	private void end(String outcome, @Nullable String error) {
		if (!this.ended) {
			this.ended = true;
			this.entry.server()
				.calls()
				.add(new RecentCall(this.entry.name(), this.started,
						Duration.ofNanos(this.clock.nanoTime() - this.startedNanos), this.sent > 1, outcome, error));
		}
	}

}
