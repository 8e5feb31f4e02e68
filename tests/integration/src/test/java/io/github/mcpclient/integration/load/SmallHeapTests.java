package io.github.mcpclient.integration.load;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.ClientMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.function.Tuple2;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A small heap, and a server whose messages grow to many times their size when they are
 * parsed.
 */
class SmallHeapTests {

	private static final int NOTIFICATION = 15_000_000;

	private static final int RESULT = 4_800_000;

	@ParameterizedTest
	@ValueSource(strings = { "[],", "{}," })
	void oneServersMessagesCostNoOther(String value) throws Exception {
		String params = "{\"level\":\"info\",\"data\":[" + value.repeat(NOTIFICATION / value.length()) + "1]}";
		String result = "{\"content\":[],\"structuredContent\":{\"a\":[" + value.repeat(RESULT / value.length())
				+ "1]}}";
		McpTestServer good = closing(McpTestServer.create().tool("work", McpTestReply.text("done")).start());
		McpTestServer evil = closing(McpTestServer.create().tool("work", McpTestReply.raw("")).start());
		evil.tool("work", (request) -> {
			request.notify("notifications/unknown", Map.of());
			return McpTestReply.raw("{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"result\":" + result + "}");
		});
		for (String method : List.of("notifications/message", "notifications/unknown")) {
			evil.sendToClients("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}");
		}
		Process child = start(List.of("-Xmx384m", "-XX:+ExitOnOutOfMemoryError"), Calls.class, good.url(), evil.url());
		String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(child.waitFor()).as(output).isZero();
		assertThat(output).contains("GOOD 40", "The server's message is not read")
			.doesNotContain("OutOfMemoryError", "BAD");
	}

	@Test
	void manyLargeResultsCostNoOther() throws Exception {
		McpTestServer good = closing(McpTestServer.create().tool("work", McpTestReply.text("done")).start());
		LargeResultServer evil = closing(new LargeResultServer("x".repeat(5 * 1024 * 1024 - 1024)));
		Process child = start(List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"), LargeCalls.class, good.url(),
				evil.url());
		String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(child.waitFor()).as(output).isZero();
		assertThat(output.lines().filter((line) -> line.startsWith("BAD"))).as(output).isEmpty();
		assertThat(output.lines()).contains("GOOD 40", "ENDED 96", "LATER 8");
	}

	private static Process start(List<String> options, Class<?> main, String good, String evil) throws Exception {
		return ClientMain.start(ClientMain.java(), options, main, "mcp.servers.good.url=" + good,
				"mcp.servers.evil.url=" + evil);
	}

	/**
	 * Calls both servers at a time.
	 */
	public static final class Calls {

		private Calls() {
		}

		public static void main(String[] args) {
			try (ClientApplication application = ClientApplication.start(args)) {
				McpToolCatalog tools = application.context().getBean(McpToolCatalog.class);
				Mono<List<McpToolResult>> refused = Flux.range(0, 8)
					.flatMap((i) -> call(tools.get("evil_work")), 4)
					.collectList();
				Mono<List<McpToolResult>> answered = Flux.range(0, 40)
					.concatMap((i) -> call(tools.get("good_work")).delaySubscription(Duration.ofMillis(50)))
					.collectList();
				List<McpToolResult> results = Mono.zip(refused, answered).block().getT2();
				System.out.println("GOOD " + results.size());
			}
			System.exit(0);
		}

		private static Mono<McpToolResult> call(McpTool tool) {
			return tool.callAsync(McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(20)))
				.onErrorResume(McpException.class, (failure) -> {
					System.out.println(("good".equals(tool.serverName()) ? "BAD " : "") + failure.getMessage());
					return Mono.empty();
				});
		}

	}

	/**
	 * Makes 96 calls at a time whose results are as large as they may be, twice the heap
	 * in all, then some more, one by one.
	 */
	public static final class LargeCalls {

		private LargeCalls() {
		}

		public static void main(String[] args) {
			try (ClientApplication application = ClientApplication.start(args)) {
				McpToolCatalog tools = application.context().getBean(McpToolCatalog.class);
				McpTool large = tools.get("evil_work");
				Mono<Long> ended = Flux.range(0, 96).flatMap((i) -> end(large), 96).count();
				Mono<Long> answered = Flux.range(0, 40)
					.concatMap((i) -> Calls.call(tools.get("good_work")).delaySubscription(Duration.ofMillis(50)))
					.count();
				Tuple2<Long, Long> both = Mono.zip(ended, answered).block();
				System.out.println("ENDED " + both.getT1());
				System.out.println("GOOD " + both.getT2());
				System.out.println("LATER " + Flux.range(0, 8).concatMap((i) -> Calls.call(large)).count().block());
			}
			System.exit(0);
		}

		private static Mono<Integer> end(McpTool tool) {
			return tool.callAsync(McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(60)))
				.map((result) -> result.text().length())
				.onErrorResume(McpException.class, (failure) -> {
					boolean clear = failure.getMessage().contains("take more memory than is available");
					System.out.println((clear ? "CLEAR " : "BAD ") + failure.getMessage());
					return Mono.just(0);
				});
		}

	}

}
