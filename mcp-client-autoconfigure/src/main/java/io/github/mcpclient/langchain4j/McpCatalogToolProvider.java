package io.github.mcpclient.langchain4j;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.tool.ModelText;
import io.modelcontextprotocol.json.McpJsonMapper;

/**
 * The tools of MCP servers for the AI services of LangChain4j. Live: a service gets the
 * tools that are known at each request to the model. Safe for use by many threads, and
 * free of I/O.
 *
 * <p>
 * The provider is {@linkplain #isDynamic() dynamic}, for which LangChain4j leaves out
 * tools whose names the service has already: its own ones come first.
 */
public final class McpCatalogToolProvider implements ToolProvider {

	private final McpToolCatalog catalog;

	private final McpToolExecutor executor;

	private final ModelText text;

	private volatile Tools tools = new Tools(List.of(), Map.of(), List.of());

	/**
	 * Create a provider.
	 * @param catalog the tools
	 * @param executor calls them
	 * @param mapper reads arguments and writes schemas and structured results
	 */
	public McpCatalogToolProvider(McpToolCatalog catalog, McpToolExecutor executor, McpJsonMapper mapper) {
		this(catalog, executor, new ModelText(mapper));
	}

	private McpCatalogToolProvider(McpToolCatalog catalog, McpToolExecutor executor, ModelText text) {
		this.catalog = catalog;
		this.executor = executor;
		this.text = text;
	}

	/**
	 * Return the tools known now, sorted by name. Those of a server that is unavailable
	 * are among them, and answer that it is.
	 * @param request not looked at
	 * @return the tools
	 */
	@Override
	public ToolProviderResult provideTools(ToolProviderRequest request) {
		return new ToolProviderResult(tools());
	}

	@Override
	public boolean isDynamic() {
		return true;
	}

	/**
	 * Return a provider of some of these tools, for one service. It is as live as this
	 * one.
	 * @param patterns patterns as at {@link McpToolCatalog#select(String...)}
	 * @return a provider of those that the patterns name
	 * @throws IllegalArgumentException if there is no pattern, or one is blank or too
	 * long
	 */
	public McpCatalogToolProvider select(String... patterns) {
		return new McpCatalogToolProvider(this.catalog.select(patterns), this.executor, this.text);
	}

	private List<AiServiceTool> tools() {
		List<McpTool> listed = this.catalog.all();
		Tools current = this.tools;
		if (current.listed() != listed) {
			current = tools(listed, current.byName());
			this.tools = current;
		}
		return current.all();
	}

	private Tools tools(List<McpTool> listed, Map<String, CatalogTool> known) {
		Map<String, CatalogTool> byName = new HashMap<>();
		List<AiServiceTool> all = new ArrayList<>(listed.size());
		for (McpTool tool : listed) {
			CatalogTool before = known.get(tool.name());
			CatalogTool now = (before != null && before.isOf(tool)) ? before
					: CatalogTool.of(tool, this.executor, this.text);
			byName.put(tool.name(), now);
			all.add(now.tool());
		}
		return new Tools(listed, byName, List.copyOf(all));
	}

	private record Tools(List<McpTool> listed, Map<String, CatalogTool> byName, List<AiServiceTool> all) {
	}

}
