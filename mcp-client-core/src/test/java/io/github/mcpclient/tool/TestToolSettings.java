package io.github.mcpclient.tool;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.schema.CheckThreads;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * Settings without interceptors.
 */
public final class TestToolSettings {

	static final ToolCaller NONE = new ToolCaller(List::of, () -> {
		throw new IllegalStateException("Nothing to run");
	}, new CheckThreads(Schedulers.parallel()), Schedulers.parallel());

	/**
	 * All tools, under their default names.
	 */
	public static final ToolSettings DEFAULTS = of(List.of(), McpToolPolicy.UNRESTRICTED, null);

	private TestToolSettings() {
	}

	public static ToolSettings of(List<String> filter, McpToolPolicy policy, @Nullable McpToolNamingStrategy naming) {
		return new ToolSettings(filter, policy, naming, NONE, RuleInterceptors.NONE, Map.of(), ListingCustomizers.NONE);
	}

}
