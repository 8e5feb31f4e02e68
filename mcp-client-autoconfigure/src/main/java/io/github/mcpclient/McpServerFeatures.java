package io.github.mcpclient;

import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;

/**
 * An immutable snapshot of what a server has beside its tools, as far as it is known, and
 * of the items in its lists that cannot be used. All text in it comes from the server and
 * is not to be trusted. Later versions may add components.
 *
 * @param prompts the prompts of the server
 * @param resources the resources of the server
 * @param resourceTemplates the resource templates of the server
 * @param excluded what the server lists, tools included, that cannot be used
 * @see McpServer#features()
 */
public record McpServerFeatures(List<Prompt> prompts, List<Resource> resources,
		List<ResourceTemplate> resourceTemplates, List<ExcludedItem> excluded) {

	/**
	 * An item that a server lists and that cannot be used.
	 *
	 * @param kind {@code tool}, {@code prompt}, {@code resource} or
	 * {@code resource template}
	 * @param name its name or uri, shortened and made printable; empty if it has none
	 * @param reason why it cannot be used
	 */
	public record ExcludedItem(String kind, String name, String reason) {

	}

}
