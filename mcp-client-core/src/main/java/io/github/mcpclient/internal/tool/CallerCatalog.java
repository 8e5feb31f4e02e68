package io.github.mcpclient.internal.tool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

import io.github.mcpclient.McpInterruptedException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.support.Monos;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * The tools of all, and those that servers list for the user of the caller alone: at each
 * use, or, if they are given, those.
 */
final class CallerCatalog extends LiveCatalog {

	private final ToolCatalog catalog;

	private final @Nullable List<ToolCatalog> own;

	CallerCatalog(ToolCatalog catalog, @Nullable List<ToolCatalog> own) {
		this.catalog = catalog;
		this.own = own;
	}

	@Override
	Listing read(@Nullable String name, ContextView context) {
		Listing forAll = this.catalog.read(name);
		if (name != null && forAll.tools().containsKey(name)) {
			return forAll;
		}
		List<ToolCatalog> own = ofCaller(name, context);
		if (own.isEmpty()) {
			return forAll;
		}
		Map<String, ToolEntry> entries = new HashMap<>(forAll.entries());
		NavigableMap<String, McpTool> tools = new TreeMap<>(forAll.tools());
		own.forEach((catalog) -> {
			catalog.entries().forEach(entries::putIfAbsent);
			catalog.listed().forEach(tools::putIfAbsent);
		});
		return Listing.of(entries, tools);
	}

	@Override
	@Nullable McpTool lookup(String name, ContextView context) {
		McpTool tool = this.catalog.read(name).tools().get(name);
		return (tool != null) ? tool : ofUser(name, ofCaller(name, context));
	}

	/**
	 * Return what a server lists for the user of the caller alone.
	 */
	Mono<McpTool> lookupOfUser(String name) {
		return Mono.defer(() -> {
			List<ToolConnection> servers = this.catalog.users().forUsers(name);
			return this.catalog.users().ofCaller(servers, servers.size() == 1);
		}).mapNotNull((own) -> ofUser(name, own));
	}

	private static @Nullable McpTool ofUser(String name, List<ToolCatalog> own) {
		return own.stream()
			.map((catalog) -> catalog.listed().get(name))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private List<ToolCatalog> ofCaller(@Nullable String name, ContextView context) {
		return (this.own != null) ? this.own : own(name, context);
	}

	private List<ToolCatalog> own(@Nullable String name, ContextView context) {
		List<ToolConnection> servers = this.catalog.users().forUsers(name);
		if (servers.isEmpty() || (name == null && Schedulers.isInNonBlockingThread())) {
			return List.of();
		}
		Monos.checkThread("Looking up MCP tool '%s' for its user", String.valueOf(name), "forCallerAsync");
		List<ToolCatalog> own = Monos.await(
				this.catalog.users().ofCaller(servers, name != null && servers.size() == 1).contextWrite(context),
				(cause) -> new McpInterruptedException(servers.get(0).name(), "the tools of its user", true, cause));
		return (own != null) ? own : List.of();
	}

	@Override
	public McpToolCatalog forCaller() {
		return this;
	}

	@Override
	public Mono<McpToolCatalog> forCallerAsync() {
		return this.catalog.forCallerAsync();
	}

	@Override
	ToolCatalog root() {
		return this.catalog;
	}

}
