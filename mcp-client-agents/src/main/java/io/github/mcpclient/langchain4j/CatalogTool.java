package io.github.mcpclient.langchain4j;

import java.util.List;
import java.util.Map;
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
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.internal.model.ModelText;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * A tool, as long as its definition is unchanged. A call throws only if the user must log
 * in, since an exception may end the conversation: any other failure is an error result
 * for the model.
 */
final class CatalogTool implements ToolExecutor {

	private final McpTool tool;

	private final McpModelTools tools;

	private final McpToolExecutor executor;

	private final Set<ContentType> media;

	private final String description;

	private final Map<String, @Nullable Object> schema;

	private final AiServiceTool converted;

	CatalogTool(McpTool tool, McpModelTools tools, McpToolExecutor executor, Set<ContentType> media) {
		this.tool = tool;
		this.tools = tools;
		this.executor = executor;
		this.media = media;
		this.description = ModelText.description(tool);
		this.schema = tool.inputSchema();
		ToolSpecification specification = ToolSpecification.builder()
			.name(tool.name())
			.description(this.description.isEmpty() ? null : this.description)
			.parameters(SchemaConverter.parameters(tools.inputSchema(tool)))
			.build();
		this.converted = AiServiceTool.builder().toolSpecification(specification).toolExecutor(this).build();
	}

	AiServiceTool converted() {
		return this.converted;
	}

	boolean isOf(McpTool tool) {
		// an unchanged tool has the same schema, and comparing large ones is expensive
		return this.tool.equals(tool) && this.schema == tool.inputSchema()
				&& this.description.equals(ModelText.description(tool));
	}

	@Override
	public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
		return ModelText.of(call(request));
	}

	@Override
	public ToolExecutionResult executeWithContext(ToolExecutionRequest request, @Nullable InvocationContext context) {
		McpToolResult result = call(request);
		String text = ModelText.of(result);
		List<Content> media = Media.of(result, this.media);
		ToolExecutionResult.Builder builder = ToolExecutionResult.builder()
			.isError(result.isError())
			.result(result.untruncated());
		return (media.isEmpty() ? builder.resultText(text)
				: builder.resultContents(Stream.concat(Stream.of(TextContent.from(text)), media.stream()).toList()))
			.build();
	}

	private McpToolResult call(ToolExecutionRequest request) {
		return this.tools.call(this.tool, request.arguments(), Context.empty(), this.executor::execute);
	}

}
