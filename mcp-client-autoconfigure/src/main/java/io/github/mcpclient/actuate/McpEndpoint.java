package io.github.mcpclient.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServer.ExcludedTool;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.NoSuchMcpServerException;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
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
 * {@link Endpoint @Endpoint} that tells the state of all MCP servers and, where write
 * access is granted, reconnects or refreshes one of them. Reading never contacts a
 * server. Names, titles, descriptions, schemas, hints and the lines of standard error are
 * the server's own words: whoever shows them must not trust them.
 */
@Endpoint(id = "mcp", defaultAccess = Access.READ_ONLY)
public class McpEndpoint {

	/**
	 * Shorter than the 30 s after which Tomcat ends an asynchronous request, for servers
	 * that are allowed to take longer to connect.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);

	private final McpServerRegistry registry;

	private final Duration longestWait;

	private final Scheduler timer;

	private final boolean enabled;

	/**
	 * Create an endpoint.
	 * @param registry the servers to tell of
	 * @param timer limits the time of actions
	 */
	public McpEndpoint(McpServerRegistry registry, Scheduler timer) {
		this(registry, LONGEST_WAIT, timer, true);
	}

	/**
	 * Create an endpoint of a client that may be disabled.
	 * @param registry the servers to tell of
	 * @param timer limits the time of actions
	 * @param enabled whether the client is enabled
	 */
	public McpEndpoint(McpServerRegistry registry, Scheduler timer, boolean enabled) {
		this(registry, LONGEST_WAIT, timer, enabled);
	}

	McpEndpoint(McpServerRegistry registry, Duration longestWait, Scheduler timer) {
		this(registry, longestWait, timer, true);
	}

	private McpEndpoint(McpServerRegistry registry, Duration longestWait, Scheduler timer, boolean enabled) {
		this.enabled = enabled;
		this.timer = timer;
		this.registry = registry;
		this.longestWait = longestWait;
	}

	/**
	 * Tell the state of all servers.
	 * @return the servers by name, in the order of their configuration
	 */
	@ReadOperation
	public ServersDescriptor servers() {
		Map<String, ServerDescriptor> servers = new LinkedHashMap<>();
		this.registry.servers()
			.forEach((status) -> servers.put(status.name(),
					ServerDescriptor.of(status, this.registry.find(status.name()).orElse(null))));
		return new ServersDescriptor(this.enabled ? null : false, servers);
	}

	/**
	 * Tell the state of a server and what it has.
	 * @param server the name of the server
	 * @return the server, or {@code null} where none of that name is configured
	 */
	@ReadOperation
	public @Nullable ServerDetailsDescriptor server(@Selector String server) {
		return this.registry.find(server).map(ServerDetailsDescriptor::of).orElse(null);
	}

	ServerDetailsDescriptor requiredServer(String server) {
		return ServerDetailsDescriptor.of(this.registry.server(server));
	}

	/**
	 * Reconnect a server, or list its tools anew. The action starts at once, whether or
	 * not the result is subscribed to.
	 * @param server the name of the server
	 * @param action what to do: {@code reconnect} or {@code refresh}
	 * @return the server after the action, or as it is after 25 s where the action takes
	 * longer; never an error
	 * @throws NoSuchMcpServerException if no server of that name is configured
	 * @throws InvalidEndpointRequestException if the action is not known
	 */
	@WriteOperation
	public Mono<ActionDescriptor> act(@Selector String server, @Nullable String action) {
		McpServer target = this.registry.server(server);
		Mono<McpServerStatus> outcome = Action.of(action).apply(target);
		return outcome.map((status) -> ActionDescriptor.of(status, target, null))
			.timeout(this.longestWait,
					Mono.fromSupplier(() -> ActionDescriptor.of(target.status(), target,
							"Still under way after " + this.longestWait.toSeconds()
									+ " s. Read the state again later.")),
					this.timer)
			.onErrorResume(McpException.class,
					(ex) -> Mono.fromSupplier(() -> ActionDescriptor.of(target.status(), target, ex.getMessage())));
	}

	private enum Action {

		RECONNECT {

			@Override
			Mono<McpServerStatus> apply(McpServer server) {
				return server.reconnect();
			}

		},

		REFRESH {

			@Override
			Mono<McpServerStatus> apply(McpServer server) {
				return server.refresh();
			}

		};

		abstract Mono<McpServerStatus> apply(McpServer server);

		static Action of(@Nullable String name) {
			for (Action action : values()) {
				if (action.name().equalsIgnoreCase(name)) {
					return action;
				}
			}
			String problem = (name != null) ? "Unknown 'action'" : "Missing 'action'";
			// the name is the caller's input and stays out of the message
			throw new InvalidEndpointRequestException(problem + ": must be \"reconnect\" or \"refresh\".", problem);
		}

	}

	/**
	 * All servers.
	 *
	 * @param enabled {@code false} where the client is disabled, or {@code null}
	 * @param servers the servers by name, in the order of their configuration
	 */
	@JsonInclude(Include.NON_NULL)
	public record ServersDescriptor(@Nullable Boolean enabled,
			Map<String, ServerDescriptor> servers) implements OperationResponseBody {
	}

	/**
	 * The state of one server.
	 *
	 * @param state the state of the connection
	 * @param type the transport type
	 * @param target the url without secrets, or the command
	 * @param required whether the application depends on the server
	 * @param server what the server calls itself, or {@code null} before the first
	 * handshake
	 * @param protocolVersion the negotiated protocol revision, or {@code null} when not
	 * connected
	 * @param tools the number of tools that the application gets, or {@code null} where
	 * they are listed beside it
	 * @param excluded the number of tools, prompts and resources that the server lists
	 * and the application does not get, or {@code null} where there are none, or they are
	 * listed beside it
	 * @param prompts the number of prompts that are known, or {@code null} where there
	 * are none, or they are listed beside it
	 * @param resources the number of resources that are known, or {@code null} likewise
	 * @param resourceTemplates the number of templates of resources that are known, or
	 * {@code null} likewise
	 * @param since the time at which the state was entered
	 * @param attempts the number of connection attempts since the server was last READY
	 * @param latencyMs the milliseconds that the latest handshake or ping took, or
	 * {@code null} before the first
	 * @param lastError why the latest attempt failed or the connection was lost, or
	 * {@code null}
	 * @param nextRetry the time of the next attempt, or {@code null} where none is
	 * planned
	 * @see McpServerStatus
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "state", "type", "target", "required", "server", "protocolVersion", "tools", "excluded",
			"prompts", "resources", "resourceTemplates", "since", "attempts", "latencyMs", "lastError", "nextRetry" })
	public record ServerDescriptor(McpServerState state, String type, String target, boolean required,
			@Nullable ServerInfoDescriptor server, @Nullable String protocolVersion, @Nullable Integer tools,
			@Nullable Integer excluded, @Nullable Integer prompts, @Nullable Integer resources,
			@Nullable Integer resourceTemplates, Instant since, int attempts, @Nullable Long latencyMs,
			@Nullable String lastError, @Nullable Instant nextRetry) {

		/**
		 * Describe the state with the numbers.
		 * @param server the server, or {@code null} where it has been removed
		 */
		static ServerDescriptor of(McpServerStatus status, @Nullable McpServer server) {
			return of(status, (server != null) ? server.tools().size() : 0,
					(server != null) ? positive(ExcludedDescriptor.of(server).size()) : null,
					positive(status.prompts()), positive(status.resources()), positive(status.resourceTemplates()));
		}

		/**
		 * Describe the state without the numbers, whose place lists take.
		 */
		static ServerDescriptor withoutNumbers(McpServerStatus status) {
			return of(status, null, null, null, null, null);
		}

		private static ServerDescriptor of(McpServerStatus status, @Nullable Integer tools, @Nullable Integer excluded,
				@Nullable Integer prompts, @Nullable Integer resources, @Nullable Integer resourceTemplates) {
			Implementation info = status.serverInfo();
			Duration latency = status.latency();
			Instant nextRetry = status.nextRetry();
			return new ServerDescriptor(status.state(), status.type(), status.target(), status.required(),
					(info != null) ? ServerInfoDescriptor.of(info) : null, status.protocolVersion(), tools, excluded,
					prompts, resources, resourceTemplates, millis(status.since()), status.attempts(),
					(latency != null) ? latency.toMillis() : null, status.lastError(),
					(nextRetry != null) ? millis(nextRetry) : null);
		}

		private static @Nullable Integer positive(int number) {
			return (number > 0) ? number : null;
		}

		// nanoseconds are hard to read, and mean nothing here
		private static Instant millis(Instant time) {
			return time.truncatedTo(ChronoUnit.MILLIS);
		}

	}

	/**
	 * What a server calls itself.
	 *
	 * @param name the name
	 * @param title the title for people, or {@code null} where it gives none
	 * @param version the version
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "name", "title", "version" })
	public record ServerInfoDescriptor(String name, @Nullable String title, String version) {

		static ServerInfoDescriptor of(Implementation info) {
			return new ServerInfoDescriptor(info.name(), info.title(), info.version());
		}

	}

	/**
	 * The state of one server, and what it has.
	 *
	 * @param status the state; its fields are written beside the others
	 * @param tools the tools, sorted by name
	 * @param excluded the tools that the server offers and the application does not get,
	 * and the prompts, resources and templates of such that it lists and that cannot be
	 * used
	 * @param prompts the prompts that are known; left out where there are none
	 * @param resources the resources that are known, likewise
	 * @param resourceTemplates the templates of resources that are known, likewise
	 * @param stderr the last lines that a child process wrote to its standard error, or
	 * {@code null} for other servers
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "status", "tools", "excluded", "prompts", "resources", "resourceTemplates", "stderr" })
	public record ServerDetailsDescriptor(@JsonUnwrapped ServerDescriptor status, List<ToolDescriptor> tools,
			List<ExcludedDescriptor> excluded, @JsonInclude(Include.NON_EMPTY) List<PromptDescriptor> prompts,
			@JsonInclude(Include.NON_EMPTY) List<ResourceDescriptor> resources,
			@JsonInclude(Include.NON_EMPTY) List<ResourceTemplateDescriptor> resourceTemplates,
			@Nullable List<String> stderr) implements OperationResponseBody {

		static ServerDetailsDescriptor of(McpServer server) {
			McpServerStatus status = server.status();
			McpServerFeatures features = server.features();
			boolean child = status.type().equals(McpServerDefinition.STDIO) || !status.stderr().isEmpty();
			return new ServerDetailsDescriptor(ServerDescriptor.withoutNumbers(status),
					server.tools().stream().map(ToolDescriptor::of).toList(), ExcludedDescriptor.of(server),
					features.prompts().stream().map(PromptDescriptor::of).toList(),
					features.resources().stream().map(ResourceDescriptor::of).toList(),
					features.resourceTemplates().stream().map(ResourceTemplateDescriptor::of).toList(),
					child ? status.stderr() : null);
		}

	}

	/**
	 * A tool.
	 *
	 * @param name the prefixed name, by which the application knows the tool
	 * @param originalName the name that the server gives to it
	 * @param title the title for people, or {@code null} where the server gives none
	 * @param description the description for models, or {@code null} where the server
	 * gives none
	 * @param inputSchema the JSON Schema of the arguments
	 * @param outputSchema the JSON Schema of the structured result, or {@code null}
	 * @param annotations the server's hints about the tool's behaviour, or {@code null}
	 * @param available whether a call can be tried now
	 * @param changedAt the time at which the server was last seen to define the tool in
	 * another way than before, or {@code null} where it is as it was first seen
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "name", "originalName", "title", "description", "inputSchema", "outputSchema", "annotations",
			"available", "changedAt" })
	public record ToolDescriptor(String name, String originalName, @Nullable String title, @Nullable String description,
			Map<String, Object> inputSchema, @Nullable Map<String, Object> outputSchema,
			@Nullable ToolAnnotations annotations, boolean available, @Nullable Instant changedAt) {

		static ToolDescriptor of(McpTool tool) {
			Instant changedAt = tool.changedAt();
			return new ToolDescriptor(tool.name(), tool.originalName(), tool.title(), tool.description(),
					tool.inputSchema(), tool.outputSchema(), tool.annotations(), tool.available(),
					(changedAt != null) ? changedAt.truncatedTo(ChronoUnit.MILLIS) : null);
		}

	}

	/**
	 * A tool, or something else, that the server offers and the application does not get.
	 *
	 * @param originalName the name or uri that the server gives to it
	 * @param reason why it is left out; begins with what it is where that is no tool
	 */
	@JsonPropertyOrder({ "originalName", "reason" })
	public record ExcludedDescriptor(String originalName, String reason) {

		static List<ExcludedDescriptor> of(McpServer server) {
			return Stream
				.concat(server.excludedTools().stream().map(ExcludedDescriptor::of),
						server.features()
							.excluded()
							.stream()
							.filter((item) -> !item.kind().equals("tool"))
							.map(ExcludedDescriptor::of))
				.toList();
		}

		static ExcludedDescriptor of(ExcludedTool tool) {
			return new ExcludedDescriptor(tool.originalName(), tool.reason());
		}

		static ExcludedDescriptor of(ExcludedItem item) {
			return new ExcludedDescriptor(item.name(), item.kind() + ": " + item.reason());
		}

	}

	/**
	 * A prompt.
	 *
	 * @param name the name
	 * @param title the title for people, or {@code null} where the server gives none
	 * @param description the description, or {@code null} where the server gives none
	 * @param arguments the arguments
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "name", "title", "description", "arguments" })
	public record PromptDescriptor(String name, @Nullable String title, @Nullable String description,
			List<PromptArgumentDescriptor> arguments) {

		static PromptDescriptor of(Prompt prompt) {
			List<PromptArgument> arguments = prompt.arguments();
			return new PromptDescriptor(prompt.name(), prompt.title(), prompt.description(),
					(arguments != null) ? arguments.stream().map(PromptArgumentDescriptor::of).toList() : List.of());
		}

	}

	/**
	 * An argument of a prompt.
	 *
	 * @param name the name
	 * @param description the description, or {@code null} where the server gives none
	 * @param required whether it must be given
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "name", "description", "required" })
	public record PromptArgumentDescriptor(String name, @Nullable String description, boolean required) {

		static PromptArgumentDescriptor of(PromptArgument argument) {
			return new PromptArgumentDescriptor(argument.name(), argument.description(),
					Boolean.TRUE.equals(argument.required()));
		}

	}

	/**
	 * A resource.
	 *
	 * @param uri the uri
	 * @param name the name
	 * @param title the title for people, or {@code null} where the server gives none
	 * @param description the description, or {@code null} where the server gives none
	 * @param mimeType the type of the contents, or {@code null} where the server gives
	 * none
	 * @param size the size in bytes, or {@code null} where the server gives none
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "uri", "name", "title", "description", "mimeType", "size" })
	public record ResourceDescriptor(String uri, @Nullable String name, @Nullable String title,
			@Nullable String description, @Nullable String mimeType, @Nullable Long size) {

		static ResourceDescriptor of(Resource resource) {
			return new ResourceDescriptor(resource.uri(), resource.name(), resource.title(), resource.description(),
					resource.mimeType(), resource.size());
		}

	}

	/**
	 * A template of resources.
	 *
	 * @param uriTemplate the uri with placeholders
	 * @param name the name
	 * @param title the title for people, or {@code null} where the server gives none
	 * @param description the description, or {@code null} where the server gives none
	 * @param mimeType the type of the contents, or {@code null} where the server gives
	 * none
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "uriTemplate", "name", "title", "description", "mimeType" })
	public record ResourceTemplateDescriptor(String uriTemplate, @Nullable String name, @Nullable String title,
			@Nullable String description, @Nullable String mimeType) {

		static ResourceTemplateDescriptor of(ResourceTemplate template) {
			return new ResourceTemplateDescriptor(template.uriTemplate(), template.name(), template.title(),
					template.description(), template.mimeType());
		}

	}

	/**
	 * The state of a server after an action.
	 *
	 * @param status the state; its fields are written beside the others
	 * @param error why the action failed, or {@code null} if it did not; the state of a
	 * server that could not be reconnected tells by itself
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "status", "error" })
	public record ActionDescriptor(@JsonUnwrapped ServerDescriptor status,
			@Nullable String error) implements OperationResponseBody {

		static ActionDescriptor of(McpServerStatus status, McpServer server, @Nullable String error) {
			return new ActionDescriptor(ServerDescriptor.of(status, server), error);
		}

	}

}
