package io.github.mcpclient.connection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.session.ItemKind;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;

/**
 * Two tools that stand for the resources of a server, for models that know only tools:
 * one lists them, and one reads one. They are listed as if the server had them.
 */
final class ResourceTools {

	/**
	 * How many resources are listed at a time.
	 */
	static final int PAGE = 100;

	private static final ToolAnnotations HINTS = new ToolAnnotations(null, true, false, true, null, null);

	static final Tool LIST = Tool
		.builder("list_resources",
				schema(Map.of("contains", property("string", "Only those whose uri, name or title contains this text"),
						"offset", property("integer", "How many to skip")), List.of()))
		.description("Lists the resources of this server, such as files or records, and the templates of their uris,"
				+ " " + PAGE + " at a time. Read them with read_resource.")
		.annotations(HINTS)
		.build();

	static final Tool READ = Tool
		.builder("read_resource",
				schema(Map.of("uri", property("string", "A uri, or the template of one, as list_resources has it"),
						"arguments", property("object", "For a template: the value of each of its variables")),
						List.of("uri")))
		.description("Reads a resource of this server.")
		.annotations(HINTS)
		.build();

	private ResourceTools() {
	}

	private static Map<String, Object> schema(Map<String, Object> properties, List<String> required) {
		return sorted(Map.of("type", "object", "properties", sorted(properties), "required", required));
	}

	private static Map<String, Object> property(String type, String description) {
		return sorted(Map.of("type", type, "description", description));
	}

	// the same text each time that the application is started, for prompt caches
	private static Map<String, Object> sorted(Map<String, Object> members) {
		return Collections.unmodifiableMap(new TreeMap<>(members));
	}

	/**
	 * Add the two to the tools of a server, but for one whose name the server uses.
	 */
	static List<Tool> addTo(List<Tool> tools, Consumer<List<ExcludedItem>> excluded) {
		List<Tool> all = new ArrayList<>(tools);
		List<ExcludedItem> without = new ArrayList<>();
		for (Tool added : List.of(LIST, READ)) {
			if (tools.stream().noneMatch((tool) -> tool.name().equals(added.name()))) {
				all.add(added);
			}
			else {
				without.add(new ExcludedItem(ItemKind.TOOLS.singular(), added.name(),
						"resources.as-tools adds none of this name: the server has one"));
			}
		}
		excluded.accept(without);
		return all;
	}

}
