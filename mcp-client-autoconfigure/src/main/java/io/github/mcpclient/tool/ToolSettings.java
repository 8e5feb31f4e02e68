package io.github.mcpclient.tool;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.McpToolPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the tools of all servers, and for their calls. A tool must pass these and
 * those of its server, so that no server's settings lift them.
 *
 * @param filter patterns for the prefixed or original names of tools, as at
 * {@link io.github.mcpclient.McpServerDefinition.Tools}; empty for all tools
 * @param policy which tools the application gets by their hints
 * @param naming gives tools their names, or {@code null} for the default
 * @param interceptors what stands around calls
 * @param checks runs checks against the schemas of tools that take long
 * @param selections the patterns of each named selection
 */
public record ToolSettings(List<String> filter, McpToolPolicy policy, @Nullable McpToolNamingStrategy naming,
		ToolInterceptors interceptors, CheckThreads checks, Map<String, List<String>> selections) {

	public ToolSettings {
		filter = List.copyOf(filter);
		selections = Map.copyOf(selections);
	}

}
