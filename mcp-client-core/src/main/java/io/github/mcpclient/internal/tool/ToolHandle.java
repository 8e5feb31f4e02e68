package io.github.mcpclient.internal.tool;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.support.JsonValues;
import io.github.mcpclient.internal.support.Monos;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The stable handle of a tool: looks up its name in the catalog at each call, and ignores
 * a tool of another server. Remembers the last definition of a tool that is no longer
 * listed.
 */
final class ToolHandle extends CalledTool {

	private static final AtomicReferenceFieldUpdater<ToolHandle, @Nullable Known> KNOWN = AtomicReferenceFieldUpdater
		.newUpdater(ToolHandle.class, Known.class, "known");

	private final String name;

	private final Supplier<ToolCatalog> catalog;

	private final boolean injected;

	// without the connection, which must not outlive its server in a handle that the
	// application holds
	private volatile @Nullable Known known;

	/**
	 * Create a handle.
	 * @param entry the tool, or {@code null} for an injected handle, which is bound to
	 * the first server that is seen to have a tool of the name
	 */
	ToolHandle(String name, Supplier<ToolCatalog> catalog, @Nullable ToolEntry entry) {
		this.name = name;
		this.catalog = catalog;
		this.injected = entry == null;
		this.known = (entry != null) ? new Known(entry.serverName(), entry.shown()) : null;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String serverName() {
		Known known = this.known;
		return (known != null) ? known.serverName() : known().serverName();
	}

	@Override
	public String originalName() {
		return known().tool().name();
	}

	@Override
	public @Nullable String title() {
		return ToolEntry.title(known().tool());
	}

	@Override
	public @Nullable String description() {
		return known().tool().description();
	}

	@Override
	public Map<String, @Nullable Object> inputSchema() {
		return ToolEntry.inputSchema(known().tool());
	}

	@Override
	public @Nullable Map<String, @Nullable Object> outputSchema() {
		return known().tool().outputSchema();
	}

	@Override
	public @Nullable ToolAnnotations annotations() {
		return known().tool().annotations();
	}

	@Override
	public @Nullable McpToolRule rule() {
		ToolEntry entry = shown();
		return (entry != null) ? entry.rule() : null;
	}

	@Override
	public @Nullable Instant changedAt() {
		ToolEntry entry = shown();
		return (entry != null) ? entry.connection().toolChangedAt(entry.tool().name()) : null;
	}

	@Override
	public boolean hidden() {
		ToolEntry entry = entry();
		return entry != null && entry.isHidden();
	}

	@Override
	public @Nullable String instructions() {
		ToolEntry entry = entry();
		return (entry != null) ? entry.connection().instructions() : null;
	}

	@Override
	public boolean available() {
		if (isAvailable() || !this.injected) {
			return isAvailable();
		}
		try {
			return found(Context.empty()).available();
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private boolean isAvailable() {
		ToolEntry entry = entry();
		return entry != null && entry.connection().isReady();
	}

	@Override
	public McpToolRequest request(Object arguments) {
		return (arguments instanceof McpToolRequest request) ? request : logged(
				() -> McpToolRequest.of(JsonValues.arguments(catalog().caller().mapper(), this.name, arguments)),
				this::failed);
	}

	@Override
	public McpToolResult call(McpToolRequest request) {
		ToolEntry entry = entry();
		return (entry != null) ? catalog().caller().call(this, entry, request) : logged(() -> {
			ToolCaller.checkThread(this.name);
			return found(request.context());
		}, (failure) -> missed(request, failure)).call(request);
	}

	@Override
	public Mono<McpToolResult> callAsync(McpToolRequest request) {
		Mono<McpToolResult> call = Mono.defer(() -> {
			ToolEntry entry = entry();
			return (entry != null) ? catalog().caller().callAsync(this, entry, request) : catalog().getAsync(this.name)
				.filter(this::mayBe)
				.switchIfEmpty(Mono.error(() -> gone(Context.empty())))
				.doOnError((failure) -> warnIfMissing())
				.transformDeferredContextual(
						(found, context) -> found.doOnError((failure) -> missed(request.withContext(context), failure)))
				.flatMap((found) -> found.callAsync(request))
				.contextWrite(CallerContext::withThread);
		});
		return request.context().isEmpty() ? call : call.contextWrite(request.context());
	}

	@Override
	void failed(Throwable failure) {
		Known known = this.known;
		ToolEntry entry = entry();
		catalog().caller()
			.log()
			.failed((known != null) ? known.serverName() : null,
					(entry != null) ? entry.connection().transport() : null, this.name, failure);
	}

	// the call reaches no tool
	private void missed(McpToolRequest request, Throwable failure) {
		failed(failure);
		catalog().missed(this.name, request, failure);
	}

	/**
	 * Warn, once, if all servers that may have the tool are connected, and no server has
	 * it.
	 */
	void warnIfMissing() {
		if (entry() == null && this.known == null) {
			catalog().missing().warnOfMissing(this.name);
		}
	}

	private ToolCatalog catalog() {
		return this.catalog.get();
	}

	// return the tool if it is currently listed, and remember its definition
	@Override
	@Nullable ToolEntry entry() {
		Known before = this.known;
		ToolEntry entry = (before != null) ? catalog().entry(this.name, before.serverName())
				: catalog().entry(this.name);
		if (entry == null || (before != null && before.tool() == entry.shown())) {
			return entry;
		}
		return KNOWN.compareAndSet(this, before, new Known(entry.serverName(), entry.shown())) ? entry : entry();
	}

	@Override
	@Nullable Object listing(ToolEntry used) {
		ServerTools server = catalog().state().of(used.connection());
		return (server != null) ? server.listing().identity() : null;
	}

	@Override
	@Nullable RuntimeException refusal(ToolEntry used) {
		return catalog().refusal(used);
	}

	@Override
	ToolEntry current() {
		ToolEntry entry = entry();
		if (entry == null) {
			throw gone(Context.empty());
		}
		return entry;
	}

	private RuntimeException gone(ContextView context) {
		Known known = this.known;
		return (known != null) ? catalog().missing().gone(this.name, known.serverName())
				: catalog().missing(this.name, context);
	}

	private Known known() {
		ToolEntry entry = (this.known != null) ? entry() : shown();
		Known known = this.known;
		return (known == null && entry != null) ? new Known(entry.serverName(), entry.shown())
				: Objects.requireNonNull(known);
	}

	// return the currently listed tool, or null if it was listed before
	private @Nullable ToolEntry shown() {
		ToolEntry entry = entry();
		try {
			return (entry != null) ? entry : ((CalledTool) found(Context.empty())).entry();
		}
		catch (RuntimeException ex) {
			if (this.known == null) {
				throw ex;
			}
			return null;
		}
	}

	// return the tool for all users, or for the user of the caller, after connecting the
	// servers that may have it if
	// necessary. A tool of a user is not cached
	private McpTool found(ContextView context) {
		connect();
		McpTool found = catalog().tool(this.name, context);
		if (found == null || !mayBe(found)) {
			throw gone(context);
		}
		return found;
	}

	private boolean mayBe(McpTool found) {
		Known known = this.known;
		return known == null || known.serverName().equals(found.serverName());
	}

	private void connect() {
		Mono<Void> connected = catalog().connect(this.name);
		if (Schedulers.isInNonBlockingThread()) {
			connected.subscribe();
		}
		else {
			Monos.await(connected, (cause) -> NoSuchMcpToolException.because(this.name, null,
					"the thread was interrupted while it waited for its server"));
		}
		warnIfMissing();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof ToolHandle handle && handle.name.equals(this.name)
				&& this.known != null && handle.known != null && handle.serverName().equals(serverName())
				&& handle.catalog() == catalog());
	}

	@Override
	public int hashCode() {
		return this.name.hashCode();
	}

	@Override
	public String toString() {
		return "McpTool[" + this.name + "]";
	}

	private record Known(String serverName, Tool tool) {
	}

}
