package io.github.mcpclient.agent;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.model.SearchIndex;
import io.github.mcpclient.internal.support.JsonValues;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * The tools of one catalog for models, with the state that all catalogs share.
 */
final class DefaultModelTools implements McpModelTools {

	private final SharedTools shared;

	private final McpToolCatalog catalog;

	private final ToolExecutor executor = new ToolExecutor(this);

	// the same ones each time, as is the list
	private final List<McpTool> metaTools = MetaTool.of(this);

	private volatile Offered offered = new Offered(List.of(), List.of());

	private volatile Searched searched = new Searched(List.of(), Map.of(), List.of());

	DefaultModelTools(SharedTools shared, McpToolCatalog catalog) {
		this.shared = shared;
		this.catalog = catalog;
	}

	SharedTools shared() {
		return this.shared;
	}

	@Override
	public McpToolCatalog catalog() {
		return this.catalog;
	}

	@Override
	public List<McpTool> offered() {
		List<McpTool> all = this.catalog.all();
		List<McpTool> shown = all.stream().anyMatch(McpTool::hidden)
				? all.stream().filter((tool) -> !tool.hidden()).toList() : all;
		List<McpTool> source = (shown.size() > this.shared.searchThreshold()) ? this.metaTools : all;
		List<McpTool> tools = this.shared.withReadResult((source == all) ? shown : source);
		if (tools == source) {
			return tools;
		}
		Offered current = this.offered;
		if (current.source() != source || !current.tools().equals(tools)) {
			current = new Offered(source, tools);
			this.offered = current;
		}
		return current.tools();
	}

	/**
	 * Return the tool of that name that is of no server, if there is one.
	 */
	@Nullable McpTool builtIn(String name) {
		if (ReadResultTool.NAME.equals(name)) {
			return this.shared.keepsResults() ? this.shared.readResult() : null;
		}
		return this.shared.searches()
				? this.metaTools.stream().filter((tool) -> tool.name().equals(name)).findFirst().orElse(null) : null;
	}

	@Override
	public List<McpToolMatch> search(String query, int max) {
		List<McpTool> all = this.catalog.all();
		Searched current = this.searched;
		if (current.all() != all) {
			current = new Searched(all, all.stream().collect(Collectors.toMap(McpTool::name, Function.identity())),
					this.shared.index().parts(all));
			this.searched = current;
		}
		Map<String, McpTool> tools = current.tools();
		return SearchIndex
			.search(current.parts(), query, max, (name) -> tools.containsKey(name) && !tools.get(name).hidden(),
					Comparator.<String>naturalOrder())
			.stream()
			.map((hit) -> new McpToolMatch(Objects.requireNonNull(tools.get(hit.tool())), hit.score()))
			.toList();
	}

	@Override
	public String instructions() {
		Map<String, String> servers = new TreeMap<>();
		for (McpTool tool : this.catalog.all()) {
			String text = tool.hidden() ? null : tool.instructions();
			if (text != null) {
				servers.put(tool.serverName(), text);
			}
		}
		return ServerInstructions.join(servers);
	}

	@Override
	public Map<String, @Nullable Object> inputSchema(McpTool tool) {
		Map<String, @Nullable Object> schema = tool.inputSchema();
		String refused = ModelSchema.refused(schema);
		if (refused != null) {
			this.shared.reportDeviation(tool.serverName(), Kind.INPUT_SCHEMA,
					"'" + Printable.text(tool.originalName()) + "' has " + refused + " at the top");
		}
		return ModelSchema.of(schema, tool.rule());
	}

	@Override
	public McpToolExecutor executor() {
		return this.executor;
	}

	@Override
	public McpToolResult call(McpTool tool, @Nullable String arguments, ContextView context,
			BiFunction<McpTool, McpToolRequest, McpToolResult> call) {
		McpToolRequest request;
		try {
			request = McpToolRequest.of(JsonValues.arguments(tool.name(), arguments)).withContext(context);
		}
		catch (IllegalArgumentException ex) {
			if (!(tool instanceof RoutedTool)) {
				this.shared.log(tool.name(), this.shared.registry().find(tool.serverName()).map(McpServer::status), ex);
			}
			return McpToolResult.error(tool.name(), String.valueOf(ex.getMessage()));
		}
		return (tool instanceof RoutedTool routed) ? routed.route(request, Function.identity(), call)
				: call.apply(tool, request);
	}

	@Override
	public McpModelTools withCatalog(McpToolCatalog catalog) {
		return new DefaultModelTools(this.shared, catalog.forCaller());
	}

	private record Offered(List<McpTool> source, List<McpTool> tools) {
	}

	private record Searched(List<McpTool> all, Map<String, McpTool> tools, List<SearchIndex<String>> parts) {
	}

}
