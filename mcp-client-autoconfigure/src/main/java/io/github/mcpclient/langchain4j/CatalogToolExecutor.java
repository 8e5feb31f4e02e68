package io.github.mcpclient.langchain4j;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.tool.ModelText;
import org.jspecify.annotations.Nullable;

/**
 * Calls a tool. It never throws, since an exception may end the conversation: whatever
 * goes wrong is an answer for the model.
 */
final class CatalogToolExecutor implements ToolExecutor {

	private final McpTool tool;

	private final McpToolExecutor executor;

	private final ModelText text;

	private final Set<ContentType> media;

	CatalogToolExecutor(McpTool tool, McpToolExecutor executor, ModelText text, Set<ContentType> media) {
		this.tool = tool;
		this.executor = executor;
		this.text = text;
		this.media = media;
	}

	@Override
	public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
		return this.text.of(call(request));
	}

	@Override
	public ToolExecutionResult executeWithContext(ToolExecutionRequest request, @Nullable InvocationContext context) {
		McpToolResult result = call(request);
		ToolExecutionResult.Builder builder = ToolExecutionResult.builder().isError(result.isError()).result(result);
		List<Content> contents = Media.of(result, this.media);
		if (contents.isEmpty()) {
			return builder.resultText(this.text.of(result)).build();
		}
		return builder
			.resultContents(
					Stream.concat(Stream.of(TextContent.from(this.text.of(result))), contents.stream()).toList())
			.build();
	}

	private McpToolResult call(ToolExecutionRequest request) {
		McpToolRequest call;
		try {
			call = this.text.request(this.tool, request.arguments());
		}
		catch (IllegalArgumentException ex) {
			return McpToolResult.error(this.tool.name(), String.valueOf(ex.getMessage()));
		}
		return this.executor.execute(this.tool.name(), call);
	}

}
