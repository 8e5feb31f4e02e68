package io.github.mcpclient.integration.calls;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for servers whose schemas take all the time or memory that they can get.
 */
@ExtendWith(OutputCaptureExtension.class)
class HostileSchemaTests {

	private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

	// takes twice as long for each level of a value
	private static final Map<String, Object> HARD = Map.of("type", "object", "properties",
			Map.of("n", Map.of("$ref", "#/$defs/n")), "$defs",
			Map.of("n", Map.of("items", Map.of("allOf", Collections.nCopies(2, Map.of("$ref", "#/$defs/n"))))));

	private final McpTestServer hostile = McpTestServer.create().start();

	private final McpTestServer other = McpTestServer.create()
		.tools(List.of(Map.of("name", "x", "inputSchema", Map.of("type", "object"))))
		.start();

	private static List<String> patterns() {
		return List.of("(?:(?:){2147483647}){2147483647}", "(?:a?".repeat(2000) + ")*".repeat(2000) + "b",
				"((a{1000}){1000}){100}", "(?:a?){1000}".repeat(10) + "b", "^(a+)+$");
	}

	@ParameterizedTest
	@MethodSource("patterns")
	void callsToOtherServersGoOnAndTheContextCloses(String pattern) throws Exception {
		String text = "a".repeat(2000);
		offer(Map.of("type", "object"), Map.of("properties", Map.of("n", Map.of("pattern", pattern))),
				Map.of("n", text));
		CompletableFuture<Void> closed;
		ClientApplication application = start();
		try {
			McpTool tool = application.tools().get("a_x");
			List<CompletableFuture<?>> calls = new ArrayList<>();
			for (int i = 0; i < 9; i++) {
				calls.add(tool.callAsync(Map.of()).onErrorComplete().toFuture());
			}
			assertThat(application.tools().get("b_x").callAsync(Map.of()).block(Duration.ofSeconds(10))).isNotNull();
			CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
			assertThat(application.tools().get("b_x").callAsync(Map.of()).block(Duration.ofSeconds(10))).isNotNull();
		}
		finally {
			closed = CompletableFuture.runAsync(application::close);
		}
		closed.get(20, TimeUnit.SECONDS);
	}

	@Test
	void whatTakesTooLongPassesWhereThereIsTime(CapturedOutput output) {
		offer(Map.of("type", "object"), HARD, Map.of("n", deep()));
		try (ClientApplication application = start()) {
			McpTool tool = application.tools().get("a_x");
			for (int i = 0; i < 3; i++) {
				assertThat(tool.call(McpToolRequest.of(Map.of()).withTimeout(FOREVER)).structuredContent()).isNotNull();
			}
			assertThat(output).containsOnlyOnce("it takes too long");
			awaitIdleThreads();
		}
		Awaitility.await().until(() -> schemaThreads().isEmpty());
	}

	@Test
	void simpleSchemasAreCheckedWithoutAThreadOfTheirOwn() {
		Map<String, Object> simple = Map.of("type", "object", "properties", Map.of("n", Map.of("type", "integer")));
		offer(simple, simple, Map.of("n", 1));
		McpTool tool = start("mcp.servers.a.tools.validate-arguments=true").tools().get("a_x");
		tool.call(Map.of("n", 1));
		for (int i = 0; i < 5; i++) {
			String thread = tool.callAsync(Map.of("n", 1))
				.map((result) -> Thread.currentThread().getName())
				.block(LIMIT);
			assertThat(thread).as("after the first call").startsWith("mcp-http");
		}
	}

	private static Object deep() {
		Object value = List.of();
		for (int i = 0; i < 60; i++) {
			value = List.of(value);
		}
		return value;
	}

	private static void awaitIdleThreads() {
		Awaitility.await()
			.until(() -> schemaThreads().stream().noneMatch((thread) -> thread.getState() == State.RUNNABLE));
	}

	private static List<Thread> schemaThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("mcp-schema"))
			.toList();
	}

	private void offer(Map<String, Object> inputSchema, Map<String, Object> outputSchema,
			Map<String, Object> structured) {
		this.hostile.tools(List.of(Map.of("name", "x", "inputSchema", inputSchema, "outputSchema", outputSchema,
				"annotations", Map.of("readOnlyHint", true))));
		this.hostile.on("tools/call",
				(request) -> McpTestReply.result(Map.of("content", List.of(), "structuredContent", structured)));
	}

	private ClientApplication start(String... properties) {
		return ClientApplication.start(properties, "mcp.servers.a.url=" + this.hostile.url(),
				"mcp.servers.b.url=" + this.other.url());
	}

}
