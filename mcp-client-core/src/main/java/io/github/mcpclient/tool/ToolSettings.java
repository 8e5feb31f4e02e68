package io.github.mcpclient.tool;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.schema.CheckThreads;
import io.github.mcpclient.support.ClientThreads;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the tools of all servers, which those of a server can only narrow, the
 * patterns of each named selection, and what calls them.
 *
 * @param searchThreshold above how many tools models get two to search and call them, the
 * largest integer for never
 */
public record ToolSettings(List<String> filter, McpToolPolicy policy, @Nullable McpToolNamingStrategy naming,
		ToolInterceptors interceptors, Map<String, List<String>> selections, int searchThreshold) {

	static final String SEARCH_TOOL = "search_tools";

	static final String CALL_TOOL = "call_tool";

	/**
	 * Create settings.
	 * @param naming the application's, or {@code null} for the built-in names
	 * @param interceptors the outermost first; resolved for the first call
	 */
	public static ToolSettings of(List<String> filter, McpToolPolicy policy, Map<String, List<String>> selections,
			int searchThreshold, @Nullable McpToolNamingStrategy naming,
			Supplier<List<McpToolInterceptor>> interceptors, ClientThreads threads, CheckThreads checks) {
		return new ToolSettings(filter, policy, (naming != null) ? new NamesAhead(naming, threads.naming()) : null,
				new ToolInterceptors(interceptors, threads::interceptors, checks), selections, searchThreshold);
	}

	/**
	 * Return whether a name is that of a tool of our own, which no server can have.
	 */
	boolean isOwn(String name) {
		return this.searchThreshold < Integer.MAX_VALUE && (name.equals(SEARCH_TOOL) || name.equals(CALL_TOOL));
	}

}
