package io.github.mcpclient.langchain4j;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.search.ToolSearchRequest;
import dev.langchain4j.service.tool.search.ToolSearchResult;
import dev.langchain4j.service.tool.search.ToolSearchStrategy;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.internal.model.ModelText;
import io.github.mcpclient.internal.model.SearchIndex;
import io.github.mcpclient.internal.model.SearchIndex.Document;
import io.github.mcpclient.internal.support.JsonValues;

/**
 * The search of an AI service of LangChain4j for tools: the tools of MCP servers, which
 * are found as soon as a server lists them, and the tools of the service itself. A model
 * sees a tool once it has found it. Give a service both this strategy and its
 * {@linkplain #foundTools() provider}, in place of a {@link McpCatalogToolProvider}:
 * LangChain4j shows all tools of such a dynamic provider at once. Thread-safe.
 */
public final class McpToolSearchStrategy implements ToolSearchStrategy {

	private static final String NAME = "search_tools";

	private static final String FOUND = "You can call these tools now:";

	// of the servers, and of the service
	private static final int MAX_FOUND = 5;

	private static final ToolSpecification SPECIFICATION = ToolSpecification.builder()
		.name(NAME)
		.description("Finds tools by what they do. There are more tools than you see: search before you say that you"
				+ " cannot do something. You can call the tools that are found.")
		.parameters(JsonObjectSchema.builder()
			.addStringProperty("query", "What the tool should do, in some English words: read a file")
			.required("query")
			.build())
		.build();

	private final McpModelTools modelTools;

	private final Found found;

	McpToolSearchStrategy(McpCatalogToolProvider tools, McpModelTools modelTools) {
		this.modelTools = modelTools;
		this.found = new Found(tools, modelTools.catalog());
	}

	/**
	 * Return the provider of the tools that were found in a conversation, as far as its
	 * memory goes, and that are still there.
	 */
	public ToolProvider foundTools() {
		return this.found;
	}

	@Override
	public List<ToolSpecification> getToolSearchTools(InvocationContext context) {
		return List.of(SPECIFICATION);
	}

	@Override
	public ToolSearchResult search(ToolSearchRequest request) {
		Object query;
		try {
			query = JsonValues.arguments(NAME, request.toolExecutionRequest().arguments()).get("query");
		}
		catch (IllegalArgumentException ex) {
			return new ToolSearchResult(List.of(), ModelText.error(String.valueOf(ex.getMessage())));
		}
		if (!(query instanceof String words) || words.isBlank()) {
			return new ToolSearchResult(List.of(),
					ModelText.error(NAME + " needs the argument 'query', which is a text"));
		}
		Set<String> searchable = new HashSet<>();
		request.searchableTools().forEach((tool) -> searchable.add(tool.name()));
		Set<String> names = new LinkedHashSet<>(ofService(words, request.searchableTools()));
		this.modelTools.search(words, MAX_FOUND).forEach((match) -> names.add(match.tool().name()));
		if (names.isEmpty()) {
			return new ToolSearchResult(List.of(), "No tool matches. Search again in other words.");
		}
		// LangChain4j fails where one that it does not know at the moment is among these
		List<String> known = names.stream().filter(searchable::contains).toList();
		return new ToolSearchResult(known, FOUND + "\n" + String.join("\n", names));
	}

	private static List<String> ofService(String query, List<ToolSpecification> tools) {
		List<Document<String>> documents = tools.stream().map(McpToolSearchStrategy::document).toList();
		return SearchIndex
			.search(List.of(new SearchIndex<>(documents)), query, MAX_FOUND, (name) -> true, Comparator.naturalOrder())
			.stream()
			.map(SearchIndex.Hit::tool)
			.toList();
	}

	private static Document<String> document(ToolSpecification tool) {
		Map<String, Object> properties = new HashMap<>();
		if (tool.parameters() != null) {
			tool.parameters()
				.properties()
				.forEach((name, schema) -> properties.put(name,
						Map.of("description", Objects.requireNonNullElse(schema.description(), ""))));
		}
		return new Document<>(tool.name(), List.of(tool.name()), null, tool.description(),
				Map.of("properties", properties));
	}

	/**
	 * The tools that the results of searches name. They are read from the conversation,
	 * as LangChain4j does: another instance of the application may have stored it.
	 */
	private record Found(McpCatalogToolProvider tools, McpToolCatalog catalog) implements ToolProvider {

		@Override
		public ToolProviderResult provideTools(ToolProviderRequest request) {
			Set<String> names = new LinkedHashSet<>();
			request.messages()
				.stream()
				.filter((message) -> message instanceof ToolExecutionResultMessage result
						&& NAME.equals(result.toolName()) && result.text().startsWith(FOUND))
				.forEach(
						(message) -> ((ToolExecutionResultMessage) message).text().lines().skip(1).forEach(names::add));
			List<McpTool> found = new ArrayList<>();
			names.forEach((name) -> this.catalog.find(name).ifPresent(found::add));
			return this.tools.provide(found);
		}

		@Override
		public boolean isDynamic() {
			return true;
		}

	}

}
