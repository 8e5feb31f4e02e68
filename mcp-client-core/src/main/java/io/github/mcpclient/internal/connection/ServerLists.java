package io.github.mcpclient.internal.connection;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.ServerDescription;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * All lists of the server: its tools are listed as part of each attempt, other items once
 * it is READY. Runs on the serial queue, except for methods of its lists that all threads
 * may call.
 */
final class ServerLists {

	private final ServerList<Tool> tools;

	private final ServerList<Prompt> prompts;

	private final ServerList<Resource> resources;

	private final ServerList<ResourceTemplate> resourceTemplates;

	private final List<ServerList<?>> all;

	private final Map<String, List<ExcludedItem>> excluded = new ConcurrentSkipListMap<>();

	ServerLists(ConnectionContext context, BiConsumer<@Nullable List<Tool>, List<Tool>> toolsChanged,
			Runnable promptsChanged, Runnable resourcesChanged) {
		McpServerDefinition definition = context.definition();
		this.tools = new ServerList<>(ItemKind.TOOLS, true, context, toolsChanged);
		this.prompts = new ServerList<>(ItemKind.PROMPTS, definition.prompts().enabled(), context,
				unlessStillEmpty(promptsChanged));
		this.resources = new ServerList<>(ItemKind.RESOURCES, definition.resources().enabled(), context,
				unlessStillEmpty(resourcesChanged));
		this.resourceTemplates = new ServerList<>(ItemKind.RESOURCE_TEMPLATES, definition.resources().enabled(),
				context, unlessStillEmpty(resourcesChanged));
		this.all = List.of(this.tools, this.prompts, this.resources, this.resourceTemplates);
	}

	private static <T> BiConsumer<@Nullable List<T>, List<T>> unlessStillEmpty(Runnable changed) {
		return (before, after) -> {
			if (before != null || !after.isEmpty()) {
				changed.run();
			}
		};
	}

	ServerList<Tool> tools() {
		return this.tools;
	}

	ServerList<Prompt> prompts() {
		return this.prompts;
	}

	ServerList<Resource> resources() {
		return this.resources;
	}

	ServerList<ResourceTemplate> resourceTemplates() {
		return this.resourceTemplates;
	}

	McpServerFeatures snapshot() {
		return new Features(this.prompts.items(), this.resources.items(), this.resourceTemplates.items(),
				this.excluded.values().stream().flatMap(List::stream).toList());
	}

	void excluded(String kind, List<ExcludedItem> items) {
		if (items.isEmpty()) {
			this.excluded.remove(kind);
		}
		else {
			this.excluded.put(kind, items);
		}
	}

	/**
	 * List all items except the tools, which the attempt has listed.
	 */
	void start(Generation generation, ServerDescription server) {
		this.all.stream().filter((list) -> list != this.tools).forEach(ServerList::announced);
		this.all.forEach((list) -> list.start(generation, server));
	}

	void stop(Throwable cause) {
		this.all.forEach((list) -> list.stop(cause));
	}

	void announced(ItemKind<?> kind) {
		this.all.stream().filter((list) -> list.kind().setting().equals(kind.setting())).forEach(ServerList::announced);
	}

	void gap() {
		this.all.forEach(ServerList::gap);
	}

	/**
	 * List all items again.
	 * @param ended called on the serial queue with the failure to list the tools, or with
	 * {@code null} once all listings have ended
	 */
	void refresh(Consumer<@Nullable Throwable> ended) {
		int[] left = { this.all.size() };
		this.all.forEach((list) -> list.refresh((failure) -> {
			if (list == this.tools && failure != null) {
				ended.accept(failure);
			}
			else if (--left[0] == 0) {
				ended.accept(null);
			}
		}));
	}

	private record Features(List<Prompt> prompts, List<Resource> resources, List<ResourceTemplate> resourceTemplates,
			List<ExcludedItem> excluded) implements McpServerFeatures {
	}

}
