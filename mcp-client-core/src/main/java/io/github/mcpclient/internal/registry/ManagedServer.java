package io.github.mcpclient.internal.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpInterruptedException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.authorization.McpAuthorizationStatus;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Timeouts;
import io.github.mcpclient.event.McpPromptsChangedEvent;
import io.github.mcpclient.event.McpResourcesChangedEvent;
import io.github.mcpclient.event.McpServerNotification;
import io.github.mcpclient.internal.connection.McpConnection;
import io.github.mcpclient.internal.connection.McpConnectionListener;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.Monos;
import io.github.mcpclient.internal.support.RecentItems;
import io.github.mcpclient.internal.support.SendState;
import io.github.mcpclient.internal.tool.ToolServer;
import io.github.mcpclient.internal.validation.McpServerDefinitions.DefinedServer;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.management.McpServerOrigin;
import io.github.mcpclient.management.McpServerSetting;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.spi.TransportException;
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

/**
 * The stable handle of one server. It gets a new connection after each start of the
 * registry, and after the server was replaced.
 */
final class ManagedServer implements ManagedMcpServer {

	// for an attempt that uses its full time before it reports its failure
	private static final Duration GRACE = Duration.ofMillis(500);

	// a request ends by itself after its time limit; this is the last resort of a caller
	private static final Duration LAST_RESORT = Duration.ofSeconds(3);

	// the same for management operations, which may first close a connection, or store
	// data
	private static final Duration LAST_RESORT_OF_CHANGES = Duration.ofSeconds(45);

	private static final String CLOSED = "The server is closed";

	private static final String WHY_CLOSED = "It was removed, replaced or disabled, or the application is stopping.";

	private final String name;

	private volatile DefinedServer defined;

	private final DefaultMcpServerRegistry registry;

	private final ServerMessages messages;

	private final ToolServer.Scope scope;

	private final RecentItems<StateChange> states = new RecentItems<>();

	private final @Nullable MessageJournal journal;

	private volatile Link link;

	ManagedServer(DefinedServer server, DefaultMcpServerRegistry registry) {
		this.name = server.name();
		this.defined = server;
		this.registry = registry;
		this.messages = registry.events().messages(this.name, registry.timer());
		this.journal = registry.messageMemory().journal();
		this.scope = new ToolServer.Scope(this, registry.events()::publish);
		this.link = new Link(server.definition());
	}

	Link newLink(McpServerDefinition definition) {
		return new Link(definition);
	}

	/**
	 * Use a connection, which may be the present one, with the rules of a definition.
	 */
	void use(Link next, McpServerDefinition definition) {
		Link previous = this.link;
		if (next != previous) {
			next.connection.follow(previous.connection);
			this.link = next;
		}
		else if (definition != next.definition()) {
			next.server = new ToolServer(definition, next.connection, this.scope);
		}
	}

	@Override
	public McpServerDefinition definition() {
		return this.link.definition();
	}

	@Override
	public McpServerOrigin origin() {
		return this.defined.origin();
	}

	/**
	 * Use the current configuration of the server, which already applies to the
	 * connection.
	 */
	void configure(DefinedServer server) {
		this.defined = server;
	}

	/**
	 * Return whether the server is configured, and code has at most enabled or disabled
	 * it.
	 */
	boolean isAsConfigured() {
		return isConfigured() && !isReplaced();
	}

	private boolean isConfigured() {
		return Reconfiguration.isConfigured(origin());
	}

	List<Problem> problems() {
		return (this.defined.problems().isEmpty() || isReplaced()) ? List.of() : this.defined.problems();
	}

	private boolean isReplaced() {
		McpServerDefinition defined = this.defined.definition();
		return !definition().mutate().enabled(defined.enabled()).build().equals(defined);
	}

	@Override
	public @Nullable McpAuthorizationStatus authorization() {
		return this.registry.authorization(definition());
	}

	@Override
	public List<McpServerSetting> settings() {
		return isReplaced() ? List.of()
				: this.defined.settings()
					.get()
					.stream()
					.map((setting) -> new McpServerSetting(setting.name(), connection().line(setting.value()),
							connection().line(setting.origin())))
					.toList();
	}

	McpConnection connection() {
		return this.link.connection;
	}

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
	public void reportDeviation(McpServerDeviation.Kind kind, String detail) {
		connection().deviation(kind, detail);
	}

	@Override
	public @Nullable String instructions() {
		return connection().instructions();
	}

	@Override
	public List<McpTool> tools() {
		return this.registry.catalog().toolsOf(connection());
	}

	@Override
	public List<ExcludedTool> excludedTools() {
		List<ExcludedTool> excluded = new ArrayList<>(this.registry.catalog().excludedToolsOf(connection()));
		for (McpTool tool : tools()) {
			String refusal = this.registry.application().refusal(tool);
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
	public List<McpToolPin> toolPins() {
		return this.registry.catalog().servers().pinsOf(this.name);
	}

	@Override
	public void approveTools(Map<String, String> hashes) {
		awaitChange("approveTools", approveToolsAsync(hashes).thenReturn(true));
	}

	@Override
	public Mono<Void> approveToolsAsync(Map<String, String> hashes) {
		return Mono.defer(() -> this.registry.catalog().servers().approve(this.name, hashes));
	}

	@Override
	public List<RecentCall> recentCalls() {
		return this.scope.calls().list();
	}

	@Override
	public List<StateChange> recentStates() {
		return this.states.list();
	}

	@Override
	public List<RecentMessage> recentMessages(long after) {
		return (this.journal != null) ? this.journal.after(after) : List.of();
	}

	/**
	 * Discard the messages of a server that is removed.
	 */
	void forgetMessages() {
		if (this.journal != null) {
			this.journal.close();
		}
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
		return Mono
			.defer(() -> connection().getPrompt(new GetPromptRequest(name, new LinkedHashMap<>(arguments), null)));
	}

	@Override
	public ReadResourceResult readResource(String uri) {
		return await("readResource", readResourceAsync(uri));
	}

	@Override
	public Mono<ReadResourceResult> readResourceAsync(String uri) {
		return Mono.defer(() -> connection().readResource(new ReadResourceRequest(uri, null)));
	}

	@Override
	public void subscribe(String uri) {
		await("subscribe", subscribeAsync(uri).thenReturn(true));
	}

	@Override
	public Mono<Void> subscribeAsync(String uri) {
		return Mono.defer(() -> connection().subscribe(uri));
	}

	@Override
	public void unsubscribe(String uri) {
		await("unsubscribe", unsubscribeAsync(uri).thenReturn(true));
	}

	@Override
	public Mono<Void> unsubscribeAsync(String uri) {
		return Mono.defer(() -> connection().unsubscribe(uri));
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
		checkThread(method, name());
		Duration timeout = Deadline.atMostForever(definition().timeouts().request());
		SendState sent = new SendState();
		return Objects.requireNonNull(Monos.await(answer.contextWrite(sent::in), timeout.plus(LAST_RESORT),
				(cause) -> new McpInterruptedException(name(), method, !sent.isSent(), cause),
				() -> new McpRequestTimeoutException(name(), method, timeout, sent.isSent(), !sent.isSent(), null)));
	}

	/**
	 * Wait for the end of an operation that continues without its callers.
	 */
	<T> T awaitChange(String method, Mono<T> change) {
		checkThread(method, name());
		Duration limit = changeLimit();
		return Objects.requireNonNull(
				Monos.await(change, limit, (cause) -> new McpInterruptedException(name(), method, false, cause),
						() -> new McpRequestTimeoutException(name(), method, limit, false, false, "its timeouts")));
	}

	private Duration changeLimit() {
		Timeouts timeouts = definition().timeouts();
		Duration longest = Stream.of(timeouts.initialization(), timeouts.firstStart(), timeouts.request())
			.max(Comparator.naturalOrder())
			.get();
		return Deadline.atMostForever(longest).plus(LAST_RESORT_OF_CHANGES);
	}

	static void checkThread(String method, String serverName) {
		Monos.checkThread(method + " of MCP server '%s'", serverName, method + "Async");
	}

	@Override
	public McpServerStatus reconnect() {
		return awaitChange("reconnect", reconnectAsync());
	}

	@Override
	public Mono<McpServerStatus> reconnectAsync() {
		return Mono.defer(() -> connection().reconnect());
	}

	@Override
	public McpServerStatus refresh() {
		return awaitChange("refresh", refreshAsync());
	}

	@Override
	public Mono<McpServerStatus> refreshAsync() {
		return Mono.defer(() -> {
			McpConnection connection = connection();
			// the first connection also lists the tools
			return (connection.status().state() == McpServerState.IDLE) ? connection.reconnect() : connection.refresh();
		});
	}

	@Override
	public McpDiagnosis diagnose() {
		return awaitChange("diagnose", diagnoseAsync());
	}

	@Override
	public Mono<McpDiagnosis> diagnoseAsync() {
		return Mono.defer(() -> {
			McpServerStatus status = status();
			return (status.state() != McpServerState.CLOSED) ? this.link.check(definition().timeouts().initialization())
					: Mono.just(new McpDiagnosis(name(), status.since(), Duration.ZERO, List
						.of(new Step(StepKind.CONFIGURATION, Outcome.FAILED, Duration.ZERO, CLOSED, WHY_CLOSED))));
		});
	}

	@Override
	public String toString() {
		return "McpServer[" + name() + "]";
	}

	/**
	 * One connection, with the operations that wait for it.
	 */
	final class Link implements McpConnectionListener {

		private final McpConnection connection;

		private volatile ToolServer server;

		private final Sinks.Empty<Void> ready = Sinks.empty();

		private final Mono<Void> firstUse;

		// the check in progress
		private final AtomicReference<@Nullable Mono<McpDiagnosis>> check = new AtomicReference<>();

		private final Sinks.Empty<Void> closing = Sinks.empty();

		private volatile boolean hopeless;

		private Link(McpServerDefinition definition) {
			this.connection = ManagedServer.this.registry.connector().create(definition, isConfigured(), this);
			this.server = new ToolServer(definition, this.connection, ManagedServer.this.scope);
			this.firstUse = Mono.defer(() -> {
				this.connection.start();
				return this.connection.firstAttempt();
			})
				.timeout(ManagedServer.this.registry.startupWait(), Mono.empty(), ManagedServer.this.registry.timer())
				.cache();
			if (!definition.enabled()) {
				this.ready.tryEmitEmpty();
			}
		}

		McpConnection connection() {
			return this.connection;
		}

		McpServerDefinition definition() {
			return this.server.definition();
		}

		ToolServer server() {
			return this.server;
		}

		/**
		 * Return whether the connection can stay open, since a definition differs only in
		 * the rules for its tools.
		 */
		boolean serves(McpServerDefinition definition) {
			return !definition.equals(definition()) && this.connection.serves(definition);
		}

		/**
		 * Check the server, or share the check in progress; until this is closed.
		 */
		Mono<McpDiagnosis> check(Duration limit) {
			Mono<McpDiagnosis> next = ManagedServer.this.registry.connector()
				.check(definition(), isConfigured(), limit, this.closing.asMono())
				// before its callers are notified: a caller that then starts a check gets
				// a new one
				.doOnTerminate(() -> this.check.set(null))
				.cache();
			Mono<McpDiagnosis> running = this.check.compareAndExchange(null, next);
			return (running != null) ? running : next;
		}

		/**
		 * Close the connection for a reason, together with resources of a check.
		 */
		Mono<Void> close(@Nullable String reason) {
			return closed((reason != null) ? this.connection.close(reason) : this.connection.close());
		}

		/**
		 * Close the connection for a reason once its calls have ended.
		 * @param next the connection for new calls, if any
		 */
		Mono<Void> drain(String reason, @Nullable McpConnection next) {
			return closed(this.connection.drain(reason, next));
		}

		private Mono<Void> closed(Mono<Void> closed) {
			this.closing.tryEmitError(new TransportException(CLOSED, WHY_CLOSED, null).at(StepKind.CONFIGURATION));
			Mono<McpDiagnosis> running = this.check.get();
			return (running != null) ? Mono.when(running, closed) : closed;
		}

		boolean isHopeless() {
			return this.hopeless;
		}

		/**
		 * Connect the server, if it is not connected yet. Concurrent users share the
		 * attempt and its time limit, and none of them can cancel it.
		 */
		Mono<Void> firstUse() {
			return this.firstUse;
		}

		/**
		 * Complete when the connection is READY or closed, or when the initialization
		 * timeout and the timeout of a first start, which may be longer, are over. Fails
		 * if waiting has no effect.
		 */
		Mono<Void> ready() {
			Duration limit = Deadline.atMostForever(definition().timeouts().initialization()).plus(GRACE);
			return this.ready.asMono()
				.timeout(limit, this.connection.firstStart(), ManagedServer.this.registry.timer());
		}

		@Override
		public void stateChanged(McpServerState previous, McpServerStatus status) {
			if (DefaultMcpServerRegistry.SETTLED.contains(status.state())) {
				this.ready.tryEmitEmpty();
			}
			ManagedServer.this.states.add(new StateChange(status.state(), status.since(), status.lastError()));
			events().stateChanged(previous, status);
		}

		@Override
		public Mono<Void> toolsListed(@Nullable ToolConnection user, List<Tool> tools, Set<String> capabilities) {
			ToolServer listing = (user != null) ? new ToolServer(definition(), user, ManagedServer.this.scope)
					: this.server;
			return ManagedServer.this.registry.catalog()
				.servers()
				.listed(listing, user != null, tools, capabilities, events()::catalogChanged);
		}

		@Override
		public void toolsChanged(List<Tool> tools) {
			ManagedServer.this.registry.catalog().servers().update(this.connection, tools, events()::catalogChanged);
		}

		@Override
		public void toolsWithdrawn() {
			ManagedServer.this.registry.catalog().servers().withdraw(this.connection, events()::catalogChanged);
		}

		@Override
		public void promptsChanged() {
			events().publish(new McpPromptsChangedEvent(name()));
		}

		@Override
		public void resourcesChanged() {
			events().publish(new McpResourcesChangedEvent(name()));
		}

		@Override
		public void notified(McpServerNotification notification) {
			ManagedServer.this.messages.notified(notification);
		}

		@Override
		public void failed(McpException failure) {
			ManagedServer.this.messages.failed(failure);
		}

		@Override
		public boolean wantsNotifications() {
			return !events().listeners().isEmpty();
		}

		@Override
		public @Nullable Consumer<RecentMessage> recorder() {
			MessageJournal journal = ManagedServer.this.journal;
			return (journal != null) ? journal::add : null;
		}

		@Override
		public void waitIsOver() {
			this.hopeless = true;
			this.ready.tryEmitError(new McpServerUnavailableException(status()));
		}

		@Override
		public boolean wantsProgress() {
			return events().wantsProgress();
		}

		private RegistryEvents events() {
			return ManagedServer.this.registry.events();
		}

	}

}
