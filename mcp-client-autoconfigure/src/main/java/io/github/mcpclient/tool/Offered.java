package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.connection.McpConnection;

/**
 * The tools of a listing that a model is offered. Immutable.
 *
 * @param listing the listing
 * @param hideable the connections of the listing whose tools are hidden in time
 * @param hidden those of them that have been away for too long
 * @param tools the tools of all others
 */
record Offered(Listing listing, Set<McpConnection> hideable, Set<McpConnection> hidden, List<McpTool> tools) {

	static final Offered NONE = new Offered(Listing.EMPTY, Set.of(), Set.of(), List.of());

	/**
	 * Return what is offered of a listing now.
	 * @param listing the present listing
	 * @return the outcome; this object where nothing is another
	 */
	Offered now(Listing listing) {
		Set<McpConnection> hideable = (listing == this.listing) ? this.hideable
				: listing.entries()
					.values()
					.stream()
					.map(ToolEntry::connection)
					.filter((connection) -> connection.definition().tools().hideWhenUnavailable() != null)
					.collect(Collectors.toSet());
		Set<McpConnection> hidden = hideable.isEmpty() ? Set.of()
				: hideable.stream().filter(Offered::isHidden).collect(Collectors.toSet());
		if (listing == this.listing && hidden.equals(this.hidden)) {
			return this;
		}
		return new Offered(listing, hideable, hidden, hidden.isEmpty() ? listing.all()
				: listing.select((entry) -> !hidden.contains(entry.connection())).all());
	}

	private static boolean isHidden(McpConnection connection) {
		Duration time = connection.definition().tools().hideWhenUnavailable();
		return time != null && connection.isAwayFor(time);
	}

}
