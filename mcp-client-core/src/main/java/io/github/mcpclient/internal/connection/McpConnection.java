package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpUnsupportedException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.ConnectionObserver.ObservedConnection;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.ServerDescription;
import io.github.mcpclient.internal.session.SessionOptions;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The supervised connection to one server, which reconnects until it is closed. All
 * methods are thread-safe, and do not block. Their results are signalled on a thread that
 * must not block.
 */
public final class McpConnection implements ObservedConnection, ToolConnection {

	private final ConnectionContext context;

	private final McpServerDefinition definition;

	private final Supervisor supervisor;

	private final Calls calls;

	private final @Nullable UserConnections users;

	private final AtomicReference<@Nullable Object> kept = new AtomicReference<>();

	McpConnection(ConnectionContext context, Supervisor supervisor, Calls calls, @Nullable UserConnections users) {
		this.context = context;
		this.definition = context.definition();
		this.supervisor = supervisor;
		this.calls = calls;
		this.users = users;
	}

	@Override
	public String name() {
		return this.definition.name();
	}

	@Override
	public McpServerDefinition definition() {
		return this.definition;
	}

	@Override
	public McpServerStatus status() {
		return this.supervisor.status();
	}

	@Override
	public String line(String text) {
		return this.context.wording().line(text);
	}

	@Override
	public String masked(String text) {
		return this.context.wording().masked(text);
	}

	@Override
	public void deviation(McpServerDeviation.Kind kind, String detail) {
		this.context.deviations().add(kind, detail);
	}

	@Override
	public int deviationCount() {
		return this.context.deviations().size();
	}

	@Override
	public String transport() {
		return this.supervisor.state().type(this.definition);
	}

	@Override
	public McpServerState state() {
		return this.supervisor.state().name();
	}

	@Override
	public int pendingCount() {
		Generation generation = this.supervisor.state().readyGeneration();
		return (generation != null) ? generation.session().pendingCount() : 0;
	}

	@Override
	public @Nullable String instructions() {
		ServerDescription server = this.supervisor.state().server();
		return (server != null) ? server.instructions() : null;
	}

	@Override
	public List<Tool> tools() {
		return this.supervisor.lists().tools().items();
	}

	@Override
	public AtomicReference<@Nullable Object> kept() {
		return this.kept;
	}

	@Override
	public Instant now() {
		return this.context.now();
	}

	@Override
	public @Nullable Instant toolChangedAt(String name) {
		return this.supervisor.toolHistory().changedAt(name);
	}

	@Override
	public boolean isReady() {
		return this.supervisor.state().name() == McpServerState.READY;
	}

	boolean hasBeenReady() {
		return this.supervisor.state().server() != null;
	}

	/**
	 * Return whether a caller waits for this connection of a user, or for a response.
	 */
	boolean isBusy() {
		return this.supervisor.state().name() == McpServerState.CONNECTING || this.calls.hasPendingCalls();
	}

	@Override
	public boolean isForUsers() {
		ConnectionState state = this.supervisor.state();
		return this.users != null && (state.isWaitingForUsers() || state.callsWait());
	}

	@Override
	public Mono<McpConnection> forCaller() {
		return forCaller(Mono::just);
	}

	private <T> Mono<T> forCaller(Function<McpConnection, Mono<T>> use) {
		return (this.users == null) ? use.apply(this)
				: this.users.forCaller(this.supervisor)
					.defaultIfEmpty(this)
					.flatMap(use)
					.contextWrite(this::withThread);
	}

	@Override
	public Mono<McpConnection> forListing(Duration wait) {
		return (this.users == null) ? Mono.empty()
				: this.users.forListing(this.supervisor, wait).contextWrite(this::withThread);
	}

	@Override
	public Mono<Context> authorization() {
		return this.calls.authorization();
	}

	@Override
	public @Nullable Object authorization(ContextView context) {
		return this.calls.authorization(context);
	}

	@Override
	public Context withThread(Context caller) {
		return this.calls.withThread(caller);
	}

	@Override
	public boolean isAwayFor(Duration duration) {
		return this.supervisor.isAwayFor(duration);
	}

	/**
	 * Begin to connect, unless this was done before or the server is disabled.
	 */
	public void start() {
		this.supervisor.start();
	}

	/**
	 * Return a signal that completes when the first attempt to connect, which this does
	 * not begin, has ended, or there will be no attempt.
	 */
	public Mono<Void> firstAttempt() {
		return this.supervisor.firstAttempt();
	}

	/**
	 * Return a signal that completes when the current attempt has ended if it may take
	 * longer than others, since the server may have to be downloaded; immediately
	 * otherwise.
	 */
	public Mono<Void> firstStart() {
		return this.supervisor.firstStart();
	}

	/**
	 * Drop the connection, if any, and connect immediately, even if the result is not
	 * subscribed to; join an attempt in progress. Does nothing if the server is disabled
	 * or the connection closed. Signals the status after the attempt.
	 */
	public Mono<McpServerStatus> reconnect() {
		return this.supervisor.reconnect();
	}

	/**
	 * List all items of the server again, even if the result is not subscribed to. If a
	 * list cannot be obtained, the previous one remains. Fails with
	 * {@link McpServerUnavailableException} if the server is not connected, and with
	 * another {@link McpException} if the tools cannot be listed.
	 */
	public Mono<McpServerStatus> refresh() {
		return this.supervisor.refresh();
	}

	@Override
	public <T> Mono<T> call(Call<T> call) {
		return this.calls.call(call);
	}

	/**
	 * Return the known prompts, resources and resource templates of the server.
	 */
	public McpServerFeatures contents() {
		return this.supervisor.lists().snapshot();
	}

	/**
	 * Return the prompts once they are known. If they were never listed, connect, and
	 * fail as {@link #call} does.
	 */
	public Mono<List<Prompt>> prompts() {
		return list(ServerLists::prompts);
	}

	/**
	 * Return the resources, in the same way as {@link #prompts()}.
	 */
	public Mono<List<Resource>> resources() {
		return list(ServerLists::resources);
	}

	/**
	 * Return the resource templates, in the same way as {@link #prompts()}.
	 */
	public Mono<List<ResourceTemplate>> resourceTemplates() {
		return list(ServerLists::resourceTemplates);
	}

	<T> Mono<List<T>> list(Function<ServerLists, ServerList<T>> which) {
		return forCaller((own) -> own.calls.list(which));
	}

	/**
	 * Make a call that was made over the previous connection, but not sent.
	 */
	<T> Mono<T> callInstead(Call<T> call) {
		return forCaller((own) -> own.call(call));
	}

	/**
	 * Get a prompt as a repeatable {@link #call}. Fails in the same way, and with
	 * {@link McpUnsupportedException} if the server has no prompts.
	 */
	public Mono<GetPromptResult> getPrompt(GetPromptRequest request) {
		return read("prompts", this.definition.prompts().enabled(), "prompts", Call.prompt(request, timeout()));
	}

	/**
	 * Read a resource, in the same way as {@link #getPrompt}.
	 */
	public Mono<ReadResourceResult> readResource(ReadResourceRequest request) {
		return read("resources", this.definition.resources().enabled(), "resources", Call.resource(request, timeout()));
	}

	/**
	 * Subscribe to a resource, in the same way as {@link #getPrompt}, now and whenever
	 * the server is connected again. The subscriptions of a user end with the user's
	 * connection.
	 */
	public Mono<Void> subscribe(String uri) {
		return forCaller((own) -> own.replayed().subscribe(uri, own::subscription));
	}

	/**
	 * End a subscription, even if the server cannot be notified.
	 */
	public Mono<Void> unsubscribe(String uri) {
		return forCaller((own) -> own.replayed().unsubscribe(uri, own::subscription));
	}

	private SessionOptions.Replayed replayed() {
		return this.context.options().replayed();
	}

	private Mono<Boolean> subscription(Call<Boolean> call) {
		return read("resources", this.definition.resources().enabled(), "resources.subscribe", call);
	}

	/**
	 * Complete an argument, in the same way as {@link #getPrompt}.
	 */
	public Mono<CompleteResult> complete(CompleteRequest request) {
		boolean ofPrompt = request.ref() instanceof PromptReference;
		return read(ofPrompt ? "prompts" : "resources",
				ofPrompt ? this.definition.prompts().enabled() : this.definition.resources().enabled(), "completions",
				Call.completion(request, timeout()));
	}

	private <T> Mono<T> read(String setting, boolean enabled, String capability, Call<T> call) {
		if (!enabled) {
			return Mono.error(() -> new McpUnsupportedException(name(), call.method(),
					line(PropertyNames.ofServer(name(), setting) + ".enabled is false")));
		}
		return forCaller((own) -> own.calls.call(call.checkedBy(() -> {
			ServerDescription server = own.supervisor.state().server();
			return (server == null || server.mayHave(capability)) ? null : new McpUnsupportedException(name(),
					call.method(), "it does not declare the capability '" + capability + "'");
		})));
	}

	private Duration timeout() {
		return this.definition.timeouts().request();
	}

	/**
	 * Return whether this connection also serves another definition: one that differs in
	 * the tools alone, and not in secrets, which are masked from the beginning.
	 */
	public boolean serves(McpServerDefinition other) {
		return other.equalsButTools(definition()) && McpServerSecrets.areFixedArgumentsKnown(other, definition());
	}

	/**
	 * Do not start a child process before the child process of the replaced connection
	 * has ended. Must be called before this connection is used.
	 */
	public void follow(McpConnection predecessor) {
		this.supervisor.follow(predecessor.supervisor);
	}

	/**
	 * Close the connection permanently, even if the result is not subscribed to; pending
	 * calls fail with {@link McpServerUnavailableException}. Completes when the transport
	 * is closed, within eight seconds.
	 */
	public Mono<Void> close() {
		return (this.users != null) ? close("The application has stopped.") : this.supervisor.close(null);
	}

	/**
	 * Close the connection for a reason: a sentence, which is the
	 * {@linkplain McpServerStatus#lastError() last error} from then on.
	 */
	public Mono<Void> close(String reason) {
		Mono<Void> closed = this.supervisor.close(reason);
		return (this.users != null) ? Mono.whenDelayError(this.users.close(reason), closed) : closed;
	}

	/**
	 * Close the connection for a reason once its pending calls have ended, or immediately
	 * if it is {@linkplain #close() closed}. Its state is closed from now on. Completes
	 * as {@link #close()} does.
	 * @param next the connection for calls that were not sent yet, or {@code null} if
	 * they fail
	 */
	public Mono<Void> drain(String reason, @Nullable McpConnection next) {
		this.calls.goOn(next);
		Mono<Void> closed = this.supervisor.drain(reason);
		return (this.users != null) ? Mono.whenDelayError(this.users.drain(reason, next), closed) : closed;
	}

}
