package io.github.mcpclient.springai;

import java.util.Map;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.tool.ModelText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.util.ClassUtils;

/**
 * A tool as a callback. It throws only if the user must log in, since an exception may
 * end the turn of a conversation: any other failure is an answer for the model.
 */
final class McpToolCallback implements ToolCallback {

	private static final Logger logger = LoggerFactory.getLogger(McpToolCallback.class);

	// internal to Spring AI, so that another version may be without it
	private static final boolean KEEPS_STREAM_CONTEXT = ClassUtils.isPresent(
			"org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder",
			McpToolCallback.class.getClassLoader());

	private final McpTool tool;

	private final McpToolExecutor executor;

	private final ModelText text;

	private final @Nullable McpToolContextConverter converter;

	private volatile @Nullable Definition definition;

	McpToolCallback(McpTool tool, McpToolExecutor executor, ModelText text,
			@Nullable McpToolContextConverter converter) {
		this.tool = tool;
		this.executor = executor;
		this.text = text;
		this.converter = converter;
	}

	McpTool tool() {
		return this.tool;
	}

	@Override
	public ToolDefinition getToolDefinition() {
		Definition current = this.definition;
		String description = ModelText.description(this.tool);
		Map<String, Object> schema = this.tool.inputSchema();
		// an unchanged tool has the same schema, and comparing large ones is expensive
		if (current == null || current.schema() != schema || !current.description().equals(description)) {
			current = new Definition(description, schema,
					ToolDefinition.builder()
						.name(this.tool.name())
						.description(description)
						.inputSchema(this.text.inputSchema(schema))
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
		McpToolRequest request;
		try {
			request = this.text.request(this.tool, toolInput);
		}
		catch (IllegalArgumentException ex) {
			return ModelText.error(String.valueOf(ex.getMessage()));
		}
		if (KEEPS_STREAM_CONTEXT) {
			request = request.withContext(ToolCallReactiveContextHolder.getContext());
		}
		if (this.converter != null && context != null && !context.getContext().isEmpty()) {
			try {
				request = request.withMeta(this.converter.toMeta(this.tool, context));
			}
			catch (RuntimeException ex) {
				logger.warn("MCP tool '{}' was not called: the McpToolContextConverter failed", this.tool.name(), ex);
				return ModelText.error("MCP tool '" + this.tool.name() + "' was not called: its context is not usable");
			}
		}
		return this.text.of(this.executor.execute(this.tool.name(), request));
	}

	@Override
	public String toString() {
		return "McpToolCallback[" + this.tool.name() + "]";
	}

	private record Definition(String description, Map<String, Object> schema, ToolDefinition value) {
	}

}
