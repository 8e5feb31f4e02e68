package io.github.mcpclient.internal.answer;

import java.util.List;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.event.McpLogMessageEvent;
import io.github.mcpclient.event.McpProgressEvent;
import io.github.mcpclient.event.McpPromptsChangedEvent;
import io.github.mcpclient.event.McpResourcesChangedEvent;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/**
 * The events of servers, with Spring AI's annotation of the methods that listen to them,
 * and the parameters of these methods by its rules.
 */
enum ListenerKind {

	LOGGING("McpLogging", McpLogMessageEvent.class, LoggingMessageNotification.class, null,
			"a LoggingMessageNotification, or a LoggingLevel, the logger and the data"),

	PROGRESS("McpProgress", McpProgressEvent.class, ProgressNotification.class, null,
			"a ProgressNotification, or the progress as a double, the token and the total"),

	TOOLS("McpToolListChanged", McpToolsChangedEvent.class, List.class, Tool.class, "a List<McpSchema.Tool>"),

	RESOURCES("McpResourceListChanged", McpResourcesChangedEvent.class, List.class, Resource.class,
			"a List<McpSchema.Resource>"),

	PROMPTS("McpPromptListChanged", McpPromptsChangedEvent.class, List.class, Prompt.class, "a List<McpSchema.Prompt>");

	private final String annotation;

	final Class<? extends McpServerEvent> event;

	private final Class<?> parameter;

	private final @Nullable Class<?> item;

	private final String parameters;

	ListenerKind(String annotation, Class<? extends McpServerEvent> event, Class<?> parameter, @Nullable Class<?> item,
			String parameters) {
		this.annotation = annotation;
		this.event = event;
		this.parameter = parameter;
		this.item = item;
		this.parameters = parameters;
	}

	static ListenerKind of(String annotation) {
		return Stream.of(values()).filter((kind) -> kind.annotation.equals(annotation)).findFirst().orElseThrow();
	}

	/**
	 * Return why a method cannot be called, and which signature is supported, or
	 * {@code null} if it can be called.
	 */
	@Nullable String problem(BeanMethod method, Class<?> type) {
		Class<?> returned = method.method().getReturnType();
		if ((returned == void.class || returned == Mono.class) && takes(method, type)) {
			return null;
		}
		return method + " with @" + this.annotation + " must take " + this.parameters
				+ ", and return nothing or a Mono: it is not called. Correct it, or use an @EventListener for "
				+ this.event.getSimpleName() + " instead.";
	}

	private boolean takes(BeanMethod method, Class<?> type) {
		List<Class<?>> types = method.parameters().toList();
		if (types.size() == 1) {
			ResolvableType item = ResolvableType
				.forMethodParameter(new MethodParameter(method.method(), 0).withContainingClass(type))
				.asCollection()
				.getGeneric();
			return types.get(0).isAssignableFrom(this.parameter) && types.get(0) != Object.class
					&& (this.item == null || item.toClass().isAssignableFrom(this.item));
		}
		return (this == LOGGING && types.equals(List.of(LoggingLevel.class, String.class, String.class)))
				|| (this == PROGRESS && (types.equals(List.of(double.class, String.class, String.class))
						|| types.equals(List.of(Double.class, String.class, String.class))));
	}

	/**
	 * Return the arguments for a method with the given number of parameters.
	 * @param server the server of the event
	 */
	@Nullable Object[] arguments(McpServerEvent event, McpServer server, int count) {
		if (event instanceof McpLogMessageEvent log) {
			LoggingMessageNotification message = log.message();
			return (count == 1) ? new Object[] { message }
					: new @Nullable Object[] { message.level(), message.logger(), message.data() };
		}
		if (event instanceof McpProgressEvent of) {
			ProgressNotification progress = of.progress();
			return (count == 1) ? new Object[] { progress }
					: new @Nullable Object[] { progress.progress(), String.valueOf(progress.progressToken()),
							(progress.total() != null) ? progress.total().toString() : null };
		}
		return new Object[] { switch (this) {
			case TOOLS -> server.tools().stream().map(ListenerKind::tool).toList();
			case RESOURCES -> server.features().resources();
			default -> server.features().prompts();
		} };
	}

	private static Tool tool(McpTool tool) {
		return Tool.builder(tool.originalName(), tool.inputSchema())
			.title(tool.title())
			.description(tool.description())
			.outputSchema(tool.outputSchema())
			.annotations(tool.annotations())
			.build();
	}

}
