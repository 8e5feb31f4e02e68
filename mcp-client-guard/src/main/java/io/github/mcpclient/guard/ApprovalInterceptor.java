package io.github.mcpclient.guard;

import java.util.function.Supplier;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolApproval.Decision;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.support.Monos;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * Requests the approval of the application for each call.
 */
record ApprovalInterceptor(Supplier<McpToolApproval> approval,
		Scheduler scheduler) implements McpToolInterceptor.Async {

	@Override
	public Phase phase() {
		return Phase.APPROVAL;
	}

	@Override
	public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
		return Mono
			.deferContextual((context) -> decision(tool, request.withContext(context), chain, context)
				.timeout(chain.remaining(), Mono.just(Decision.deny("there was no decision in time")), this.scheduler)
				// never on the thread of the approval, which is interrupted after the
				// timeout
				.publishOn(this.scheduler)
				.defaultIfEmpty(new Decision(false, null)))
			.flatMap((decision) -> decided(tool, chain, decision, request));
	}

	private Mono<Decision> decision(McpTool tool, McpToolRequest request, Chain chain, ContextView context) {
		return Mono.create((sink) -> {
			Disposable.Swap answer = Disposables.swap();
			Disposable asked = chain.blocking(() -> {
				answer.update(
						Monos.subscribe(Monos.guarded(() -> this.approval.get().decide(tool, request)), sink, context));
				return true;
			}).contextWrite(context).subscribe((begun) -> {
			}, (failure) -> {
				if (failure instanceof McpRequestTimeoutException) {
					sink.success(Decision.deny("no thread was free in time to decide about the call"));
				}
				else {
					sink.error(failure);
				}
			});
			sink.onCancel(Disposables.composite(asked, answer));
		});
	}

	private static Mono<McpToolResult> decided(McpTool tool, Chain chain, Decision decision, McpToolRequest request) {
		if (!decision.approved()) {
			return RuleInterceptors.refused(tool, (decision.reason() != null)
					? "it was not approved, since " + decision.reason() : "it was not approved");
		}
		return chain.toolUnchanged() ? chain.proceedAsync(request) : RuleInterceptors.refused(tool,
				"its definition changed while the call was being approved. Review it before you try again");
	}

}
