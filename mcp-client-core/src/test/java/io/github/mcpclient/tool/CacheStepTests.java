package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.support.HeapShare;
import io.github.mcpclient.tool.RuleStep.RuledCall;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CacheStep}.
 */
class CacheStepTests {

	private static final McpTool TOOL = new ReadResultTool(ToolCatalog.TEXT, TestToolSettings.KEPT, () -> null);

	private final CacheStep step = new CacheStep(Duration.ofHours(1), new CallCache(HeapShare.ofCache()),
			Mono.just("ann"), Schedulers.immediate());

	private final TestConnection connection = new TestConnection("a");

	private final AtomicInteger calls = new AtomicInteger();

	static Stream<CallToolResult> large() {
		List<Object> brackets = Collections.nCopies(100_000, Map.of());
		Content text = TextContent.builder("中".repeat(600_000)).build();
		Content image = new ImageContent(null, "A".repeat(1_100_000), "image/png", null);
		return Stream.of(result(brackets), new CallToolResult(List.of(text), false, null, null),
				new CallToolResult(List.of(image), false, null, null),
				new CallToolResult(Collections.nCopies(20_000, TextContent.builder("").build()), false, null, null),
				new CallToolResult(List.of(), false, null, Map.of("a", brackets)),
				new CallToolResult(List.of(new TextContent(null, "", Map.of("a", brackets))), false, null, null));
	}

	@ParameterizedTest
	@MethodSource("large")
	void whatTakesMuchMemoryIsNotKept(CallToolResult large) {
		call(Map.of(), large);
		call(Map.of(), large);
		assertThat(this.calls).hasValue(2);
	}

	@Test
	void largeArgumentsCountToo() {
		Map<String, Object> arguments = Map.of("a", "中".repeat(600_000));
		call(arguments, result(Map.of()));
		call(arguments, result(Map.of()));
		assertThat(this.calls).hasValue(2);
		call(Map.of(), result(new HashMap<>(Map.of("a", "x".repeat(900_000)))));
		call(Map.of(), result(Map.of()));
		assertThat(this.calls).hasValue(3);
	}

	@Test
	void noCallerChangesTheResultOfTheNext() {
		Map<String, Object> structured = new HashMap<>(Map.of("a", new ArrayList<>(List.of("b"))));
		McpToolResult first = call(Map.of(), result(structured));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> listIn(first).clear());
		McpToolResult second = call(Map.of(), result(null));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> listIn(second).clear());
		assertThat(second.structuredContent()).isEqualTo(Map.of("a", List.of("b")));
		assertThat(this.calls).hasValue(1);
	}

	private static List<?> listIn(McpToolResult result) {
		return (List<?>) Objects.requireNonNull(((Map<?, ?>) result.structuredContent()).get("a"));
	}

	private static CallToolResult result(@Nullable Object structured) {
		return new CallToolResult(List.of(), false, structured, null);
	}

	private McpToolResult call(Map<String, Object> arguments, CallToolResult result) {
		RuledCall call = new RuledCall(TOOL, this.connection, () -> true, Duration.ofMinutes(1), () -> 0, 0);
		return this.step.call(call, McpToolRequest.of(arguments), (request) -> Mono.fromSupplier(() -> {
			this.calls.incrementAndGet();
			return McpToolResult.of("a", result);
		})).block();
	}

}
