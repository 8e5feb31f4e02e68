package io.github.mcpclient;

import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;

/**
 * What a server has beside its tools, as far as it is known at one moment, and what of
 * its lists cannot be used. All of it is the server's own word.
 *
 * @param prompts its prompts, in the server's order
 * @param resources its resources, in the server's order
 * @param resourceTemplates its templates of resources, in the server's order
 * @param excluded what it lists, tools included, that cannot be used
 */
public record McpServerContents(List<Prompt> prompts, List<Resource> resources,
		List<ResourceTemplate> resourceTemplates, List<ExcludedItem> excluded) {

	/**
	 * Nothing, or nothing that is known yet.
	 */
	public static final McpServerContents NONE = new McpServerContents(List.of(), List.of(), List.of(), List.of());

	public McpServerContents {
		prompts = List.copyOf(prompts);
		resources = List.copyOf(resources);
		resourceTemplates = List.copyOf(resourceTemplates);
		excluded = List.copyOf(excluded);
	}

	/**
	 * Something that a server lists and that cannot be used.
	 *
	 * @param kind {@code tool}, {@code prompt}, {@code resource} or
	 * {@code resource template}
	 * @param name its name or uri, shortened and made printable; empty where it has none
	 * @param reason why it is left out
	 */
	public record ExcludedItem(String kind, String name, String reason) {
	}

}
