package io.github.mcpclient.langchain4j;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.service.tool.AiServiceTool;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.tool.ModelText;
import org.jspecify.annotations.Nullable;

/**
 * What a model is told of a tool, as long as the server says the same.
 *
 * @param handle the tool
 * @param description what the server said when this was made
 * @param schema likewise
 * @param tool the tool for LangChain4j
 */
record CatalogTool(McpTool handle, @Nullable String description, Map<String, Object> schema, AiServiceTool tool) {

	static CatalogTool of(McpTool tool, McpToolExecutor executor, ModelText text, Set<ContentType> media) {
		String description = tool.description();
		Map<String, Object> schema = tool.inputSchema();
		ToolSpecification specification = ToolSpecification.builder()
			.name(tool.name())
			.description((description != null && !description.isBlank()) ? description : tool.title())
			.parameters(new SchemaConverter(text).parameters(schema))
			.build();
		AiServiceTool converted = AiServiceTool.builder()
			.toolSpecification(specification)
			.toolExecutor(new CatalogToolExecutor(tool, executor, text, media))
			.build();
		return new CatalogTool(tool, description, schema, converted);
	}

	/**
	 * The schema is compared by identity: the same definition of a tool has the same one,
	 * and to compare a large schema would cost what this saves.
	 */
	boolean isOf(McpTool tool) {
		return this.handle.equals(tool) && this.schema == tool.inputSchema()
				&& Objects.equals(this.description, tool.description());
	}

}
