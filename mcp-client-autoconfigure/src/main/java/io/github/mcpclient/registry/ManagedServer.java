package io.github.mcpclient.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.connection.McpConnectionListener;
import io.github.mcpclient.support.Times;
import io.github.mcpclient.tool.ToolCatalog;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The stable handle of one server; its connection is a fresh one each time that the
 * registry starts, or that the server is replaced.
 */
final class ManagedServer implements McpServer {

	/**
	 * Lets an attempt that takes all its time tell why it failed.
	 */
	private static final Duration GRACE = Duration.ofMillis(500);

	/**
	 * What a caller who waits adds to the time of a request, which ends by itself.
	 */
	private static final Duration LAST_RESORT = Duration.ofSeconds(3);

	private final String name;

	private final Scheduler timer;

	private final ToolCatalog catalog;

	private final RegistryEvents events;

	private final BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory;

	private volatile Link link;

	ManagedServer(McpServerDefinition definition, Scheduler timer, ToolCatalog catalog, RegistryEvents events,
			BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory) {
		this.name = definition.name();
		this.timer = timer;
		this.catalog = catalog;
		this.events = events;
		this.connectionFactory = connectionFactory;
		this.link = new Link(definition);
	}

	/**
	 * Make a new connection, which is not used yet.
	 */
	Link newLink(McpServerDefinition definition) {
		return new Link(definition);
	}

	/**
	 * Put a new connection in the place of the present one, which the caller closes.
	 * @param next the new connection
	 * @return the present one
	 */
	Link renew(Link next) {
		Link previous = this.link;
		next.connection.follow(previous.connection);
		this.link = next;
		return previous;
	}

	/**
	 * Take a connection back, unless there is another one in its place already.
	 * @param next the connection
	 * @param previous the one before it
	 * @return whether the previous one is in its place
	 */
	boolean restore(Link next, Link previous) {
		boolean present = this.link == next;
		if (present) {
			this.link = previous;
		}
		return present;
	}

	McpServerDefinition definition() {
		return connection().definition();
	}

	McpConnection connection() {
		return this.link.connection;
	}

	/**
	 * Return the present connection with what waits for it.
	 */
	Link link() {
		return this.link;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public McpServerStatus status() {
		return connection().status();
	}

	@Override
	public List<McpTool> tools() {
		return this.catalog.toolsOf(connection());
	}

	@Override
	public List<ExcludedTool> excludedTools() {
		List<ExcludedTool> excluded = new ArrayList<>(this.catalog.excludedToolsOf(connection()));
		for (McpTool tool : tools()) {
			String refusal = this.events.beanRefusal(tool);
			if (refusal != null) {
				excluded.add(new ExcludedTool(tool.originalName(), refusal));
			}
		}
		for (ExcludedItem item : features().excluded()) {
			if (item.kind().equals("tool")) {
				excluded.add(new ExcludedTool(item.name(), item.reason()));
			}
		}
		return List.copyOf(excluded);
	}

	@Override
	public McpServerFeatures features() {
		return connection().contents();
	}

	@Override
	public List<Prompt> prompts() {
		return await("prompts", promptsAsync());
	}

	@Override
	public Mono<List<Prompt>> promptsAsync() {
		return Mono.defer(() -> connection().prompts());
	}

	@Override
	public List<Resource> resources() {
		return await("resources", resourcesAsync());
	}

	@Override
	public Mono<List<Resource>> resourcesAsync() {
		return Mono.defer(() -> connection().resources());
	}

	@Override
	public List<ResourceTemplate> resourceTemplates() {
		return await("resourceTemplates", resourceTemplatesAsync());
	}

	@Override
	public Mono<List<ResourceTemplate>> resourceTemplatesAsync() {
		return Mono.defer(() -> connection().resourceTemplates());
	}

	@Override
	public GetPromptResult getPrompt(String name, Map<String, Object> arguments) {
		return await("getPrompt", getPromptAsync(name, arguments));
	}

	@Override
	public Mono<GetPromptResult> getPromptAsync(String name, Map<String, Object> arguments) {
		GetPromptRequest request = new GetPromptRequest(name, new LinkedHashMap<>(arguments), null);
		return Mono.defer(() -> connection().getPrompt(request));
	}

	@Override
	public ReadResourceResult readResource(String uri) {
		return await("readResource", readResourceAsync(uri));
	}

	@Override
	public Mono<ReadResourceResult> readResourceAsync(String uri) {
		ReadResourceRequest request = new ReadResourceRequest(uri, null);
		return Mono.defer(() -> connection().readResource(request));
	}

	@Override
	public CompleteResult complete(CompleteRequest request) {
		return await("complete", completeAsync(request));
	}

	@Override
	public Mono<CompleteResult> completeAsync(CompleteRequest request) {
		return Mono.defer(() -> connection().complete(request));
	}

	private <T> T await(String method, Mono<T> answer) {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException(method + " of MCP server '" + name() + "' would block thread '"
					+ Thread.currentThread().getName() + "', which must not block: use " + method + "Async there");
		}
		T result;
		Duration timeout = Times.atMostForever(definition().timeouts().request());
		try {
			result = answer.block(timeout.plus(LAST_RESORT));
		}
		catch (IllegalStateException ex) {
			if (ex.getCause() instanceof TimeoutException) {
				throw new McpRequestTimeoutException(name(), method, timeout);
			}
			throw ex;
		}
		if (result == null) {
			throw new IllegalStateException(method + " of MCP server '" + name() + "' gave no result");
		}
		return result;
	}

	@Override
	public Mono<McpServerStatus> reconnect() {
		return connection().reconnect();
	}

	@Override
	public Mono<McpServerStatus> refresh() {
		McpConnection connection = connection();
		// to connect for the first time is to list the tools
		return (connection.status().state() == McpServerState.IDLE) ? connection.reconnect() : connection.refresh();
	}

	@Override
	public String toString() {
		return "McpServer[" + name() + "]";
	}

	/**
	 * One connection, and what waits for it.
	 */
	final class Link implements McpConnectionListener {

		private final McpConnection connection;

		private final Sinks.Empty<Void> ready = Sinks.empty();

		private final AtomicReference<@Nullable Mono<Void>> firstUse = new AtomicReference<>();

		private Link(McpServerDefinition definition) {
			this.connection = ManagedServer.this.connectionFactory.apply(definition, this);
			if (!definition.enabled()) {
				this.ready.tryEmitEmpty();
			}
		}

		McpConnection connection() {
			return this.connection;
		}

		McpServerDefinition definition() {
			return this.connection.definition();
		}

		/**
		 * Connects the server, where nobody has so far. Users that arrive meanwhile share
		 * the attempt, and one that gives up does not cancel it.
		 * @param wait how long users wait, from the first one on
		 */
		@SuppressWarnings("NullAway")
		Mono<Void> firstUse(Duration wait) {
			return this.firstUse.updateAndGet((known) -> (known != null) ? known : Mono.defer(() -> {
				this.connection.start();
				return this.connection.firstAttempt();
			}).timeout(wait, Mono.empty(), ManagedServer.this.timer).cache());
		}

		/**
		 * Completes when the connection is READY or closed, or when the initialization
		 * timeout is over, and with it a first start that may take longer.
		 */
		Mono<Void> ready() {
			Duration limit = Times.atMostForever(definition().timeouts().initialization()).plus(GRACE);
			return this.ready.asMono().timeout(limit, this.connection.firstStart(), ManagedServer.this.timer);
		}

		@Override
		public void stateChanged(McpServerState previous, McpServerStatus status) {
			if (status.state() == McpServerState.READY || status.state() == McpServerState.CLOSED) {
				this.ready.tryEmitEmpty();
			}
			ManagedServer.this.events.stateChanged(previous, status);
		}

		@Override
		public void toolsChanged(List<Tool> tools) {
			ManagedServer.this.events.toolsChanged(this.connection, tools);
		}

		@Override
		public void promptsChanged() {
			ManagedServer.this.events.promptsChanged(name());
		}

		@Override
		public void resourcesChanged() {
			ManagedServer.this.events.resourcesChanged(name());
		}

	}

}
