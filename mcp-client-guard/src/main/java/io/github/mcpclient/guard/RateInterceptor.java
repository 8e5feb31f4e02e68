package io.github.mcpclient.guard;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolRule.Rate;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Limits the number of calls in a period, of all callers or of each.
 *
 * @param phase the position of this interceptor
 * @param buckets the remaining calls of callers, by tool; outlives the listing of the
 * tool
 * @param caller who calls
 */
record RateInterceptor(Phase phase, Rate rate, Map<Object, Object> buckets, Mono<String> caller,
		Scheduler clock) implements McpToolInterceptor.Async {

	@Override
	public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
		return this.caller.flatMap((caller) -> {
			Key key = new Key(tool.originalName(), this.rate, caller);
			Bucket bucket = (Bucket) this.buckets.computeIfAbsent(key, (added) -> bucket());
			ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
			// at the earliest when the rate allows it
			long seconds = Duration.ofNanos(probe.getNanosToWaitForRefill()).plusMillis(999).toSeconds();
			return probe.isConsumed() ? chain.proceedAsync(request) : RuleInterceptors.refused(tool,
					"its limit of " + this.rate + " is reached. Try again in " + seconds + " s");
		});
	}

	private Bucket bucket() {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(this.rate.calls()).refillGreedy(this.rate.calls(), this.rate.period()))
			.withCustomTimePrecision(new Clock(this.clock))
			.build();
	}

	private record Key(String tool, Rate rate, String caller) {
	}

	private record Clock(Scheduler scheduler) implements TimeMeter {

		@Override
		public long currentTimeNanos() {
			return this.scheduler.now(TimeUnit.NANOSECONDS);
		}

		@Override
		public boolean isWallClockBased() {
			return false;
		}

	}

}
