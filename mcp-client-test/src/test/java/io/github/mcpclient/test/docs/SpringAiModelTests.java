package io.github.mcpclient.test.docs;

import java.util.List;

import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.McpTest;
import io.github.mcpclient.test.MockMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@McpTest
class SpringAiModelTests {

	@MockMcpServer
	static final McpTestServer library = McpTestServer.create()
		.tool("find", (request) -> McpTestReply.text("A book about " + request.argument("topic")));

	@Test
	void springAi(@Autowired McpToolCallbackProvider mcpTools) {
		ChatModel model = new ChatModel() {

			@Override
			public ChatResponse call(Prompt prompt) {
				AssistantMessage message = (prompt
					.getLastUserOrToolResponseMessage() instanceof ToolResponseMessage tool)
							? new AssistantMessage("I found: " + tool.getResponses().get(0).responseData())
							: AssistantMessage.builder()
								.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "library_find",
										"{\"topic\": \"bees\"}")))
								.build();
				return new ChatResponse(List.of(new Generation(message)));
			}

			@Override
			public ChatOptions getOptions() {
				return ToolCallingChatOptions.builder().build();
			}

		};
		ChatClient client = ChatClient.builder(model).defaultTools(mcpTools).build();
		assertThat(client.prompt("Bees?").call().content()).isEqualTo("I found: A book about bees");
		assertThat(library).hasReceivedCall("find").hasArgument("topic", "bees");
	}

}
