package io.github.mcpclient.interoperability;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.test.server.McpTestHandler;
import io.github.mcpclient.test.server.McpTestReply;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that progress keeps long calls alive where that is configured, since models
 * cannot ask for it in code.
 */
class LongCallTests extends AbstractInteroperabilityTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Test
	void progressExtendsCallsByPropertyAndRule() {
		CompletableFuture<?> go = new CompletableFuture<>();
		McpTestHandler slow = (request) -> {
			go.join();
			return McpTestReply.text("done");
		};
		this.peer.tool("long", slow).tool("ruled", slow);
		McpToolRule rule = McpToolRule.builder("ruled").progressExtendsTimeoutTo(Duration.ofMillis(1500)).build();
		McpServer server = connect((definition) -> definition.requestTimeout(Duration.ofSeconds(1))
			.progressExtendsTimeoutTo(Duration.ofMinutes(1))
			.toolRules(List.of(rule)));
		McpToolRequest request = McpToolRequest.of(Map.of());
		Disposable progress = Flux.interval(Duration.ofMillis(50))
			.subscribe((i) -> this.peer.pending("tools/call").forEach((held) -> held.progress(i, 1_000_000)));
		try {
			CompletableFuture<McpToolResult> extended = call(server, "long", request);
			CompletableFuture<McpToolResult> byRule = call(server, "ruled", request);
			CompletableFuture<McpToolResult> ofTheCall = call(server, "long",
					request.withTimeout(Duration.ofMillis(500)));
			assertTimeout(ofTheCall, 500);
			assertThat(assertTimeout(byRule, 1500)).hasMessageContaining(
					"Raise mcp.servers.peer.request-timeout or mcp.servers.peer.progress-extends-timeout-to if");
			go.complete(null);
			assertThat(extended).succeedsWithin(LIMIT).extracting(McpToolResult::text).isEqualTo("done");
		}
		finally {
			progress.dispose();
		}
	}

	@Test
	void callWithoutProgressStillTimesOut() {
		this.peer.tool("silent", McpTestReply.never());
		McpServer server = connect((definition) -> definition.requestTimeout(Duration.ofMillis(300))
			.progressExtendsTimeoutTo(Duration.ofMinutes(1)));
		assertTimeout(call(server, "silent", McpToolRequest.of(Map.of())), 300);
	}

	private static CompletableFuture<McpToolResult> call(McpServer server, String tool, McpToolRequest request) {
		return tool(server, tool).callAsync(request).toFuture();
	}

	private static McpRequestTimeoutException assertTimeout(CompletableFuture<?> call, long millis) {
		Throwable failure = call.<Throwable>handle((result, ex) -> ex)
			.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
			.join();
		assertThat(failure).isInstanceOfSatisfying(McpRequestTimeoutException.class,
				(timeout) -> assertThat(timeout.getTimeout()).isCloseTo(Duration.ofMillis(millis),
						Duration.ofMillis(100)));
		return (McpRequestTimeoutException) failure;
	}

}
