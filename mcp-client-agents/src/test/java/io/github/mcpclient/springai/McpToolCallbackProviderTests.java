package io.github.mcpclient.springai;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link McpToolCallbackProvider}, in an application.
 */
class McpToolCallbackProviderTests {

	private final McpTestServer server = McpTestServer.create().tools("read", "write", "list").start();

	private ClientApplication application = start();

	private ClientApplication start(Class<?>... sources) {
		return ClientApplication.start(WebApplicationType.NONE, sources, "mcp.servers.a.url=" + this.server.url(),
				"mcp.servers.a.request-timeout=30s");
	}

	private McpToolCallbackProvider restart(Class<?>... sources) {
		this.application.close();
		this.application = start(sources);
		return provider();
	}

	private McpToolCallbackProvider provider() {
		return this.application.context().getBean(McpToolCallbackProvider.class);
	}

	@Test
	void callbacksAreLive() {
		McpToolCallbackProvider provider = provider();
		assertThat(names(provider)).containsExactly("a_list", "a_read", "a_write");
		ToolCallback read = callback(provider, "a_read");
		this.server.awaitListeners(1);
		this.server.tools("read", "later").notifyToolsListChanged();
		Awaitility.await().untilAsserted(() -> assertThat(names(provider)).containsExactly("a_later", "a_read"));
		assertThat(callback(provider, "a_read")).isSameAs(read);
	}

	@Test
	void anArrayIsTheCallersOwn() {
		McpToolCallbackProvider provider = provider();
		Arrays.fill(provider.getToolCallbacks(), null);
		assertThat(provider.getToolCallbacks()).doesNotContainNull();
	}

	@Test
	void aDefinitionIsComputedOnceForEachThatTheServerGives() {
		ToolCallback read = callback(provider(), "a_read");
		ToolDefinition first = read.getToolDefinition();
		assertThat(first.name()).isEqualTo("a_read");
		assertThat(first.description()).isEqualTo("The tool read");
		assertThat(first.inputSchema()).contains("\"type\":\"object\"", "\"message\"");
		assertThat(read.getToolDefinition()).isSameAs(first);
		refresh();
		assertThat(read.getToolDefinition()).isSameAs(first);
		this.server.tools(List.of(Map.of("name", "read", "title", "Reads", "inputSchema", Map.of())));
		refresh();
		ToolDefinition second = read.getToolDefinition();
		assertThat(second.description()).isEqualTo("Reads");
		assertThat(second.inputSchema()).isEqualTo("{\"type\":\"object\",\"properties\":{}}");
		assertThat(read.getToolDefinition()).isSameAs(second);
	}

	@Test
	void textIsTextAndStructuredContentIsKept() {
		ToolCallback read = callback(provider(), "a_read");
		assertThat(read.call("{\"message\": \"it\"}")).isEqualTo("read it");
		assertThat(read.call("")).isEqualTo("read ");
		assertThat(read.call(null)).isEqualTo("read ");
		this.server.on("tools/call",
				(request) -> McpTestReply.result(Map.of("content", List.of(), "structuredContent", Map.of("sum", 5))));
		assertThat(read.call("{}")).isEqualTo("{\"sum\":5}");
	}

	@Test
	void whateverGoesWrongIsAnAnswer() {
		ToolCallback read = callback(provider(), "a_read");
		assertThat(read.call("{\"message\": "))
			.isEqualTo("Error: The arguments of MCP tool 'a_read' must be a single JSON object");
		this.server.on("tools/call", (request) -> McpTestReply
			.result(Map.of("content", List.of(Map.of("type", "text", "text", "no such file")), "isError", true)));
		assertThat(read.call("{}")).isEqualTo("Error: no such file");
		this.server.on("tools/call", (request) -> {
			throw new IllegalStateException("broken");
		});
		assertThat(read.call("{}")).startsWith("Error: ");
		this.server.tools("write");
		refresh();
		assertThat(read.call("{}")).contains("No MCP tool 'a_read'");
		ToolCallback write = callback(provider(), "a_write");
		this.server.close();
		Awaitility.await()
			.untilAsserted(() -> assertThat(write.call("{}")).startsWith("Error: ").contains("Try again later"));
		assertThat(names(provider())).as("tools of a server that is down stay").containsExactly("a_write");
	}

	@Test
	void aCallGoesToNoOtherServerWhereTheNameHasPassedToIt() {
		try (McpTestServer other = McpTestServer.create().tools("read").start();
				ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.server.url(),
						"mcp.servers.one.tools.prefix=", "mcp.servers.two.url=" + other.url(),
						"mcp.servers.two.tools.prefix=")) {
			ToolCallback read = callback(application.context().getBean(McpToolCallbackProvider.class), "read");
			assertThat(read.call("{\"message\": \"it\"}")).isEqualTo("read it");
			String server = application.tools().get("read").serverName();
			application.manager().remove(server);
			Awaitility.await().until(() -> application.tools().find("read").isPresent());
			assertThat(application.tools().get("read").serverName()).isNotEqualTo(server);
			this.server.forgetRequests();
			other.forgetRequests();
			assertThat(read.call("{\"message\": \"secret\"}")).startsWith("Error: No MCP tool 'read'.");
			assertThat(this.server.calls("read")).isEmpty();
			assertThat(other.calls("read")).isEmpty();
		}
	}

	@Test
	void anAgentGetsANamedSelectionWithoutWhatIsHidden() {
		ClientApplication application = ClientApplication.start("mcp.servers.b.url=" + this.server.url(),
				"mcp.servers.b.tools.hide-when-unavailable=1ms", "mcp.selections.librarian=b_*,!*_write");
		McpToolCallbackProvider some = application.context()
			.getBean(McpToolCallbackProvider.class)
			.selection("librarian");
		assertThat(names(some)).containsExactly("b_list", "b_read");
		this.server.close();
		Awaitility.await().untilAsserted(() -> assertThat(names(some)).isEmpty());
	}

	@Test
	void anEventLoopGetsAnAnswer() {
		ToolCallback read = callback(provider(), "a_read");
		String answer = Mono.fromCallable(() -> read.call("{}")).subscribeOn(Schedulers.parallel()).block(LIMIT);
		assertThat(answer).startsWith("Error: ").contains("a_read", "could not be called");
		assertThat(this.server.calls()).isEmpty();
	}

	@Test
	void aThreadThatIsInterruptedGetsAnAnswer() throws Exception {
		this.server.on("tools/call", McpTestReply.never());
		ToolCallback read = callback(provider(), "a_read");
		CompletableFuture<String> answer = new CompletableFuture<>();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			answer.complete(read.call("{}"));
			interrupted.complete(Thread.currentThread().isInterrupted());
		});
		thread.start();
		this.server.awaitPending("tools/call", 1);
		thread.interrupt();
		assertThat(answer.get(30, TimeUnit.SECONDS)).startsWith("Error: MCP tool 'a_read' was interrupted");
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).as("the interruption is kept").isTrue();
	}

	@Test
	void theServerIsToldNothingOfAContext() {
		this.server.on("tools/call", McpToolCallbackProviderTests::meta);
		assertThat(callback(provider(), "a_read").call("{}", new ToolContext(Map.of("tenant", "t-1"))))
			.isEqualTo("none");
	}

	@Test
	void theServerIsToldWhatABeanSaysOfAContext() {
		this.server.on("tools/call", McpToolCallbackProviderTests::meta);
		McpToolCallbackProvider provider = restart(Converter.class);
		ToolContext context = new ToolContext(Map.of("tenant", "t-1", "secret", "s3cr3t"));
		assertThat(callback(provider, "a_read").call("{}", context)).isEqualTo("{example.com/tenant=a t-1}");
		assertThat(callback(provider, "a_read").call("{}", new ToolContext(Map.of()))).isEqualTo("none");
		assertThat(callback(provider, "a_read").call("{}", null)).isEqualTo("none");
	}

	@Test
	void providersOfHeadersSeeTheContextOfAStream() {
		ToolCallback read = callback(restart(UserHeader.class), "a_read");
		read.call("{}");
		ToolCallReactiveContextHolder.setContext(Context.of("user", "alice"));
		try {
			assertThat(read.call("{}")).isEqualTo("read ");
		}
		finally {
			ToolCallReactiveContextHolder.clearContext();
		}
		assertThat(this.server.requests("tools/call")).extracting((request) -> request.header("X-User"))
			.containsExactly("nobody", "alice");
	}

	@Test
	void aContextThatCannotBeConvertedIsAnAnswerAndNoCall() {
		McpToolCallbackProvider provider = restart(Converter.class);
		String answer = callback(provider, "a_read").call("{}", new ToolContext(Map.of("other", "s3cr3t")));
		assertThat(answer).isEqualTo("Error: MCP tool 'a_read' was not called: its context is not usable");
		assertThat(this.server.calls()).isEmpty();
	}

	@Test
	void localToolsThatAreBeansComeFirst() {
		this.server.tools("read", "write", "list", "other");
		assertThat(names(restart(LocalTools.class))).containsExactly("a_other");
	}

	@Test
	void localToolsThatAreNoBeansComeFirstWhereTheyAreNamed() {
		McpToolCallbackProvider provider = provider();
		assertThat(names(provider.excludingNamesOf(new ListTool()))).containsExactly("a_read", "a_write");
		assertThat(names(provider.excludingNamesOf(ToolCallbacks.from(new ListTool())[0]))).containsExactly("a_read",
				"a_write");
		assertThat(names(provider.excludingNamesOf(List.of(new ListTool(), new WriteTool()))))
			.containsExactly("a_read");
		assertThat(names(provider.excludingNamesOf((Object) ToolCallbacks.from(new ListTool(), new WriteTool()))))
			.containsExactly("a_read");
		assertThat(names(
				provider.excludingNamesOf(MethodToolCallbackProvider.builder().toolObjects(new ListTool()).build())))
			.containsExactly("a_read", "a_write");
		assertThat(names(provider.excludingNamesOf(new ListTool()).excludingNamesOf(new WriteTool()).select("*")))
			.containsExactly("a_read");
		assertThatIllegalArgumentException().isThrownBy(() -> provider.excludingNamesOf("no tool"));
	}

	@Test
	void anAgentGetsASelection() {
		McpToolCallbackProvider some = provider().select("a_*", "!*write");
		assertThat(names(some)).containsExactly("a_list", "a_read");
		this.server.tools("rewrite", "new");
		refresh();
		assertThat(names(some)).containsExactly("a_new");
	}

	private void refresh() {
		this.application.manager().server("a").refresh();
	}

	private static McpTestReply meta(McpTestRequest request) {
		return McpTestReply.text(String.valueOf(request.params().getOrDefault("_meta", "none")));
	}

	private static List<String> names(ToolCallbackProvider provider) {
		return Arrays.stream(provider.getToolCallbacks()).map((tool) -> tool.getToolDefinition().name()).toList();
	}

	private static ToolCallback callback(ToolCallbackProvider provider, String name) {
		return Arrays.stream(provider.getToolCallbacks())
			.filter((tool) -> tool.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	static class Converter {

		@Bean
		McpToolContextConverter toolContextConverter() {
			return (tool, context) -> Map.of("example.com/tenant",
					tool.serverName() + " " + context.getContext().get("tenant").toString());
		}

	}

	static class UserHeader {

		@Bean
		McpHeadersProvider userHeader() {
			return (request) -> Mono
				.deferContextual((context) -> Mono.just(Map.of("X-User", context.getOrDefault("user", "nobody"))));
		}

	}

	static class LocalTools {

		@Bean
		ToolCallback read() {
			return FunctionToolCallback.builder("a_read", (input) -> "local").inputType(Map.class).build();
		}

		@Bean
		ListTool listTool() {
			return new ListTool();
		}

		@Bean
		ToolCallbackProvider writeTools() {
			return MethodToolCallbackProvider.builder().toolObjects(new WriteTool()).build();
		}

		@Bean
		ToolCallbackProvider broken() {
			return () -> {
				throw new IllegalStateException("broken");
			};
		}

	}

	static class ListTool {

		@Tool(name = "a_list", description = "local")
		String list() {
			return "local";
		}

	}

	static class WriteTool {

		@Tool(name = "a_write", description = "local")
		String write() {
			return "local";
		}

	}

}
