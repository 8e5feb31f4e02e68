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
	 * Return a live view by name.
	 * @return an unmodifiable map, sorted by name, that follows every change
	 */
	Map<String, McpTool> asMap();

}
