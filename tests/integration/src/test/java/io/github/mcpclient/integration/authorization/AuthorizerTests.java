package io.github.mcpclient.integration.authorization;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;
import org.springframework.util.StringUtils;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Authorization of requests, by the built-in static types and by authorizers of the
 * application, which give other headers for what a server refuses.
 */
class AuthorizerTests extends AbstractAuthorizationTests {

	private Tokens start(Tokens tokens, String... properties) {
		Tokens.created = tokens;
		this.application = ClientApplication
			.start(Configured.class,
					StringUtils
						.concatenateStringArrays(
								new String[] { "mcp.servers.a.url=" + this.server.url(),
										"mcp.servers.a.auth.type=tokens", "mcp.servers.b.url=" + this.other.url() },
								properties));
		return tokens;
	}

	private List<@Nullable String> authorizations(String method) {
		return this.server.requests(method).stream().map((request) -> request.header("Authorization")).toList();
	}

	/**
	 * Let the server refuse requests of a method, as long as they have not the right
	 * token.
	 */
	private void refuse(String method, int status, Predicate<String> right) {
		this.server.on(method, (request) -> {
			String token = String.valueOf(request.header("Authorization"));
			return right.test(token) ? McpTestReply.standard() : refusal(request, status);
		});
	}

	private static McpTestReply refusal(McpTestRequest request, int status) {
		return McpTestReply.status(status)
			.withHeader("WWW-Authenticate",
					"Bearer error=\"invalid_token\", echo=\"" + request.header("Authorization") + "\"");
	}

	@Test
	void aTokenIsSentWithEachRequestToItsServerOnly() {
		start(new Tokens(), "mcp.servers.a.auth.type=bearer", "mcp.servers.a.auth.bearer.token=t0k3n");
		this.server.awaitListeners(1);
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
		this.application.tools().get("b_echo").call(HELLO);
		this.application.close();
		this.server.awaitRequest("DELETE");
		assertThat(this.server.requests()).extracting((request) -> request.header("Authorization"))
			.hasSizeGreaterThan(5)
			.containsOnly("Bearer t0k3n");
		assertThat(this.other.requests()).isNotEmpty()
			.noneMatch((request) -> request.headers().containsKey("Authorization"));
	}

	@Test
	void credentialsAreEncodedAsUtf8() {
		start(new Tokens(), "mcp.servers.a.auth.type=", "mcp.servers.a.auth.basic.username=j\u00f6rg",
				"mcp.servers.a.auth.basic.password=a:b");
		String credentials = Base64.getEncoder().encodeToString("j\u00f6rg:a:b".getBytes(StandardCharsets.UTF_8));
		assertThat(authorizations("initialize")).containsExactly("Basic " + credentials);
	}

	@Test
	void anAuthorizerComesBeforeProvidersAndTheConfiguration() {
		start(new Tokens(), "mcp.servers.a.headers.X-Configured=configured");
		Tokens.provided = Map.of("authorization", "Bearer provided", "X-Provided", "provided", "X-Configured", "no");
		echo().call(HELLO);
		McpTestRequest call = this.server.awaitRequest("tools/call");
		assertThat(call.headers().get("Authorization")).containsExactly("Bearer 1");
		assertThat(call.header("X-Provided")).isEqualTo("provided");
		assertThat(call.header("X-Configured")).isEqualTo("no");
	}

	@ParameterizedTest
	@ValueSource(strings = { "initialize", "notifications/initialized", "tools/list", "GET", "tools/call" })
	void aRequestThatIsRefusedIsRepeated(String method) {
		refuse(method, 401, "Bearer 2"::equals);
		Tokens tokens = start(new Tokens());
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
		this.server.awaitListeners(1);
		assertThat(authorizations(method)).containsExactly("Bearer 1", "Bearer 2");
		assertThat(tokens.challenges).singleElement().satisfies((challenge) -> {
			assertThat(challenge.status()).isEqualTo(401);
			assertThat(challenge.wwwAuthenticate())
				.containsExactly("Bearer error=\"invalid_token\", echo=\"Bearer 1\"");
			assertThat(challenge.rejectedHeaders()).isEqualTo(Map.of("Authorization", "Bearer 1"));
			assertThat(challenge.attempt()).isOne();
			assertThat(challenge.address()).isEqualTo(InetAddress.getByName("127.0.0.1"));
			assertThat(challenge.toString()).doesNotContain("Bearer");
		});
		assertThat(tokens.refused).singleElement().satisfies((request) -> {
			assertThat(request.server().name()).isEqualTo("a");
			assertThat(request.method()).isEqualTo(method.equals("GET") ? "GET" : "POST");
			assertThat(request.forCaller()).isEqualTo(method.equals("tools/call"));
		});
		assertThat(this.server.requests("initialize")).hasSize(method.equals("initialize") ? 2 : 1);
	}

	@Test
	void theEndOfASessionIsNotRepeated() {
		refuse("DELETE", 401, "Bearer 2"::equals);
		Tokens tokens = start(new Tokens());
		this.application.close();
		assertThat(authorizations("DELETE")).containsExactly("Bearer 1");
		assertThat(tokens.challenges).isEmpty();
	}

	@Test
	void theOlderTransportRepeatsToo() {
		for (String method : List.of("GET", "initialize", "tools/call")) {
			this.server.onNext(method, (request) -> refusal(request, 401));
		}
		Tokens tokens = start(new Tokens(), "mcp.servers.a.url=" + this.server.sseUrl(), "mcp.servers.a.type=sse");
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
		for (String method : List.of("GET", "initialize", "tools/call")) {
			assertThat(authorizations(method)).containsExactly("Bearer 1", "Bearer 2");
		}
		assertThat(tokens.challenges).hasSize(3);
	}

	@Test
	void a401IsRepeatedOnceAndA403ThreeTimesInAll() {
		Tokens tokens = start(new Tokens());
		refuse("tools/call", 401, "never"::equals);
		assertRefused("HTTP 401 Unauthorized");
		assertThat(tokens.challenges).extracting(McpAuthorizationChallenge::attempt).containsExactly(1);
		refuse("tools/call", 403, "never"::equals);
		tokens.challenges.clear();
		assertRefused("HTTP 403 Forbidden");
		assertThat(tokens.challenges).extracting(McpAuthorizationChallenge::attempt).containsExactly(1, 2, 3);
		assertThat(this.server.requests("tools/call")).hasSize(2 + 4);
		this.server.onNext("tools/call", (request) -> refusal(request, 401));
		tokens.challenges.clear();
		assertRefused("HTTP 403 Forbidden");
		assertThat(tokens.challenges).extracting(McpAuthorizationChallenge::status).containsExactly(401, 403, 403);
		assertThat(this.application.state("a")).isEqualTo(McpServerState.READY);
	}

	private void assertRefused(String message) {
		assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> echo().call(HELLO))
			.withMessageContaining(message)
			.withMessageContaining("mcp.servers.a.auth");
	}

	@Test
	void theSameHeadersAreNotSentAgain() {
		Tokens tokens = new Tokens();
		refuse("tools/call", 403, "never"::equals);
		start(tokens).renewal = (request, challenge) -> Mono.just(Map.of("authorization", "Bearer 1"));
		assertRefused("HTTP 403 Forbidden");
		tokens.renewal = (request, challenge) -> Mono.empty();
		assertRefused("HTTP 403 Forbidden");
		assertThat(this.server.requests("tools/call")).hasSize(2);
	}

	@Test
	void aStreamIsContinuedWithOtherHeaders() {
		this.server.on("tools/call", McpTestReply.standard().onResumption());
		this.server.on("GET", (request) -> {
			boolean refused = request.header("Last-Event-ID") != null
					&& !"Bearer 2".equals(request.header("Authorization"));
			return refused ? refusal(request, 401) : McpTestReply.standard();
		});
		Tokens tokens = start(new Tokens());
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
		assertThat(tokens.challenges).hasSize(1);
		assertThat(tokens.refused.get(0).method()).isEqualTo("GET");
		assertThat(this.server.requests("tools/call")).hasSize(1);
	}

	@Test
	void callersThatAreRefusedAtOnceAreRepeatedEach() {
		refuse("tools/call", 401, (token) -> !token.equals("Bearer 1"));
		Tokens tokens = start(new Tokens());
		List<String> texts = Flux.range(0, 32)
			.flatMap((i) -> echo().callAsync(Map.of("message", "m" + i)), 32)
			.map((result) -> result.text())
			.collectList()
			.block(LIMIT);
		assertThat(texts).hasSize(32).doesNotHaveDuplicates().allMatch((text) -> text.startsWith("echo m"));
		assertThat(tokens.challenges).hasSize(32);
		assertThat(this.server.requests("tools/call")).hasSize(64);
	}

	@Test
	void laterRequestsOfACallHaveTheOtherHeaders() {
		CountDownLatch called = new CountDownLatch(1);
		this.server.on("tools/call", (request) -> {
			if (!"Bearer 2".equals(request.header("Authorization"))) {
				return refusal(request, 401);
			}
			called.countDown();
			return McpTestReply.never();
		});
		start(new Tokens());
		Disposable call = echo().callAsync(HELLO).subscribe();
		Awaitility.await().until(() -> called.getCount() == 0);
		call.dispose();
		this.server.awaitRequest("notifications/cancelled");
		assertThat(authorizations("notifications/cancelled")).containsExactly("Bearer 2");
	}

	@Test
	void theUserIsThereWhenACallIsRefused() {
		List<String> seen = new CopyOnWriteArrayList<>();
		refuse("tools/call", 401, "Bearer renewed"::equals);
		Tokens tokens = new Tokens();
		tokens.renewal = (request, challenge) -> Mono.fromSupplier(() -> {
			seen.add(SecurityContextHolder.getContext().getAuthentication().getName() + " on "
					+ Thread.currentThread().getName().replaceAll("-\\d+$", ""));
			return Map.of("Authorization", "Bearer renewed");
		});
		start(tokens);
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "n/a"));
		echo().call(HELLO);
		Mono.defer(() -> echo().callAsync(HELLO)).subscribeOn(Schedulers.parallel()).contextCapture().block(LIMIT);
		assertThat(seen).containsExactly("alice on mcp-headers", "alice on mcp-headers");
	}

	@Test
	void theUserIsThereInCallsOfModels() {
		Tokens tokens = start(new Tokens());
		tokens.authorization = (request) -> request.forCaller()
				? Tokens.bearer(SecurityContextHolder.getContext().getAuthentication().getName()) : Tokens.bearer("1");
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "n/a"));
		ToolCallback callback = Stream
			.of(this.application.context().getBean(McpToolCallbackProvider.class).getToolCallbacks())
			.filter((tool) -> tool.getToolDefinition().name().equals("a_echo"))
			.findFirst()
			.orElseThrow();
		assertThat(callback.call("{\"message\": \"hello\"}")).contains("echo hello");
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("bob", "n/a"));
		Assistant assistant = AiServices.builder(Assistant.class)
			.chatModel(new CallingModel())
			.toolProvider(this.application.context().getBean(McpCatalogToolProvider.class))
			.build();
		assertThat(assistant.ask("hello")).isEqualTo("echo hello");
		assertThat(authorizations("tools/call")).containsExactly("Bearer alice", "Bearer bob");
	}

	@ParameterizedTest
	@CsvSource({ "tools/call, 307", "tools/call, 308", "tools/call, 302", "GET, 302", "GET, 307", "sse, 302" })
	void noRedirectToAnotherOriginIsFollowed(String method, int status) {
		String user = this.server.url().replace("://", "://someone@");
		for (String location : List.of(user + "/elsewhere", this.other.url() + "/elsewhere")) {
			this.server.on(method.equals("sse") ? "GET" : method,
					McpTestReply.status(status).withHeader("Location", location));
			Tokens tokens = method.equals("sse")
					? start(new Tokens(), "mcp.servers.a.url=" + this.server.sseUrl(), "mcp.servers.a.type=sse")
					: start(new Tokens());
			switch (method) {
				case "sse" -> assertThat(lastError()).contains("redirects", "mcp.servers.a.url");
				case "GET" -> this.server.awaitRequest("GET");
				default -> assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> echo().call(HELLO))
					.withMessageContaining("redirects")
					.withMessageContaining("mcp.servers.a.url");
			}
			this.application.close();
			assertThat(tokens.challenges).isEmpty();
		}
		assertThat(this.server.requests()).extracting(McpTestRequest::path).doesNotContain("/elsewhere");
		assertThat(this.other.requests())
			.noneMatch((request) -> request.path().endsWith("/elsewhere") || request.header("Authorization") != null);
	}

	@Test
	void whatAnAuthorizerThrowsIsWhatTheCallerGets() {
		ClientAuthorizationRequiredException failure = new ClientAuthorizationRequiredException("a");
		Tokens tokens = start(new Tokens());
		tokens.authorization = (request) -> request.forCaller() ? Mono.error(failure) : Tokens.bearer("1");
		assertGets(failure);
		tokens.authorization = (request) -> Tokens.bearer("1");
		tokens.renewal = (request, challenge) -> {
			throw failure;
		};
		refuse("tools/call", 401, "never"::equals);
		assertGets(failure);
		assertThat(this.application.state("a")).isEqualTo(McpServerState.READY);
		assertThat(this.server.requests("initialize")).hasSize(1);
	}

	private void assertGets(RuntimeException failure) {
		Class<? extends RuntimeException> type = failure.getClass();
		assertThatExceptionOfType(type).isThrownBy(() -> echo().call(HELLO)).isSameAs(failure);
		assertThatExceptionOfType(type).isThrownBy(() -> this.application.registry().callTool("a_echo", HELLO))
			.isSameAs(failure);
		CompletableFuture<Throwable> signalled = new CompletableFuture<>();
		Mono.defer(() -> echo().callAsync(HELLO))
			.subscribeOn(Schedulers.parallel())
			.subscribe(null, signalled::complete);
		assertThat(signalled).succeedsWithin(LIMIT).isSameAs(failure);
		assertThatExceptionOfType(type)
			.isThrownBy(() -> this.application.context().getBean(McpToolExecutor.class).execute("a_echo", HELLO))
			.isSameAs(failure);
		assertThatExceptionOfType(type)
			.isThrownBy(() -> Stream
				.of(this.application.context().getBean(McpToolCallbackProvider.class).getToolCallbacks())
				.forEach((callback) -> callback.call("{}")))
			.isSameAs(failure);
		assertThatExceptionOfType(type)
			.isThrownBy(() -> this.application.context()
				.getBean(McpCatalogToolProvider.class)
				.provideTools(new ToolProviderRequest("memory", UserMessage.from("x")))
				.aiServiceTools()
				.forEach((tool) -> tool.toolExecutor()
					.execute(ToolExecutionRequest.builder().name("a_echo").arguments("{}").build(), "memory")))
			.isSameAs(failure);
	}

	@Test
	void anAuthorizerThatHangsCostsTheTimeoutOfTheCall() throws Exception {
		refuse("tools/call", 401, "never"::equals);
		Tokens tokens = start(new Tokens());
		CompletableFuture<Boolean> interrupted = hang(tokens, new CountDownLatch(1));
		McpToolRequest request = McpToolRequest.of(HELLO).withTimeout(Duration.ofSeconds(1));
		assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> echo().call(request));
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
		tokens.authorization = (asked) -> asked.forCaller() ? Mono.never() : Tokens.bearer("1");
		assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> echo().call(request))
			.withMessageContaining("it waited for its authorization");
		assertThat(this.server.requests("tools/call")).hasSize(1);
		assertThat(this.application.state("a")).isEqualTo(McpServerState.READY);
	}

	@Test
	void anAuthorizerThatHangsIsInterruptedWhenTheCallerCancels() throws Exception {
		refuse("tools/call", 401, "never"::equals);
		Tokens tokens = start(new Tokens());
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> interrupted = hang(tokens, begun);
		Disposable call = echo().callAsync(HELLO).subscribe();
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		call.dispose();
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
		this.server.on("tools/call", McpTestReply.standard());
		assertThat(echo().call(HELLO).text()).isEqualTo("echo hello");
		assertThat(this.server.requests("initialize")).hasSize(1);
	}

	private static CompletableFuture<Boolean> hang(Tokens tokens, CountDownLatch begun) {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		tokens.renewal = (request, challenge) -> Mono.fromCallable(() -> {
			begun.countDown();
			try {
				interrupted.complete(new CountDownLatch(1).await(60, TimeUnit.SECONDS));
			}
			catch (InterruptedException ex) {
				interrupted.complete(true);
				throw ex;
			}
			return Map.of();
		});
		return interrupted;
	}

	@Test
	void anAuthorizerThatFailsWithoutACallerIsAFailedAttempt() {
		Tokens tokens = new Tokens();
		tokens.authorization = (request) -> Mono.error(new IllegalStateException("no token"));
		start(tokens);
		Awaitility.await().until(() -> this.application.state("a"), McpServerState.UNAVAILABLE::equals);
		assertThat(lastError()).startsWith(
				"The authorization failed: java.lang.IllegalStateException: no token. " + "Check mcp.servers.a.auth.");
		assertThat(this.application.state("b")).isEqualTo(McpServerState.READY);
		tokens.authorization = (request) -> Tokens.bearer("1");
		tokens.renewal = (request, challenge) -> Mono.error(new IllegalStateException("no other token"));
		refuse("initialize", 401, "never"::equals);
		this.application.manager().server("a").reconnect();
		assertThat(lastError()).startsWith("The authorization failed: java.lang.IllegalStateException: no other token");
		tokens.renewal = (request, challenge) -> Mono.empty();
		this.application.manager().server("a").reconnect();
		assertThat(lastError()).startsWith(
				"HTTP 401 Unauthorized (Bearer, invalid_token). Set the credentials in " + "mcp.servers.a.auth");
	}

	@Test
	void anAuthorizerThatHangsWithoutACallerIsAFailedAttempt() {
		Tokens tokens = new Tokens();
		tokens.authorization = (request) -> Mono.never();
		start(tokens, "mcp.servers.a.connect-timeout=200ms");
		assertThat(lastError())
			.startsWith("The authorization provided no headers within 200 ms. Make it faster, or raise "
					+ "mcp.servers.a.connect-timeout.");
		tokens.authorization = (request) -> Tokens.bearer("1");
		tokens.renewal = (request, challenge) -> Mono.never();
		refuse("initialize", 401, "never"::equals);
		this.application.manager().server("a").reconnect();
		assertThat(lastError()).startsWith("The authorization provided no headers within 200 ms.");
	}

	@Test
	void aServerOfCodeHasATypeThatIsThere() {
		start(new Tokens());
		McpServerDefinition definition = McpServerDefinition.http("c", URI.create(this.server.url()))
			.auth(McpServerAuth.of("nobody"))
			.build();
		assertThatIllegalArgumentException().isThrownBy(() -> this.application.manager().add(definition))
			.withMessageContaining("auth.type: There is no such type of authorization");
	}

	private String lastError() {
		Awaitility.await().until(() -> this.application.state("a") == McpServerState.UNAVAILABLE);
		return String.valueOf(this.application.registry().server("a").status().lastError());
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void valuesAreNeitherLoggedNorTold(CapturedOutput output) {
		Tokens tokens = new Tokens();
		tokens.authorization = (request) -> Tokens.bearer("s3cr3t-first");
		tokens.renewal = (request, challenge) -> Tokens.bearer("s3cr3t-second-" + challenge.attempt());
		start(tokens, "logging.level.io.github.mcpclient=trace");
		refuse("tools/call", 403, "never"::equals);
		assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> echo().call(HELLO))
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining("s3cr3t"));
		this.server.on("initialize",
				(request) -> refusal(request, 403).body("text/plain", "Not with " + request.header("Authorization")));
		this.application.manager().server("a").reconnect();
		assertThat(lastError()).contains("Not with").doesNotContain("s3cr3t");
		assertThat(tokens.refused.toString() + tokens.challenges).doesNotContain("s3cr3t");
		assertThat(output).contains("DEBUG").contains("MCP server 'a'").doesNotContain("s3cr3t");
	}

	interface Assistant {

		String ask(String question);

	}

	/**
	 * Calls the tool with what it is asked, and answers what the tool did.
	 */
	static final class CallingModel implements ChatModel {

		@Override
		public ChatResponse doChat(ChatRequest request) {
			ChatMessage last = request.messages().get(request.messages().size() - 1);
			AiMessage answer = (last instanceof ToolExecutionResultMessage result) ? AiMessage.from(result.text())
					: AiMessage.from(ToolExecutionRequest.builder()
						.id("1")
						.name("a_echo")
						.arguments("{\"message\": \"" + ((UserMessage) last).singleText() + "\"}")
						.build());
			return ChatResponse.builder().aiMessage(answer).build();
		}

	}

	/**
	 * Numbers its tokens.
	 */
	static final class Tokens implements McpAuthorizer {

		private static volatile Tokens created;

		private static volatile Map<String, String> provided = Map.of();

		private final List<McpAuthorizationChallenge> challenges = new CopyOnWriteArrayList<>();

		private final List<McpHeadersRequest> refused = new CopyOnWriteArrayList<>();

		private volatile McpAuthorizer authorization = (request) -> bearer("1");

		private volatile BiFunction<McpHeadersRequest, McpAuthorizationChallenge, Mono<Map<String, String>>> renewal = (
				request, challenge) -> bearer(String.valueOf(challenge.attempt() + 1));

		private static Mono<Map<String, String>> bearer(String token) {
			return Mono.just(Map.of("Authorization", "Bearer " + token));
		}

		@Override
		public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
			return this.authorization.authorize(request);
		}

		@Override
		public Mono<Map<String, String>> reauthorize(McpHeadersRequest request, McpAuthorizationChallenge challenge) {
			this.refused.add(request);
			this.challenges.add(challenge);
			return this.renewal.apply(request, challenge);
		}

	}

	static class Configured {

		@Bean
		McpAuthorizer tokens() {
			Tokens.provided = Map.of();
			return Tokens.created;
		}

		@Bean
		McpHeadersProvider provider() {
			return McpHeadersProvider.of((request) -> Tokens.provided);
		}

	}

}
