package io.github.mcpclient.tool;

import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * The stable face of a tool: it looks up what the catalog has under its name on each
 * call, but for a tool of another server that has got the name since. What it tells of a
 * tool that has gone is what was known last.
 */
final class ToolHandle implements McpTool {

	private final ToolCatalog catalog;

	private final ToolCaller caller;

	private final String name;

	private final String serverName;

	private volatile Tool lastKnown;

	ToolHandle(ToolCatalog catalog, ToolCaller caller, ToolEntry entry) {
		this.catalog = catalog;
		this.caller = caller;
		this.name = entry.name();
		this.serverName = entry.serverName();
		this.lastKnown = entry.tool();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String serverName() {
		return this.serverName;
	}

	@Override
	public String originalName() {
		return known().name();
	}

	@Override
	public @Nullable String title() {
		String title = known().title();
		ToolAnnotations annotations = annotations();
		return (title == null && annotations != null) ? annotations.title() : title;
	}

	@Override
	public @Nullable String description() {
		return known().description();
	}

	@Override
	public Map<String, Object> inputSchema() {
		Map<String, Object> schema = known().inputSchema();
		return (schema != null) ? schema : Map.of();
	}

	@Override
	public @Nullable Map<String, Object> outputSchema() {
		return known().outputSchema();
	}

	@Override
	public @Nullable ToolAnnotations annotations() {
		return known().annotations();
	}

	@Override
	public @Nullable Instant changedAt() {
		ToolEntry entry = this.catalog.entry(this.name, this.serverName);
		return (entry != null) ? entry.connection().toolChangedAt(entry.tool().name()) : null;
	}

	@Override
	public boolean available() {
		ToolEntry entry = this.catalog.entry(this.name, this.serverName);
		return entry != null && entry.connection().isReady();
	}

	@Override
	public McpToolResult call(String arguments) {
		return call(this.caller.parse(this, arguments));
	}

	@Override
	public McpToolResult call(McpToolRequest request) {
		Told told = null;
		try {
			ToolEntry entry = current();
			ToolInterceptors interceptors = this.catalog.interceptors();
			if (interceptors.isEmpty()) {
				return call(entry, request);
			}
			Told inner = new Told();
			told = inner;
			return interceptors.call(this, request, (last) -> callWithin(inner, last));
		}
		catch (Throwable ex) {
			failed(told, ex);
			throw ex;
		}
	}

	/**
	 * Call within interceptors, which may keep a failure to themselves.
	 */
	private McpToolResult callWithin(Told told, McpToolRequest request) {
		try {
			return call(current(), request);
		}
		catch (Throwable ex) {
			failed(told, ex);
			throw ex;
		}
	}

	private McpToolResult call(ToolEntry entry, McpToolRequest request) {
		return this.caller.call(entry, request, () -> this.catalog.refusal(entry));
	}

	@Override
	public Mono<McpToolResult> callAsync(McpToolRequest request) {
		Mono<McpToolResult> call = Mono.defer(() -> {
			ToolInterceptors interceptors = this.catalog.interceptors();
			if (interceptors.isEmpty()) {
				return told(null, () -> callAsync(current(), request));
			}
			Told told = new Told();
			return told(told, () -> {
				current();
				return interceptors.callAsync(this, request, (last) -> callWithin(told, last))
					.doOnCancel(() -> told.cancelled = true);
			});
		});
		return request.context().isEmpty() ? call : call.contextWrite(request.context());
	}

	private Mono<McpToolResult> callAsync(ToolEntry entry, McpToolRequest request) {
		return this.caller.callAsync(entry, request, () -> this.catalog.refusal(entry));
	}

	private Mono<McpToolResult> told(@Nullable Told told, Supplier<Mono<McpToolResult>> call) {
		try {
			return call.get().doOnError((ex) -> failed(told, ex));
		}
		catch (Throwable ex) {
			failed(told, ex);
			throw ex;
		}
	}

	private void failed(@Nullable Told told, Throwable failure) {
		if (told == null || told.isNew(failure)) {
			this.catalog.log().failed(this.serverName, this.name, failure);
		}
	}

	private ToolEntry current() {
		ToolEntry entry = this.catalog.entry(this.name, this.serverName);
		if (entry == null) {
			throw this.catalog.noSuchTool(this.name, this.serverName);
		}
		return entry;
	}

	/**
	 * Return what is told of the tool. Not kept with the connection, which must not
	 * outlive its server in a handle that is.
	 */
	private Tool known() {
		ToolEntry entry = this.catalog.entry(this.name, this.serverName);
		if (entry != null && entry.tool() != this.lastKnown) {
			this.lastKnown = entry.tool();
		}
		return this.lastKnown;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ToolHandle handle && handle.catalog == this.catalog && handle.name.equals(this.name)
				&& handle.serverName.equals(this.serverName);
	}

	@Override
	public int hashCode() {
		return this.name.hashCode();
	}

	@Override
	public String toString() {
		return "McpTool[" + this.name + "]";
	}

	/**
	 * What was logged of one call, so that a failure that interceptors pass on is logged
	 * once.
	 */
	private static final class Told {

		private volatile @Nullable Throwable last;

		/**
		 * The thread of the interceptors is interrupted then, which is no failure.
		 */
		private volatile boolean cancelled;

		private boolean isNew(Throwable failure) {
			Throwable cause = Exceptions.unwrap(failure);
			boolean isNew = !this.cancelled && this.last != cause;
			this.last = cause;
			return isNew;
		}

	}

}
