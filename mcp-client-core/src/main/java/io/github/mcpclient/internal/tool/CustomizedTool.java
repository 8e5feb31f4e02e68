package io.github.mcpclient.internal.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.naming.ToolNames;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.github.mcpclient.spi.McpToolListingCustomizer.ListedTool;
import io.github.mcpclient.spi.McpToolListingCustomizer.Listing;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.util.Assert;

/**
 * The result of the customizers for a tool.
 *
 * @param names the names of the tool, to be used instead of equal ones: there are
 * thousands
 * @param tool the tool as the server listed it
 * @param refusal why the tool is excluded from the application, or {@code null} if it is
 * included
 * @param failed whether it is excluded because a customizer failed
 * @param shown the tool that the application and models see
 * @param rule the rule of the tool, whose timeouts apply, or {@code null}
 * @param timeoutSetting the property that sets the timeout of the rule, if any
 * @param interceptors the interceptors of its calls
 * @param handler handles its calls without the server, or {@code null}
 */
record CustomizedTool(ToolNames names, Tool tool, @Nullable String refusal, boolean failed, Tool shown,
		@Nullable McpToolRule rule, @Nullable String timeoutSetting, List<McpToolInterceptor> interceptors,
		@Nullable Function<McpToolRequest, Mono<CallToolResult>> handler) {

	/**
	 * Return the result for a tool without customizers.
	 */
	static CustomizedTool of(ToolNames names, Tool tool) {
		return new CustomizedTool(names, tool, null, false, tool, null, null, List.of(), null);
	}

	/**
	 * Return the result for a tool that cannot be customized.
	 */
	static CustomizedTool failed(ToolNames names, Tool tool, String reason) {
		return new CustomizedTool(names, tool, reason, true, tool, null, null, List.of(), null);
	}

	/**
	 * Call customizers, one after the other, until one excludes the tool.
	 */
	static CustomizedTool of(List<McpToolListingCustomizer> customizers, ServerListing listing, ToolNames names,
			Tool tool) {
		Building building = new Building(listing, names, tool);
		for (McpToolListingCustomizer customizer : customizers) {
			try {
				customizer.customize(building);
			}
			catch (Throwable ex) {
				return failed(names, tool, ListingCustomizers.failure(customizer, listing, ex.toString()));
			}
			if (building.refusal != null) {
				break;
			}
		}
		return building.result();
	}

	/**
	 * A tool during its customization.
	 */
	private static final class Building implements ListedTool {

		private final ServerListing listing;

		private final ToolNames names;

		private final Tool tool;

		private final List<McpToolInterceptor> interceptors = new ArrayList<>();

		private @Nullable String refusal;

		private Tool shown;

		private @Nullable McpToolRule rule;

		private @Nullable String timeoutSetting;

		private Building(ServerListing listing, ToolNames names, Tool tool) {
			this.listing = listing;
			this.names = names;
			this.tool = tool;
			this.shown = tool;
		}

		private CustomizedTool result() {
			return new CustomizedTool(this.names, this.tool, this.refusal, false, this.shown, this.rule,
					this.timeoutSetting, List.copyOf(this.interceptors), this.listing.answer(this.tool));
		}

		@Override
		public Listing listing() {
			return this.listing;
		}

		@Override
		public Tool tool() {
			return this.tool;
		}

		@Override
		public String name() {
			return this.names.prefixed();
		}

		@Override
		public Tool shown() {
			return this.shown;
		}

		@Override
		public boolean matches(Collection<String> patterns) {
			return this.listing.filter(patterns).isFor(this.names, false);
		}

		@Override
		public boolean matchesUnambiguously(Collection<String> patterns) {
			return this.listing.filter(patterns).isFor(this.names, true);
		}

		@Override
		public void exclude(String reason) {
			this.refusal = reason;
		}

		@Override
		public void show(Tool tool) {
			Assert.isTrue(tool.name().equals(this.tool.name()), "The name of a tool must not change");
			this.shown = tool;
		}

		@Override
		public void intercept(McpToolInterceptor interceptor) {
			this.interceptors.add(interceptor);
		}

		@Override
		public void rule(McpToolRule rule, @Nullable String timeoutSetting) {
			this.rule = rule;
			this.timeoutSetting = timeoutSetting;
		}

	}

}
