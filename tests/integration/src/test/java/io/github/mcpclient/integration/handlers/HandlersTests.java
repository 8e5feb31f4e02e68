package io.github.mcpclient.integration.handlers;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.McpUrlElicitationRequiredException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpHandlerContext;
import io.github.mcpclient.handler.McpRootsProvider;
import io.github.mcpclient.handler.McpSampling;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.Root;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What servers ask of the application, and who answers.
 */
class HandlersTests {

	private static final Map<String, Object> FORM = Map.of("message", "Who?", "requestedSchema",
			Map.of("type", "object", "properties",
					Map.of("name", Map.of("type", "string"), "age", Map.of("type", "integer", "default", 42)),
					"required", List.of("name")));

	private static final Map<String, Object> LOGIN = Map.of("mode", "url", "elicitationId", "e1", "url",
			"https://login.example/", "message", "Log in");

	private static final Map<String, Object> FILE = Map.of("mode", "url", "elicitationId", "e2", "url", "file:///etc",
			"message", "Log in");

	private static final Scripted scripted = new Scripted();

	private static final McpTestServer http = server();

	private static final McpTestServer child = server();

	private static final McpTestServer denied = server();

	private static final McpTestServer limited = server();

	private static final McpTestServer reactive = server();

	private static ClientApplication application;

	/**
	 * Its tool asks the client what its arguments say, and answers with the answer.
	 */
	private static McpTestServer server() {
		return McpTestServer.create().tool("ask", (request) -> {
			try {
				return McpTestReply.text(request.request(request.argument("method"), params(request)).get().toString());
			}
			catch (ExecutionException ex) {
				return McpTestReply.text(ex.getCause().getMessage());
			}
		})
			.tool("login",
					(request) -> scripted.urls.contains("https://login.example/") ? McpTestReply.text("in")
							: McpTestReply.error(-32042, "Log in", Map.of("elicitations", List.of(LOGIN, FILE))))
			.start();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> params(McpTestRequest request) {
		return (Map<String, Object>) request.arguments().get("params");
	}

	@BeforeAll
	static void start() {
		List<String> command = child.stdioCommand();
		application = ClientApplication.start(WebApplicationType.NONE,
				new Class<?>[] { Handlers.class, Reactive.class }, "mcp.servers.reactive.url=" + reactive.url(),
				"mcp.servers.reactive.tools.validate-arguments=true", "mcp.servers.http.url=" + http.url(),
				"mcp.servers.http.roots.directories=/tmp/some where,file:///b",
				"mcp.servers.http.sampling.max-requests-per-minute=100000", "mcp.servers.http.sampling.max-tokens=50",
				"mcp.servers.child.command=" + command.get(0),
				"mcp.servers.child.args=" + String.join(",", command.subList(1, command.size())),
				"mcp.servers.child.sampling.max-depth=2", "mcp.servers.denied.url=" + denied.url(),
				"mcp.servers.denied.sampling.enabled=false", "mcp.servers.denied.elicitation.enabled=false",
				"mcp.servers.denied.roots.enabled=false", "mcp.servers.limited.url=" + limited.url(),
				"mcp.servers.limited.sampling.timeout=500ms", "mcp.servers.limited.sampling.max-requests-per-minute=2");
	}

	@Test
	void capabilitiesAreThoseThatAHandlerServes() {
		assertThat(capabilities(http)).isEqualTo(Map.of("sampling", Map.of(), "elicitation",
				Map.of("form", Map.of(), "url", Map.of()), "roots", Map.of("listChanged", false)));
		assertThat(capabilities(child)).containsOnlyKeys("sampling", "elicitation");
		assertThat(capabilities(limited)).isEqualTo(Map.of("sampling", Map.of()));
		assertThat(capabilities(denied)).isEmpty();
	}

	private static Object capabilitiesOf(McpTestServer server) {
		return server.awaitRequest("initialize").params().get("capabilities");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> capabilities(McpTestServer server) {
		return (Map<String, Object>) capabilitiesOf(server);
	}

	@ParameterizedTest
	@CsvSource({ "denied, sampling/createMessage", "denied, elicitation/create", "denied, roots/list",
			"limited, elicitation/create", "limited, roots/list", "http, tasks/get" })
	void whatNobodyServesIsRefused(String server, String method) {
		assertThat(ask(server, method, Map.of("message", "m", "messages", List.of(), "requestedSchema", Map.of())))
			.contains("-32601")
			.contains("Method not found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http", "child" })
	void samplingIsAnswered(String server) {
		assertThat(sample(server, "hello")).contains("role=assistant", "hello to " + server, "model=scripted");
	}

	@Test
	void tokensAreLimited() {
		assertThat(sample("http", "tokens")).contains("text=50");
	}

	@Test
	void callerIsKnownOverHttp() {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "secret"));
		afterTest(SecurityContextHolder::clearContext);
		assertThat(sample("http", "who")).contains("alice, known, depth 1");
		assertThat(sample("child", "who")).contains("nobody, unknown, depth 1");
	}

	@Test
	void callerIsKnownWhoseArgumentsAreValidated() {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "secret"));
		afterTest(SecurityContextHolder::clearContext);
		// which another thread validates
		Map<String, Object> large = Map.of("method", "sampling/createMessage", "params", samplingParams("who"), "fill",
				"x".repeat(100_000));
		assertThat(application.tools().get("reactive_ask").callAsync(large).map(McpToolResult::text).block(LIMIT))
			.contains("alice, known, depth 1");
	}

	@Test
	void failureOfAHandlerIsThatOfItsRequest() {
		assertThat(sample("http", "throw")).contains("-32603").contains("Internal error").doesNotContain("secret");
		assertThat(sample("http", "null")).contains("-32603");
		assertThat(sample("http", "reject")).contains("{\"code\":-1,\"message\":\"User rejected\"}");
		assertThat(sample("http", "hello")).contains("hello to http");
	}

	@Test
	void malformedRequestsAreRefused() {
		String method = "sampling/createMessage";
		assertThat(ask("http", method, Map.of("messages", "none"))).contains("-32602");
		assertThat(ask("http", method, Map.of("messages", List.of(), "tools", List.of(Map.of("name", "t")))))
			.contains("-32602")
			.contains("sampling.tools");
		assertThat(ask("http", "elicitation/create", Map.of("message", "m"))).contains("-32602");
		assertThat(ask("http", "elicitation/create", Map.of("mode", "voice", "message", "m"))).contains("-32602");
		assertThat(ask("http", "elicitation/create",
				Map.of("mode", "url", "message", "m", "elicitationId", "1", "url", "javascript:alert(1)")))
			.contains("-32602");
		assertThat(scripted.urls).doesNotContain("javascript:alert(1)");
	}

	@Test
	void samplingIsLimitedInTimeAndRate() {
		int before = scripted.interrupted.get();
		assertThat(sample("limited", "wait")).contains("-32000").contains("No result within 500 ms");
		Awaitility.await().until(() -> scripted.interrupted.get() > before);
		assertThat(sample("limited", "hello")).contains("hello to limited");
		assertThat(sample("limited", "hello")).contains("-32000").contains("More than 2 requests for sampling");
	}

	@Test
	void samplingIsLimitedInDepth() {
		assertThat(sample("http", "nest http")).contains("Sampling within sampling is limited to a depth of 1");
		assertThat(sample("child", "nest child")).contains("limited to a depth of 2");
	}

	@Test
	void samplingByReactiveHandlersIsLimitedInDepth() {
		assertThat(sample("reactive", "nest")).contains("limited to a depth of 1");
		// where the caller is unknown
		reactive.awaitListeners(1);
		assertThat(reactive.request("sampling/createMessage", samplingParams("nest"))).succeedsWithin(LIMIT)
			.asString()
			.contains("limited to a depth of 1");
	}

	@Test
	void floodCostsItself() {
		int before = scripted.hanging.get();
		http.awaitListeners(1);
		List<CompletableFuture<Map<String, Object>>> answers = new ArrayList<>();
		flood(answers, 32);
		// a thread that is idle still might be late
		Awaitility.await().until(() -> scripted.hanging.get() == before + 32);
		flood(answers, 128);
		// 32 run, and 32 wait
		Awaitility.await()
			.untilAsserted(() -> assertThat(answers).filteredOn(CompletableFuture::isCompletedExceptionally)
				.hasSize(160 - 64));
		assertThat(answers.stream().filter(CompletableFuture::isCompletedExceptionally).findFirst().orElseThrow())
			.failsWithin(LIMIT)
			.withThrowableOfType(ExecutionException.class)
			.withMessageContaining("Too many requests are pending");
		// other kinds and other servers have threads of their own
		assertThat(ask("http", "roots/list", Map.of())).contains("file:///b");
		assertThat(sample("child", "hello")).contains("hello to child");
		assertThat(application.state("http")).isEqualTo(McpServerState.READY);
		flood(new ArrayList<>(), 2000);
		assertThat(ask("http", "roots/list", Map.of())).contains("file:///b");
		assertThat(application.state("http")).isEqualTo(McpServerState.READY);
		scripted.release.countDown();
		assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))).failsWithin(LIMIT);
		assertThat(answers).filteredOn((answer) -> !answer.isCompletedExceptionally()).hasSize(64);
	}

	private static void flood(List<CompletableFuture<Map<String, Object>>> answers, int count) {
		for (int i = 0; i < count; i++) {
			answers.add(http.request("sampling/createMessage", samplingParams("hang")));
		}
	}

	@Test
	void cancelledRequestIsInterrupted() {
		int before = scripted.interrupted.get();
		int waiting = scripted.waiting.get();
		http.awaitListeners(1);
		String params = "{\"maxTokens\":1,\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"wait\"}}]}";
		http.sendToClients("{\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"method\":\"sampling/createMessage\",\"params\":"
				+ params + "}");
		Awaitility.await().until(() -> scripted.waiting.get() > waiting);
		http.notifyClients("notifications/cancelled", Map.of("requestId", "mine"));
		Awaitility.await().until(() -> scripted.interrupted.get() > before);
	}

	@Test
	void formIsCompletedAndValidated() {
		scripted.elicited = ElicitResult.builder(Action.ACCEPT).content(Map.of("name", "Ada")).build();
		assertThat(ask("http", "elicitation/create", FORM)).contains("action=accept", "name=Ada", "age=42");
		scripted.elicited = ElicitResult.builder(Action.ACCEPT).content(Map.of("age", "old secret")).build();
		assertThat(ask("child", "elicitation/create", FORM)).contains("-32603")
			.contains("does not match")
			.doesNotContain("secret");
		scripted.elicited = ElicitResult.builder(Action.DECLINE).content(Map.of("name", "Ada")).build();
		assertThat(ask("http", "elicitation/create", FORM)).isEqualTo("{action=decline}");
		assertThat(ask("child", "elicitation/create",
				Map.of("mode", "url", "message", "m", "elicitationId", "1", "url", "https://a.example/")))
			.isEqualTo("{action=decline}");
	}

	@Test
	void callIsRepeatedWhenTheUserHasCompletedWhatItNeeds() {
		scripted.elicited = ElicitResult.builder(Action.ACCEPT).build();
		CompletableFuture<String> result = CompletableFuture
			.supplyAsync(() -> application.text("http_login", Map.of()));
		Awaitility.await().until(() -> scripted.urls.contains("https://login.example/"));
		http.notifyClients("notifications/elicitation/complete", Map.of("elicitationId", "other"));
		http.notifyClients("notifications/elicitation/complete", Map.of("elicitationId", "e1"));
		assertThat(result).succeedsWithin(LIMIT).isEqualTo("in");
		assertThat(http.calls("login")).hasSize(2);
	}

	@Test
	void callFailsWhereNobodyOpensWhatItNeeds() {
		scripted.urls.clear();
		assertThatExceptionOfType(McpUrlElicitationRequiredException.class)
			.isThrownBy(() -> application.text("limited_login", Map.of()))
			.satisfies((ex) -> assertThat(ex.getElicitations()).extracting(ElicitUrlRequest::url)
				.containsExactly("https://login.example/"));
		assertThat(limited.calls("login")).hasSize(1);
	}

	@Test
	void rootsAreThoseOfTheSettingsAndTheProvider() {
		assertThat(ask("http", "roots/list", Map.of()))
			.isEqualTo("{roots=[{uri=file:///tmp/some%20where, name=some where}, " + "{uri=file:///b, name=b}, {uri="
					+ URI.create("file:///c") + ", name=c}]}");
	}

	private static String sample(String server, String text) {
		return ask(server, "sampling/createMessage", samplingParams(text));
	}

	private static Map<String, Object> samplingParams(String text) {
		return Map.of("maxTokens", 100, "messages",
				List.of(Map.of("role", "user", "content", Map.of("type", "text", "text", text))));
	}

	private static String ask(String server, String method, Map<String, Object> params) {
		return application.text(server + "_ask", Map.of("method", method, "params", params));
	}

	private static String text(CreateMessageRequest request) {
		return ((TextContent) request.messages().get(0).content()).text();
	}

	private static CreateMessageResult message(String text) {
		return CreateMessageResult.builder(Role.ASSISTANT, text, "scripted").build();
	}

	/**
	 * What handlers do and see.
	 */
	static class Scripted {

		final AtomicInteger hanging = new AtomicInteger();

		final AtomicInteger waiting = new AtomicInteger();

		final AtomicInteger interrupted = new AtomicInteger();

		final CountDownLatch release = new CountDownLatch(1);

		final List<String> urls = new CopyOnWriteArrayList<>();

		volatile ElicitResult elicited;

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Reactive {

		private final ObjectProvider<McpToolCatalog> tools;

		Reactive(ObjectProvider<McpToolCatalog> tools) {
			this.tools = tools;
		}

		@McpSampling(clients = "reactive")
		Mono<CreateMessageResult> answer(CreateMessageRequest request, McpHandlerContext context) {
			return text(request).equals("nest")
					? Mono.delay(Duration.ofMillis(1))
						.flatMap((tick) -> this.tools.getObject()
							.get("reactive_ask")
							.callAsync(Map.of("method", "sampling/createMessage", "params", samplingParams("nest"))))
						.map((answer) -> message(answer.text()))
					: Mono.fromCallable(() -> Handlers.answer(request, context, this.tools));
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		McpSamplingHandler samplingHandler(ObjectProvider<McpToolCatalog> tools) {
			return new McpSamplingHandler() {

				@Override
				public CreateMessageResult createMessage(CreateMessageRequest request, McpHandlerContext context) {
					return answer(request, context, tools);
				}

				@Override
				public boolean supports(McpServerDefinition server) {
					return !server.name().equals("reactive");
				}

			};
		}

		private static CreateMessageResult answer(CreateMessageRequest request, McpHandlerContext context,
				ObjectProvider<McpToolCatalog> tools) {
			String text = text(request);
			String answer = switch (text) {
				case "throw" -> throw new IllegalStateException("secret");
				case "reject" -> throw McpError.builder(-1).message("User rejected").build();
				case "null" -> null;
				case "tokens" -> String.valueOf(request.maxTokens());
				case "who" ->
					user() + ", " + ((context.caller() != null) ? "known" : "unknown") + ", depth " + context.depth();
				case "hang" -> await(scripted.release, scripted.hanging);
				case "wait" -> await(new CountDownLatch(1), scripted.waiting);
				case "nest http",
						"nest child" ->
					tools.getObject()
						.get(text.substring(5) + "_ask")
						.call(Map.of("method", "sampling/createMessage", "params", samplingParams(text)))
						.text();
				default -> text + " to " + context.serverName();
			};
			return (answer != null) ? message(answer) : null;
		}

		private static String user() {
			Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
			return (authentication != null) ? authentication.getName() : "nobody";
		}

		private static String await(CountDownLatch latch, AtomicInteger count) {
			count.incrementAndGet();
			try {
				latch.await();
				return "released";
			}
			catch (InterruptedException ex) {
				scripted.interrupted.incrementAndGet();
				throw new IllegalStateException(ex);
			}
		}

		@Bean
		McpElicitationHandler elicitationHandler() {
			return new McpElicitationHandler() {

				@Override
				public ElicitResult elicit(ElicitRequest request, McpHandlerContext context) {
					if (request instanceof ElicitUrlRequest url) {
						scripted.urls.add(url.url());
					}
					return scripted.elicited;
				}

				@Override
				public Set<Mode> modes() {
					return Set.of(Mode.FORM, Mode.URL);
				}

				@Override
				public boolean supports(McpServerDefinition server) {
					return !server.name().equals("limited");
				}

			};
		}

		@Bean
		McpRootsProvider rootsProvider() {
			return new McpRootsProvider() {

				@Override
				public List<Root> roots(McpHandlerContext context) {
					return List.of(Root.builder(Path.of("/c").toUri().toString()).name("c").build());
				}

				@Override
				public boolean supports(McpServerDefinition server) {
					return server.name().equals("http");
				}

			};
		}

	}

}
