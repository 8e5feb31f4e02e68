package io.github.mcpclient.smoke;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.springai.McpToolContextConverter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The agent loop of Spring AI's {@code ChatClient} with tools of
 * {@code server-everything}.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SpringAiAgentTests {

	private static final PlayedModel model = new PlayedModel();

	private static Everything everything;

	// a server that is told the user
	private static StubServer ofUsers;

	// a server that a test ends
	private static Everything leaving;

	// where a test starts a server
	private static int latePort;

	private static ConfigurableApplicationContext context;

	private static ChatClient assistant;

	@BeforeAll
	static void start() throws IOException {
		everything = new Everything();
		ofUsers = new StubServer();
		leaving = new Everything();
		try (ServerSocket socket = new ServerSocket(0)) {
			latePort = socket.getLocalPort();
		}
		context = new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"spring.ai.openai.base-url=" + model.url(), "mcp.startup.wait=60s",
					"spring.reactor.netty.shutdown-quiet-period=0", "mcp.servers.everything.url=" + everything.url(),
					"mcp.selections.librarian=everything_get-*,!*-tiny-image", "mcp.servers.users.url=" + ofUsers.url(),
					"mcp.servers.leaving.url=" + leaving.url(),
					"mcp.servers.late.url=http://localhost:" + latePort + "/mcp",
					"mcp.defaults.reconnect.initial-delay=100ms", "mcp.defaults.reconnect.max-delay=200ms")
			.run();
		assistant = context.getBean("assistant", ChatClient.class);
	}

	@BeforeEach
	void forget() {
		model.reset();
	}

	@AfterAll
	static void stop() {
		if (context != null) {
			context.close();
			leaving.close();
			ofUsers.close();
		}
		model.close();
		if (everything != null) {
			everything.close();
		}
	}

	@Test
	void theModelGetsTheTextOfAResult() {
		model.calls("everything_echo", "{\"message\": \"hello\"}").says("It said hello.");
		assertThat(ask()).isEqualTo("It said hello.");
		assertThat(model.toolAnswer()).isEqualTo("Echo: hello");
		JsonNode echo = model.tool(0, "everything_echo");
		assertThat(echo.path("description").asString()).isNotBlank();
		assertThat(echo.path("parameters").path("properties").path("message").path("type").asString())
			.isEqualTo("string");
	}

	@Test
	void theModelGetsStructuredContent() {
		model.calls("everything_get-structured-content", "{\"location\": \"Chicago\"}").says("Windy.");
		assertThat(ask()).isEqualTo("Windy.");
		assertThat(model.toolAnswer()).startsWith("{").contains("\"temperature\":").doesNotContain("\n");
	}

	@Test
	void aStreamGoesOnAfterACall() {
		model.calls("everything_echo", "{\"message\": \"hello\"}").says("It said hello.");
		List<String> answer = assistant.prompt("Say hello")
			.stream()
			.content()
			.collectList()
			.block(Duration.ofSeconds(30));
		assertThat(String.join("", answer)).isEqualTo("It said hello.");
		assertThat(model.toolAnswer()).isEqualTo("Echo: hello");
	}

	@Test
	void aStreamCallsToolsForItsUser() {
		model.calls("users_add", "{\"a\": 2, \"b\": 3}").says("Five.");
		assistant.prompt("Add")
			.stream()
			.content()
			.contextWrite((context) -> context.put("user", "alice"))
			.blockLast(Duration.ofSeconds(30));
		assertThat(model.toolAnswer()).startsWith("5");
		assertThat(ofUsers.users()).containsExactly("alice");
	}

	@Test
	void theConversationGoesOnAfterAnErrorOfTheTool() {
		model.calls("everything_get-sum", "{\"a\": \"many\", \"b\": 1}").says("That was no number.");
		assertThat(ask()).isEqualTo("That was no number.");
		assertThat(model.toolAnswer()).startsWith("Error").contains("-32602", "expected number");
	}

	@Test
	void theConversationGoesOnAfterArgumentsThatAreNoJson() {
		model.calls("everything_echo", "{\"message\": hello").says("Sorry.");
		assertThat(ask()).isEqualTo("Sorry.");
		assertThat(model.toolAnswer())
			.isEqualTo("Error: The arguments of MCP tool 'everything_echo' must be a single JSON object");
	}

	@Test
	void theConversationGoesOnWithoutTheServer() {
		leaving.close();
		await("leaving", McpServerState.UNAVAILABLE);
		model.calls("leaving_echo", "{\"message\": \"hello\"}").says("It is away.");
		assertThat(ask()).isEqualTo("It is away.");
		assertThat(model.tools(0)).contains("leaving_echo");
		assertThat(model.toolAnswer())
			.isEqualTo("Error: MCP tool 'leaving_echo' is not available now. Try again later.");
	}

	@Test
	void toolsThatArriveLaterAreSeen() {
		model.says("one").says("two");
		ask();
		assertThat(model.tools(0)).contains("everything_echo").doesNotContain("late_add");
		try (StubServer late = new StubServer(latePort)) {
			await("late", McpServerState.READY);
			ask();
			assertThat(model.tools(1)).contains("everything_echo", "late_add");
		}
	}

	@Test
	void instructionsOfServersAreNoTemplate() {
		McpToolCallbackProvider mcpTools = context.getBean(McpToolCallbackProvider.class);
		ChatClient chatClient = context.getBean(ChatClient.Builder.class).build();
		assertThat(mcpTools.select("late_*").instructions()).isEmpty();
		model.says("Noon.");
		String content = chatClient.prompt()
			.system((system) -> system.text("You are a librarian. {servers}").param("servers", mcpTools.instructions()))
			.user("What is the time?")
			.call()
			.content();
		assertThat(content).isEqualTo("Noon.");
		assertThat(model.systemText()).isEqualTo("You are a librarian. " + mcpTools.instructions())
			.contains("# MCP server everything\n\n> ");
	}

	@Test
	void toolsOfTheApplicationComeFirst() {
		McpToolCallbackProvider mcpTools = context.getBean(McpToolCallbackProvider.class);
		ChatClient chatClient = context.getBean(ChatClient.Builder.class).build();
		assertThatIllegalStateException().as("what Spring AI does about a name that is there twice")
			.isThrownBy(() -> chatClient.prompt("hello").tools(new LocalTools(), mcpTools).call().content());
		model.calls("everything_echo", "{}").says("It is local.");
		LocalTools local = new LocalTools();
		String content = chatClient.prompt("What is the time?")
			.tools(local, mcpTools.excludingNamesOf(local))
			.call()
			.content();
		assertThat(content).isEqualTo("It is local.");
		assertThat(model.tools(0)).containsOnlyOnce("everything_echo").contains("everything_get-sum");
		assertThat(model.toolAnswer()).isEqualTo("\"local\"");
	}

	@Test
	void beansWithToolsComeFirst() {
		BeanTools tools = context.getBean(BeanTools.class);
		McpToolCallbackProvider mcpTools = context.getBean(McpToolCallbackProvider.class);
		model.calls("everything_get-env", "{}").says("It is local.");
		ChatClient client = context.getBean(ChatClient.Builder.class).defaultTools(mcpTools, tools).build();
		assertThat(client.prompt("hello").call().content()).isEqualTo("It is local.");
		assertThat(model.tools(0)).containsOnlyOnce("everything_get-env");
		assertThat(model.toolAnswer()).isEqualTo("\"of a bean\"");
	}

	@Test
	void aContextThatIsNotForTheServerStaysHere() {
		model.calls("everything_echo", "{\"message\": \"hello\"}").says("It said hello.");
		assistant.prompt("hello").toolContext(Map.of("tenant", "t-1")).call().content();
		assertThat(model.toolAnswer()).isEqualTo("Echo: hello");
	}

	@Test
	void aSelectionIsForOneAgent() {
		model.says("one");
		context.getBean("librarian", ChatClient.class).prompt("hello").call().content();
		assertThat(model.tools(0)).isNotEmpty()
			.allMatch((name) -> name.startsWith("everything_get-"))
			.doesNotContain("everything_get-tiny-image");
	}

	private String ask() {
		return assistant.prompt("Say hello").call().content();
	}

	private void await(String server, McpServerState state) {
		McpServerRegistry registry = context.getBean(McpServerRegistry.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> registry.server(server).status().state() == state);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		ChatClient assistant(ChatClient.Builder builder, McpToolCallbackProvider mcpTools) {
			return builder.defaultTools(mcpTools).build();
		}

		@Bean
		ChatClient librarian(ChatClient.Builder builder, McpToolCallbackProvider mcpTools) {
			return builder.defaultTools(mcpTools.selection("librarian")).build();
		}

		@Bean
		McpToolContextConverter tenant() {
			return (tool, context) -> tool.serverName().equals("library")
					? Map.of("com.example/tenant", context.getContext().get("tenant")) : Map.of();
		}

		@Bean
		McpHeadersProvider userHeader() {
			return McpHeadersProvider.forServer("users", (request) -> Mono
				.deferContextual((context) -> Mono.just(Map.of("X-User", context.getOrDefault("user", "nobody")))));
		}

		@Bean
		BeanTools beanTools() {
			return new BeanTools();
		}

	}

	static class BeanTools {

		@Tool(name = "everything_get-env", description = "of a bean")
		String env() {
			return "of a bean";
		}

	}

	static class LocalTools {

		@Tool(name = "everything_echo", description = "local")
		String echo() {
			return "local";
		}

	}

}
