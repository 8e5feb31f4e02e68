package io.github.mcpclient;

import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;

/**
 * Immutable snapshot of the known prompts, resources and resource templates of a server,
 * and of the items in its lists that cannot be used. All text in it comes from the server
 * and is untrusted.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
 *
 * @see McpServer#features()
 */
public interface McpServerFeatures {

	/**
	 * Return the prompts of the server.
	 */
	List<Prompt> prompts();

	/**
	 * Return the resources of the server.
	 */
	List<Resource> resources();

	/**
	 * Return the resource templates of the server.
	 */
	List<ResourceTemplate> resourceTemplates();

	/**
	 * Return the items that the server lists, tools included, that cannot be used.
	 */
	List<ExcludedItem> excluded();

	/**
	 * An item that a server lists and that cannot be used.
	 *
	 * @param kind {@code tool}, {@code prompt}, {@code resource} or
	 * {@code resource template}
	 * @param name its name or URI, shortened and made printable; empty if it has none
	 * @param reason why it cannot be used
	 */
	record ExcludedItem(String kind, String name, String reason) {
	}

}
