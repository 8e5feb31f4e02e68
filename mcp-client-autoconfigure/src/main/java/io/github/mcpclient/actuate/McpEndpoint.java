package io.github.mcpclient.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.spi.McpToolClientMismatches;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.util.Assert;

/**
 * {@link Endpoint @Endpoint} that shows the state of all MCP servers and, if write access
 * is granted, reconnects, refreshes, enables or disables a server, approves its tools, or
 * reloads the configuration. Reading contacts no server, except for a diagnosis. Names,
 * titles, descriptions, schemas, hints and the lines of standard error come from the
 * servers and are untrusted.
 */
@RegisterReflectionForBinding({ McpEndpoint.ActionDescriptor.class, McpEndpoint.DiagnosisDescriptor.class,
		McpEndpoint.ReloadDescriptor.class })
@Endpoint(id = "mcp", defaultAccess = Access.READ_ONLY)
public class McpEndpoint {

	// less than the 30 s after which Tomcat ends an asynchronous request
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);

	private static final String LATE = "Still in progress after " + LONGEST_WAIT.toSeconds()
			+ " s. Read the state again later.";

	private static final String DIAGNOSIS = "diagnosis";

	private final McpServerManager manager;

	private final Scheduler timer;

	private final boolean enabled;

	private final Supplier<List<String>> warnings;

	private final McpToolClientMismatches clients;

	private final Supplier<@Nullable McpServerReloader> reloader;

	/**
	 * Create an endpoint.
	 * @param manager the servers to show
	 * @param timer limits the time of actions
	 * @param enabled whether the client is enabled
	 * @param warnings the warnings about the configuration
	 * @param clients the mismatches between declared clients and their servers
	 * @param reloader the reloader of the configuration, or {@code null} if it cannot be
	 * reloaded
	 */
	public McpEndpoint(McpServerManager manager, Scheduler timer, boolean enabled, Supplier<List<String>> warnings,
			McpToolClientMismatches clients, Supplier<@Nullable McpServerReloader> reloader) {
		this.manager = manager;
		this.timer = timer;
		this.enabled = enabled;
		this.warnings = warnings;
		this.clients = clients;
		this.reloader = reloader;
	}

	/**
	 * Return the state of all servers.
	 * @return the servers by name, in the order of their configuration
	 */
	@ReadOperation
	public ServersDescriptor servers() {
		// the others are shown with their servers
		Stream<String> clients = this.clients.mismatches()
			.stream()
			.filter((client) -> this.manager.find(client.serverName()).isEmpty())
			.flatMap((client) -> client.mismatches()
				.stream()
				.map((one) -> "Declared MCP client " + client.client() + ": " + one));
		return new ServersDescriptor(this.enabled ? null : false,
				Stream.concat(this.warnings.get().stream(), clients).toList(), failure(),
				McpServerDescriptor.all(this.manager));
	}

	/**
	 * Return the state of a server and its tools, prompts and resources.
	 * @param server the name of the server
	 * @return the server, or {@code null} if there is no server with that name
	 */
	@ReadOperation
	public @Nullable McpServerDetailsDescriptor server(@Selector String server) {
		return this.manager.find(server).map(this::details).orElse(null);
	}

	McpServerDetailsDescriptor requiredServer(String server) {
		return details(this.manager.server(server));
	}

	private McpServerDetailsDescriptor details(ManagedMcpServer server) {
		return McpServerDetailsDescriptor.of(server, this.clients.mismatches());
	}

	/**
	 * Check a server, with a separate connection or child process. The only detail of a
	 * server is {@code diagnosis}: the path is {@code {server}/diagnosis}.
	 * @param server the name of the server
	 * @param detail {@code diagnosis}
	 * @return the result, after 22 s at the latest, or {@code null} if there is no such
	 * server or detail
	 */
	@ReadOperation
	public @Nullable Mono<DiagnosisDescriptor> detail(@Selector String server, @Selector String detail) {
		return (DIAGNOSIS.equals(detail) && this.manager.find(server).isPresent()) ? diagnose(server) : null;
	}

	/**
	 * Check a server. One check of a server runs at a time; concurrent callers share its
	 * result.
	 * @param server the name of the server
	 * @return the result, after 22 s at the latest; fails with
	 * {@link NoSuchMcpServerException} if there is no server of that name
	 * @see ManagedMcpServer#diagnose()
	 */
	public Mono<DiagnosisDescriptor> diagnose(String server) {
		return Mono.defer(() -> this.manager.server(server).diagnoseAsync()).map(DiagnosisDescriptor::of);
	}

	/**
	 * Reconnect a server, list its tools, prompts and resources again, enable or disable
	 * it, or approve the definition of one of its tools.
	 * @param server the name of the server
	 * @param action {@code reconnect}, {@code refresh}, {@code enable}, {@code disable}
	 * or {@code approve}, ignoring case
	 * @param tool to approve: the name that the server gives to the tool
	 * @param hash of the definition to approve
	 * @return acts once for each subscription: the server after the action, or after 25 s
	 * if the action takes longer. Fails with {@link NoSuchMcpServerException} if there is
	 * no server of that name, with {@link InvalidEndpointRequestException} if the action
	 * is unknown, or its tool is missing, and with {@link IllegalArgumentException} if
	 * the server does not list the tool with this hash now, or the definition of a server
	 * to enable is not valid
	 */
	@WriteOperation
	public Mono<ActionDescriptor> act(@Selector String server, @Nullable String action, @Nullable String tool,
			@Nullable String hash) {
		return Mono.defer(() -> {
			ManagedMcpServer target = this.manager.server(server);
			return answer(target, action(action, target, tool, hash));
		});
	}

	/**
	 * Approve definitions of tools, all of these or none.
	 * @param server the name of the server
	 * @param hashes the hash of each tool, by the name that the server gives to it
	 * @return as {@link #act} does
	 * @see ManagedMcpServer#approveTools(Map)
	 */
	public Mono<ActionDescriptor> approve(String server, Map<String, String> hashes) {
		return Mono.defer(() -> {
			ManagedMcpServer target = this.manager.server(server);
			return answer(target, approve(target, hashes));
		});
	}

	/**
	 * Reload the configuration of the servers.
	 * @param action {@code reload}, ignoring case
	 * @return acts once for each subscription: what has changed, or why nothing has;
	 * after 25 s at the latest. Fails with {@link InvalidEndpointRequestException} if the
	 * action is another, and with {@link IllegalStateException} if the client is
	 * disabled, or cannot be reloaded
	 * @see McpServerReloader
	 */
	@WriteOperation
	public Mono<ReloadDescriptor> reload(@Nullable String action) {
		return Mono.defer(() -> {
			if (!"reload".equalsIgnoreCase(action)) {
				throw refusal((action != null) ? "Unknown 'action'" : "Missing 'action'", "must be \"reload\".");
			}
			McpServerReloader reloader = this.reloader.get();
			Assert.state(reloader != null,
					"The MCP servers of this application cannot be reloaded, because the application defines an "
							+ "McpServerRegistry bean");
			return reloader.reloadAsync()
				.map((changes) -> new ReloadDescriptor(changes, null))
				.timeout(LONGEST_WAIT,
						Mono.fromSupplier(
								() -> new ReloadDescriptor(null, new ReloadFailureDescriptor(null, LATE, List.of()))),
						this.timer)
				.onErrorResume((ex) -> {
					ReloadFailureDescriptor failure = failure();
					return (failure != null) ? Mono.just(new ReloadDescriptor(null, failure)) : Mono.error(ex);
				});
		});
	}

	private @Nullable ReloadFailureDescriptor failure() {
		McpServerReloader reloader = this.reloader.get();
		return (reloader != null) ? reloader.failure().map(ReloadFailureDescriptor::of).orElse(null) : null;
	}

	private Mono<ActionDescriptor> answer(ManagedMcpServer target, Mono<McpServerStatus> action) {
		return action.map((status) -> new ActionDescriptor(McpServerDescriptor.of(target, status), null))
			.timeout(LONGEST_WAIT, state(target, LATE), this.timer)
			.onErrorResume((ex) -> ex instanceof McpException && !(ex instanceof NoSuchMcpServerException),
					(ex) -> state(target, ex.getMessage()));
	}

	private static Mono<ActionDescriptor> state(ManagedMcpServer server, @Nullable String error) {
		return Mono.fromSupplier(() -> new ActionDescriptor(McpServerDescriptor.of(server, server.status()), error));
	}

	private Mono<McpServerStatus> action(@Nullable String action, ManagedMcpServer server, @Nullable String tool,
			@Nullable String hash) {
		String known = (action != null) ? action.toLowerCase(Locale.ROOT) : "";
		return switch (known) {
			case "enable" -> this.manager.enableAsync(server.name());
			case "disable" -> this.manager.disableAsync(server.name());
			case "reconnect" -> server.reconnectAsync();
			case "refresh" -> server.refreshAsync();
			case "approve" -> {
				if (tool == null || hash == null) {
					throw refusal("Missing 'tool' or 'hash'",
							"must be a tool to approve, and the hash of its definition.");
				}
				yield approve(server, Map.of(tool, hash));
			}
			// the action is the caller's input and stays out of the message
			default -> throw refusal((action != null) ? "Unknown 'action'" : "Missing 'action'",
					"must be \"reconnect\", \"refresh\", \"enable\", \"disable\" or \"approve\".");
		};
	}

	private static Mono<McpServerStatus> approve(ManagedMcpServer server, Map<String, String> hashes) {
		return server.approveToolsAsync(hashes).then(Mono.fromSupplier(server::status));
	}

	private static InvalidEndpointRequestException refusal(String problem, String rule) {
		return new InvalidEndpointRequestException(problem + ": " + rule, problem);
	}

	/**
	 * All servers by name; {@code enabled} only if the client is disabled,
	 * {@code warnings} of the configuration only if there are any, and
	 * {@code reloadFailure} only if it could not be reloaded.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ServersDescriptor(@Nullable Boolean enabled, @JsonInclude(Include.NON_EMPTY) List<String> warnings,
			@Nullable ReloadFailureDescriptor reloadFailure,
			Map<String, McpServerDescriptor> servers) implements OperationResponseBody {
	}

	/**
	 * The state of a server after an action, and why the action failed, if it did.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ActionDescriptor(@JsonUnwrapped McpServerDescriptor status,
			@Nullable String error) implements OperationResponseBody {
	}

	/**
	 * The changes by a reload of the configuration, or the reason of its failure.
	 */
	public record ReloadDescriptor(@JsonUnwrapped @Nullable McpReload changes,
			@JsonUnwrapped @Nullable ReloadFailureDescriptor failure) implements OperationResponseBody {
	}

	/**
	 * Why the configuration was not reloaded; {@code since} is the time of the first
	 * failed attempt.
	 */
	@JsonInclude(Include.NON_EMPTY)
	public record ReloadFailureDescriptor(@Nullable Instant since, String error,
			List<InvalidPropertyDescriptor> problems) {

		private static ReloadFailureDescriptor of(McpReloadFailure failure) {
			return new ReloadFailureDescriptor(failure.time().truncatedTo(ChronoUnit.MILLIS), failure.message(),
					failure.problems()
						.stream()
						.limit(InvalidMcpConfigurationException.MOST_SHOWN)
						.map(InvalidPropertyDescriptor::of)
						.toList());
		}

	}

	/**
	 * An invalid property of the configuration, and its origin.
	 */
	@JsonInclude(Include.NON_NULL)
	public record InvalidPropertyDescriptor(String property, @Nullable String origin, String reason) {

		private static InvalidPropertyDescriptor of(Problem problem) {
			return new InvalidPropertyDescriptor(problem.property(), Objects.toString(problem.origin(), null),
					problem.message());
		}

	}

	/**
	 * The result of a check of a server. Durations are in milliseconds.
	 */
	public record DiagnosisDescriptor(String server, Instant started, long durationMs,
			List<StepDescriptor> steps) implements OperationResponseBody {

		/**
		 * Describe a diagnosis.
		 */
		public static DiagnosisDescriptor of(McpDiagnosis diagnosis) {
			return new DiagnosisDescriptor(diagnosis.server(), diagnosis.started().truncatedTo(ChronoUnit.MILLIS),
					diagnosis.duration().toMillis(), diagnosis.steps().stream().map(StepDescriptor::of).toList());
		}

	}

	/**
	 * A step of a check.
	 */
	@JsonInclude(Include.NON_NULL)
	public record StepDescriptor(McpServerStatus.StepKind step, McpDiagnosis.Outcome outcome, long durationMs,
			@Nullable String detail, @Nullable String advice) {

		private static StepDescriptor of(McpDiagnosis.Step step) {
			return new StepDescriptor(step.kind(), step.outcome(), step.duration().toMillis(), step.detail(),
					step.advice());
		}

	}

}
