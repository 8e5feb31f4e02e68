package io.github.mcpclient.tool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolMatch;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.support.LoginRequired;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A tool of our own that models get in place of many: one to search those of a catalog,
 * or one to call them. Its call is that of the tool which it names: nothing else is seen
 * of it.
 */
final class MetaTool implements RoutedTool {

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

	private final String name;

	private final String description;

	private final LiveCatalog catalog;

	private final ModelText text;

	private final Map<String, Object> inputSchema;

	private MetaTool(String name, String description, String inputSchema, LiveCatalog catalog) {
		this.name = name;
		this.description = description;
		this.catalog = catalog;
		this.text = catalog.root().text();
		this.inputSchema = this.text.arguments(name, inputSchema);
	}

	/**
	 * Return the tools for those of a catalog, sorted by name.
	 */
	static List<MetaTool> of(LiveCatalog catalog) {
		return List.of(new MetaTool(ToolSettings.CALL_TOOL, CALL_DESCRIPTION, CALL_SCHEMA, catalog),
				new MetaTool(ToolSettings.SEARCH_TOOL, SEARCH_DESCRIPTION, SEARCH_SCHEMA, catalog));
	}

	@Override
	public <R> R route(McpToolRequest request, Function<McpToolResult, R> answer,
			BiFunction<McpTool, McpToolRequest, R> call) {
		McpTool tool;
		McpToolRequest inner;
		try {
			if (this.name.equals(ToolSettings.SEARCH_TOOL)) {
				return answer.apply(McpToolResult.success(this.name, search(text(request, "query"))));
			}
			String wanted = text(request, "name");
			inner = request.withArguments(arguments(wanted, request.arguments().get("arguments")));
			tool = this.catalog.get(wanted, this.catalog.read(wanted, request.context()));
		}
		catch (IllegalArgumentException ex) {
			return answer.apply(McpToolResult.error(this.name, String.valueOf(ex.getMessage())));
		}
		catch (RuntimeException ex) {
			if (LoginRequired.is(ex)) {
				throw ex;
			}
			String wanted = String.valueOf(request.arguments().getOrDefault("name", this.name));
			return answer.apply(McpToolResult.error(this.name, ModelText.failure(wanted, ex)));
		}
		return call.apply(tool, inner);
	}

	private String text(McpToolRequest request, String argument) {
		if (request.arguments().get(argument) instanceof String value && !value.isBlank()) {
			return value;
		}
		throw new IllegalArgumentException(this.name + " needs the argument '" + argument + "', which is a text");
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> arguments(String wanted, @Nullable Object arguments) {
		// some models write an object as text
		return (arguments instanceof Map<?, ?> map) ? (Map<String, Object>) map
				: this.text.arguments(wanted, (arguments != null) ? arguments.toString() : null);
	}

	private String search(String query) {
		List<McpToolMatch> found = this.catalog.search(query, MAX_FOUND);
		return found.isEmpty() ? "No tool matches. Search again in other words."
				: found.stream().map((match) -> definition(match.tool())).collect(Collectors.joining(",\n", "[", "]"));
	}

	private String definition(McpTool tool) {
		Map<String, Object> definition = new LinkedHashMap<>();
		definition.put("name", tool.name());
		definition.put("description", ModelText.description(tool));
		definition.put("inputSchema", tool.inputSchema());
		String json = this.text.json(definition);
		if (json.length() > LONGEST_DEFINITION) {
			definition.remove("inputSchema");
			definition.put("description", "(not shown: it has " + json.length() + " characters)");
			json = this.text.json(definition);
		}
		return json;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String serverName() {
		return "";
	}

	@Override
	public String originalName() {
		return this.name;
	}

	@Override
	public @Nullable String title() {
		return null;
	}

	@Override
	public String description() {
		return this.description;
	}

	@Override
	public Map<String, Object> inputSchema() {
		return this.inputSchema;
	}

	@Override
	public @Nullable Map<String, Object> outputSchema() {
		return null;
	}

	@Override
	public @Nullable ToolAnnotations annotations() {
		return null;
	}

	@Override
	public boolean available() {
		return true;
	}

	@Override
	public McpToolResult call(String arguments) {
		return call(this.text.request(this, arguments));
	}

	@Override
	public McpToolResult call(McpToolRequest request) {
		return route(request, Function.identity(), McpTool::call);
	}

	@Override
	public Mono<McpToolResult> callAsync(McpToolRequest request) {
		return Mono.defer(() -> route(request, Mono::just, McpTool::callAsync));
	}

	@Override
	public String toString() {
		return "McpTool[" + this.name + "]";
	}

}
