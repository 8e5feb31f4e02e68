package io.github.mcpclient.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.AiServices;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.context.ApplicationContext;

/**
 * The agent loops of Spring AI and LangChain4j, with a model that follows a script.
 */
public enum AgentLoops {

	SPRING_AI {

		@Override
		List<String> run(ApplicationContext context, Turn[] turns) {
			ToolCallingManager manager = ToolCallingManager.builder().build();
			Script script = new Script(turns);
			List<Message> messages = List.of(new UserMessage("Begin"));
			for (ToolCall next = script.next(null); next != null;) {
				Prompt prompt = new Prompt(messages,
						ToolCallingChatOptions.builder()
							.toolCallbacks(context.getBean(McpToolCallbackProvider.class).getToolCallbacks())
							.build());
				AssistantMessage answer = AssistantMessage.builder()
					.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", next.tool(), next.arguments())))
					.build();
				messages = manager.executeToolCalls(prompt, new ChatResponse(List.of(new Generation(answer))))
					.conversationHistory();
				ToolResponseMessage read = (ToolResponseMessage) messages.get(messages.size() - 1);
				next = script.next(read.getResponses().get(0).responseData());
			}
			return script.read;
		}

		@Override
		public List<String> tools(ApplicationContext context) {
			return List.of(context.getBean(McpToolCallbackProvider.class).getToolCallbacks())
				.stream()
				.map((tool) -> tool.getToolDefinition().name())
				.toList();
		}

	},

	LANGCHAIN4J {

		@Override
		List<String> run(ApplicationContext context, Turn[] turns) {
			Script script = new Script(turns);
			ChatModel model = new ChatModel() {

				@Override
				public dev.langchain4j.model.chat.response.ChatResponse doChat(ChatRequest request) {
					ChatMessage last = request.messages().get(request.messages().size() - 1);
					ToolCall next = script.next((last instanceof ToolExecutionResultMessage read) ? read.text() : null);
					AiMessage answer = (next != null) ? AiMessage.from(ToolExecutionRequest.builder()
						.id("1")
						.name(next.tool())
						.arguments(next.arguments())
						.build()) : AiMessage.from("Done");
					return dev.langchain4j.model.chat.response.ChatResponse.builder().aiMessage(answer).build();
				}

			};
			AiServices.builder(Assistant.class)
				.chatModel(model)
				.toolProvider(context.getBean(McpCatalogToolProvider.class))
				.build()
				.ask("Begin");
			return script.read;
		}

		@Override
		public List<String> tools(ApplicationContext context) {
			return context.getBean(McpCatalogToolProvider.class)
				.provideTools(null)
				.aiServiceTools()
				.stream()
				.map((tool) -> tool.toolSpecification())
				.map(ToolSpecification::name)
				.toList();
		}

	};

	/**
	 * Run a conversation in which the model calls tools, one after the other.
	 * @return what the model read of each
	 */
	public List<String> run(ClientApplication application, Turn... turns) {
		return run(application.context(), turns);
	}

	abstract List<String> run(ApplicationContext context, Turn[] turns);

	/**
	 * Return the names of the tools that the model is offered.
	 */
	public abstract List<String> tools(ApplicationContext context);

	/**
	 * A turn: the call that the model makes, given what it read last.
	 */
	public interface Turn extends Function<String, ToolCall> {

		/**
		 * A call of whatever was read.
		 */
		static Turn call(String tool, String arguments) {
			return (read) -> new ToolCall(tool, arguments);
		}

	}

	/**
	 * A call, with its arguments as JSON.
	 */
	public record ToolCall(String tool, String arguments) {
	}

	interface Assistant {

		String ask(String question);

	}

	private static final class Script {

		private final Turn[] turns;

		private final List<String> read = new ArrayList<>();

		Script(Turn[] turns) {
			this.turns = turns;
		}

		@Nullable ToolCall next(@Nullable String text) {
			if (text != null) {
				this.read.add(text);
			}
			return (this.read.size() == this.turns.length) ? null
					: this.turns[this.read.size()].apply((text != null) ? text : "");
		}

	}

}
