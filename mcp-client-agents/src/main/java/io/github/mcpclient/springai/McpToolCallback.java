package io.github.mcpclient.springai;

import java.util.Map;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.internal.model.ModelText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.util.ClassUtils;

/**
 * A tool as a callback. It throws only if the user must log in, since an exception may
 * end the turn of a conversation: any other failure is an error result for the model.
 */
final class McpToolCallback implements ToolCallback {

	private static final Logger logger = LoggerFactory.getLogger(McpToolCallback.class);

	// internal to Spring AI, so that another version may be without it
	private static final boolean KEEPS_STREAM_CONTEXT = ClassUtils.isPresent(
			"org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder",
			McpToolCallback.class.getClassLoader());

	private final McpTool tool;

	private final McpModelTools tools;

	private final McpToolExecutor executor;

	private final @Nullable McpToolContextConverter converter;

	private volatile @Nullable Definition definition;

	McpToolCallback(McpTool tool, McpModelTools tools, McpToolExecutor executor,
			@Nullable McpToolContextConverter converter) {
		this.tool = tool;
		this.tools = tools;
		this.executor = executor;
		this.converter = converter;
	}

	McpTool tool() {
		return this.tool;
	}

	@Override
	public ToolDefinition getToolDefinition() {
		Definition current = this.definition;
		String description = ModelText.description(this.tool);
		Map<String, @Nullable Object> schema = this.tool.inputSchema();
		// an unchanged tool has the same schema, and comparing large ones is expensive
		if (current == null || current.schema() != schema || !current.description().equals(description)) {
			current = new Definition(description, schema,
					ToolDefinition.builder()
						.name(this.tool.name())
						.description(description)
						.inputSchema(ModelText.json(this.tools.inputSchema(this.tool)))
						.build());
			this.definition = current;
		}
		return current.value();
	}

	@Override
	public String call(String toolInput) {
		return call(toolInput, null);
	}

	@Override
	public String call(String toolInput, @Nullable ToolContext context) {
		ContextView ofStream = KEEPS_STREAM_CONTEXT ? ToolCallReactiveContextHolder.getContext() : Context.empty();
		return ModelText
			.of(this.tools.call(this.tool, toolInput, ofStream, (tool, request) -> call(tool, request, context)));
	}

	private McpToolResult call(McpTool tool, McpToolRequest request, @Nullable ToolContext context) {
		if (this.converter == null || context == null || context.getContext().isEmpty()) {
			return this.executor.execute(tool, request);
		}
		Map<String, @Nullable Object> meta;
		try {
			meta = this.converter.toMeta(tool, context);
		}
		catch (RuntimeException ex) {
			logger.warn("MCP tool '{}' was not called: the McpToolContextConverter failed", tool.name(), ex);
			return McpToolResult.error(tool.name(),
					"MCP tool '" + tool.name() + "' was not called: its context is not usable");
		}
		return this.executor.execute(tool, request.withMeta(meta));
	}

	@Override
	public String toString() {
		return "McpToolCallback[" + this.tool.name() + "]";
	}

	private record Definition(String description, Map<String, @Nullable Object> schema, ToolDefinition value) {
	}

}
