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
 * The tools of all users, and the tools that servers list for the user of the caller:
 * determined at each use, or, if they are given, fixed.
 */
final class CallerCatalog extends LiveCatalog {

	private final ToolCatalog catalog;

	private final @Nullable List<ToolCatalog> own;

	CallerCatalog(ToolCatalog catalog, @Nullable List<ToolCatalog> own) {
		this.catalog = catalog;
		this.own = own;
	}

	@Override
	Listing listing(@Nullable String name, ContextView context) {
		Listing forAll = this.catalog.state().listing();
		if (name != null && forAll.tools().containsKey(name)) {
			return forAll;
		}
		List<ToolCatalog> own = own(name, context);
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
	@Nullable McpTool tool(String name, ContextView context) {
		McpTool tool = this.catalog.listed().get(name);
		return (tool != null) ? tool
				: own(name, context).stream()
					.map((own) -> own.listed().get(name))
					.filter(Objects::nonNull)
					.findFirst()
					.orElse(null);
	}

	@Override
	Mono<LiveCatalog> ofCaller(@Nullable String name) {
		return (this.own != null) ? Mono.just(this) : this.catalog.ofCaller(name);
	}

	private List<ToolCatalog> own(@Nullable String name, ContextView context) {
		if (this.own != null) {
			return this.own;
		}
		List<ToolConnection> servers = this.catalog.users().forUsers(name);
		if (servers.isEmpty() || (name == null && Schedulers.isInNonBlockingThread())) {
			return List.of();
		}
		Monos.checkThread("Looking up MCP tool '%s' for its user", String.valueOf(name), "getAsync");
		List<ToolCatalog> own = Monos.await(this.catalog.users().ofCaller(servers, name).contextWrite(context),
				(cause) -> new McpInterruptedException(servers.get(0).name(), "the tools of its user", true, cause));
		return (own != null) ? own : List.of();
	}

	@Override
	public McpToolCatalog forCaller() {
		return this;
	}

	@Override
	ToolCatalog root() {
		return this.catalog;
	}

}
