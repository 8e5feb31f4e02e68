package io.github.mcpclient.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.tool.ModelText;
import org.jspecify.annotations.Nullable;

/**
 * A tool as long as the server defines it the same. A call never throws, since an
 * exception may end the conversation: whatever goes wrong is an answer for the model.
 */
final class CatalogTool implements ToolExecutor {

	private final McpTool tool;

	private final McpToolExecutor executor;

	private final ModelText text;

	private final Set<ContentType> media;

	private final @Nullable String description;

	private final Map<String, Object> schema;

	private final AiServiceTool converted;

	CatalogTool(McpTool tool, McpToolExecutor executor, ModelText text, Set<ContentType> media) {
		this.tool = tool;
		this.executor = executor;
		this.text = text;
		this.media = media;
		this.description = tool.description();
		this.schema = tool.inputSchema();
		ToolSpecification specification = ToolSpecification.builder()
			.name(tool.name())
			.description((this.description != null && !this.description.isBlank()) ? this.description : tool.title())
			.parameters(new SchemaConverter(text).parameters(this.schema))
			.build();
		this.converted = AiServiceTool.builder().toolSpecification(specification).toolExecutor(this).build();
	}

	AiServiceTool converted() {
		return this.converted;
	}

	/**
	 * The schema is compared by identity: the same definition of a tool has the same one,
	 * and to compare a large schema would cost what this saves.
	 */
	boolean isOf(McpTool tool) {
		return this.tool.equals(tool) && this.schema == tool.inputSchema()
				&& Objects.equals(this.description, tool.description());
	}

	@Override
	public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
		return this.text.of(call(request));
	}

	@Override
	public ToolExecutionResult executeWithContext(ToolExecutionRequest request, @Nullable InvocationContext context) {
		McpToolResult result = call(request);
		String text = this.text.of(result);
		List<Content> media = Media.of(result, this.media);
		ToolExecutionResult.Builder builder = ToolExecutionResult.builder().isError(result.isError()).result(result);
		return (media.isEmpty() ? builder.resultText(text)
				: builder.resultContents(Stream.concat(Stream.of(TextContent.from(text)), media.stream()).toList()))
			.build();
	}

	private McpToolResult call(ToolExecutionRequest request) {
		try {
			return this.executor.execute(this.tool.name(), this.text.request(this.tool, request.arguments()));
		}
		catch (IllegalArgumentException ex) {
			return McpToolResult.error(this.tool.name(), String.valueOf(ex.getMessage()));
		}
	}

}
