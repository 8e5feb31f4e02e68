package io.github.mcpclient.internal.tool;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Settings without interceptors.
 */
public final class TestToolSettings {

	static final ToolCaller NONE = new ToolCaller(List::of, () -> {
		throw new IllegalStateException("Nothing to run");
	}, new SchemaCheck.Threads(Schedulers.parallel()), Schedulers.parallel(), null);

	static final ListingCustomizers NO_CUSTOMIZERS = new ListingCustomizers(List.of(),
			new ServerThreads("none", new Limits(1, 1), Runnable::run, Schedulers.immediate()), Schedulers.immediate());

	/**
	 * All tools, under their default names.
	 */
	public static final ToolSettings DEFAULTS = of(List.of(), McpToolPolicy.UNRESTRICTED, null);

	private TestToolSettings() {
	}

	/**
	 * All tools, as something makes of them.
	 */
	static ToolSettings customized(McpToolListingCustomizer customizer, ServerThreads threads, Scheduler scheduler) {
		return customized(List.of(), customizer, threads, scheduler);
	}

	static ToolSettings customized(List<String> filter, McpToolListingCustomizer customizer, ServerThreads threads,
			Scheduler scheduler) {
		return new ToolSettings(filter, McpToolPolicy.UNRESTRICTED, null, NONE, Map.of(),
				new ListingCustomizers(List.of(customizer), threads, scheduler));
	}

	public static ToolSettings of(List<String> filter, McpToolPolicy policy, @Nullable McpToolNamingStrategy naming) {
		return new ToolSettings(filter, policy, naming, NONE, Map.of(), NO_CUSTOMIZERS);
	}

}
