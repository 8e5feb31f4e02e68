package io.github.mcpclient.tool;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.NoSuchMcpToolException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A catalog that shows a listing which changes.
 */
abstract class LiveCatalog implements McpToolCatalog {

	private volatile Offered offered = new Offered(Listing.EMPTY, List.of());

	/**
	 * Return the present listing. Counts as a read of the catalog.
	 */
	abstract Listing read();

	/**
	 * Return the present listing, to look up one name. Counts as a use of the server of
	 * that name only.
	 */
	abstract Listing read(String name);

	/**
	 * Return why there is no tool of a name, with the nearest of the known ones.
	 */
	abstract NoSuchMcpToolException noSuchTool(String name, Collection<String> known);

	/**
	 * Return the patterns of a named selection. Fails if there is none.
	 */
	abstract ToolFilter namedFilter(String name);

	@Override
	public McpTool get(String name) {
		Listing listing = read(name);
		McpTool tool = listing.tools().get(name);
		if (tool == null) {
			throw noSuchTool(name, listing.tools().keySet());
		}
		return tool;
	}

	@Override
	public Optional<McpTool> find(String name) {
		return Optional.ofNullable(read(name).tools().get(name));
	}

	@Override
	public List<McpTool> all() {
		return read().all();
	}

	@Override
	public List<McpTool> offered() {
		Listing listing = read();
		if (listing.entries().values().stream().noneMatch(ToolEntry::isHidden)) {
			return listing.all();
		}
		Offered before = this.offered;
		List<McpTool> tools = listing.select((entry) -> !entry.isHidden()).all();
		if (listing == before.listing() && tools.equals(before.tools())) {
			return before.tools();
		}
		this.offered = new Offered(listing, tools);
		return tools;
	}

	@Override
	public Map<String, McpTool> asMap() {
		return new LiveMap();
	}

	@Override
	public McpToolCatalog select(String... patterns) {
		Assert.notEmpty(patterns, "At least one pattern is needed to select tools: '*' selects all");
		Assert.noNullElements(patterns, "A pattern to select tools must not be null");
		return new SelectedTools(this, ToolFilter.of("select", List.of(patterns)));
	}

	@Override
	public McpToolCatalog selection(String name) {
		return new SelectedTools(this, namedFilter(name));
	}

	@Override
	public Iterator<McpTool> iterator() {
		return all().iterator();
	}

	private record Offered(Listing listing, List<McpTool> tools) {
	}

	private final class LiveMap extends AbstractMap<String, McpTool> {

		@Override
		public @Nullable McpTool get(@Nullable Object key) {
			return (key instanceof String name) ? read(name).tools().get(name) : null;
		}

		@Override
		public boolean containsKey(@Nullable Object key) {
			return key instanceof String name && read(name).tools().containsKey(name);
		}

		@Override
		public Set<Entry<String, McpTool>> entrySet() {
			return new AbstractSet<>() {

				@Override
				public Iterator<Entry<String, McpTool>> iterator() {
					return read().tools().entrySet().iterator();
				}

				@Override
				public int size() {
					return read().tools().size();
				}

			};
		}

	}

	/**
	 * Some of the tools of a catalog. The selection is made once for each change of the
	 * catalog, by its first reader.
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
		Listing read() {
			return select(this.catalog.read());
		}

		@Override
		Listing read(String name) {
			return select(this.catalog.read(name));
		}

		private Listing select(Listing source) {
			Selection current = this.selection;
			if (current.source() != source) {
				current = new Selection(source, source.select((entry) -> this.filter.refusal(entry.names()) == null));
				this.selection = current;
			}
			return current.result();
		}

		@Override
		NoSuchMcpToolException noSuchTool(String name, Collection<String> known) {
			return this.catalog.noSuchTool(name, known);
		}

		@Override
		ToolFilter namedFilter(String name) {
			return this.catalog.namedFilter(name);
		}

		private record Selection(Listing source, Listing result) {
		}

	}

}
