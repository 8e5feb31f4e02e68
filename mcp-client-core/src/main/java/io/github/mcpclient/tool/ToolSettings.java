package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.schema.CheckThreads;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.github.mcpclient.spi.McpToolPinStore;
import io.github.mcpclient.support.ClientThreads;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;

/**
 * The rules for the tools of all servers, which those of a server can only narrow, the
 * patterns of each named selection, what calls them, and what compares their definitions
 * with those approved.
 */
public record ToolSettings(List<String> filter, McpToolPolicy policy, @Nullable McpToolNamingStrategy naming,
		ToolCaller caller, RuleInterceptors rules, Map<String, List<String>> selections,
		ListingCustomizers customizers) {

	/**
	 * Create settings.
	 * @param naming the application's, or {@code null} for the built-in names
	 * @param interceptors the outermost first; resolved for the first call
	 * @param approval what approves calls; resolved for the first one that needs it
	 * @param callers tells callers apart
	 * @param customizers customize what is listed
	 * @param store keeps the approved definitions of tools, or {@code null}
	 * @param pins the file that keeps them where there is no store, or {@code null}
	 * @param pinFirstListing whether to approve what a server lists first
	 */
	public static ToolSettings of(List<String> filter, McpToolPolicy policy, Map<String, List<String>> selections,
			@Nullable McpToolNamingStrategy naming, Supplier<List<McpToolInterceptor>> interceptors,
			Supplier<McpToolApproval> approval, McpCallerIdentity callers, ClientThreads threads, CheckThreads checks,
			List<McpToolListingCustomizer> customizers, @Nullable McpToolPinStore store, @Nullable Resource pins,
			boolean pinFirstListing) {
		McpToolPinStore used = (store == null && pins != null) ? new PinFile(pins, !pinFirstListing) : store;
		List<McpToolListingCustomizer> all = new ArrayList<>(customizers);
		if (used != null) {
			all.add(new ToolPins(used, pinFirstListing, threads.pinning(), threads.scheduler()));
		}
		return new ToolSettings(filter, policy, (naming != null) ? new NamesAhead(naming, threads.naming()) : null,
				new ToolCaller(interceptors, threads::interceptors, checks, threads.scheduler()),
				new RuleInterceptors(approval, callers, threads.scheduler()), selections,
				new ListingCustomizers(all, threads.listing(), threads.scheduler()));
	}

}
