package io.github.mcpclient.tool;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolMatch;
import io.github.mcpclient.rules.DefinitionRules;
import io.github.mcpclient.support.SearchIndex;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;

/**
 * A catalog that shows a listing which changes.
 */
abstract class LiveCatalog implements McpToolCatalog {

	private volatile Offered offered = new Offered(Listing.EMPTY, List.of());

	private volatile List<MetaTool> metaTools = List.of();

	private volatile @Nullable WithOwn withOwn;

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
	 * Return the catalog that this is a view of, or this one.
	 */
	abstract ToolCatalog root();

	@Override
	public McpTool get(String name) {
		return get(name, Context.empty());
	}

	@Override
	public McpTool get(String name, ContextView context) {
		McpTool own = ownTool(name);
		return (own != null) ? own : get(name, read(name, context));
	}

	McpTool get(String name, Listing listing) {
		McpTool tool = listing.tools().get(name);
		if (tool == null) {
			throw root().noSuchTool(name, listing);
		}
		return tool;
	}

	@Override
	public Optional<McpTool> find(String name) {
		McpTool own = ownTool(name);
		return (own != null) ? Optional.of(own) : Optional.ofNullable(read(name).tools().get(name));
	}

	/**
	 * Return the tool of that name that is of no server, if there is one.
	 */
	@Nullable RoutedTool ownTool(String name) {
		if (name.equals(ReadResultTool.NAME)) {
			return root().readResultTool();
		}
		if (!root().settings().isOwn(name)) {
			return null;
		}
		return metaTools().stream().filter((tool) -> tool.name().equals(name)).findFirst().orElse(null);
	}

	// the same ones each time, as is the list
	private List<MetaTool> metaTools() {
		List<MetaTool> tools = this.metaTools;
		if (tools.isEmpty()) {
			tools = MetaTool.of(this);
			this.metaTools = tools;
		}
		return tools;
	}

	@Override
	public List<McpTool> all() {
		return read(null).all();
	}

	@Override
	public List<McpTool> offered() {
		List<McpTool> tools = notHidden();
		tools = (tools.size() > root().settings().searchThreshold()) ? List.copyOf(metaTools()) : tools;
		McpTool readResult = root().readResultTool();
		return (readResult != null) ? withOwn(tools, readResult) : tools;
	}

	// the same list each time
	private List<McpTool> withOwn(List<McpTool> tools, McpTool own) {
		WithOwn current = this.withOwn;
		if (current == null || !tools.equals(current.tools())) {
			current = new WithOwn(tools,
					Stream.concat(Stream.of(own), tools.stream().filter((tool) -> !tool.name().equals(own.name())))
						.sorted(Comparator.comparing(McpTool::name))
						.toList());
			this.withOwn = current;
		}
		return current.all();
	}

	private List<McpTool> notHidden() {
		Listing listing = read(null);
		if (listing.entries().values().stream().noneMatch(ToolEntry::isHidden)) {
			return listing.all();
		}
		Offered current = this.offered;
		List<McpTool> tools = listing.select((entry) -> !entry.isHidden()).all();
		if (listing != current.listing() || !tools.equals(current.tools())) {
			current = new Offered(listing, tools);
			this.offered = current;
		}
		return current.tools();
	}

	@Override
	public List<McpToolMatch> search(String query, int max) {
		// which connects the servers at their first use
		Listing listing = read(null);
		return ToolSearch.search(searched(), query, max, listing);
	}

	/**
	 * Return an index that has the tools of this catalog, and may have others.
	 */
	abstract List<SearchIndex<ToolNames>> searched();

	@Override
	public String instructions() {
		Listing listing = read(null);
		Map<String, String> servers = new TreeMap<>();
		for (McpTool tool : notHidden()) {
			ToolEntry entry = listing.entries().get(tool.name());
			String text = (entry != null) ? entry.connection().instructions() : null;
			if (text != null) {
				servers.put(tool.serverName(), text);
			}
		}
		return ServerInstructions.join(servers);
	}

	@Override
	public Map<String, McpTool> asMap() {
		return new LiveMap();
	}

	@Override
	public McpToolCatalog select(String... patterns) {
		Assert.notEmpty(patterns, "At least one pattern is needed to select tools: '*' selects all");
		Assert.noNullElements(patterns, "A pattern to select tools must not be null");
		DefinitionRules.checkPatterns("select", List.of(patterns), (source, mistake) -> {
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

	private record Offered(Listing listing, List<McpTool> tools) {
	}

	private record WithOwn(List<McpTool> tools, List<McpTool> all) {
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
		List<SearchIndex<ToolNames>> searched() {
			return this.catalog.searched();
		}

		@Override
		public McpToolCatalog forCaller() {
			return new SelectedTools((LiveCatalog) this.catalog.forCaller(), this.filter);
		}

		@Override
		public Mono<McpToolCatalog> forCallerAsync() {
			return this.catalog.forCallerAsync().map((own) -> new SelectedTools((LiveCatalog) own, this.filter));
		}

		@Override
		ToolCatalog root() {
			return this.catalog.root();
		}

		private record Selection(Listing source, Listing result) {
		}

	}

}
