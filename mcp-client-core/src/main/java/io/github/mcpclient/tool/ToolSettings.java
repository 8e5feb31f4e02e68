package io.github.mcpclient.tool;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpToolPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the tools of all servers, which those of a server can only narrow, the
 * patterns of each named selection, and what calls them.
 */
public record ToolSettings(List<String> filter, McpToolPolicy policy, @Nullable McpToolNamingStrategy naming,
		ToolInterceptors interceptors, Map<String, List<String>> selections) {
}
