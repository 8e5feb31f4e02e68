package io.github.mcpclient.internal.tool;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.internal.naming.ToolFilter;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.validation.DefinitionValidator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;

/**
 * A catalog whose listing changes.
 */
abstract class LiveCatalog implements McpToolCatalog {

	/**
	 * Return the current listing. For the user of the caller, it includes the tools that
	 * a lookup of the given name may find, or all tools without a name.
	 * @param context the context that may contain the user of the caller
	 */
	abstract Listing listing(@Nullable String name, ContextView context);

	/**
	 * Return the tool of that name in the listing, or {@code null}.
	 * @param context the context that may contain the user of the caller
	 */
	abstract @Nullable McpTool tool(String name, ContextView context);

	/**
	 * Return these tools for the user of the caller, fixed for all uses. Lists the tools
	 * that a lookup of the given name may find, or all tools without a name.
	 */
	abstract Mono<LiveCatalog> ofCaller(@Nullable String name);

	private Listing read(@Nullable String name) {
		root().connectFor(name);
		return listing(name, Context.empty());
	}

	/**
	 * Return the catalog of this view, or this catalog itself.
	 */
	abstract ToolCatalog root();

	@Override
	public McpTool get(String name) {
		return get(name, Context.empty());
	}

	@Override
	public McpTool get(String name, ContextView context) {
		root().connectFor(name);
		return present(name, context);
	}

	final McpTool present(String name, ContextView context) {
		McpTool tool = tool(name, context);
		if (tool == null) {
			throw missing(name, context);
		}
		return tool;
	}

	final RuntimeException missing(String name, ContextView context) {
		return root().missing().noTool(name, ((LiveCatalog) forCaller()).listing(name, context));
	}

	@Override
	public Mono<McpTool> getAsync(String name) {
		return Mono.defer(() -> root().connect(name))
			.then(Mono.defer(() -> ofCaller(name)))
			.map((ofCaller) -> ofCaller.present(name, Context.empty()))
			.contextWrite(CallerContext::withThread);
	}

	@Override
	public Mono<McpToolCatalog> forCallerAsync() {
		return ofCaller(null).cast(McpToolCatalog.class);
	}

	@Override
	public Optional<McpTool> find(String name) {
		root().connectFor(name);
		return Optional.ofNullable(tool(name, Context.empty()));
	}

	@Override
	public List<McpTool> all() {
		return read(null).all();
	}

	@Override
	public Map<String, McpTool> asMap() {
		return new LiveMap();
	}

	@Override
	public McpToolCatalog select(String... patterns) {
		Assert.notEmpty(patterns, "At least one pattern is needed to select tools: '*' selects all");
		Assert.noNullElements(patterns, "A pattern to select tools must not be null");
		DefinitionValidator.checkPatterns("select", List.of(patterns), (source, problem) -> {
			throw new IllegalArgumentException(problem);
		});
		return new SelectedTools(this, ToolFilter.of("select", List.of(patterns)));
	}

	@Override
	public McpToolCatalog selection(String name) {
		return new SelectedTools(this, root().namedFilter(name));
	}

	@Override
	public Iterator<McpTool> iterator() {
		return all().iterator();
	}

	private final class LiveMap extends AbstractMap<String, McpTool> {

		@Override
		public @Nullable McpTool get(@Nullable Object key) {
			return (key instanceof String name) ? read(name).tools().get(name) : null;
		}

		@Override
		public boolean containsKey(@Nullable Object key) {
			return get(key) != null;
		}

		@Override
		public Set<Entry<String, McpTool>> entrySet() {
			return new AbstractSet<>() {

				@Override
				public Iterator<Entry<String, McpTool>> iterator() {
					return read(null).tools().entrySet().iterator();
				}

				@Override
				public int size() {
					return read(null).tools().size();
				}

			};
		}

	}

	/**
	 * Some of the tools of a catalog, selected once for each change of it.
	 */
	private static final class SelectedTools extends LiveCatalog {

		private final LiveCatalog catalog;

		private final ToolFilter filter;

		private volatile Selection selection = new Selection(Listing.EMPTY, Listing.EMPTY);

		private SelectedTools(LiveCatalog catalog, ToolFilter filter) {
			this.catalog = catalog;
			this.filter = filter;
		}

		@Override
		Listing listing(@Nullable String name, ContextView context) {
			Listing source = this.catalog.listing(name, context);
			Selection current = this.selection;
			if (current.source() != source) {
				current = new Selection(source, source.select((entry) -> this.filter.refusal(entry.names()) == null));
				this.selection = current;
			}
			return current.result();
		}

		@Override
		@Nullable McpTool tool(String name, ContextView context) {
			McpTool tool = this.catalog.tool(name, context);
			ToolEntry entry = (tool != null) ? ((CalledTool) tool).entry() : null;
			return (entry != null && this.filter.refusal(entry.names()) == null) ? tool : null;
		}

		@Override
		public McpToolCatalog forCaller() {
			return new SelectedTools((LiveCatalog) this.catalog.forCaller(), this.filter);
		}

		@Override
		Mono<LiveCatalog> ofCaller(@Nullable String name) {
			return this.catalog.ofCaller(name).map((ofCaller) -> new SelectedTools(ofCaller, this.filter));
		}

		@Override
		ToolCatalog root() {
			return this.catalog.root();
		}

		private record Selection(Listing source, Listing result) {
		}

	}

}
