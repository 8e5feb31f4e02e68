package io.github.mcpclient;

import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;

/**
 * An immutable snapshot of what a server offers besides its tools, as far as it is known,
 * and of the items in its lists that cannot be used. All text in it comes from the server
 * and is not to be trusted.
 *
 * <p>
 * Implemented by the client, not by applications: later versions may add methods. Tests
 * mock it, or have a scripted server of {@code mcp-client-test}.
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
	 * Return what the server lists, tools included, that cannot be used.
	 */
	List<ExcludedItem> excluded();

	/**
	 * An item that a server lists and that cannot be used.
	 *
	 * @param kind {@code tool}, {@code prompt}, {@code resource} or
	 * {@code resource template}
	 * @param name its name or uri, shortened and made printable; empty if it has none
	 * @param reason why it cannot be used
	 */
	record ExcludedItem(String kind, String name, String reason) {
	}

}
