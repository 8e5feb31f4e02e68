package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolRule.Rate;
import reactor.core.publisher.Mono;

/**
 * Makes so many calls in a time, for all callers or for each.
 *
 * @param buckets what is left to callers, by tool; outlives the listing of the tool
 * @param caller who calls
 */
record RateStep(Rate rate, Map<Object, Object> buckets, Mono<String> caller) implements RuleStep {

	@Override
	public Mono<McpToolResult> call(RuledCall call, McpToolRequest request,
			Function<McpToolRequest, Mono<McpToolResult>> next) {
		return this.caller.flatMap((caller) -> {
			Key key = new Key(call.tool().originalName(), this.rate, caller);
			Bucket bucket = (Bucket) this.buckets.computeIfAbsent(key, (added) -> bucket(call.clock()));
			ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
			// not sooner than it says
			long seconds = Duration.ofNanos(probe.getNanosToWaitForRefill()).plusMillis(999).toSeconds();
			return probe.isConsumed() ? next.apply(request)
					: call.refused("its limit of " + this.rate + " is reached. Try again in " + seconds + " s");
		});
	}

	private Bucket bucket(LongSupplier clock) {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(this.rate.calls()).refillGreedy(this.rate.calls(), this.rate.period()))
			.withCustomTimePrecision(new Clock(clock))
			.build();
	}

	private record Key(String tool, Rate rate, String caller) {
	}

	private record Clock(LongSupplier nanoTime) implements TimeMeter {

		@Override
		public long currentTimeNanos() {
			return this.nanoTime.getAsLong();
		}

		@Override
		public boolean isWallClockBased() {
			return false;
		}

	}

}
