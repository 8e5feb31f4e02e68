package io.github.mcpclient;

import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;

/**
 * What a server has beside its tools, as far as it is known at one moment. All of it is
 * the server's own word.
 *
 * @param prompts its prompts, in the server's order
 * @param resources its resources, in the server's order
 * @param resourceTemplates its templates of resources, in the server's order
 */
public record McpServerContents(List<Prompt> prompts, List<Resource> resources,
		List<ResourceTemplate> resourceTemplates) {

	/**
	 * Nothing, or nothing that is known yet.
	 */
	public static final McpServerContents NONE = new McpServerContents(List.of(), List.of(), List.of());

	public McpServerContents {
		prompts = List.copyOf(prompts);
		resources = List.copyOf(resources);
		resourceTemplates = List.copyOf(resourceTemplates);
	}

}
