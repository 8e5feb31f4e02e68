package io.github.mcpclient.langchain4j;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;

/**
 * The tools of MCP servers for the AI services of LangChain4j. Live: a service gets the
 * tools that are known at each request to the model. Thread-safe, and free of I/O.
 *
 * <p>
 * The provider is {@linkplain #isDynamic() dynamic}: LangChain4j omits tools with the
 * name of one of the service's own, which take precedence.
 */
public final class McpCatalogToolProvider implements ToolProvider {

	// the first of two braces
	private static final Pattern VARIABLE = Pattern.compile("\\{(?=\\{)");

	private final McpModelTools modelTools;

	private final McpToolExecutor executor;

	private final Set<ContentType> media;

	private volatile Tools tools = new Tools(List.of(), Map.of(), List.of());

	/**
	 * Create a provider.
	 * @param tools the tools
	 * @param executor calls them
	 */
	public McpCatalogToolProvider(McpModelTools tools, McpToolExecutor executor) {
		this(tools, executor, Set.of());
	}

	private McpCatalogToolProvider(McpModelTools tools, McpToolExecutor executor, Set<ContentType> media) {
		this.modelTools = tools;
		this.executor = executor;
		this.media = media;
	}

	/**
	 * Return the tools {@linkplain McpModelTools#offered() offered} now, sorted by name.
	 * They include tools of unavailable servers, whose calls return an error result,
	 * unless {@code tools.hide-when-unavailable} hides them.
	 * @param request ignored
	 */
	@Override
	public ToolProviderResult provideTools(ToolProviderRequest request) {
		return provide(this.modelTools.offered());
	}

	ToolProviderResult provide(List<McpTool> listed) {
		Tools current = this.tools;
		if (current.listed() != listed) {
			current = tools(listed, current.byName());
			this.tools = current;
		}
		return new ToolProviderResult(current.all());
	}

	@Override
	public boolean isDynamic() {
		return true;
	}

	/**
	 * Return a {@code systemMessageProvider} that gives a text, followed by the current
	 * {@linkplain McpModelTools#instructions() instructions} of the servers of these
	 * tools, at each request. LangChain4j takes system messages for templates: variables
	 * are resolved in the text, but not in the instructions.
	 * @param text the text of the application, which may have variables
	 */
	public Function<Object, String> systemMessageProvider(String text) {
		return (memoryId) -> (text + "\n\n" + VARIABLE.matcher(this.modelTools.instructions()).replaceAll("{ "))
			.strip();
	}

	/**
	 * Return a live provider of some of these tools, for one service.
	 * @param patterns patterns as at {@link McpToolCatalog#select(String...)}
	 * @throws IllegalArgumentException if there is no pattern, or one is blank or too
	 * long
	 */
	public McpCatalogToolProvider select(String... patterns) {
		return of(this.modelTools.catalog().select(patterns));
	}

	/**
	 * Return a live provider of the tools of a named selection, for one service.
	 * @param name the name, as at {@link McpToolCatalog#selection(String)}
	 * @throws IllegalArgumentException if there is no selection of that name
	 */
	public McpCatalogToolProvider selection(String name) {
		return of(this.modelTools.catalog().selection(name));
	}

	/**
	 * Return a provider of the same tools for a model that accepts more than text in
	 * results: images, audio and the like follow the text, as contents of the
	 * {@link dev.langchain4j.service.tool.ToolExecutionResult}. By default a model reads
	 * a placeholder for each, since most of LangChain4j's models reject anything but
	 * text.
	 * @param types the types of content that the model accepts in results of tools
	 */
	public McpCatalogToolProvider withMedia(ContentType... types) {
		return new McpCatalogToolProvider(this.modelTools, this.executor, Set.of(types));
	}

	/**
	 * Return a strategy that searches these tools, for a service whose model sees only
	 * the tools that it has found.
	 */
	public McpToolSearchStrategy toolSearchStrategy() {
		return new McpToolSearchStrategy(new McpCatalogToolProvider(this.modelTools, this.executor, this.media),
				this.modelTools);
	}

	private McpCatalogToolProvider of(McpToolCatalog catalog) {
		return new McpCatalogToolProvider(this.modelTools.withCatalog(catalog), this.executor, this.media);
	}

	private Tools tools(List<McpTool> listed, Map<String, CatalogTool> known) {
		Map<String, CatalogTool> byName = new HashMap<>();
		List<AiServiceTool> all = new ArrayList<>(listed.size());
		for (McpTool tool : listed) {
			CatalogTool before = known.get(tool.name());
			CatalogTool now = (before != null && before.isOf(tool)) ? before
					: new CatalogTool(tool, this.modelTools, this.executor, this.media);
			byName.put(tool.name(), now);
			all.add(now.converted());
		}
		return new Tools(listed, byName, List.copyOf(all));
	}

	private record Tools(List<McpTool> listed, Map<String, CatalogTool> byName, List<AiServiceTool> all) {
	}

}
