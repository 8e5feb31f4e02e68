package io.github.mcpclient.smoke;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The agent loop of LangChain4j's {@code AiServices} with tools of
 * {@code server-everything}.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LangChain4jAgentTests {

	private static final PlayedModel model = new PlayedModel();

	private static Everything everything;

	// a server that a test ends
	private static Everything leaving;

	// where a test starts a server
	private static int latePort;

	private static ConfigurableApplicationContext context;

	private static Assistant assistant;

	@BeforeAll
	static void start() throws IOException {
		everything = new Everything();
		leaving = new Everything();
		try (ServerSocket socket = new ServerSocket(0)) {
			latePort = socket.getLocalPort();
		}
		context = new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"model.url=" + model.url(), "mcp.startup.wait=60s", "spring.reactor.netty.shutdown-quiet-period=0",
					"mcp.servers.everything.url=" + everything.url(), "mcp.servers.leaving.url=" + leaving.url(),
					"mcp.servers.late.url=http://localhost:" + latePort + "/mcp",
					"mcp.defaults.reconnect.initial-delay=100ms", "mcp.defaults.reconnect.max-delay=200ms")
			.run();
		assistant = context.getBean(Assistant.class);
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
		}
		model.close();
		if (everything != null) {
			everything.close();
		}
	}

	@Test
	void theModelGetsTheTextOfAResult() {
		model.calls("everything_echo", "{\"message\": \"hello\"}").says("It said hello.");
		assertThat(assistant.ask("Say hello").content()).isEqualTo("It said hello.");
		assertThat(model.toolAnswer()).isEqualTo("Echo: hello");
		JsonNode echo = model.tool(0, "everything_echo");
		assertThat(echo.path("description").asString()).isNotBlank();
		assertThat(echo.path("parameters").path("properties").path("message").path("type").asString())
			.isEqualTo("string");
	}

	@Test
	void structuredContentIsKept() {
		model.calls("everything_get-structured-content", "{\"location\": \"Chicago\"}").says("Windy.");
		Result<String> answer = assistant.ask("How is the weather?");
		assertThat(answer.content()).isEqualTo("Windy.");
		assertThat(model.toolAnswer()).startsWith("{").contains("\"temperature\":").doesNotContain("\n");
		assertThat(answer.toolExecutions().get(0).resultObject()).isInstanceOfSatisfying(McpToolResult.class,
				(result) -> assertThat(result.structuredContent()).isNotNull());
	}

	@Test
	void theConversationGoesOnAfterAnErrorOfTheTool() {
		model.calls("everything_get-sum", "{\"a\": \"many\", \"b\": 1}").says("That was no number.");
		assertThat(assistant.ask("Add").content()).isEqualTo("That was no number.");
		assertThat(model.toolAnswer()).startsWith("Error").contains("-32602", "expected number");
	}

	@Test
	void theConversationGoesOnAfterArgumentsThatAreNoJson() {
		model.calls("everything_echo", "{\"message\": hello").says("Sorry.");
		assertThat(assistant.ask("Say hello").content()).isEqualTo("Sorry.");
		assertThat(model.toolAnswer())
			.isEqualTo("Error: The arguments of MCP tool 'everything_echo' must be a single JSON object");
	}

	@Test
	void theConversationGoesOnWithoutTheServer() {
		leaving.close();
		await("leaving", McpServerState.UNAVAILABLE);
		model.calls("leaving_echo", "{\"message\": \"hello\"}").says("It is away.");
		assertThat(assistant.ask("Say hello").content()).isEqualTo("It is away.");
		assertThat(model.tools(0)).contains("leaving_echo");
		assertThat(model.toolAnswer())
			.isEqualTo("Error: MCP tool 'leaving_echo' is not available now. Try again later.");
	}

	@Test
	void toolsThatArriveLaterAreSeen() {
		model.says("one").says("two");
		assistant.ask("hello");
		assertThat(model.tools(0)).contains("everything_echo").doesNotContain("late_add");
		try (StubServer late = new StubServer(latePort)) {
			await("late", McpServerState.READY);
			assistant.ask("hello");
			assertThat(model.tools(1)).contains("everything_echo", "late_add");
		}
	}

	@Test
	void toolsOfTheApplicationComeFirst() {
		model.calls("everything_get-env", "{}").says("It is local.");
		assertThat(assistant.ask("hello").content()).isEqualTo("It is local.");
		assertThat(model.tools(0)).containsOnlyOnce("everything_get-env");
		assertThat(model.toolAnswer()).isEqualTo("local");
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
		ChatModel model(@Value("${model.url}") String url) {
			return OpenAiChatModel.builder().baseUrl(url).apiKey("none").modelName("played").build();
		}

		@Bean
		Assistant assistant(ChatModel model, McpCatalogToolProvider mcpTools) {
			return AiServices.builder(Assistant.class)
				.chatModel(model)
				.tools(new LocalTools())
				.toolProvider(mcpTools)
				.build();
		}

	}

	interface Assistant {

		Result<String> ask(String question);

	}

	static class LocalTools {

		@Tool(name = "everything_get-env", value = "local")
		String env() {
			return "local";
		}

	}

}
