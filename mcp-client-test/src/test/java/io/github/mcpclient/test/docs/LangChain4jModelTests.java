package io.github.mcpclient.test.docs;

import java.util.List;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.test.McpTest;
import io.github.mcpclient.test.MockMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@McpTest
class LangChain4jModelTests {

	@MockMcpServer
	static final McpTestServer library = McpTestServer.create()
		.tool("find", (request) -> McpTestReply.text("A book about " + request.argument("topic")));

	@Test
	void langChain4j(@Autowired McpCatalogToolProvider mcpTools) {
		ChatModel model = new ChatModel() {

			@Override
			public ChatResponse doChat(ChatRequest request) {
				List<ChatMessage> messages = request.messages();
				AiMessage answer = (messages.get(messages.size() - 1) instanceof ToolExecutionResultMessage tool)
						? AiMessage.from("I found: " + tool.text())
						: AiMessage.from(ToolExecutionRequest.builder()
							.id("1")
							.name("library_find")
							.arguments("{\"topic\": \"bees\"}")
							.build());
				return ChatResponse.builder().aiMessage(answer).build();
			}

		};
		Assistant assistant = AiServices.builder(Assistant.class).chatModel(model).toolProvider(mcpTools).build();
		assertThat(assistant.ask("Bees?")).isEqualTo("I found: A book about bees");
		assertThat(library).hasReceivedCall("find").hasArgument("topic", "bees");
	}

	interface Assistant {

		String ask(String question);

	}

}
