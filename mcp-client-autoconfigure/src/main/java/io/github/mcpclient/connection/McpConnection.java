package io.github.mcpclient.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Feature;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpUnsupportedException;
import io.github.mcpclient.session.Call;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.ProtocolVersions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The supervised connection to one server: it connects, notices the loss of the
 * connection, and reconnects, until it is closed. All methods are safe for use by many
 * threads, and none blocks. What they return signals on a thread that must not block.
 */
public final class McpConnection {

	private final McpServerDefinition definition;

	private final Supervisor supervisor;

	private final Calls calls;

	McpConnection(McpServerDefinition definition, Supervisor supervisor, Calls calls) {
		this.definition = definition;
		this.supervisor = supervisor;
		this.calls = calls;
	}

	/**
	 * Return the configured name of the server.
	 */
	public String name() {
		return this.definition.name();
	}

	/**
	 * Return the definition of the server.
	 */
	public McpServerDefinition definition() {
		return this.definition;
	}

	/**
	 * Return a snapshot of the state.
	 */
	public McpServerStatus status() {
		return this.supervisor.status();
	}

	/**
	 * Return the tools that the server offered when it was last asked, in its order. They
	 * stay while it is not connected.
	 */
	public List<Tool> tools() {
		return this.supervisor.lists().tools().items();
	}

	/**
	 * Return when the server was last seen to define a tool in another way than before,
	 * or {@code null} where it is as it was first listed.
	 */
	public @Nullable Instant toolChangedAt(String name) {
		return this.supervisor.toolHistory().changedAt(name);
	}

	/**
	 * Return whether the state is {@link McpServerState#READY}.
	 */
	public boolean isReady() {
		return this.supervisor.state().name() == McpServerState.READY;
	}

	/**
	 * Return whether the server has not been READY for that time, or longer.
	 */
	public boolean isAwayFor(Duration duration) {
		return this.supervisor.isAwayFor(duration);
	}

	/**
	 * Begin to connect. Does nothing where that was done before, or where the server is
	 * disabled.
	 */
	public void start() {
		this.supervisor.start();
	}

	/**
	 * Completes when the first attempt to connect has ended, well or not, or when there
	 * will be none: the server is disabled or the connection was closed. Does not begin
	 * it.
	 */
	public Mono<Void> firstAttempt() {
		return this.supervisor.firstAttempt();
	}

	/**
	 * Completes when the attempt that is running has ended, well or not, if it may take
	 * longer than others, since the server may have to be downloaded; at once otherwise.
	 */
	public Mono<Void> firstStart() {
		return this.supervisor.firstStart();
	}

	/**
	 * Drop the present connection, if any, and connect again without waiting for the next
	 * planned attempt. Starts at once, whether or not the result is subscribed to;
	 * requests made while an attempt is running join it. Does nothing where the server is
	 * disabled or the connection closed. Signals the status when the attempt has ended,
	 * well or not.
	 */
	public Mono<McpServerStatus> reconnect() {
		return this.supervisor.reconnect();
	}

	/**
	 * List the tools of the server again, and all else that it lists. Starts at once,
	 * whether or not the result is subscribed to. A refresh that fails keeps what was
	 * known so far. Fails with {@link McpServerUnavailableException} where the server is
	 * not connected, and with another {@link McpException} where the listing of the tools
	 * failed.
	 */
	public Mono<McpServerStatus> refresh() {
		return this.supervisor.refresh();
	}

	/**
	 * Make a call: once for each subscription. A subscription that is cancelled cancels
	 * the call at the server.
	 *
	 * <p>
	 * A call that meets the loss of the connection is repeated, once, when the connection
	 * is back within the call's timeout, and the server cannot have acted on it or the
	 * call is repeatable.
	 *
	 * <p>
	 * Where the server is not connected the call fails at once. It waits, within its
	 * timeout, only for the very first attempt to connect, which it begins if need be,
	 * and while a session that the server has dropped is replaced by a new one. Giving up
	 * does not cancel the attempt, which others may share.
	 *
	 * <p>
	 * Fails with {@link McpServerUnavailableException},
	 * {@link McpRequestTimeoutException}, {@link McpProtocolException},
	 * {@link McpConnectionException}, or with what the check of the call says.
	 */
	public <T> Mono<T> call(Call<T> call) {
		return this.calls.call(call);
	}

	/**
	 * Return what the server has beside its tools, as far as it is known. It is listed
	 * once the server is connected, and stays while it is not.
	 */
	public McpServerFeatures contents() {
		return this.supervisor.lists().snapshot();
	}

	/**
	 * Return the prompts of the server, once they are known: they are listed after the
	 * connection is READY. Begins to connect as {@link #call} does, and fails as that
	 * does where they were never listed.
	 */
	public Mono<List<Prompt>> prompts() {
		return this.calls.list(this.supervisor.lists().prompts());
	}

	/**
	 * Return the resources of the server, as {@link #prompts()} does for prompts.
	 */
	public Mono<List<Resource>> resources() {
		return this.calls.list(this.supervisor.lists().resources());
	}

	/**
	 * Return the resource templates of the server, as {@link #prompts()} does for
	 * prompts.
	 */
	public Mono<List<ResourceTemplate>> resourceTemplates() {
		return this.calls.list(this.supervisor.lists().resourceTemplates());
	}

	/**
	 * Ask for the messages of a prompt, once for each subscription. Waits and is repeated
	 * as a call of a read-only tool, see {@link #call}; fails as that does, and with
	 * {@link McpUnsupportedException} where the server has no prompts.
	 */
	public Mono<GetPromptResult> getPrompt(GetPromptRequest request) {
		return read(McpSchema.METHOD_PROMPT_GET, "prompts", this.definition.prompts(), "prompts",
				(server) -> server.capabilities().prompts() != null,
				(check) -> Call.prompt(request, this.definition.timeouts().request(), check));
	}

	/**
	 * Read a resource, as {@link #getPrompt} asks for a prompt.
	 */
	public Mono<ReadResourceResult> readResource(ReadResourceRequest request) {
		return read(McpSchema.METHOD_RESOURCES_READ, "resources", this.definition.resources(), "resources",
				(server) -> server.capabilities().resources() != null,
				(check) -> Call.resource(request, this.definition.timeouts().request(), check));
	}

	/**
	 * Ask for completions of an argument, as {@link #getPrompt} asks for a prompt.
	 */
	public Mono<CompleteResult> complete(CompleteRequest request) {
		boolean ofPrompt = request.ref() instanceof PromptReference;
		return read(McpSchema.METHOD_COMPLETION_COMPLETE, ofPrompt ? "prompts" : "resources",
				ofPrompt ? this.definition.prompts() : this.definition.resources(), "completions",
				// the first revision had completion, but no capability for it
				(server) -> server.capabilities().completions() != null
						|| ProtocolVersions.MCP_2024_11_05.equals(server.protocolVersion()),
				(check) -> Call.completion(request, this.definition.timeouts().request(), check));
	}

	private <T> Mono<T> read(String method, String setting, Feature settings, String capability,
			Predicate<InitializeResult> offered, Function<Call.Check, Call<T>> call) {
		if (!settings.enabled()) {
			return Mono.error(() -> new McpUnsupportedException(name(), method,
					"mcp.servers." + name() + "." + setting + ".enabled is false"));
		}
		return this.calls.call(call.apply(() -> {
			InitializeResult server = this.supervisor.state().server();
			return (server == null || offered.test(server)) ? null : new McpUnsupportedException(name(), method,
					"it does not declare the capability '" + capability + "'");
		}));
	}

	/**
	 * Begin no child process before that of the connection that this one replaces has
	 * ended. To be called before this connection is used.
	 */
	public void follow(McpConnection predecessor) {
		this.supervisor.follow(predecessor.supervisor);
	}

	/**
	 * Close the connection for good. Starts at once, whether or not the result is
	 * subscribed to; pending calls fail with {@link McpServerUnavailableException}.
	 * Completes when the transport is closed, after eight seconds at the latest.
	 */
	public Mono<Void> close() {
		return this.supervisor.close(null);
	}

	/**
	 * Close the connection for good, as {@link #close()} does, with a reason: a sentence,
	 * the {@linkplain McpServerStatus#lastError() last error} from then on.
	 */
	public Mono<Void> close(String reason) {
		return this.supervisor.close(reason);
	}

}
