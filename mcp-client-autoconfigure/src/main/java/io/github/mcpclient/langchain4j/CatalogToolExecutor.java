package io.github.mcpclient.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
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

	CatalogToolExecutor(String name, McpToolExecutor executor, ModelText text) {
		this.name = name;
		this.executor = executor;
		this.text = text;
	}

	@Override
	public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
		return execute(request).resultText();
	}

	@Override
	public ToolExecutionResult executeWithContext(ToolExecutionRequest request, @Nullable InvocationContext context) {
		return execute(request);
	}

	private ToolExecutionResult execute(ToolExecutionRequest request) {
		McpToolRequest call;
		try {
			String arguments = request.arguments();
			call = McpToolRequest.of(this.text.arguments(this.name, (arguments != null) ? arguments : ""));
		}
		catch (IllegalArgumentException ex) {
			return ToolExecutionResult.builder()
				.isError(true)
				.resultText(ModelText.error(String.valueOf(ex.getMessage())))
				.build();
		}
		McpToolResult result = this.executor.execute(this.name, call);
		return ToolExecutionResult.builder()
			.isError(result.isError())
			.result(result)
			.resultText(this.text.of(result))
			.build();
	}

}
