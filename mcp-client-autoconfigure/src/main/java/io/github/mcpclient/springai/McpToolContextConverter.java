package io.github.mcpclient.springai;

import java.util.Map;

import io.github.mcpclient.McpTool;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Says what of Spring AI's {@link ToolContext} an MCP server is told, in the
 * {@code _meta} object of a call. Without a bean of this type it is told nothing: a
 * context may hold what is the application's own business.
 *
 * <p>
 * Called on the thread that calls the tool, by many threads at a time. Where it throws,
 * the tool is not called, and the model gets an error to read.
 */
@FunctionalInterface
public interface McpToolContextConverter {

	/**
	 * Convert a context.
	 * @param tool the tool that is about to be called; {@link McpTool#serverName()} tells
	 * whose it is
	 * @param context the context, which is not empty
	 * @return the {@code _meta} object: values that JSON has, under names that follow the
	 * rules of the MCP specification for the keys of {@code _meta}, such as
	 * {@code com.example/tenant}; empty to tell nothing
	 */
	Map<String, Object> toMeta(McpTool tool, ToolContext context);

}
