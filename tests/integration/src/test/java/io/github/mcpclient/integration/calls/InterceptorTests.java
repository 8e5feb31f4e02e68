package io.github.mcpclient.integration.calls;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Interceptors of calls, in an application.
 */
class InterceptorTests {

	private final McpTestServer server = McpTestServer.create().tools("echo").start();

	private ClientApplication application = ClientApplication.start(Interceptors.class,
			"mcp.servers.a.url=" + this.server.url(), "mcp.servers.a.request-timeout=30s");

	private final Interceptors interceptors = this.application.context().getBean(Interceptors.class);

	private final McpTool echo = this.application.tools().get("a_echo");

	@AfterEach
	void stop() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void standAroundEachCallInTheirOrder() {
		this.interceptors.inner = (tool, request, chain) -> {
			this.interceptors.events.add("inner " + tool.name() + " " + request.arguments());
			return chain.proceed(request.withArguments(Map.of("message", request.arguments().get("message") + "!")));
		};
		Map<String, Object> hello = Map.of("message", "hello");
		List<String> answers = new ArrayList<>();
		answers.add(this.echo.call(hello).text());
		answers.add(this.echo.call("{\"message\": \"hello\"}").text());
		answers.add(this.echo.callAsync(hello).map(McpToolResult::text).block(LIMIT));
		answers.add(this.application.text("a_echo", hello));
		answers.add(bean(McpToolExecutor.class).execute("a_echo", hello).text());
		answers.add(bean(ToolCallbackProvider.class).getToolCallbacks()[0].call("{\"message\": \"hello\"}"));
		answers.add(bean(ToolProvider.class).provideTools(new ToolProviderRequest("memory", UserMessage.from("x")))
			.aiServiceTools()
			.get(0)
			.toolExecutor()
			.execute(ToolExecutionRequest.builder().name("a_echo").arguments("{\"message\": \"hello\"}").build(),
					"memory"));
		assertThat(answers).hasSize(7).containsOnly("echo hello!");
		assertThat(this.interceptors.events).hasSize(21);
		assertThat(this.interceptors.events.subList(0, 3)).containsExactly("outer begins",
				"inner a_echo {message=hello}", "outer ends");
	}

	@Test
	void canSpareTheCall() {
		this.interceptors.inner = (tool, request, chain) -> McpToolResult.error(tool.name(), "nobody approved");
		McpToolResult result = this.echo.call(Map.of());
		assertThat(result.isError()).isTrue();
		assertThat(result.text()).isEqualTo("nobody approved");
		assertThat(this.server.calls()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("throwables")
	void whateverTheyThrowIsWhatTheCallerGets(Throwable thrown) {
		this.interceptors.inner = (tool, request, chain) -> InterceptorTests.<RuntimeException>sneakyThrow(thrown);
		assertThat(catchThrowable(() -> this.echo.call(Map.of()))).isSameAs(thrown);
		AtomicReference<Throwable> signal = new AtomicReference<>();
		this.echo.callAsync(Map.of()).subscribe(null, signal::set);
		await().until(() -> signal.get() == thrown);
		if (thrown instanceof Exception) {
			assertThat(bean(McpToolExecutor.class).execute("a_echo", Map.of()).text())
				.as("what an application says is not for strangers")
				.isEqualTo("MCP tool 'a_echo' could not be called.");
		}
		// the next call is none the worse for it
		this.interceptors.inner = (tool, request, chain) -> chain.proceed(request);
		assertThat(this.echo.call(Map.of("message", "x")).text()).isEqualTo("echo x");
	}

	static Stream<Throwable> throwables() {
		return Stream.of(new IOException("disk"), new NoClassDefFoundError("a/Class"), new StackOverflowError(),
				new AssertionError("no"), new IllegalStateException("no"));
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> McpToolResult sneakyThrow(Throwable thrown) throws E {
		throw (E) thrown;
	}

	@Test
	void canAnswerFromACacheAndCallMoreThanOnce() {
		Map<Map<String, Object>, McpToolResult> cache = new ConcurrentHashMap<>();
		this.interceptors.inner = (tool, request, chain) -> cache.computeIfAbsent(request.arguments(), (arguments) -> {
			chain.proceed(request);
			return chain.proceed(request);
		});
		McpToolResult first = this.echo.call(Map.of("message", "hello"));
		assertThat(this.echo.call(Map.of("message", "hello"))).isSameAs(first);
		assertThat(this.echo.callAsync(Map.of("message", "hello")).block(LIMIT)).isSameAs(first);
		assertThat(this.echo.call(Map.of("message", "other")).text()).isEqualTo("echo other");
		assertThat(this.server.calls()).hasSize(4);
	}

	@Test
	@DisplayName("Interceptors run on the thread of a caller who waits, and may block though the caller may not")
	void runOnTheThreadOfACallerWhoWaitsAndMayBlock() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		this.interceptors.inner = (tool, request, chain) -> {
			thread.set(Thread.currentThread());
			Mono.delay(Duration.ofMillis(1)).block();
			return chain.proceed(request);
		};
		this.echo.call(Map.of());
		assertThat(thread).hasValue(Thread.currentThread());
		String text = Mono.defer(() -> this.echo.callAsync(Map.of("message", "hello")))
			.subscribeOn(Schedulers.parallel())
			.map(McpToolResult::text)
			.block(LIMIT);
		assertThat(text).isEqualTo("echo hello");
		assertThat(thread.get().getName()).startsWith("mcp-blocking");
	}

	@Test
	void doNotRunOnAnEventLoopForACallThatMustNotBlock() {
		assertThatIllegalStateException().isThrownBy(
				() -> Mono.fromCallable(() -> this.echo.call(Map.of())).subscribeOn(Schedulers.parallel()).block(LIMIT))
			.withMessageContaining("must not block");
		assertThat(this.interceptors.events).isEmpty();
	}

	@Test
	void noResultIsAMistake() {
		this.interceptors.inner = (tool, request, chain) -> null;
		assertThatIllegalStateException().isThrownBy(() -> this.echo.call(Map.of()))
			.withMessageContaining("returned no result for MCP tool 'a_echo'");
	}

	@Test
	void seeTheFailureOfACall() {
		AtomicReference<Throwable> seen = new AtomicReference<>();
		this.interceptors.inner = (tool, request, chain) -> {
			try {
				return chain.proceed(request);
			}
			catch (McpServerUnavailableException ex) {
				seen.set(ex);
				throw ex;
			}
		};
		this.server.close();
		this.application.manager().server("a").reconnect();
		assertThatExceptionOfType(McpServerUnavailableException.class).isThrownBy(() -> this.echo.call(Map.of()));
		assertThat(seen.get()).isNotNull();
		assertThatExceptionOfType(McpServerUnavailableException.class)
			.isThrownBy(() -> this.echo.callAsync(Map.of()).block(LIMIT));
	}

	@Test
	void takeNothingOfTheTimeout() {
		this.interceptors.inner = (tool, request, chain) -> {
			Mono.delay(Duration.ofSeconds(3)).block();
			return chain.proceed(request);
		};
		McpToolRequest request = McpToolRequest.of(Map.of("message", "hello")).withTimeout(Duration.ofSeconds(2));
		assertThat(this.echo.call(request).text()).isEqualTo("echo hello");
	}

	@Test
	void areInterruptedWhenTheCallerCancels() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		this.interceptors.inner = (tool, request, chain) -> {
			begun.countDown();
			try {
				interrupted.complete(new CountDownLatch(1).await(120, TimeUnit.SECONDS));
			}
			catch (InterruptedException ex) {
				interrupted.complete(true);
			}
			throw new IllegalStateException("Nobody approved");
		};
		Disposable call = this.echo.callAsync(Map.of()).subscribe();
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		call.dispose();
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.server.calls()).isEmpty();
	}

	@Test
	void whetherTheToolMayBeCalledIsDecidedAfterThem() {
		this.interceptors.inner = (tool, request, chain) -> {
			this.server.tools("other");
			this.application.manager().server("a").refresh();
			return chain.proceed(request);
		};
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> this.echo.call(Map.of()));
		assertThat(this.server.calls()).isEmpty();
	}

	@Test
	void seeTheSecurityContextOfTheCaller() {
		AtomicReference<String> user = new AtomicReference<>();
		this.interceptors.inner = (tool, request, chain) -> {
			user.set(SecurityContextHolder.getContext().getAuthentication().getName());
			return chain.proceed(request);
		};
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "n/a"));
		this.echo.call(Map.of());
		assertThat(user.getAndSet(null)).isEqualTo("alice");
		this.echo.callAsync(Map.of()).block(LIMIT);
		assertThat(user).hasValue("alice");
	}

	@Test
	void goOnForTheCallerOnAnotherThread() {
		AtomicReference<String> user = new AtomicReference<>();
		this.interceptors.inner = (tool, request, chain) -> chain
			.blocking(() -> SecurityContextHolder.getContext().getAuthentication().getName())
			.flatMap((name) -> chain.proceedAsync(request.withArguments(Map.of("message", name))))
			.block();
		this.interceptors.headers = McpHeadersProvider.of((request) -> {
			user.set(SecurityContextHolder.getContext().getAuthentication().getName());
			return Map.of();
		});
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "n/a"));
		assertThat(this.echo.call(Map.of()).text()).isEqualTo("echo alice");
		assertThat(user.getAndSet(null)).isEqualTo("alice");
		assertThat(this.echo.callAsync(Map.of()).block(LIMIT).text()).isEqualTo("echo alice");
		assertThat(user).hasValue("alice");
	}

	@Test
	void seeTheReactiveSecurityContextOfTheCaller() {
		AtomicReference<String> user = new AtomicReference<>();
		this.interceptors.inner = (tool, request, chain) -> {
			user.set(ReactiveSecurityContextHolder.getContext()
				.contextWrite(chain.context())
				.map((security) -> security.getAuthentication().getName())
				.block());
			return chain.proceed(request);
		};
		this.echo.callAsync(Map.of())
			.contextWrite(
					ReactiveSecurityContextHolder.withAuthentication(new TestingAuthenticationToken("bob", "n/a")))
			.block(LIMIT);
		assertThat(user).hasValue("bob");
		this.echo.call(McpToolRequest.of(Map.of())
			.withContext(
					ReactiveSecurityContextHolder.withAuthentication(new TestingAuthenticationToken("carol", "n/a"))));
		assertThat(user).hasValue("carol");
	}

	@Test
	void nothingIsMadeForThemWhereThereAreNone() {
		this.application.close();
		await().until(() -> interceptorThreads() == 0);
		this.application = ClientApplication.start("mcp.servers.a.url=" + this.server.url());
		this.application.tools().get("a_echo").callAsync(Map.of()).block(LIMIT);
		assertThat(interceptorThreads()).isZero();
	}

	private static long interceptorThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("mcp-blocking"))
			.count();
	}

	private <T> T bean(Class<T> type) {
		return this.application.context().getBean(type);
	}

	static class Interceptors {

		private final List<String> events = new CopyOnWriteArrayList<>();

		private volatile McpToolInterceptor inner = (tool, request, chain) -> chain.proceed(request);

		private volatile McpHeadersProvider headers = (request) -> Mono.just(Map.of());

		@Bean
		McpHeadersProvider headers() {
			return (request) -> request.forCaller() ? this.headers.headers(request) : Mono.just(Map.of());
		}

		@Bean
		@Order(2)
		McpToolInterceptor inner() {
			return (tool, request, chain) -> this.inner.intercept(tool, request, chain);
		}

		@Bean
		@Order(1)
		McpToolInterceptor outer() {
			return (tool, request, chain) -> {
				this.events.add("outer begins");
				McpToolResult result = chain.proceed(request);
				this.events.add("outer ends");
				return result;
			};
		}

	}

}
