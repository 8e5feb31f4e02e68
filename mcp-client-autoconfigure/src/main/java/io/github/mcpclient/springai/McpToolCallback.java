package io.github.mcpclient.springai;

import java.util.Map;
import java.util.Objects;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.tool.ModelText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * A tool as a callback. It never throws, since an exception may end the turn of a
 * conversation: whatever goes wrong is an answer for the model.
 */
final class McpToolCallback implements ToolCallback {

	private static final Logger logger = LoggerFactory.getLogger(McpToolCallback.class);

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
		if (current == null || !current.isOf(this.tool)) {
			current = Definition.of(this.tool, this.text);
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
			request = this.text.request(this.tool, toolInput).withContext(StreamContext.get());
		}
		catch (IllegalArgumentException ex) {
			return ModelText.error(String.valueOf(ex.getMessage()));
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

	/**
	 * What a model is told of a tool, as long as the server says the same.
	 */
	private record Definition(@Nullable String description, @Nullable String title, Map<String, Object> schema,
			ToolDefinition value) {

		static Definition of(McpTool tool, ModelText text) {
			String description = tool.description();
			String title = tool.title();
			Map<String, Object> schema = tool.inputSchema();
			ToolDefinition value = ToolDefinition.builder()
				.name(tool.name())
				.description((description != null && !description.isBlank()) ? description
						: Objects.requireNonNullElse(title, ""))
				.inputSchema(text.inputSchema(schema))
				.build();
			return new Definition(description, title, schema, value);
		}

		/**
		 * The schema is compared by identity: the same definition of a tool has the same
		 * one, and to compare a large schema would cost what this saves.
		 */
		boolean isOf(McpTool tool) {
			return this.schema == tool.inputSchema() && Objects.equals(this.description, tool.description())
					&& Objects.equals(this.title, tool.title());
		}

	}

}
