package io.github.mcpclient.tool;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A tool of which nothing is known but its name, until its server lists it. From then on
 * this is the tool of that server, and of no other that gets the name.
 */
public final class NamedTool implements McpTool {

	private static final Logger logger = LoggerFactory.getLogger(NamedTool.class);

	private final String name;

	private final Supplier<ToolCatalog> catalog;

	private final AtomicReference<@Nullable McpTool> tool = new AtomicReference<>();

	private final AtomicBoolean told = new AtomicBoolean();

	/**
	 * Create a handle.
	 * @param name the prefixed name of the tool
	 * @param catalog gives the catalog, at the first use of the handle
	 */
	public NamedTool(String name, Supplier<ToolCatalog> catalog) {
		this.name = name;
		this.catalog = catalog;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String serverName() {
		return tool().serverName();
	}

	@Override
	public String originalName() {
		return tool().originalName();
	}

	@Override
	public @Nullable String title() {
		return tool().title();
	}

	@Override
	public @Nullable String description() {
		return tool().description();
	}

	@Override
	public Map<String, Object> inputSchema() {
		return tool().inputSchema();
	}

	@Override
	public @Nullable Map<String, Object> outputSchema() {
		return tool().outputSchema();
	}

	@Override
	public @Nullable ToolAnnotations annotations() {
		return tool().annotations();
	}

	@Override
	public @Nullable Instant changedAt() {
		return tool().changedAt();
	}

	@Override
	public boolean available() {
		if (!isAvailable()) {
			connect();
		}
		return isAvailable();
	}

	private boolean isAvailable() {
		McpTool tool = known();
		return tool != null && tool.available();
	}

	@Override
	public McpToolResult call(String arguments) {
		ToolCaller.checkThread(this.name);
		return tool().call(arguments);
	}

	@Override
	public McpToolResult call(McpToolRequest request) {
		ToolCaller.checkThread(this.name);
		return tool().call(request);
	}

	@Override
	public Mono<McpToolResult> callAsync(McpToolRequest request) {
		return Mono.defer(() -> {
			Mono<Void> connected = (known() != null) ? Mono.empty() : this.catalog.get().connect(this.name);
			return connected.then(Mono.defer(() -> required(known()).callAsync(request)));
		});
	}

	/**
	 * Log, once, that no server has such a tool, where all that could have it are
	 * connected.
	 */
	public void warnIfMissing() {
		if (!this.told.get() && known() == null && this.catalog.get().isMissing(this.name)
				&& this.told.compareAndSet(false, true)) {
			logger.warn("A bean of the application injects an MCP tool that there is not. {}",
					this.catalog.get().noTool(this.name).getMessage());
		}
	}

	private McpTool tool() {
		return required(find());
	}

	private McpTool required(@Nullable McpTool tool) {
		if (tool == null) {
			throw this.catalog.get().noTool(this.name);
		}
		return tool;
	}

	private @Nullable McpTool find() {
		if (known() == null) {
			connect();
		}
		return known();
	}

	private void connect() {
		Mono<Void> connected = this.catalog.get().connect(this.name);
		if (Schedulers.isInNonBlockingThread()) {
			connected.subscribe();
		}
		else {
			connected.block();
		}
		warnIfMissing();
	}

	private @Nullable McpTool known() {
		McpTool tool = this.tool.get();
		if (tool == null) {
			tool = this.catalog.get().listed().get(this.name);
			if (tool != null && !this.tool.compareAndSet(null, tool)) {
				tool = this.tool.get();
			}
		}
		return tool;
	}

	@Override
	public String toString() {
		return "McpTool[" + this.name + "]";
	}

}
