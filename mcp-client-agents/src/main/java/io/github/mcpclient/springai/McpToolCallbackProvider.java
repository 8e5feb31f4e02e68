package io.github.mcpclient.springai;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;

/**
 * The tools of MCP servers for Spring AI. Live: each request of a {@code ChatClient} gets
 * the tools that are known at that moment. Thread-safe, and free of I/O.
 *
 * <p>
 * Spring AI rejects a request with two tools of the same name. Tools of the application
 * take precedence: this provider omits tools with the name of a {@link ToolCallback}
 * bean, of a {@code @Tool} method of a bean, or of a tool of another provider bean. For
 * tools that are not beans use {@link #excludingNamesOf(Object...)}.
 */
public final class McpToolCallbackProvider implements ToolCallbackProvider {

	private final McpModelTools tools;

	private final McpToolExecutor executor;

	private final @Nullable McpToolContextConverter converter;

	private final Supplier<Set<String>> localNames;

	private volatile Callbacks callbacks = new Callbacks(List.of(), Map.of(), new ToolCallback[0]);

	/**
	 * Create a provider.
	 * @param tools the tools
	 * @param executor calls them
	 * @param converter converts tool contexts, or {@code null} to send nothing of them
	 * @param localNames supplies the names of the application's tools, always the same
	 * ones; called when there are tools
	 */
	public McpToolCallbackProvider(McpModelTools tools, McpToolExecutor executor,
			@Nullable McpToolContextConverter converter, Supplier<Set<String>> localNames) {
		this.tools = tools;
		this.executor = executor;
		this.converter = converter;
		this.localNames = localNames;
	}

	/**
	 * Return the tools {@linkplain McpModelTools#offered() offered} now, sorted by name.
	 * They include tools of unavailable servers, whose calls return an error result,
	 * unless {@code tools.hide-when-unavailable} hides them.
	 * @return a new array
	 */
	@Override
	public ToolCallback[] getToolCallbacks() {
		List<McpTool> tools = this.tools.offered();
		Callbacks current = this.callbacks;
		if (current.tools() != tools) {
			current = callbacks(tools, current.byName());
			this.callbacks = current;
		}
		return current.all().clone();
	}

	/**
	 * Return the instructions of the servers whose tools these are, as
	 * {@link McpModelTools#instructions()} does. Pass them as a parameter of a system
	 * text: the text itself is a template.
	 */
	public String instructions() {
		return this.tools.instructions();
	}

	/**
	 * Return a live provider of some of these tools, for one agent.
	 * @param patterns patterns as at {@link McpToolCatalog#select(String...)}
	 * @throws IllegalArgumentException if there is no pattern, or one is blank or too
	 * long
	 */
	public McpToolCallbackProvider select(String... patterns) {
		return withCatalog(this.tools.catalog().select(patterns));
	}

	/**
	 * Return a live provider of the tools of a named selection.
	 * @param name the name, as at {@link McpToolCatalog#selection(String)}
	 * @throws IllegalArgumentException if there is no selection of that name
	 */
	public McpToolCallbackProvider selection(String name) {
		return withCatalog(this.tools.catalog().selection(name));
	}

	/**
	 * Return a live provider of the tools of another catalog, such as that of
	 * {@link McpToolCatalog#forCallerAsync()}.
	 * @param catalog the tools
	 */
	public McpToolCallbackProvider withCatalog(McpToolCatalog catalog) {
		return new McpToolCallbackProvider(this.tools.withCatalog(catalog), this.executor, this.converter,
				this.localNames);
	}

	/**
	 * Return a live provider that omits tools with the names of the given ones, so that
	 * both can be given to a {@code ChatClient}.
	 * @param localTools what {@code ChatClient} takes as tools: objects with
	 * {@code @Tool} methods, {@link ToolCallback}s, {@link ToolCallbackProvider}s, and
	 * arrays and collections of these. Their names are read once, now
	 * @throws IllegalArgumentException if an object has no {@code @Tool} method
	 */
	public McpToolCallbackProvider excludingNamesOf(Object... localTools) {
		Set<String> names = LocalToolNames.of(Arrays.asList(localTools));
		return new McpToolCallbackProvider(this.tools, this.executor, this.converter, () -> {
			Set<String> all = new HashSet<>(this.localNames.get());
			all.addAll(names);
			return all;
		});
	}

	private Callbacks callbacks(List<McpTool> tools, Map<String, McpToolCallback> known) {
		// which looks up beans: only once there are tools, when all beans exist
		Set<String> local = tools.isEmpty() ? Set.of() : this.localNames.get();
		Map<String, McpToolCallback> byName = new HashMap<>();
		List<ToolCallback> all = new ArrayList<>(tools.size());
		for (McpTool tool : tools) {
			if (!local.contains(tool.name())) {
				McpToolCallback before = known.get(tool.name());
				McpToolCallback callback = (before != null && before.tool().equals(tool)) ? before
						: new McpToolCallback(tool, this.tools, this.executor, this.converter);
				byName.put(tool.name(), callback);
				all.add(callback);
			}
		}
		return new Callbacks(tools, byName, all.toArray(ToolCallback[]::new));
	}

	private record Callbacks(List<McpTool> tools, Map<String, McpToolCallback> byName, ToolCallback[] all) {
	}

}
