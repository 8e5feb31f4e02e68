package io.github.mcpclient.tool;

import java.util.Collection;

import io.github.mcpclient.NoSuchMcpToolException;

/**
 * Some of the tools of a catalog. The selection is made once for each change of the
 * catalog, by its first reader.
 */
final class SelectedTools extends LiveCatalog {

	private final LiveCatalog catalog;

	private final ToolFilter filter;

	private volatile Selection selection = new Selection(Listing.EMPTY, Listing.EMPTY);

	SelectedTools(LiveCatalog catalog, ToolFilter filter) {
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
