package io.github.mcpclient.integration.authorization;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Headers that the application gives for each request.
 */
class HeadersProviderTests extends AbstractAuthorizationTests {

	private Providers start(McpHeadersProvider provider, String... properties) {
		Providers.initial = provider;
		String[] all = Stream
			.concat(Stream.of("mcp.servers.a.url=" + this.server.url(), "mcp.servers.a.headers.X-Configured=configured",
					"mcp.servers.b.url=" + this.other.url()), Stream.of(properties))
			.toArray(String[]::new);
		this.application = ClientApplication.start(Providers.class, all);
		return this.application.context().getBean(Providers.class);
	}

	@Test
	void areAskedForWithEachRequest() {
		start(McpHeadersProvider.of((request) -> Map.of("X-Asked",
				request.server().name() + " " + request.method() + (request.ofCaller() ? " of a caller" : ""))));
		this.server.awaitListeners(1);
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
		this.application.manager().server("a").refresh();
		this.application.close();
		this.server.awaitRequest("DELETE");
		assertThat(asked("initialize")).containsExactly("a POST");
		assertThat(asked("notifications/initialized")).containsExactly("a POST");
		assertThat(asked("tools/list")).isNotEmpty().containsOnly("a POST");
		assertThat(asked("GET")).containsExactly("a GET");
		assertThat(asked("tools/call")).containsExactly("a POST of a caller");
		assertThat(asked("DELETE")).containsExactly("a DELETE");
		assertThat(this.other.requests("initialize").get(0).header("X-Asked")).isEqualTo("b POST");
	}

	@Test
	void areAskedForOncePerCallOfAnotherKind() {
		McpTestServer resources = closing(
				McpTestServer.create().capability("resources", Map.of("listChanged", true)).start());
		resources.on("resources/read", (request) -> McpTestReply.result(Map.of("contents", List.of())));
		start(McpHeadersProvider.of((request) -> Map.of("X-Asked", String.valueOf(request.ofCaller()))),
				"mcp.servers.c.url=" + resources.url());
		this.application.registry().server("c").readResource("file:///x");
		assertThat(resources.requests("resources/read")).extracting((request) -> request.header("X-Asked"))
			.containsExactly("true");
	}

	private List<String> asked(String method) {
		return this.server.requests(method).stream().map((request) -> request.header("X-Asked")).toList();
	}

	@Test
	void pingsHaveThemToo() {
		start(McpHeadersProvider.of((request) -> Map.of("X-Asked", request.method() + request.ofCaller())),
				"mcp.servers.a.keep-alive-interval=100ms");
		this.server.awaitRequest("ping");
		assertThat(asked("ping").get(0)).isEqualTo("POSTfalse");
	}

	@Test
	void theUserOfTheThreadIsThere() {
		start(ofUserOfThread());
		logIn("alice");
		echo().call(HELLO);
		logIn("bob");
		echo().callAsync(HELLO).block(LIMIT);
		this.application.registry().callTool("a_echo", HELLO);
		assertThat(users("tools/call")).containsExactly("alice", "bob", "bob");
		assertThat(users("initialize")).containsOnlyNulls();
	}

	@Test
	void theUserOfTheThreadIsTakenToAThreadThatMayBlock() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		start(McpHeadersProvider.of((request) -> {
			thread.set(Thread.currentThread());
			Mono.delay(Duration.ofMillis(1)).block();
			return user();
		}));
		logIn("alice");
		Mono.defer(() -> echo().callAsync(HELLO)).subscribeOn(Schedulers.parallel()).contextCapture().block(LIMIT);
		assertThat(users("tools/call")).containsExactly("alice");
		assertThat(thread.get().getName()).startsWith("mcp-headers");
	}

	@Test
	void theUserOfAReactiveCallerIsThere() {
		start((request) -> ReactiveSecurityContextHolder.getContext()
			.map(SecurityContext::getAuthentication)
			.map((user) -> Map.of("Authorization", "Bearer " + user.getName())));
		for (String name : List.of("alice", "bob")) {
			Mono.defer(() -> echo().callAsync(HELLO))
				.subscribeOn(Schedulers.parallel())
				.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication(name)))
				.block(LIMIT);
		}
		echo().callAsync(HELLO)
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication("carol")))
			.block(LIMIT);
		echo().call(HELLO);
		echo().call(McpToolRequest.of(HELLO)
			.withContext(ReactiveSecurityContextHolder.withAuthentication(authentication("dave"))));
		echo()
			.callAsync(McpToolRequest.of(HELLO)
				.withContext(ReactiveSecurityContextHolder.withAuthentication(authentication("erin"))))
			.block(LIMIT);
		assertThat(users("tools/call")).containsExactly("alice", "bob", "carol", null, "dave", "erin");
	}

	@Test
	void theUserOfAnEventLoopIsThere() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		start(McpHeadersProvider.of((request) -> {
			if (request.ofCaller()) {
				thread.set(Thread.currentThread());
			}
			return user();
		}));
		Scheduler eventLoop = Schedulers.newSingle("event-loop");
		try {
			Mono.defer(() -> {
				logIn("alice");
				return echo().callAsync(HELLO);
			}).subscribeOn(eventLoop).block(LIMIT);
		}
		finally {
			eventLoop.dispose();
		}
		assertThat(users("tools/call")).containsExactly("alice");
		assertThat(thread.get().getName()).startsWith("mcp-headers");
	}

	@Test
	void aCallerWhoWaitsIsAskedOnItsThread() {
		List<Thread> threads = new CopyOnWriteArrayList<>();
		List<Thread> others = new CopyOnWriteArrayList<>();
		start(McpHeadersProvider.of((request) -> {
			(request.ofCaller() ? threads : others).add(Thread.currentThread());
			return Map.of();
		}));
		echo().call(HELLO);
		assertThat(threads).containsExactly(Thread.currentThread());
		assertThat(others).isNotEmpty().allSatisfy((thread) -> assertThat(thread.getName()).startsWith("mcp-headers"));
	}

	@Test
	void nobodyIsTheUserOfAConnectionThatACallBegins() {
		Hooks.enableAutomaticContextPropagation();
		afterTest(Hooks::disableAutomaticContextPropagation);
		start(ofUserOfThread(), "mcp.startup.mode=lazy", "mcp.servers.b.enabled=false");
		logIn("alice");
		assertThat(this.application.manager().server("a").refresh()).isNotNull();
		echo().call(HELLO);
		this.server.forgetSessions();
		echo().call(HELLO);
		assertThat(this.server.requests("initialize")).hasSize(2);
		assertThat(users("initialize")).containsOnlyNulls();
		assertThat(users("tools/list")).containsOnlyNulls();
		assertThat(users("tools/call")).isNotEmpty().containsOnly("alice");
	}

	@Test
	void aCallThatIsRepeatedInAnotherSessionKeepsThem() {
		AtomicInteger asked = new AtomicInteger();
		start(McpHeadersProvider.of((request) -> {
			asked.addAndGet(request.ofCaller() ? 1 : 0);
			return user();
		}));
		logIn("alice");
		this.server.forgetSessions();
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
		assertThat(this.server.requests("initialize")).hasSize(2);
		assertThat(users("tools/call")).containsExactly("alice", "alice");
		assertThat(users("initialize")).containsOnlyNulls();
		assertThat(asked).hasValue(1);
	}

	@Test
	void theCancellationOfACallHasThem() {
		start(ofUserOfThread());
		this.server.on("tools/call", McpTestReply.never());
		logIn("alice");
		Disposable call = echo().callAsync(HELLO).subscribe();
		this.server.awaitRequest("tools/call");
		call.dispose();
		this.server.awaitRequest("notifications/cancelled");
		assertThat(users("notifications/cancelled")).containsExactly("alice");
	}

	@Test
	void theFirstProviderCountsAndThenTheConfiguration() {
		Providers providers = start(
				McpHeadersProvider.of((request) -> Map.of("x-configured", "provided", "X-Two", "2")));
		providers.second = McpHeadersProvider.of((request) -> Map.of("X-TWO", "second", "X-Three", "3"));
		echo().call(HELLO);
		assertThat(this.server.awaitRequest("initialize").headers()).containsEntry("X-Configured", List.of("provided"));
		Map<String, List<String>> headers = this.server.awaitRequest("tools/call").headers();
		assertThat(headers).containsEntry("X-Configured", List.of("provided"));
		assertThat(headers).containsEntry("X-Two", List.of("2"));
		assertThat(headers).containsEntry("X-Three", List.of("3"));
		providers.first = (request) -> Mono.empty();
		echo().call(HELLO);
		headers = this.server.awaitRequests("tools/call", 2).get(1).headers();
		assertThat(headers).containsEntry("X-Configured", List.of("configured"));
		assertThat(headers).containsEntry("X-Two", List.of("second"));
	}

	@Test
	void theHeadersOfOneServerReachNoOther() {
		List<String> asked = new CopyOnWriteArrayList<>();
		start(McpHeadersProvider.forServer("a", McpHeadersProvider.of((request) -> {
			asked.add(request.server().name());
			return Map.of("X-Secret", "of a");
		})));
		echo().call(HELLO);
		this.application.tools().get("b_echo").call(HELLO);
		assertThat(asked).isNotEmpty().containsOnly("a");
		for (String method : List.of("initialize", "tools/list", "tools/call")) {
			assertThat(this.server.requests(method)).allMatch((request) -> request.headers().containsKey("X-Secret"));
			assertThat(this.other.requests(method)).isNotEmpty()
				.noneMatch((request) -> request.headers().containsKey("X-Secret"));
		}
	}

	@Test
	void aProviderMayCallAnotherServer() {
		this.other.on("tools/call",
				(request) -> McpTestReply.result(Map.of("content", List.of(Map.of("type", "text", "text", "token")))));
		Providers providers = start((request) -> Mono.empty());
		providers.first = McpHeadersProvider.forServer("a",
				(request) -> this.application.tools()
					.get("b_echo")
					.callAsync(Map.of())
					.map((result) -> Map.of("Authorization", "Bearer " + result.text())));
		echo().call(HELLO);
		assertThat(users("tools/call")).containsExactly("token");
		assertThat(this.other.requests("tools/call")).hasSize(1)
			.noneMatch((request) -> request.headers().containsKey("Authorization"));
	}

	@Test
	void whatAProviderThrowsIsWhatTheCallerGets() {
		UnsupportedOperationException failure = new UnsupportedOperationException("not today");
		Providers providers = start((request) -> Mono.empty());
		providers.first = McpHeadersProvider.of((request) -> {
			throw failure;
		});
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> echo().call(HELLO))
			.isSameAs(failure);
		providers.first = (request) -> {
			throw failure;
		};
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(
				() -> Mono.defer(() -> echo().callAsync(HELLO)).subscribeOn(Schedulers.parallel()).block(LIMIT));
		providers.first = (request) -> null;
		assertThatIllegalStateException().isThrownBy(() -> echo().call(HELLO))
			.withMessageContaining("returned null for MCP server 'a'");
		assertNothingHappened();
	}

	private void assertNothingHappened() {
		assertThat(this.server.calls()).isEmpty();
		this.application.context().getBean(Providers.class).first = (request) -> Mono.empty();
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
		assertThat(this.server.requests("initialize")).hasSize(1);
		assertThat(this.application.state("a")).isEqualTo(McpServerState.READY);
	}

	@ParameterizedTest
	@CsvSource({ "Mcp-Session-Id, x, set by the MCP client", "mcp-protocol-version, x, set by the MCP client",
			"Content-Type, x, set by the MCP client", "Host, x, set by the MCP client",
			"Content-Length, 1, set by the MCP client", "Transfer-Encoding, chunked, set by the MCP client",
			"Expect, 100-continue, set by the MCP client", "bad name, s3cr3t, not a valid name",
			"'', s3cr3t, not a valid name", "X-Token, 's3cr3t\n', contains a line break",
			"X-Token, 's3cr3t\u4e16', ISO-8859-1", "X-Token, , has no value",
			"Authorization, Bearer org.example.s3cr3t.Jwt@e7e6, '''Authorization'' cannot be sent: The value is the default toString()'",
			"X-Api-Key, [C@5e316c74, '''X-Api-Key'' cannot be sent: The value is the default toString()'" })
	void whatMustNotBeSentFailsTheCall(String name, String value, String reason) {
		Providers providers = start((request) -> Mono.empty());
		Map<String, String> headers = new HashMap<>(Collections.singletonMap(name, value));
		providers.first = McpHeadersProvider.of((request) -> headers);
		assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> echo().call(HELLO))
			.withMessageContaining("MCP server 'a'")
			.withMessageContaining(reason)
			.withMessageContaining("Correct the McpHeadersProvider")
			.satisfies((ex) -> assertThat(ex).hasMessageNotContainingAny("s3cr3t", "5e316c74"));
		assertNothingHappened();
	}

	@Test
	void aProviderThatHangsIsInterruptedAfterTheTimeoutOfTheCall() throws Exception {
		Providers providers = start((request) -> Mono.empty());
		CompletableFuture<Boolean> interrupted = hang(providers);
		McpToolRequest request = McpToolRequest.of(HELLO).withTimeout(Duration.ofSeconds(1));
		assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> echo().call(request))
			.withMessageContaining("it waited for the headers of an McpHeadersProvider")
			.withMessageContaining("1000 ms");
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Boolean> elsewhere = hang(providers);
		assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(
				() -> Mono.defer(() -> echo().callAsync(request)).subscribeOn(Schedulers.parallel()).block(LIMIT));
		assertThat(elsewhere.get(30, TimeUnit.SECONDS)).isTrue();
		assertNothingHappened();
	}

	@Test
	void aProviderThatHangsIsInterruptedWhenTheCallerCancels() throws Exception {
		Providers providers = start((request) -> Mono.empty());
		CompletableFuture<Boolean> interrupted = hang(providers);
		Disposable call = Mono.defer(() -> echo().callAsync(HELLO)).subscribeOn(Schedulers.parallel()).subscribe();
		assertThat(providers.hanging.await(30, TimeUnit.SECONDS)).isTrue();
		call.dispose();
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
		assertNothingHappened();
	}

	@Test
	void aProviderThatFailsWithoutACallerIsAFailedAttempt() {
		Providers providers = start(McpHeadersProvider.forServer("a", (request) -> {
			throw new IllegalStateException("no token");
		}));
		Awaitility.await().until(() -> this.application.state("a"), McpServerState.UNAVAILABLE::equals);
		assertThat(this.application.registry().server("a").status().lastError())
			.startsWith("An McpHeadersProvider failed: java.lang.IllegalStateException: no token. Correct the");
		assertThat(this.application.state("b")).isEqualTo(McpServerState.READY);
		providers.first = (request) -> Mono.empty();
		this.application.manager().server("a").reconnect();
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
	}

	@Test
	void aProviderThatHangsWithoutACallerIsAFailedAttempt() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		start(McpHeadersProvider.forServer("a", McpHeadersProvider.of((request) -> hang(end, interrupted))),
				"mcp.servers.a.connect-timeout=200ms");
		Awaitility.await().until(() -> this.application.state("a") == McpServerState.UNAVAILABLE);
		assertThat(this.application.registry().server("a").status().lastError()).startsWith(
				"An McpHeadersProvider provided no headers within 200 ms. Make it faster, or raise mcp.servers.a.connect-timeout.");
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void valuesAreNeitherLoggedNorTold(CapturedOutput output) {
		AtomicReference<McpHeadersRequest> request = new AtomicReference<>();
		start(McpHeadersProvider.of((asked) -> {
			request.set(asked);
			return Map.of("Authorization", "Bearer s3cr3t-0123456789");
		}), "logging.level.io.github.mcpclient=trace", "mcp.servers.a.headers.X-Key=s3cr3t-configured",
				"mcp.servers.a.reconnect.enabled=false");
		echo().call(HELLO);
		this.server.close();
		this.application.manager().server("a").reconnect();
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> echo().call(HELLO))
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining("s3cr3t"));
		assertThat(this.application.registry().server("a").status().toString()).doesNotContain("s3cr3t");
		assertThat(request.get().toString()).doesNotContain("s3cr3t");
		assertThat(output).contains("DEBUG").contains("MCP server 'a'").doesNotContain("s3cr3t");
	}

	private static CompletableFuture<Boolean> hang(Providers providers) {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		CountDownLatch hanging = new CountDownLatch(1);
		providers.hanging = hanging;
		providers.first = McpHeadersProvider
			.of((request) -> request.ofCaller() ? hang(hanging, interrupted) : Map.of());
		return interrupted;
	}

	private static Map<String, String> hang(CountDownLatch begun, CompletableFuture<Boolean> interrupted) {
		begun.countDown();
		try {
			interrupted.complete(new CountDownLatch(1).await(60, TimeUnit.SECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			interrupted.complete(true);
			throw new IllegalStateException(ex);
		}
		return Map.of();
	}

	private static McpHeadersProvider ofUserOfThread() {
		return McpHeadersProvider.of((request) -> user());
	}

	private static Map<String, String> user() {
		Authentication user = SecurityContextHolder.getContext().getAuthentication();
		return (user != null) ? Map.of("Authorization", "Bearer " + user.getName()) : Map.of();
	}

	private static void logIn(String name) {
		SecurityContextHolder.getContext().setAuthentication(authentication(name));
	}

	private static Authentication authentication(String name) {
		return new TestingAuthenticationToken(name, "n/a");
	}

	private List<String> users(String method) {
		return this.server.requests(method)
			.stream()
			.map((request) -> request.header("Authorization"))
			.map((header) -> (header != null) ? header.substring("Bearer ".length()) : null)
			.toList();
	}

	static class Providers {

		private static McpHeadersProvider initial;

		private volatile McpHeadersProvider first = initial;

		private volatile McpHeadersProvider second = (request) -> Mono.empty();

		private volatile CountDownLatch hanging = new CountDownLatch(1);

		@Bean
		@Order(2)
		McpHeadersProvider second() {
			return (request) -> this.second.headers(request);
		}

		@Bean
		@Order(1)
		McpHeadersProvider first() {
			return (request) -> this.first.headers(request);
		}

	}

}
