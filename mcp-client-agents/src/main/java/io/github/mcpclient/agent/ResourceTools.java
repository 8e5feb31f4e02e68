package io.github.mcpclient.agent;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.mcpclient.definition.McpServerDefinition.Resources;
import io.github.mcpclient.spi.McpToolListingCustomizer.Listing;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;

/**
 * Two tools that stand for the resources of a server, for models that know only tools:
 * one lists them, the other one reads a resource. They are listed like tools of the
 * server.
 */
final class ResourceTools {

	/**
	 * How many resources are listed at a time.
	 */
	static final int PAGE = 100;

	private static final ToolAnnotations HINTS = new ToolAnnotations(null, true, false, true, null, null);

	static final Tool LIST = Tool
		.builder("list_resources",
				schema(Map.of("contains", property("string", "Only resources with this text in URI, name or title"),
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
	 * Add the two to a listing where they are configured, but for one whose name the
	 * server uses.
	 */
	static void addTo(Listing listing) {
		Resources settings = listing.definition().resources();
		if (settings.asTools() && settings.enabled() && listing.hasCapability("resources")) {
			ResourceCalls calls = new ResourceCalls(listing.server());
			listing.add("resources.as-tools", LIST, calls::list);
			listing.add("resources.as-tools", READ, calls::read);
		}
	}

}
