package io.github.mcpclient.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.view.ServerDetails;
import io.github.mcpclient.view.ServerView;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@link Endpoint @Endpoint} that shows the state of all MCP servers and, if write access
 * is granted, reconnects or refreshes one of them. Reading never contacts a server.
 * Names, titles, descriptions, schemas, hints and the lines of standard error come from
 * the servers and are not to be trusted.
 */
@Endpoint(id = "mcp", defaultAccess = Access.READ_ONLY)
public class McpEndpoint {

	// less than the 30 s after which Tomcat ends an asynchronous request
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);

	private final McpServerRegistry registry;

	private final Scheduler timer;

	private final boolean enabled;

	private final List<String> warnings;

	/**
	 * Create an endpoint.
	 * @param registry the servers to show
	 * @param timer limits the time of actions
	 * @param enabled whether the client is enabled
	 * @param warnings what was warned of in the configuration
	 */
	public McpEndpoint(McpServerRegistry registry, Scheduler timer, boolean enabled, List<String> warnings) {
		this.registry = registry;
		this.timer = timer;
		this.enabled = enabled;
		this.warnings = List.copyOf(warnings);
	}

	/**
	 * Return the state of all servers.
	 * @return the servers by name, in the order of their configuration
	 */
	@ReadOperation
	public ServersDescriptor servers() {
		return new ServersDescriptor(this.enabled ? null : false, this.warnings, ServerView.all(this.registry));
	}

	/**
	 * Return the state of a server and what it has.
	 * @param server the name of the server
	 * @return the server, or {@code null} if there is none of that name
	 */
	@ReadOperation
	public @Nullable ServerDetailsDescriptor server(@Selector String server) {
		return this.registry.find(server).map(McpEndpoint::details).orElse(null);
	}

	ServerDetailsDescriptor requiredServer(String server) {
		return details(this.registry.server(server));
	}

	private static ServerDetailsDescriptor details(McpServer server) {
		return new ServerDetailsDescriptor(ServerDetails.of(server));
	}

	/**
	 * Reconnect a server, or list its tools, prompts and resources again. The action
	 * starts at once, whether or not the result is subscribed to.
	 * @param server the name of the server
	 * @param action {@code reconnect} or {@code refresh}, ignoring case
	 * @return the server after the action, or after 25 s if the action takes longer;
	 * never an error
	 * @throws NoSuchMcpServerException if there is no server of that name
	 * @throws InvalidEndpointRequestException if the action is unknown
	 */
	@WriteOperation
	public Mono<ActionDescriptor> act(@Selector String server, @Nullable String action) {
		McpServer target = this.registry.server(server);
		String late = "Still under way after " + LONGEST_WAIT.toSeconds() + " s. Read the state again later.";
		return start(action, target).map((status) -> new ActionDescriptor(ServerView.of(target, status), null))
			.timeout(LONGEST_WAIT, state(target, late), this.timer)
			.onErrorResume(McpException.class, (ex) -> state(target, ex.getMessage()));
	}

	private static Mono<ActionDescriptor> state(McpServer server, @Nullable String error) {
		return Mono.fromSupplier(() -> new ActionDescriptor(ServerView.of(server, server.status()), error));
	}

	private static Mono<McpServerStatus> start(@Nullable String action, McpServer server) {
		if ("reconnect".equalsIgnoreCase(action)) {
			return server.reconnect();
		}
		if ("refresh".equalsIgnoreCase(action)) {
			return server.refresh();
		}
		String problem = (action != null) ? "Unknown 'action'" : "Missing 'action'";
		// the action is the caller's input and stays out of the message
		throw new InvalidEndpointRequestException(problem + ": must be \"reconnect\" or \"refresh\".", problem);
	}

	/**
	 * All servers by name; {@code enabled} only if the client is disabled, and
	 * {@code warnings} of the configuration only if there are any.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ServersDescriptor(@Nullable Boolean enabled, @JsonInclude(Include.NON_EMPTY) List<String> warnings,
			Map<String, ServerView> servers) implements OperationResponseBody {
	}

	/**
	 * A server, with what it has.
	 */
	public record ServerDetailsDescriptor(@JsonUnwrapped ServerDetails server) implements OperationResponseBody {
	}

	/**
	 * The state of a server after an action, and why the action failed, if it did.
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "status", "error" })
	public record ActionDescriptor(@JsonUnwrapped ServerView status,
			@Nullable String error) implements OperationResponseBody {
	}

}
