package io.github.mcpclient.agent;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.internal.model.SearchIndex;
import io.github.mcpclient.internal.model.SearchIndex.Document;
import org.jspecify.annotations.Nullable;

/**
 * The index of the tools of all servers by name, a part for each server. A part is made
 * again where a search finds that it lacks a tool, or has another definition of it. Those
 * that it has of other users, or of before, are not among the tools that are searched.
 * Safe for use by many threads.
 */
final class ToolSearch {

	private final Map<String, Part> parts = new ConcurrentHashMap<>();

	private final Predicate<String> servers;

	/**
	 * Create an empty index.
	 * @param servers whether there is a server of that name
	 */
	ToolSearch(Predicate<String> servers) {
		this.servers = servers;
	}

	/**
	 * Return the parts that have these tools.
	 */
	List<SearchIndex<String>> parts(List<McpTool> tools) {
		this.parts.keySet().removeIf(this.servers.negate());
		return tools.stream()
			.collect(Collectors.groupingBy(McpTool::serverName))
			.entrySet()
			.stream()
			.map((server) -> part(server.getKey(), server.getValue()).index())
			.toList();
	}

	private Part part(String server, List<McpTool> tools) {
		Part known = this.parts.getOrDefault(server, Part.NONE);
		Map<String, Read> all = new HashMap<>();
		tools.forEach((tool) -> all.put(tool.name(), Read.of(tool, known.tools().get(tool.name()))));
		if (known.tools().entrySet().containsAll(all.entrySet())) {
			return known;
		}
		Part part = new Part(all, new SearchIndex<>(all.values().stream().map(Read::document).toList()));
		this.parts.put(server, part);
		return part;
	}

	private record Part(Map<String, Read> tools, SearchIndex<String> index) {

		static final Part NONE = new Part(Map.of(), new SearchIndex<>(List.of()));

	}

	/**
	 * The words of a tool, and what they were read from.
	 */
	private record Read(Document<String> document, String originalName, @Nullable String title,
			@Nullable String description, Map<String, @Nullable Object> schema) {

		static Read of(McpTool tool, @Nullable Read before) {
			String name = tool.originalName();
			String title = tool.title();
			String description = tool.description();
			Map<String, @Nullable Object> schema = tool.inputSchema();
			return (before != null && before.isOf(name, title, description, schema)) ? before
					: new Read(new Document<>(tool.name(), List.of(tool.name(), name), title, description, schema),
							name, title, description, schema);
		}

		private boolean isOf(String name, @Nullable String title, @Nullable String description,
				Map<String, @Nullable Object> schema) {
			return this.originalName.equals(name) && Objects.equals(this.title, title)
					&& Objects.equals(this.description, description) && this.schema.equals(schema);
		}

	}

}
