package io.github.mcpclient;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The live view of all tools of all servers, by prefixed name. It is sorted by name,
 * whatever the order in which servers connect, and tools of a server that is unavailable
 * stay listed, so that a model's tool list does not flap. All methods are safe for use by
 * many threads and never block.
 */
public interface McpToolCatalog extends Iterable<McpTool> {

	/**
	 * Return the tool of the given name.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @return the tool
	 * @throws NoSuchMcpToolException if no tool of that name is known
	 */
	McpTool get(String name);

	/**
	 * Find the tool of the given name.
	 * @param name the prefixed name
	 * @return the tool, or empty where no tool of that name is known
	 */
	Optional<McpTool> find(String name);

	/**
	 * Return the tools known now.
	 * @return an immutable snapshot, sorted by name
	 */
	List<McpTool> all();

	/**
	 * Return the tools to offer to a model now: all, but for those of a server that has
	 * been away for longer than its {@code tools.hide-when-unavailable}. Those are listed
	 * and can be called, as ever, and are offered again once their server is back.
	 * @return an immutable snapshot, sorted by name; the same one as long as nothing has
	 * changed
	 */
	default List<McpTool> offered() {
		return all();
	}

	/**
	 * Return a live view by name.
	 * @return an unmodifiable map, sorted by name, that follows every change
	 */
	Map<String, McpTool> asMap();

	/**
	 * Return a live view of some of the tools, for an agent's own list: it sees tools
	 * that arrive later. Selecting from a selection narrows it.
	 *
	 * <p>
	 * Patterns are matched with the whole of the prefixed or the original name of a tool,
	 * case-sensitively; {@code *} stands for any characters and {@code ?} for one. A
	 * pattern that begins with {@code !} denies. The last pattern that matches a tool
	 * decides; a tool that none matches is left out, unless the first pattern denies: so
	 * {@code select("a_*", "!a_write*")} is what {@code a} offers, but for writing, and
	 * {@code select("!a_write*")} is everything but that. No pattern can name a tool of
	 * one server into the selection of another's: where a tool's original name looks like
	 * a prefixed name of another server, patterns that allow see its prefixed name only.
	 * @param patterns at least one pattern
	 * @return a live view
	 * @throws IllegalArgumentException if there is no pattern, or one is blank or longer
	 * than 256 characters
	 */
	McpToolCatalog select(String... patterns);

	/**
	 * Return a live view of the tools that an operator has selected under a name, at
	 * {@code mcp.selections.<name>}, by patterns as at {@link #select(String...)}. It is
	 * a bean, too: a {@code McpToolCatalog} with the name as its qualifier.
	 * @param name the name of the selection
	 * @return a live view
	 * @throws IllegalArgumentException if there is no selection of that name; the message
	 * has the names that there are
	 */
	default McpToolCatalog selection(String name) {
		throw new IllegalArgumentException(
				"No selection '" + name + "' of MCP tools: " + getClass().getName() + " has none");
	}

}
