package io.github.mcpclient.management;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.Printable;

/**
 * The changes of a reload of the configuration. Each list contains names in the order of
 * the servers.
 *
 * @param added the new servers
 * @param replaced the servers that have a new connection, or were enabled or disabled
 * @param updated the servers whose connection stays open, as only their
 * {@linkplain McpServerDefinition#tools() tools} differ
 * @param removed the removed servers
 * @param unchanged the number of configured servers that have not changed
 * @param restart the properties that have changed since the start, and require a restart,
 * such as {@code mcp.transports}
 * @see McpServerReloader#reload()
 */
public record McpReload(List<String> added, List<String> replaced, List<String> updated, List<String> removed,
		int unchanged, List<String> restart) {

	private static final int MOST_SHOWN = 20;

	/**
	 * Create an instance.
	 */
	public McpReload {
		added = List.copyOf(added);
		replaced = List.copyOf(replaced);
		updated = List.copyOf(updated);
		removed = List.copyOf(removed);
		restart = List.copyOf(restart);
	}

	/**
	 * Return {@code true} if no server has changed.
	 */
	public boolean none() {
		return Stream.of(this.added, this.replaced, this.updated, this.removed).allMatch(List::isEmpty);
	}

	/**
	 * Return a line for operators, with the first names of each list.
	 */
	@Override
	public String toString() {
		return Stream
			.of(line("added", this.added), line("replaced", this.replaced), line("updated", this.updated),
					line("removed", this.removed), Stream.of("unchanged: " + this.unchanged),
					line("after a restart", this.restart))
			.flatMap((lines) -> lines)
			.collect(Collectors.joining("; "));
	}

	private static Stream<String> line(String what, List<String> names) {
		return names.isEmpty() ? Stream.empty()
				: Stream.of(what + ": " + Printable.first(MOST_SHOWN, names, Function.identity()));
	}

}
