package io.github.mcpclient.integration.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolApproval.Decision;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * What rules do with calls, whichever way these are made, over HTTP and to a child
 * process that nobody here wrote.
 */
class ToolRuleCallsTests {

	private static final String FIXED = "a-fixed-token";

	private static final McpTestServer server = McpTestServer.create()
		.tools(List.of(tool("query", true), tool("delete", false), tool("slow", true), tool("rated", true),
				tool("shared", true), tool("fails", true)))
		.on("tools/call",
				(request) -> request.params().get("name").equals("fails")
						? McpTestReply.error(-32602, "No such token: " + request.arguments().get("token"))
						: McpTestReply.standard());

	private static ClientApplication application;

	private static Approvals approvals;

	@BeforeAll
	static void start() {
		server.start();
		application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[] { Approvals.class },
				"mcp.servers.a.url=" + server.url(), "mcp.servers.a.request-timeout=20s", "mcp.startup.wait=60s",
				"mcp.servers.every.command=node",
				"mcp.servers.every.args=" + Peers.script("server-everything") + ",stdio",
				"mcp.servers.every.tools.rules[0].tools=get-sum", "mcp.servers.every.tools.rules[0].arguments.a=40",
				"mcp.servers.every.tools.rules[0].description=Adds to forty",
				"mcp.servers.every.tools.rules[1].tools=echo", "mcp.servers.every.tools.rules[1].approval=always",
				"mcp.servers.every.tools.rules[1].rate=2/h", "mcp.defaults.tools.rules[0].tools=a_*",
				"mcp.defaults.tools.rules[0].arguments.tenant=acme", "mcp.defaults.tools.rules[0].approval=destructive",
				"mcp.servers.a.tools.rules[0].tools=query,slow",
				"mcp.servers.a.tools.rules[0].default-arguments.limit=5",
				"mcp.servers.a.tools.rules[0].annotations.read-only-hint=true",
				"mcp.servers.a.tools.rules[1].tools=slow", "mcp.servers.a.tools.rules[1].approval=always",
				"mcp.servers.a.tools.rules[1].timeout=300ms", "mcp.servers.a.tools.rules[2].tools=delete",
				"mcp.servers.a.tools.rules[2].annotations.read-only-hint=true",
				"mcp.servers.a.tools.rules[2].annotations.destructive-hint=false",
				"mcp.servers.a.tools.rules[3].tools=rated", "mcp.servers.a.tools.rules[3].rate-per-caller=1/h",
				"mcp.servers.a.tools.rules[4].tools=shared", "mcp.servers.a.tools.rules[4].rate=1/h",
				"mcp.servers.a.tools.rules[5].tools=fails", "mcp.servers.a.tools.rules[5].arguments.token=" + FIXED,
				"management.endpoints.web.exposure.include=mcp");
		approvals = application.context().getBean(Approvals.class);
	}

	@AfterAll
	static void stop() {
		server.close();
		if (application != null) {
			application.close();
		}
	}

	@AfterEach
	void reset() {
		SecurityContextHolder.clearContext();
		approvals.decision = (tool, request) -> Mono.just(Decision.approve());
		server.forgetRequests();
	}

	@Test
	void fixedArgumentsArePutInAndDefaultOnesWhereMissing() {
		McpTool query = application.tools().get("a_query");
		Map<?, ?> properties = (Map<?, ?>) query.inputSchema().get("properties");
		assertThat(properties.keySet()).isEqualTo(Set.of("text", "limit"));
		assertThat(properties.get("limit")).isEqualTo(Map.of("type", "integer", "default", 5));
		assertThat(query.inputSchema().get("required")).isEqualTo(List.of("text"));
		query.call(Map.of("text", "x", "tenant", "another"));
		query.callAsync(Map.of("limit", 7)).block(LIMIT);
		assertThat(server.calls("query")).extracting((call) -> call.params().get("arguments"))
			.containsExactly(Map.of("text", "x", "tenant", "acme", "limit", 5), Map.of("tenant", "acme", "limit", 7));
		assertThat(application.text("every_get-sum", Map.of("b", 2))).contains("42");
		assertThat(application.tools().get("every_get-sum").description()).isEqualTo("Adds to forty");
	}

	@Test
	void destructiveIsWhatTheServerDoesNotDeny() {
		approvals.decision = (tool, request) -> Mono.just(Decision.deny("the user said no"));
		assertThat(application.tools().get("a_query").call(Map.of()).isError()).isFalse();
		for (McpToolResult denied : everyWay("a_delete")) {
			assertThat(denied.isError()).isTrue();
			assertThat(denied.text())
				.isEqualTo("MCP tool 'a_delete' was not executed: it was not approved, since the user said no");
		}
		assertThat(server.calls("delete")).isEmpty();
	}

	private static List<McpToolResult> everyWay(String tool) {
		return List.of(application.tools().get(tool).call(Map.of()), application.tools().get(tool).call("{}"),
				application.tools().get(tool).callAsync(Map.of()).block(LIMIT),
				Mono.defer(() -> application.tools().get(tool).callAsync(Map.of()))
					.subscribeOn(Schedulers.parallel())
					.block(LIMIT),
				application.registry().callTool(tool, Map.of()),
				application.context().getBean(McpToolExecutor.class).execute(tool, Map.of()));
	}

	@Test
	void approvalSeesToolArgumentsAndCaller() {
		List<String> seen = new ArrayList<>();
		approvals.decision = (tool, request) -> {
			seen.add(tool.name() + " " + request.arguments() + " "
					+ SecurityContextHolder.getContext().getAuthentication().getName() + " "
					+ Schedulers.isInNonBlockingThread());
			return Mono.just(Decision.approve());
		};
		signIn("ann");
		assertThat(application.tools().get("a_delete").call(Map.of("text", "x")).isError()).isFalse();
		assertThat(seen).containsExactly("a_delete {text=x, tenant=acme} ann false");
		assertThat(server.calls("delete")).hasSize(1);
	}

	@Test
	void approvalThatNeverAnswersCostsOnlyItsCall() {
		CountDownLatch blocked = new CountDownLatch(1);
		for (Supplier<Mono<Decision>> hanging : List.<Supplier<Mono<Decision>>>of(Mono::never, () -> {
			await(blocked);
			return Mono.empty();
		})) {
			approvals.decision = (tool, request) -> tool.originalName().equals("slow") ? hanging.get()
					: Mono.just(Decision.approve());
			assertThat(application.tools().get("a_slow").call(Map.of()).text()).isEqualTo(
					"MCP tool 'a_slow' was not executed: it was not approved, since there was no decision in time");
			assertThat(application.tools().get("a_slow").callAsync(Map.of()).block(LIMIT).isError()).isTrue();
			assertThat(application.tools().get("a_delete").call(Map.of()).isError()).isFalse();
		}
		approvals.decision = (tool, request) -> Mono.empty();
		assertThat(application.tools().get("a_slow").call(Map.of()).text()).endsWith("it was not approved");
		assertThat(server.calls("slow")).isEmpty();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void eachCallerHasARate() {
		McpTool rated = application.tools().get("a_rated");
		signIn("ann");
		assertThat(rated.call(Map.of()).isError()).isFalse();
		assertThat(rated.call(Map.of()).text())
			.matches("MCP tool 'a_rated' was not executed: its limit of 1 calls in 3600 s is "
					+ "reached\\. Try again in \\d+ s");
		signIn("bob");
		assertThat(rated.call(Map.of()).isError()).isFalse();
		SecurityContextHolder.clearContext();
		assertThat(rated.callAsync(Map.of())
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user("ann")))
			.block(LIMIT)
			.isError()).isTrue();
		assertThat(rated.call(Map.of()).isError()).as("nobody is another one").isFalse();
		assertThat(server.calls("rated")).hasSize(3);
	}

	@Test
	void allHaveARateThatNoListingResets() {
		McpTool shared = application.tools().get("a_shared");
		signIn("ann");
		assertThat(shared.call(Map.of()).isError()).isFalse();
		signIn("bob");
		assertThat(shared.call(Map.of()).isError()).isTrue();
		application.manager().server("a").refresh();
		assertThat(shared.call(Map.of()).isError()).isTrue();
		assertThat(server.calls("shared")).hasSize(1);
	}

	@Test
	void modelsOfSpringAi() {
		approvals.decision = (tool, request) -> Mono.just(Decision.deny("it is Sunday"));
		McpToolCallbackProvider tools = application.context().getBean(McpToolCallbackProvider.class);
		ToolCallingChatOptions options = ToolCallingChatOptions.builder()
			.toolCallbacks(tools.select("every_*").getToolCallbacks())
			.build();
		ToolCallingManager manager = ToolCallingManager.builder().build();
		ToolDefinition sum = manager.resolveToolDefinitions(options)
			.stream()
			.filter((tool) -> tool.name().equals("every_get-sum"))
			.findFirst()
			.orElseThrow();
		assertThat(sum.description()).isEqualTo("Adds to forty");
		assertThat(sum.inputSchema()).contains("\"b\"").doesNotContain("\"a\"");
		AssistantMessage asks = AssistantMessage.builder()
			.content("")
			.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "every_get-sum", "{\"b\": 2}"),
					new AssistantMessage.ToolCall("2", "function", "every_echo", "{\"message\": \"x\"}")))
			.build();
		ToolResponseMessage answers = (ToolResponseMessage) manager
			.executeToolCalls(new Prompt(new UserMessage("?"), options),
					new org.springframework.ai.chat.model.ChatResponse(List.of(new Generation(asks))))
			.conversationHistory()
			.get(2);
		assertThat(answers.getResponses().get(0).responseData()).contains("42");
		assertThat(answers.getResponses().get(1).responseData())
			.contains("MCP tool 'every_echo' was not executed: it was not approved, since it is Sunday");
	}

	@Test
	void modelsOfLangChain4j() {
		approvals.decision = (tool, request) -> Mono.just(Decision.deny("it is Sunday"));
		AtomicReference<ChatRequest> asked = new AtomicReference<>();
		ChatModel model = new ChatModel() {

			@Override
			public ChatResponse doChat(ChatRequest request) {
				boolean first = asked.getAndSet(request) == null;
				return ChatResponse.builder()
					.aiMessage(first ? AiMessage.from(call("1", "every_get-sum", "{\"b\": 2}"),
							call("2", "every_echo", "{\"message\": \"x\"}")) : AiMessage.from("Done"))
					.build();
			}

		};
		AiServices.builder(Assistant.class)
			.chatModel(model)
			.toolProvider(application.context().getBean(McpCatalogToolProvider.class).select("every_*"))
			.build()
			.ask("?");
		ToolSpecification sum = asked.get()
			.toolSpecifications()
			.stream()
			.filter((tool) -> tool.name().equals("every_get-sum"))
			.findFirst()
			.orElseThrow();
		assertThat(sum.description()).isEqualTo("Adds to forty");
		assertThat(sum.parameters().properties()).containsOnlyKeys("b");
		assertThat(asked.get().messages()).filteredOn(ToolExecutionResultMessage.class::isInstance)
			.extracting((message) -> ((ToolExecutionResultMessage) message).text())
			.satisfiesExactly((text) -> assertThat(text).contains("42"), (text) -> assertThat(text)
				.contains("MCP tool 'every_echo' was not executed: it was not approved, since it is Sunday"));
	}

	private static ToolExecutionRequest call(String id, String name, String arguments) {
		return ToolExecutionRequest.builder().id(id).name(name).arguments(arguments).build();
	}

	@Test
	void anErrorDoesNotTellWhatIsFixed() {
		Throwable failure = catchThrowable(() -> application.tools().get("a_fails").call(Map.of()));
		assertThat(failure).hasMessageContaining("No such token: ******").message().doesNotContain(FIXED);
		assertThat(application.context().getBean(McpToolExecutor.class).execute("a_fails", Map.of()).text())
			.contains("No such token: ******")
			.doesNotContain(FIXED);
		assertThat(server.calls("fails")).extracting((call) -> call.arguments().get("token"))
			.containsExactly(FIXED, FIXED);
	}

	@Test
	void operatorsSeeTheRules() {
		JsonNode server = application.get("/actuator/mcp/a");
		JsonNode slow = server.path("tools")
			.valueStream()
			.filter((tool) -> tool.path("name").asString().equals("a_slow"))
			.findFirst()
			.orElseThrow();
		assertThat(slow.path("rule").toString()).isEqualTo("{\"timeout\":\"PT0.3S\",\"arguments\":[\"tenant\"],"
				+ "\"defaultArguments\":[\"limit\"],\"approval\":\"ALWAYS\"}");
		assertThat(server.toString()).doesNotContain("acme");
	}

	private static void signIn(String name) {
		SecurityContextHolder.getContext().setAuthentication(user(name));
	}

	private static TestingAuthenticationToken user(String name) {
		return new TestingAuthenticationToken(name, "", "user");
	}

	private static Map<String, Object> tool(String name, boolean harmless) {
		Map<String, Object> schema = Map.of(
				"type", "object", "properties", Map.of("text", Map.of("type", "string"), "limit",
						Map.of("type", "integer"), "tenant", Map.of("type", "string")),
				"required", List.of("text", "limit", "tenant"));
		// what is fixed is sent though a schema does not name it
		return harmless ? Map.of("name", name, "inputSchema", schema, "annotations", Map.of("readOnlyHint", true))
				: Map.of("name", name, "inputSchema", Map.of("type", "object"));
	}

	interface Assistant {

		String ask(String question);

	}

	static class Approvals {

		private volatile McpToolApproval decision = (tool, request) -> Mono.just(Decision.approve());

		@Bean
		McpToolApproval approval() {
			return (tool, request) -> this.decision.decide(tool, request);
		}

	}

}
