package io.github.mcpclient.springai;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

class ChatModelSamplingHandlerTests {

	private static final List<Prompt> prompts = new ArrayList<>();

	@Test
	void chatModelAnswersTheServersThatNameIt() {
		McpTestServer server = closing(McpTestServer.create().tool("ask", (request) -> {
			Map<String, Object> params = Map.of("systemPrompt", "Be brief", "maxTokens", 9000, "temperature", 0.5,
					"messages", List.of(message("user", text("Hello")), message("assistant", text("Hi")),
							message("user", text("And now?"))));
			return McpTestReply.text(request.request("sampling/createMessage", params).get().toString());
		}).tool("image", (request) -> {
			Map<String, Object> image = Map.of("type", "image", "mimeType", "image/png", "data", "AA==");
			return McpTestReply.text(request
				.request("sampling/createMessage", Map.of("maxTokens", 5, "messages", List.of(message("user", image))))
				.handle((answer, failure) -> failure.toString())
				.get());
		}).start());
		ClientApplication application = ClientApplication.start(Model.class, "mcp.servers.a.url=" + server.url(),
				"mcp.servers.a.sampling.chat-model=smallModel", "mcp.servers.b.url=" + server.url(),
				"mcp.servers.c.url=" + server.url(), "mcp.servers.c.sampling.chat-model=largeModel");
		assertThat(application.text("a_ask", Map.of())).contains("text=Fine", "model=small-1", "stopReason=maxTokens");
		assertThat(prompts).singleElement().satisfies((prompt) -> {
			assertThat(prompt.getInstructions()).extracting(Message::getText)
				.containsExactly("Be brief", "Hello", "Hi", "And now?");
			assertThat(prompt.getOptions().getMaxTokens()).isEqualTo(4096);
			assertThat(prompt.getOptions().getTemperature()).isEqualTo(0.5);
		});
		assertThat(application.text("a_image", Map.of())).contains("-32602", "Only messages of text are supported");
		assertThat(server.requests("initialize")).extracting((request) -> request.params().get("capabilities"))
			.containsExactlyInAnyOrder(Map.of("sampling", Map.of()), Map.of());
		Awaitility.await().until(() -> application.state("c"), McpServerState.UNAVAILABLE::equals);
		assertThat(application.registry().server("c").status().lastError()).contains("no ChatModel bean")
			.contains("mcp.servers.c.sampling.chat-model");
	}

	private static Map<String, Object> text(String text) {
		return Map.of("type", "text", "text", text);
	}

	private static Map<String, Object> message(String role, Map<String, Object> content) {
		return Map.of("role", role, "content", content);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Model {

		@Bean
		ChatModel smallModel() {
			return new ChatModel() {

				@Override
				public ChatResponse call(Prompt prompt) {
					prompts.add(prompt);
					return new ChatResponse(
							List.of(new Generation(new AssistantMessage("Fine"),
									ChatGenerationMetadata.builder().finishReason("LENGTH").build())),
							ChatResponseMetadata.builder().model("small-1").build());
				}

			};
		}

	}

}
