package io.github.mcpclient.internal.tool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.internal.naming.ToolAdmission;
import io.github.mcpclient.internal.naming.ToolNames;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * The tools of one server, independent of their order.
 *
 * @param place the position of the server among all servers: if several servers share a
 * name, the first one has it
 * @param listing the latest listing of the server, over this or the previous connection
 * @param listed whether the listing was received over this connection
 * @param offered the names of these tools
 * @param entries the tools that the application gets, if no other server has their names
 * @param exclusions the other tools, sorted by original name
 */
record ServerTools(ToolServer server, ToolAdmission admission, ListingCustomizers customizers, int place,
		ServerListing listing, boolean listed, List<ToolNames> offered, List<ToolEntry> entries,
		List<Exclusion> exclusions) {

	// if tools share a name, the tool with the exact name comes first, so that an added
	// tool does not replace it
	private static final Comparator<ToolEntry> PRECEDENCE = Comparator
		.comparing((ToolEntry entry) -> !entry.name().endsWith(entry.tool().name()))
		.thenComparing((entry) -> entry.tool().name());

	static ServerTools empty(ToolServer server, ToolAdmission admission, ListingCustomizers customizers, int place) {
		return new ServerTools(server, admission, customizers, place, ServerListing.none(server), false, List.of(),
				List.of(), List.of());
	}

	String name() {
		return this.server.name();
	}

	List<Tool> tools() {
		return this.listing.tools();
	}

	/**
	 * Apply other rules, or switch to another connection. The tools of an enabled server
	 * stay until it lists others, so that the catalog remains stable.
	 */
	ServerTools with(ToolServer server, ToolAdmission admission, int place) {
		boolean same = this.server.isSame(server);
		if (same && this.admission.agreesWith(admission, this.offered)) {
			return new ServerTools(server, admission, this.customizers, place, this.listing, this.listed, this.offered,
					this.entries, this.exclusions);
		}
		ServerTools empty = empty(server, admission, this.customizers, place);
		return server.definition().enabled() ? empty.with(same ? this.listing : this.listing.of(server),
				this.listed && this.server.connection() == server.connection(), this.entries) : empty;
	}

	/**
	 * Return the same server without tools.
	 */
	ServerTools emptied() {
		return empty(this.server, this.admission, this.customizers, this.place);
	}

	/**
	 * Replace the tools, and reuse the entries of unchanged tools.
	 */
	ServerTools with(ServerListing listing) {
		return with(listing, true, this.entries);
	}

	private ServerTools with(ServerListing listing, boolean listed, List<ToolEntry> before) {
		List<Tool> tools = listing.tools();
		Map<String, ToolEntry> known = new HashMap<>();
		before.forEach((entry) -> known.put(entry.tool().name(), entry));
		Set<String> shared = this.admission.shared(tools);
		List<ToolNames> offered = new ArrayList<>();
		List<ToolEntry> entries = new ArrayList<>();
		List<Exclusion> exclusions = new ArrayList<>();
		for (Tool tool : tools) {
			ToolEntry present = known.get(tool.name());
			ToolEntry same = (present != null && present.tool().equals(tool)) ? present : null;
			ToolNames names = this.admission.name(tool, shared, (present != null) ? present.names() : null,
					same != null && same.definition() == this.server.definition(),
					(reason) -> exclusions.add(new Exclusion(Printable.text(tool.name()), null, reason, true)));
			if (names == null) {
				continue;
			}
			String refusal = this.admission.refusal(names, tool);
			if (refusal != null) {
				offered.add(names);
				exclusions.add(new Exclusion(tool.name(), names.prefixed(), refusal, false));
				continue;
			}
			CustomizedTool customized = this.customizers.customize(listing, names, tool);
			offered.add(customized.names());
			if (customized.refusal() != null) {
				exclusions.add(new Exclusion(tool.name(), names.prefixed(), customized.refusal(), customized.failed()));
			}
			else {
				entries.add((same != null && same.isFor(this.server, names, customized)) ? same
						: ToolEntry.of(customized.names(), this.server, tool, customized));
			}
		}
		exclusions.addAll(listing.notAdded());
		removeSharedNames(entries, exclusions);
		this.admission.filter()
			.unmatched(offered)
			.forEach((pattern) -> exclusions
				.add(new Exclusion(pattern, null, "tools.filter names it, but the server offers no such tool", true)));
		exclusions.sort(Comparator.comparing(Exclusion::originalName));
		return new ServerTools(this.server, this.admission, this.customizers, this.place, listing, listed,
				List.copyOf(offered), List.copyOf(entries), List.copyOf(exclusions));
	}

	private static void removeSharedNames(List<ToolEntry> entries, List<Exclusion> exclusions) {
		entries.sort(PRECEDENCE);
		Map<String, ToolEntry> byName = new HashMap<>();
		entries.removeIf((entry) -> {
			ToolEntry first = byName.putIfAbsent(entry.name(), entry);
			if (first != null) {
				exclusions.add(new Exclusion(
						entry.tool().name(), entry.name(), "its name " + Printable.text(entry.name())
								+ " is taken by the server's tool '" + Printable.text(first.tool().name()) + "'",
						true));
			}
			return first != null;
		});
	}

}
