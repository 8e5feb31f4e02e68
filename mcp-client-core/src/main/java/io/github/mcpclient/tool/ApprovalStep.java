package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolApproval.Decision;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.support.CallerContext;
import io.github.mcpclient.support.GuardedMono;
import io.github.mcpclient.support.ServerThreads;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * Has the application approve each call.
 */
record ApprovalStep(Supplier<McpToolApproval> approval, Supplier<ServerThreads> threads,
		Scheduler scheduler) implements RuleStep {

	@Override
	public Mono<McpToolResult> call(RuledCall call, McpToolRequest request,
			Function<McpToolRequest, Mono<McpToolResult>> next) {
		return Mono.deferContextual((context) -> decision(call, request.withContext(context), context)
			.timeout(call.rest(), Mono.just(Decision.deny("nobody decided about the call in time")), this.scheduler)
			// not on the thread of the approval, which is interrupted when that is over
			.publishOn(this.scheduler)
			.defaultIfEmpty(new Decision(false, null))
			.flatMap((decision) -> decided(call, decision, () -> next.apply(request))));
	}

	private Mono<Decision> decision(RuledCall call, McpToolRequest request, ContextView context) {
		return Mono.create((sink) -> {
			Disposable.Swap answer = Disposables.swap();
			Duration rest = call.rest();
			Disposable asked = this.threads.get().call(call.tool().serverName(), CallerContext.capture(context), () -> {
				answer.update(GuardedMono.subscribe(this.approval.get().decide(call.tool(), request), sink, context));
				return true;
			}, rest, TimeoutException::new).subscribe((begun) -> {
			}, (failure) -> {
				if (failure instanceof TimeoutException) {
					sink.success(Decision.deny("no thread was free in time to decide about the call"));
				}
				else {
					sink.error(failure);
				}
			});
			sink.onCancel(Disposables.composite(asked, answer));
		});
	}

	private static Mono<McpToolResult> decided(RuledCall call, Decision decision, Supplier<Mono<McpToolResult>> next) {
		if (!decision.approved()) {
			return call.refused((decision.reason() != null) ? "it was not approved, since " + decision.reason()
					: "it was not approved");
		}
		return call.same().getAsBoolean() ? next.get() : call
			.refused("its definition changed while the call was being approved. Look at it again before you try again");
	}

}
