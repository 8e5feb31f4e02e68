package io.github.mcpclient.tool;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.McpToolPolicy;
import io.github.mcpclient.schema.CheckThreads;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the tools of all servers, which those of a server can only narrow, the
 * patterns of each named selection, and what wraps and checks calls.
 */
public record ToolSettings(List<String> filter, McpToolPolicy policy, @Nullable McpToolNamingStrategy naming,
		ToolInterceptors interceptors, CheckThreads checks, Map<String, List<String>> selections) {
}
