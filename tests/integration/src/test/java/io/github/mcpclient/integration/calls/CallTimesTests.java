package io.github.mcpclient.integration.calls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How long calls may take, and what is left of those that took too long.
 */
class CallTimesTests {

	private final McpTestServer server = McpTestServer.create().tools("slow").start();

	@Test
	void theTimeoutIsThatOfTheCallOrOfTheServerOrOfAllServers() {
		ClientApplication application = ClientApplication.start("mcp.startup.wait=60s",
				"mcp.defaults.request-timeout=2s", "mcp.servers.a.url=" + this.server.url(),
				"mcp.servers.b.url=" + this.server.url(), "mcp.servers.b.request-timeout=3s");
		this.server.on("tools/call", McpTestReply.never());
		McpToolRequest request = McpToolRequest.of(Map.of());
		CompletableFuture<McpToolResult> ofAll = call(application, "a_slow", request);
		CompletableFuture<McpToolResult> ofTheServer = call(application, "b_slow", request);
		CompletableFuture<McpToolResult> ofTheCall = call(application, "b_slow",
				request.withTimeout(Duration.ofSeconds(1)));
		assertTimeout(ofAll, "a", 2000);
		assertTimeout(ofTheServer, "b", 3000);
		assertTimeout(ofTheCall, "b", 1000);
	}

	@Test
	void progressExtendsTheTimeoutWhereAskedToUpToAMaximum() {
		ClientApplication application = start();
		this.server.awaitListeners(1);
		CompletableFuture<?> go = new CompletableFuture<>();
		this.server.on("tools/call", (request) -> {
			go.join();
			return McpTestReply.standard();
		});
		List<Double> seen = Collections.synchronizedList(new ArrayList<>());
		McpToolRequest request = McpToolRequest.of(Map.of("message", "done"))
			.withTimeout(Duration.ofSeconds(3))
			.withProgress((progress) -> seen.add(progress.progress()));
		CompletableFuture<McpToolResult> extended = call(application, "a_slow",
				request.withProgressExtendingTimeoutTo(Duration.ofMinutes(1)));
		CompletableFuture<McpToolResult> toAMaximum = call(application, "a_slow",
				request.withProgressExtendingTimeoutTo(Duration.ofSeconds(4)));
		CompletableFuture<McpToolResult> notExtended = call(application, "a_slow", request);
		this.server.awaitPending("tools/call", 3);
		Disposable progress = Flux.interval(Duration.ofMillis(100))
			.subscribe((i) -> this.server.pending("tools/call").forEach((held) -> held.progress(i, 1_000_000)));
		afterTest(progress::dispose);
		assertTimeout(notExtended, "a", 3000);
		assertTimeout(toAMaximum, "a", 4000);
		go.complete(null);
		assertThat(extended).succeedsWithin(LIMIT).extracting(McpToolResult::text).isEqualTo("slow done");
		assertThat(seen).isNotEmpty();
	}

	@Test
	void callsThatTakeTooLongOrAreCancelledLeaveNothing() {
		ClientApplication application = start();
		Set<String> threads = Leaks.threads();
		this.server.on("tools/call", McpTestReply.never());
		McpToolRequest request = McpToolRequest.of(Map.of());
		List<Disposable> cancelled = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			cancelled.add(application.tools().get("a_slow").callAsync(request).subscribe());
		}
		this.server.awaitPending("tools/call", 20);
		cancelled.forEach(Disposable::dispose);
		List<CompletableFuture<McpToolResult>> tooLong = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			tooLong.add(call(application, "a_slow", request.withTimeout(Duration.ofMillis(500))));
		}
		tooLong.forEach((call) -> assertTimeout(call, "a", 500));
		await().untilAsserted(() -> {
			assertThat(this.server.pending("tools/call")).as("exchanges that are still open").isEmpty();
			assertThat(this.server.requests("notifications/cancelled")).hasSize(40);
			assertThat(Leaks.threads()).as("threads").isSubsetOf(threads);
		});
	}

	private ClientApplication start() {
		return ClientApplication.start("mcp.startup.wait=60s", "mcp.servers.a.url=" + this.server.url());
	}

	private static CompletableFuture<McpToolResult> call(ClientApplication application, String tool,
			McpToolRequest request) {
		return application.tools().get(tool).callAsync(request).toFuture();
	}

	private static void assertTimeout(CompletableFuture<McpToolResult> call, String server, int millis) {
		assertThat(call).failsWithin(LIMIT)
			.withThrowableOfType(ExecutionException.class)
			.havingCause()
			.isInstanceOfSatisfying(McpRequestTimeoutException.class, (ex) -> {
				assertThat(ex.getServerName()).isEqualTo(server);
				assertThat(ex.getTimeout()).hasMillis(millis);
			});
	}

}
