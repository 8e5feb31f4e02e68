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
import io.github.mcpclient.internal.validation.DefinitionValidator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;

/**
 * A catalog that shows a listing which changes.
 */
abstract class LiveCatalog implements McpToolCatalog {

	/**
	 * Return the present listing, which is a first use of all servers, or, to look up a
	 * name, of those that may have it.
	 * @param context where the user of the caller may be
	 */
	abstract Listing read(@Nullable String name, ContextView context);

	final Listing read(@Nullable String name) {
		return read(name, Context.empty());
	}

	/**
	 * Return the tool of that name, of all or of the user of the caller, or {@code null}
	 * where there is none.
	 * @param context where the user of the caller may be
	 */
	abstract @Nullable McpTool lookup(String name, ContextView context);

	/**
	 * Return the catalog that this is a view of, or this one.
	 */
	abstract ToolCatalog root();

	@Override
	public McpTool get(String name) {
		return get(name, Context.empty());
	}

	@Override
	public McpTool get(String name, ContextView context) {
		McpTool tool = lookup(name, context);
		if (tool == null) {
			throw root().missing().noTool(name, read(name, context));
		}
		return tool;
	}

	@Override
	public Optional<McpTool> find(String name) {
		return Optional.ofNullable(lookup(name, Context.empty()));
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
		DefinitionValidator.checkPatterns("select", List.of(patterns), (source, mistake) -> {
			throw new IllegalArgumentException(mistake);
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
		Listing read(@Nullable String name, ContextView context) {
			Listing source = this.catalog.read(name, context);
			Selection current = this.selection;
			if (current.source() != source) {
				current = new Selection(source, source.select((entry) -> this.filter.refusal(entry.names()) == null));
				this.selection = current;
			}
			return current.result();
		}

		@Override
		@Nullable McpTool lookup(String name, ContextView context) {
			McpTool tool = this.catalog.lookup(name, context);
			ToolEntry entry = (tool != null) ? ((CalledTool) tool).entry() : null;
			return (entry != null && this.filter.refusal(entry.names()) == null) ? tool : null;
		}

		@Override
		public McpToolCatalog forCaller() {
			return new SelectedTools((LiveCatalog) this.catalog.forCaller(), this.filter);
		}

		@Override
		public Mono<McpToolCatalog> forCallerAsync() {
			return this.catalog.forCallerAsync()
				.map((userCatalog) -> new SelectedTools((LiveCatalog) userCatalog, this.filter));
		}

		@Override
		ToolCatalog root() {
			return this.catalog.root();
		}

		private record Selection(Listing source, Listing result) {
		}

	}

}
