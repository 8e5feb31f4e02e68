package io.github.mcpclient.internal.tool;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.internal.naming.ToolNaming;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rules for the tools of all servers, which the rules of a server can only narrow,
 * the patterns of each named selection, the caller of tools, and the customizers.
 */
public record ToolSettings(List<String> filter, McpToolPolicy policy, @Nullable McpToolNamingStrategy naming,
		ToolCaller caller, Map<String, List<String>> selections, ListingCustomizers customizers) {

	/**
	 * Create settings.
	 * @param naming the strategy of the application, or {@code null} for the built-in
	 * names
	 * @param interceptors the interceptors, the outermost first; resolved for the first
	 * call
	 * @param mapper the mapper for types of the application, or {@code null} for a mapper
	 * without customizers
	 * @param customizers the customizers of listed tools
	 */
	public static ToolSettings of(List<String> filter, McpToolPolicy policy, Map<String, List<String>> selections,
			@Nullable McpToolNamingStrategy naming, Supplier<List<McpToolInterceptor>> interceptors,
			ClientThreads threads, SchemaCheck.Threads checks, @Nullable JsonMapper mapper,
			List<McpToolListingCustomizer> customizers) {
		return new ToolSettings(filter, policy, (naming != null) ? ToolNaming.ahead(naming, threads.naming()) : null,
				new ToolCaller(interceptors, threads::interceptors, checks, threads.scheduler(), mapper), selections,
				new ListingCustomizers(customizers, threads.listing(), threads.scheduler()));
	}

}
