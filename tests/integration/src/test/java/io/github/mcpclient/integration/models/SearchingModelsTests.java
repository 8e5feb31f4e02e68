package io.github.mcpclient.integration.models;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.AiServices;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.langchain4j.McpToolSearchStrategy;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.context.annotation.Bean;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Models that search the tools of a real server, over stdio and HTTP, and of a scripted
 * one, and what they call.
 */
class SearchingModelsTests {

	private static final List<String> intercepted = new ArrayList<>();

	private final McpTestServer library = closing(McpTestServer.create().tools("find_book", "lend_book").start());

	private final ClientApplication application = ClientApplication
		.start(Beans.class, "mcp.servers.everything.command=node",
				"mcp.servers.everything.args=" + Peers.script("server-everything") + ",stdio",
				"mcp.servers.remote.url=http://localhost:" + closing(Peers.everything("streamableHttp")).port()
						+ "/mcp",
				"mcp.servers.library.url=" + this.library.url(), "mcp.tools.search.enabled=true",
				"mcp.tools.search.threshold=5");

	private final List<String> seen = new ArrayList<>();

	@BeforeEach
	void forget() {
		intercepted.clear();
	}

	@Test
	void aModelOfSpringAiSearchesAndCalls() {
		McpToolCallbackProvider tools = this.application.context().getBean(McpToolCallbackProvider.class);
		assertThat(play(tools, call("search_tools", "{\"query\": \"add two numbers\"}"),
				call("call_tool", "{\"name\": \"everything_get-sum\", \"arguments\": {\"a\": 2, \"b\": 3}}")))
			.element(0)
			.asString()
			.startsWith("[{\"name\":\"everything_get-sum\",\"description\":\"Returns the sum of two numbers\",")
			.contains("\"inputSchema\":{");
		assertThat(this.seen).containsExactly("call_tool", "search_tools");
		assertThat(intercepted).containsExactly("everything_get-sum");
		assertThat(play(tools, call("call_tool", "{\"name\": \"library_find_book\", \"arguments\": {}}"),
				call("call_tool", "{\"name\": \"remote_echo\", \"arguments\": \"{\\\"message\\\": \\\"hello\\\"}\"}"),
				call("call_tool", "{\"name\": \"library_find_bok\", \"arguments\": {}}"), call("call_tool", "{")))
			.containsExactly("find_book ", "Echo: hello",
					"Error: No MCP tool 'library_find_bok'. Did you mean library_find_book or library_lend_book?",
					"Error: The arguments of MCP tool 'call_tool' must be a single JSON object");
		McpToolCallbackProvider selected = tools.select("everything_get-*");
		assertThat(play(selected, call("call_tool", "{\"name\": \"library_find_book\", \"arguments\": {}}"),
				call("search_tools", "{\"query\": \"find a book\"}")))
			.satisfiesExactly((text) -> assertThat(text).isEqualTo("Error: No MCP tool 'library_find_book'."),
					(text) -> assertThat(text).doesNotContain("library"));
		assertThat(tools.select("library_*").getToolCallbacks())
			.extracting((callback) -> callback.getToolDefinition().name())
			.containsExactly("library_find_book", "library_lend_book");
	}

	// play the model in the loop of Spring AI's clients, and return what it reads
	private List<String> play(McpToolCallbackProvider tools, AssistantMessage... calls) {
		List<String> answers = new ArrayList<>();
		for (AssistantMessage call : calls) {
			ToolCallback[] callbacks = tools.getToolCallbacks();
			this.seen.clear();
			Stream.of(callbacks).forEach((tool) -> this.seen.add(tool.getToolDefinition().name()));
			ToolExecutionResult result = ToolCallingManager.builder()
				.build()
				.executeToolCalls(
						new Prompt(new UserMessage("Help"),
								ToolCallingChatOptions.builder().toolCallbacks(callbacks).build()),
						new ChatResponse(List.of(new Generation(call))));
			ToolResponseMessage answer = (ToolResponseMessage) result.conversationHistory().get(2);
			answers.add(answer.getResponses().get(0).responseData());
		}
		return answers;
	}

	private static AssistantMessage call(String tool, String arguments) {
		return AssistantMessage.builder()
			.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", tool, arguments)))
			.build();
	}

	@Test
	void aModelOfLangChain4jSeesWhatItFinds() {
		McpToolSearchStrategy search = this.application.context().getBean(McpToolSearchStrategy.class);
		PlayedModel model = new PlayedModel();
		Assistant assistant = assistant(model, search);
		model.calls("search_tools", "{\"query\": \"add two numbers\"}")
			.calls("everything_get-sum", "{\"a\": 2, \"b\": 3}")
			.says("5");
		assertThat(assistant.ask("2 + 3?")).isEqualTo("5");
		assertThat(model.tools(0)).containsExactly("search_tools");
		assertThat(model.tools(1)).startsWith("search_tools", "everything_get-sum").hasSizeLessThanOrEqualTo(6);
		assertThat(model.answers).hasSize(2).last().isEqualTo("The sum of 2 and 3 is 5.");
		assertThat(model.answers.get(0)).startsWith("You can call these tools now:\neverything_get-sum\n");
		assertThat(intercepted).containsExactly("everything_get-sum");
		// those of the service, and malformed calls
		model.calls("search_tools", "{\"query\": \"weather\"}")
			.calls("weather", "{\"city\": \"Oslo\"}")
			.calls("search_tools", "{\"words\": 5}")
			.calls("search_tools", "{")
			.calls("search_tools", "{\"query\": \"xyzzy\"}")
			.says("Rain");
		assertThat(assistant.ask("Umbrella?")).isEqualTo("Rain");
		assertThat(model.tools(3)).startsWith("search_tools", "everything_get-sum");
		assertThat(model.tools(4)).contains("weather", "everything_get-sum");
		assertThat(model.answers).endsWith("You can call these tools now:\nweather", "Rain in Oslo",
				"Error: search_tools needs the argument 'query', which is a text",
				"Error: The arguments of MCP tool 'search_tools' must be a single JSON object",
				"No tool matches. Search again in other words.");
	}

	@Test
	void toolsThatComeAndGoAreFoundAndForgotten() {
		PlayedModel model = new PlayedModel();
		Assistant assistant = assistant(model,
				this.application.context()
					.getBean(McpCatalogToolProvider.class)
					.select("library_*")
					.toolSearchStrategy());
		this.library.awaitListeners(1);
		model.calls("search_tools", "{\"query\": \"find a book\"}").says("One");
		assistant.ask("Which?");
		assertThat(model.tools(1)).containsExactly("search_tools", "library_find_book", "library_lend_book");
		this.library.tools("find_book", "burn_book").notifyToolsListChanged();
		Awaitility.await().until(() -> this.application.tools().find("library_burn_book").isPresent());
		model.calls("search_tools", "{\"query\": \"burn\"}").says("Two");
		assistant.ask("And now?");
		assertThat(model.tools(2)).containsExactly("search_tools", "library_find_book");
		assertThat(model.tools(3)).containsExactly("search_tools", "library_find_book", "library_burn_book");
	}

	private static Assistant assistant(PlayedModel model, McpToolSearchStrategy search) {
		return AiServices.builder(Assistant.class)
			.chatModel(model)
			.chatMemory(MessageWindowChatMemory.withMaxMessages(50))
			.tools(new LocalTools())
			.toolProvider(search.foundTools())
			.toolSearchStrategy(search)
			.build();
	}

	interface Assistant {

		String ask(String question);

	}

	static class LocalTools {

		@Tool("Tells the weather of a city")
		String weather(@P(value = "the city", name = "city") String city) {
			return "Rain in " + city;
		}

	}

	/**
	 * A model of LangChain4j that does what a test says.
	 */
	private static final class PlayedModel implements dev.langchain4j.model.chat.ChatModel {

		private final List<AiMessage> script = new ArrayList<>();

		private final List<List<String>> tools = new ArrayList<>();

		private final List<String> answers = new ArrayList<>();

		PlayedModel calls(String tool, String arguments) {
			this.script
				.add(AiMessage.from(ToolExecutionRequest.builder().id("1").name(tool).arguments(arguments).build()));
			return this;
		}

		PlayedModel says(String text) {
			this.script.add(AiMessage.from(text));
			return this;
		}

		List<String> tools(int request) {
			return this.tools.get(request);
		}

		@Override
		public dev.langchain4j.model.chat.response.ChatResponse doChat(ChatRequest request) {
			if (request.messages().get(request.messages().size() - 1) instanceof ToolExecutionResultMessage result) {
				this.answers.add(result.text());
			}
			this.tools.add(request.toolSpecifications().stream().map(ToolSpecification::name).toList());
			return dev.langchain4j.model.chat.response.ChatResponse.builder().aiMessage(this.script.remove(0)).build();
		}

	}

	static class Beans {

		@Bean
		McpToolInterceptor recording() {
			return new McpToolInterceptor() {

				@Override
				public McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain) {
					intercepted.add(tool.name());
					return chain.proceed(request);
				}

			};
		}

	}

}
