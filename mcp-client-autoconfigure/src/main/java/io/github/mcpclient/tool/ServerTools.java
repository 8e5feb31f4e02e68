package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.support.Printable;
import io.github.mcpclient.tool.ToolNamer.UnusableNameException;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * What became of the tools of one server, before they meet those of others. Does not
 * depend on the order in which the server lists them.
 *
 * @param connection the connection to the server
 * @param rules what decided
 * @param tools what the server listed last, or what it listed over the connection before
 * this one
 * @param listed whether the server was asked for its tools over this connection
 * @param offered the names of all tools that the server offers
 * @param entries the tools that the application gets, each under a name of its own
 * @param leftOut the tools that it does not get, sorted by original name
 */
record ServerTools(McpConnection connection, ServerRules rules, List<Tool> tools, boolean listed,
		List<ToolNames> offered, List<ToolEntry> entries, List<LeftOut> leftOut) {

	/**
	 * Of two tools of one server that share a name, the one with the exact name comes
	 * first, so that a tool that a server adds cannot take the place of a well-named one.
	 */
	private static final Comparator<ToolEntry> PRECEDENCE = Comparator
		.comparing((ToolEntry entry) -> !entry.name().endsWith(entry.tool().name()))
		.thenComparing((entry) -> entry.tool().name());

	static ServerTools none(McpConnection connection, ServerRules rules) {
		return new ServerTools(connection, rules, List.of(), false, List.of(), List.of(), List.of());
	}

	/**
	 * Return what becomes of the same tools by other rules, or over another connection to
	 * the server. They stay until the server lists others, so that a list of tools does
	 * not flap; not so for a server that is not enabled.
	 * @param connection the connection
	 * @param rules the rules
	 * @return the outcome
	 */
	ServerTools with(McpConnection connection, ServerRules rules) {
		boolean same = this.connection == connection;
		if (same && this.rules.isLike(rules, this.offered)) {
			return new ServerTools(connection, rules, this.tools, this.listed, this.offered, this.entries,
					this.leftOut);
		}
		ServerTools none = none(connection, rules);
		return connection.definition().enabled() ? none.with(this.tools, same && this.listed, this.entries) : none;
	}

	/**
	 * Return what becomes of another listing. Entries of tools that are the same are
	 * kept.
	 * @param tools what the server lists now
	 * @return the outcome
	 */
	ServerTools with(List<Tool> tools) {
		return with(tools, true, this.entries);
	}

	private ServerTools with(List<Tool> tools, boolean listed, List<ToolEntry> before) {
		Map<String, ToolEntry> known = new HashMap<>();
		before.forEach((entry) -> known.put(entry.tool().name(), entry));
		Set<String> shared = this.rules.sharedNames(tools);
		Outcome outcome = new Outcome();
		tools.forEach((tool) -> outcome.add(tool, shared, known.get(tool.name()), before == this.entries));
		return outcome.finish(tools, listed);
	}

	private final class Outcome {

		private final List<ToolNames> offered = new ArrayList<>();

		private final List<ToolEntry> entries = new ArrayList<>();

		private final List<LeftOut> leftOut = new ArrayList<>();

		private void add(Tool tool, Set<String> shared, @Nullable ToolEntry known, boolean sameRules) {
			ToolEntry same = (known != null && known.tool().equals(tool)) ? known : null;
			boolean sameNames = same != null
					&& same.connection().definition() == ServerTools.this.connection.definition();
			ToolNames names;
			try {
				names = ServerTools.this.rules.name(tool, shared, (known != null) ? known.names() : null, sameNames);
			}
			catch (UnusableNameException ex) {
				this.leftOut.add(new LeftOut(Printable.text(tool.name()), null, ex.reason(), true));
				return;
			}
			this.offered.add(names);
			if (same != null && sameRules && names.equals(same.names())) {
				this.entries.add(same);
				return;
			}
			String refusal = ServerTools.this.rules.refusal(names, tool);
			if (refusal != null) {
				this.leftOut.add(new LeftOut(tool.name(), names.prefixed(), refusal, false));
			}
			else {
				this.entries.add(ToolEntry.of(names, ServerTools.this.connection, tool));
			}
		}

		private ServerTools finish(List<Tool> tools, boolean listed) {
			removeSharedNames();
			for (String pattern : ServerTools.this.rules.unmatched(this.offered)) {
				this.leftOut
					.add(new LeftOut(pattern, null, "tools.filter names it, but the server offers no such tool", true));
			}
			this.leftOut.sort(Comparator.comparing(LeftOut::originalName));
			return new ServerTools(ServerTools.this.connection, ServerTools.this.rules, List.copyOf(tools), listed,
					List.copyOf(this.offered), List.copyOf(this.entries), List.copyOf(this.leftOut));
		}

		private void removeSharedNames() {
			this.entries.sort(PRECEDENCE);
			Map<String, ToolEntry> byName = new HashMap<>();
			this.entries.removeIf((entry) -> {
				ToolEntry first = byName.putIfAbsent(entry.name(), entry);
				if (first != null) {
					this.leftOut.add(new LeftOut(entry.tool().name(), entry.name(),
							"its name " + Printable.text(entry.name()) + " is that of the server's tool '"
									+ Printable.text(first.tool().name()) + "', too",
							true));
				}
				return first != null;
			});
		}

	}

}
