package io.github.mcpclient.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
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

	private final String name;

	private final McpToolExecutor executor;

	private final ModelText text;

	private final Set<ContentType> media;

	CatalogToolExecutor(String name, McpToolExecutor executor, ModelText text, Set<ContentType> media) {
		this.name = name;
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
		List<Content> media = this.media.isEmpty() ? List.of() : Media.of(result, this.media);
		if (media.isEmpty()) {
			return builder.resultText(this.text.of(result)).build();
		}
		List<Content> contents = new ArrayList<>();
		contents.add(TextContent.from(this.text.of(result)));
		contents.addAll(media);
		return builder.resultContents(contents).build();
	}

	private McpToolResult call(ToolExecutionRequest request) {
		McpToolRequest call;
		try {
			String arguments = request.arguments();
			call = McpToolRequest.of(this.text.arguments(this.name, (arguments != null) ? arguments : ""));
		}
		catch (IllegalArgumentException ex) {
			return McpToolResult.error(this.name, String.valueOf(ex.getMessage()));
		}
		return this.executor.execute(this.name, call);
	}

}
