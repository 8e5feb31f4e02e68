package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.connection.ToolConnection;
import io.github.mcpclient.support.HeapShare.Cache.Kept;
import io.github.mcpclient.support.JsonSize;
import io.github.mcpclient.tool.CallCache.Key;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers a call by the result of an earlier one of the same caller, with the same
 * authorization and arguments.
 *
 * @param caller who calls
 * @param scheduler keeps the time of what authorizes the call
 */
record CacheStep(Duration time, CallCache cache, Mono<String> caller, Scheduler scheduler) implements RuleStep {

	// the same text for the same arguments
	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
		.build();

	@Override
	public Mono<McpToolResult> call(RuledCall call, McpToolRequest request,
			Function<McpToolRequest, Mono<McpToolResult>> next) {
		String arguments = json(List.of(request.arguments(), request.meta()));
		if (arguments == null) {
			return next.apply(request);
		}
		// where it fails, so does the call that asks again
		Mono<Optional<Context>> authorization = call.connection()
			.authorization()
			.map(Optional::of)
			.timeout(call.rest(), Mono.just(Optional.empty()), this.scheduler)
			.onErrorReturn(Optional.empty());
		return Mono.zip(this.caller, authorization)
			.flatMap((of) -> of.getT2()
				.map((context) -> call(call, of.getT1(), context, arguments, () -> next.apply(request)))
				.orElseGet(() -> next.apply(request)));
	}

	private Mono<McpToolResult> call(RuledCall call, String caller, Context context, String arguments,
			Supplier<Mono<McpToolResult>> next) {
		ToolConnection connection = call.connection();
		Key key = new Key(call.tool().originalName(), connection, connection.authorization(context), caller, arguments);
		long changes = this.cache.changes();
		McpToolResult kept = this.cache.find(key, call.clock().getAsLong());
		return (kept != null) ? Mono.just(kept) : next.get().doOnNext((result) -> {
			// those of the same call may have become others
			if (!result.isError() && Objects.equals(key.authorization(), connection.authorization(context))) {
				keep(key, result, call.clock().getAsLong(), changes);
			}
		}).contextWrite(context);
	}

	private void keep(Key key, McpToolResult result, long now, long changes) {
		long size = JsonSize.of(key.arguments()) + JsonSize.of(result.structuredContent()) + JsonSize.of(result.meta());
		try {
			size += JsonSize.of(JSON.<JsonNode>valueToTree(result.content()));
		}
		catch (JacksonException ex) {
			return;
		}
		this.cache.keep(key, new Kept<>(result, size, now + this.time.toNanos()), now, changes);
	}

	private static @Nullable String json(Object value) {
		try {
			return JSON.writeValueAsString(value);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

}
