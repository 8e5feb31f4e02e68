package io.github.mcpclient.springai;

import java.util.Map;

import io.github.mcpclient.McpTool;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Converts Spring AI's {@link ToolContext} to the {@code _meta} object of a call. Without
 * a bean of this type, servers receive nothing of a context, which may be confidential.
 *
 * <p>
 * Called on the thread that calls the tool, concurrently. If it throws, the tool is not
 * called, and the model receives an error.
 */
@FunctionalInterface
public interface McpToolContextConverter {

	/**
	 * Convert a context.
	 * @param tool the tool that is about to be called
	 * @param context the context, never empty
	 * @return the {@code _meta} object, possibly empty: JSON values, {@code null}
	 * included, under keys that follow the rules of the MCP specification, such as
	 * {@code com.example/tenant}
	 */
	Map<String, @Nullable Object> toMeta(McpTool tool, ToolContext context);

}
