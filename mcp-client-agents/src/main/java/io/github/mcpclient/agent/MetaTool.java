package io.github.mcpclient.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.model.ModelText;
import io.github.mcpclient.internal.support.JsonValues;
import io.github.mcpclient.internal.support.LoginRequired;
import org.jspecify.annotations.Nullable;

/**
 * A tool that models get in place of many tools: one tool searches the tools of a
 * catalog, the other one calls them. It delegates to the named tool; observers see only
 * that call.
 */
final class MetaTool extends RoutedTool {

	private static final String SEARCH_TOOL = "search_tools";

	private static final String CALL_TOOL = "call_tool";

	static final Set<String> NAMES = Set.of(SEARCH_TOOL, CALL_TOOL);

	private static final int MAX_FOUND = 5;

	private static final int LONGEST_DEFINITION = 20_000;

	private static final String SEARCH_DESCRIPTION = "Finds tools by what they do. There are more tools than you see:"
			+ " search before you say that you cannot do something. Returns name, description and input schema of each"
			+ " tool that matches, the best first. Call them with call_tool.";

	private static final String SEARCH_SCHEMA = """
			{"type": "object", "properties": {"query": {"type": "string",
			"description": "What the tool should do, in some English words: read a file"}},
			"required": ["query"]}""";

	private static final String CALL_DESCRIPTION = "Calls a tool that search_tools has found, and returns its result.";

	private static final String CALL_SCHEMA = """
			{"type": "object", "properties": {"name": {"type": "string",
			"description": "The name of the tool, as search_tools returned it"},
			"arguments": {"type": "object", "description": "Its arguments, by its input schema"}},
			"required": ["name", "arguments"]}""";

	private final DefaultModelTools tools;

	private MetaTool(String name, String description, String inputSchema, DefaultModelTools tools) {
		super(name, description, inputSchema);
		this.tools = tools;
	}

	/**
	 * Return the two tools for a catalog, sorted by name.
	 */
	static List<McpTool> of(DefaultModelTools tools) {
		return List.of(new MetaTool(CALL_TOOL, CALL_DESCRIPTION, CALL_SCHEMA, tools),
				new MetaTool(SEARCH_TOOL, SEARCH_DESCRIPTION, SEARCH_SCHEMA, tools));
	}

	@Override
	<R> R route(McpToolRequest request, Function<McpToolResult, R> converter,
			BiFunction<McpTool, McpToolRequest, R> call) {
		McpTool tool;
		McpToolRequest inner = request;
		try {
			if (name().equals(SEARCH_TOOL)) {
				return converter.apply(McpToolResult.success(name(), search(text(request, "query"))));
			}
			String wanted = text(request, "name");
			inner = request.withArguments(arguments(wanted, request.arguments().get("arguments")));
			tool = this.tools.catalog().get(wanted, request.context());
		}
		catch (IllegalArgumentException ex) {
			return converter.apply(McpToolResult.error(name(), String.valueOf(ex.getMessage())));
		}
		catch (RuntimeException ex) {
			if (LoginRequired.is(ex)) {
				throw ex;
			}
			String wanted = String.valueOf(request.arguments().getOrDefault("name", name()));
			this.tools.shared().notifyUnresolved(wanted, inner, ex);
			return converter.apply(McpToolResult.error(name(), ModelText.failure(wanted, ex)));
		}
		return call.apply(tool, inner);
	}

	@SuppressWarnings("unchecked")
	private Map<String, @Nullable Object> arguments(String wanted, @Nullable Object arguments) {
		// some models write an object as text
		return (arguments instanceof Map<?, ?> map) ? (Map<String, @Nullable Object>) map
				: JsonValues.arguments(wanted, (arguments != null) ? arguments.toString() : null);
	}

	private String search(String query) {
		List<McpToolMatch> found = this.tools.search(query, MAX_FOUND);
		return found.isEmpty() ? "No tool matches. Search again in other words."
				: found.stream().map((match) -> definition(match.tool())).collect(Collectors.joining(",\n", "[", "]"));
	}

	private String definition(McpTool tool) {
		Map<String, @Nullable Object> definition = new LinkedHashMap<>();
		definition.put("name", tool.name());
		definition.put("description", ModelText.description(tool));
		definition.put("inputSchema", tool.inputSchema());
		String json = ModelText.json(definition);
		if (json.length() > LONGEST_DEFINITION) {
			definition.remove("inputSchema");
			definition.put("description", "(not shown: it has " + json.length() + " characters)");
			json = ModelText.json(definition);
		}
		return json;
	}

}
