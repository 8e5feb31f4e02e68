package io.github.mcpclient.integration.calls;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Chain;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Unchecked;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the interceptors and listeners of calls to one server cost the calls to another.
 */
class InterceptorThreadsTests {

	private static final int MANY = 1000;

	private static final Map<String, Object> HELLO = Map.of("message", "hello");

	private final CompletableFuture<Void> end = new CompletableFuture<>();

	private final McpTestServer slow = McpTestServer.create()
		.tool("wait", McpTestReply.text("waited").after(this.end))
		.start();

	private final McpTestServer other = McpTestServer.create().tools("echo").start();

	private final ClientApplication application = ClientApplication.start(Interceptors.class,
			"mcp.servers.slow.url=" + this.slow.webSocketUrl(), "mcp.servers.other.url=" + this.other.url(),
			"mcp.servers.slow.request-timeout=60s");

	private final Interceptors interceptors = this.application.context().getBean(Interceptors.class);

	private final Disposable.Composite calls = Disposables.composite();

	@AfterEach
	void stop() {
		this.calls.dispose();
		this.end.complete(null);
	}

	@Test
	void callsThatWaitForTheirServerInAnInterceptorHoldUpNoOther() {
		AtomicInteger ended = callSlow(MANY, McpToolRequest.of(Map.of()));
		this.slow.awaitRequest("tools/call");
		McpToolRequest hello = McpToolRequest.of(HELLO).withTimeout(LIMIT);
		assertThat(this.application.tools().get("other_echo").callAsync(hello).block().text()).isEqualTo("echo hello");
		assertThat(ended).as("calls to the slow server that ended").hasValue(0);
	}

	@Test
	void anInterceptorThatBlocksForEverCostsItsServerAlone() {
		CountDownLatch never = new CountDownLatch(1);
		this.interceptors.blocking = (tool, request, chain) -> {
			if (tool.serverName().equals("slow")) {
				await(never);
			}
			return chain.proceed(request);
		};
		callSlow(MANY, McpToolRequest.of(Map.of()));
		McpToolRequest hello = McpToolRequest.of(HELLO).withTimeout(LIMIT);
		assertThat(this.application.tools().get("other_echo").callAsync(hello).block().text()).isEqualTo("echo hello");
	}

	@Test
	void aCallThatGetsNoThreadInItsTimeIsNotSent() {
		CountDownLatch never = new CountDownLatch(1);
		this.interceptors.blocking = (tool, request, chain) -> {
			await(never);
			return chain.proceed(request);
		};
		callSlow(MANY, McpToolRequest.of(Map.of()));
		McpToolRequest request = McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(500));
		assertThatExceptionOfType(McpRequestTimeoutException.class)
			.isThrownBy(() -> this.application.tools().get("slow_wait").callAsync(request).block(LIMIT))
			.withMessageContaining("it waited for a thread for its interceptors; nothing was sent");
		assertThat(this.slow.calls()).isEmpty();
	}

	@Test
	void theTimeThatACallWaitsForAThreadIsPartOfItsTimeout() {
		CountDownLatch never = new CountDownLatch(1);
		this.interceptors.blocking = (tool, request, chain) -> {
			if (request.arguments().isEmpty()) {
				await(never);
			}
			return chain.proceed(request);
		};
		callSlow(MANY, McpToolRequest.of(Map.of()));
		Duration timeout = Duration.ofSeconds(4);
		Instant begin = Instant.now();
		CompletableFuture<McpToolResult> call = this.application.tools()
			.get("slow_wait")
			.callAsync(McpToolRequest.of(HELLO).withTimeout(timeout))
			.toFuture();
		Instant free = begin.plusSeconds(3);
		Awaitility.await().until(() -> Instant.now().isAfter(free));
		this.calls.dispose();
		assertThat(call).failsWithin(LIMIT)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(McpRequestTimeoutException.class);
		assertThat(Instant.now()).isBefore(free.plus(timeout));
		assertThat(this.slow.calls()).hasSize(1);
	}

	@Test
	void anAsynchronousInterceptorHoldsNoThread() {
		this.interceptors.async = (request, chain) -> chain.proceedAsync(request);
		AtomicInteger ended = callSlow(MANY, McpToolRequest.of(Map.of()));
		this.slow.awaitPending("tools/call", MANY);
		assertThat(Thread.getAllStackTraces().keySet()).noneMatch((thread) -> thread.getName().startsWith("mcp-block"));
		this.end.complete(null);
		Awaitility.await().until(() -> ended.get() == MANY);
	}

	@Test
	void anAsynchronousInterceptorMayBlockForAWhileBeforeItGoesOn() {
		this.interceptors.async = (request, chain) -> chain.blocking(() -> Thread.currentThread().getName())
			.flatMap((thread) -> chain.proceedAsync(request.withArguments(Map.of("message", thread))));
		this.interceptors.blocking = (tool, request, chain) -> this.interceptors.async.apply(request, chain)
			.block(LIMIT);
		McpTool echo = this.application.tools().get("other_echo");
		assertThat(echo.callAsync(HELLO).block(LIMIT).text()).startsWith("echo mcp-blocking-");
		assertThat(echo.call(HELLO).text()).as("of a caller who waits").startsWith("echo mcp-blocking-");
		callSlow(MANY, McpToolRequest.of(Map.of()));
		this.slow.awaitPending("tools/call", MANY);
	}

	@Test
	void aListenerOfProgressThatBlocksForEverCostsItsServerAlone() {
		this.interceptors.async = (request, chain) -> chain.proceedAsync(request);
		CountDownLatch never = new CountDownLatch(1);
		AtomicInteger blocked = new AtomicInteger();
		callSlow(MANY, McpToolRequest.of(Map.of()).withProgress((progress) -> {
			blocked.incrementAndGet();
			await(never);
		}));
		this.slow.awaitPending("tools/call", MANY).pending("tools/call").forEach((call) -> call.progress(1, 2));
		Awaitility.await().until(() -> blocked.get() == 64);
		CompletableFuture<Double> seen = new CompletableFuture<>();
		this.other.tool("echo", (request) -> {
			request.progress(1, 2);
			return McpTestReply.text("done");
		});
		McpToolRequest request = McpToolRequest.of(HELLO)
			.withTimeout(LIMIT)
			.withProgress((progress) -> seen.complete(progress.progress()));
		this.application.tools().get("other_echo").callAsync(request).block(LIMIT);
		assertThat(seen).succeedsWithin(LIMIT).isEqualTo(1.0);
	}

	private AtomicInteger callSlow(int count, McpToolRequest request) {
		AtomicInteger ended = new AtomicInteger();
		for (int i = 0; i < count; i++) {
			this.calls.add(this.application.tools()
				.get("slow_wait")
				.callAsync(request)
				.doOnTerminate(ended::incrementAndGet)
				.onErrorComplete()
				.subscribe());
		}
		return ended;
	}

	private static void await(CountDownLatch latch) {
		Unchecked.run(() -> latch.await());
	}

	static class Interceptors {

		private volatile McpToolInterceptor blocking = (tool, request, chain) -> chain.proceed(request);

		private volatile BiFunction<McpToolRequest, Chain, Mono<McpToolResult>> async;

		@Bean
		McpToolInterceptor interceptor() {
			return new McpToolInterceptor() {

				@Override
				public McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain) {
					return Interceptors.this.blocking.intercept(tool, request, chain);
				}

				@Override
				public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
					return (Interceptors.this.async != null) ? Interceptors.this.async.apply(request, chain)
							: McpToolInterceptor.super.interceptAsync(tool, request, chain);
				}

			};
		}

	}

}
