package io.github.mcpclient.internal.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpToolPolicy;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * Servers and tools that a test defines.
 */
abstract class TestTools {

	static McpServerDefinition server(String name) {
		return McpServerDefinition.stdio(name, "server").build();
	}

	static McpServerDefinition server(String name, @Nullable String prefix, String... filter) {
		return server(name, (server) -> server.toolPrefix(prefix).toolFilter(List.of(filter)));
	}

	static McpServerDefinition server(String name, UnaryOperator<McpServerDefinitionBuilder> customizer) {
		return customizer.apply(McpServerDefinition.stdio(name, "server")).build();
	}

	static ToolSettings filter(String... patterns) {
		return TestToolSettings.of(List.of(patterns), McpToolPolicy.UNRESTRICTED, null);
	}

	static ToolSettings naming(McpToolNamingStrategy naming) {
		return TestToolSettings.of(List.of(), McpToolPolicy.UNRESTRICTED, naming);
	}

	static Tool tool(String name) {
		return tool(name, "does " + name, null);
	}

	static Tool readOnly(String name, boolean readOnly) {
		return tool(name, "does " + name, new ToolAnnotations(null, readOnly, null, null, null, null));
	}

	static Tool tool(String name, String description, @Nullable ToolAnnotations hints) {
		return new Tool(name, null, description, Map.of("type", "object"), null, hints, null, null);
	}

	static List<String> names(Iterable<McpTool> tools) {
		List<String> names = new ArrayList<>();
		tools.forEach((tool) -> names.add(tool.name()));
		return names;
	}

}
