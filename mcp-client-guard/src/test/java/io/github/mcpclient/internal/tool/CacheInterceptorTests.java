package io.github.mcpclient.internal.tool;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolRule;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of kept results in a catalog.
 */
class CacheInterceptorTests extends TestTools {

	private static final McpToolRule CACHED = McpToolRule.builder("*")
		.cache(Duration.ofHours(1))
		.cacheRegardlessOfHints(true)
		.build();

	private final CatalogFixture servers = GuardedServers.of(server("a", (server) -> server.toolRules(List.of(CACHED))),
			server("other"));

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

	@BeforeEach
	void list() {
		this.servers.list("a", "read");
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

	@Test
	void resultsAreThoseOfOneListing() {
		call(Map.of(), result("first"));
		this.servers.list("other", "more");
		assertThat(call(Map.of(), result("second")).structuredContent()).isEqualTo("first");
		this.servers.list("a", "read", "more");
		assertThat(call(Map.of(), result("third")).structuredContent()).isEqualTo("third");
		assertThat(call(Map.of(), result("fourth")).structuredContent()).isEqualTo("third");
		this.servers.put(server("a", (server) -> server.toolRules(List.of(CACHED))));
		assertThat(call(Map.of(), result("fifth")).structuredContent()).isEqualTo("fifth");
	}

	@Test
	void resultsStayWhereTheSameToolsAreListedAgain() {
		this.servers.prepare("a", tool("read"));
		this.servers.list("a", tool("read"));
		call(Map.of(), result("first"));
		this.servers.prepare("a", tool("read"));
		this.servers.list("a", tool("read"));
		assertThat(call(Map.of(), result("second")).structuredContent()).isEqualTo("first");
		this.servers.prepare("a", tool("read", "Reads", null));
		this.servers.list("a", tool("read", "Reads", null));
		assertThat(call(Map.of(), result("third")).structuredContent()).isEqualTo("third");
	}

	@Test
	void aResultOfAnotherListingIsNotKept() {
		McpToolResult late = call(Map.of(), () -> {
			this.servers.list("a", "read", "more");
			return result("late");
		});
		assertThat(late.structuredContent()).isEqualTo("late");
		assertThat(call(Map.of(), result("next")).structuredContent()).isEqualTo("next");
	}

	@Test
	void resultsKeepNoServer() {
		call(Map.of(), result("first"));
		WeakReference<?> connection = new WeakReference<>(this.servers.connections.get("a"));
		this.servers.remove("a");
		await().until(() -> {
			System.gc();
			return connection.refersTo(null);
		});
	}

	private static List<?> listIn(McpToolResult result) {
		return (List<?>) Objects.requireNonNull(((Map<?, ?>) result.structuredContent()).get("a"));
	}

	private static CallToolResult result(@Nullable Object structured) {
		return new CallToolResult(List.of(), false, structured, null);
	}

	private McpToolResult call(Map<String, Object> arguments, CallToolResult result) {
		return call(arguments, () -> result);
	}

	private McpToolResult call(Map<String, Object> arguments, Supplier<CallToolResult> result) {
		this.servers.connections.get("a").calls = (call) -> Mono.fromSupplier(() -> {
			this.calls.incrementAndGet();
			return result.get();
		});
		return this.servers.catalog.get("a_read").call(arguments);
	}

}
