package io.github.mcpclient.springai;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpHandlerContext;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult.StopReason;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import io.modelcontextprotocol.spec.McpSchema.TextContent;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;
import org.springframework.util.StringUtils;

/**
 * Generates messages with the {@code ChatModel} bean that {@code sampling.chat-model} of
 * a server names. The server chooses the messages, its own system prompt, the
 * temperature, the stop sequences and the number of tokens, but no model and no tools.
 */
record ChatModelSamplingHandler(BeanFactory beanFactory) implements McpSamplingHandler, Ordered {

	@Override
	public boolean supports(McpServerDefinition server) {
		String model = server.sampling().chatModel();
		return model != null && this.beanFactory.containsBean(model)
				&& this.beanFactory.isTypeMatch(model, ChatModel.class);
	}

	@Override
	public CreateMessageResult createMessage(CreateMessageRequest request, McpHandlerContext context) {
		String name = String.valueOf(context.server().sampling().chatModel());
		List<Message> messages = new ArrayList<>();
		if (StringUtils.hasText(request.systemPrompt())) {
			messages.add(new SystemMessage(request.systemPrompt()));
		}
		request.messages().forEach((message) -> messages.add(message(message)));
		ChatOptions options = ChatOptions.builder()
			.maxTokens(request.maxTokens())
			.temperature(request.temperature())
			.stopSequences(request.stopSequences())
			.build();
		ChatResponse response = this.beanFactory.getBean(name, ChatModel.class).call(new Prompt(messages, options));
		Generation generation = response.getResult();
		String text = (generation != null) ? generation.getOutput().getText() : null;
		if (generation == null || text == null) {
			throw new IllegalStateException("ChatModel '" + name + "' returned no text");
		}
		String model = response.getMetadata().getModel();
		// models have different names for the length
		String reason = String.valueOf(generation.getMetadata().getFinishReason()).toLowerCase(Locale.ROOT);
		return CreateMessageResult.builder(Role.ASSISTANT, text, StringUtils.hasText(model) ? model : name)
			.stopReason((reason.contains("length") || reason.contains("token")) ? StopReason.MAX_TOKENS
					: StopReason.END_TURN)
			.build();
	}

	private static Message message(SamplingMessage message) {
		if (!(message.content() instanceof TextContent text)) {
			throw McpError.builder(McpSchema.ErrorCodes.INVALID_PARAMS)
				.message("Only messages of text are supported")
				.build();
		}
		return (message.role() == Role.ASSISTANT) ? new AssistantMessage(text.text()) : new UserMessage(text.text());
	}

	/**
	 * After the handlers of the application.
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
