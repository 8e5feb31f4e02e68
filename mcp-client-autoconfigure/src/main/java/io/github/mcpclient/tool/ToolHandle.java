package io.github.mcpclient.tool;

import java.util.Map;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The stable face of a tool: it looks up what the catalog has under its name on each
 * call. What it tells of a tool that has gone is what was known last.
 */
final class ToolHandle implements McpTool {

	private final ToolCatalog catalog;

	private final ToolCaller caller;

	private final String name;

	private volatile ToolEntry lastKnown;

	ToolHandle(ToolCatalog catalog, ToolCaller caller, ToolEntry entry) {
		this.catalog = catalog;
		this.caller = caller;
		this.name = entry.name();
		this.lastKnown = entry;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String serverName() {
		return entry().connection().name();
	}

	@Override
	public String originalName() {
		return entry().tool().name();
	}

	@Override
	public @Nullable String title() {
		String title = entry().tool().title();
		ToolAnnotations annotations = annotations();
		return (title == null && annotations != null) ? annotations.title() : title;
	}

	@Override
	public @Nullable String description() {
		return entry().tool().description();
	}

	@Override
	public Map<String, Object> inputSchema() {
		Map<String, Object> schema = entry().tool().inputSchema();
		return (schema != null) ? schema : Map.of();
	}

	@Override
	public @Nullable Map<String, Object> outputSchema() {
		return entry().tool().outputSchema();
	}

	@Override
	public @Nullable ToolAnnotations annotations() {
		return entry().tool().annotations();
	}

	@Override
	public boolean available() {
		ToolEntry entry = this.catalog.entry(this.name);
		return entry != null && entry.connection().isReady();
	}

	@Override
	public McpToolResult call(String arguments) {
		return call(this.caller.parse(this.name, arguments));
	}

	@Override
	public McpToolResult call(McpToolRequest request) {
		ToolEntry entry = current();
		return this.caller.call(entry, request, () -> this.catalog.refusal(entry));
	}

	@Override
	public Mono<McpToolResult> callAsync(McpToolRequest request) {
		return Mono.defer(() -> {
			ToolEntry entry = current();
			return this.caller.callAsync(entry, request, () -> this.catalog.refusal(entry));
		});
	}

	private ToolEntry current() {
		ToolEntry entry = this.catalog.entry(this.name);
		if (entry == null) {
			throw this.catalog.noSuchTool(this.name);
		}
		return entry;
	}

	private ToolEntry entry() {
		ToolEntry entry = this.catalog.entry(this.name);
		if (entry != null) {
			this.lastKnown = entry;
			return entry;
		}
		return this.lastKnown;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ToolHandle handle && handle.catalog == this.catalog && handle.name.equals(this.name);
	}

	@Override
	public int hashCode() {
		return this.name.hashCode();
	}

	@Override
	public String toString() {
		return "McpTool[" + this.name + "]";
	}

}
