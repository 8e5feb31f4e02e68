package io.github.mcpclient.connection;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerDefinition.Feature;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.session.McpSession;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * What the server has beside its tools. Lives on the serial queue, but for
 * {@link #snapshot()} and what the parts offer to all threads.
 */
final class Contents {

	private final ContentPart<Prompt> prompts;

	private final ContentPart<Resource> resources;

	private final ContentPart<ResourceTemplate> resourceTemplates;

	private final List<ContentPart<?>> all;

	/**
	 * What of the latest lists cannot be used, tools included, by kind.
	 */
	private final Map<String, List<ExcludedItem>> excluded = new ConcurrentSkipListMap<>();

	/**
	 * Create the contents.
	 * @param environment what the parts of the connection share
	 * @param promptsChanged told of other prompts, on the serial queue
	 * @param resourcesChanged told of other resources or templates, on the serial queue
	 */
	Contents(Environment environment, Runnable promptsChanged, Runnable resourcesChanged) {
		Feature prompts = environment.definition().prompts();
		Feature resources = environment.definition().resources();
		this.prompts = new ContentPart<>("prompts", McpSchema.METHOD_PROMPT_LIST,
				(capabilities) -> prompts.enabled() && capabilities.prompts() != null, McpSession::listPrompts,
				environment, promptsChanged);
		this.resources = new ContentPart<>("resources", McpSchema.METHOD_RESOURCES_LIST,
				(capabilities) -> resources.enabled() && capabilities.resources() != null, McpSession::listResources,
				environment, resourcesChanged);
		this.resourceTemplates = new ContentPart<>("resource templates", McpSchema.METHOD_RESOURCES_TEMPLATES_LIST,
				(capabilities) -> resources.enabled() && capabilities.resources() != null,
				McpSession::listResourceTemplates, environment, resourcesChanged);
		this.all = List.of(this.prompts, this.resources, this.resourceTemplates);
	}

	ContentPart<Prompt> prompts() {
		return this.prompts;
	}

	ContentPart<Resource> resources() {
		return this.resources;
	}

	ContentPart<ResourceTemplate> resourceTemplates() {
		return this.resourceTemplates;
	}

	McpServerFeatures snapshot() {
		List<Prompt> prompts = this.prompts.known();
		List<Resource> resources = this.resources.known();
		List<ResourceTemplate> templates = this.resourceTemplates.known();
		return new Snapshot((prompts != null) ? prompts : List.of(),
				(resources != null) ? resources : List.of(), (templates != null) ? templates : List.of(),
				this.excluded.values().stream().flatMap(List::stream).toList());
	}

	void excluded(String kind, List<ExcludedItem> items) {
		this.excluded.put(kind, items);
	}

	void ready(Generation generation, ServerCapabilities capabilities) {
		this.all.forEach((part) -> part.ready(generation, capabilities));
	}

	void stop(Throwable cause) {
		this.all.forEach((part) -> part.stop(cause));
	}

	void promptsAnnounced() {
		this.prompts.announced();
	}

	void resourcesAnnounced() {
		this.resources.announced();
		this.resourceTemplates.announced();
	}

	void gap() {
		this.all.forEach(ContentPart::gap);
	}

	/**
	 * List all anew.
	 * @param ended told, on the serial queue, of the end, well or not
	 */
	void refresh(Runnable ended) {
		int[] left = { this.all.size() };
		Consumer<@Nullable Throwable> one = (failure) -> {
			if (--left[0] == 0) {
				ended.run();
			}
		};
		this.all.forEach((part) -> part.refresh(one));
	}

	private record Snapshot(List<Prompt> prompts, List<Resource> resources, List<ResourceTemplate> resourceTemplates,
			List<ExcludedItem> excluded) implements McpServerFeatures {

	}

}
