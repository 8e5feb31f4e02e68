package io.github.mcpclient.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.NoSuchMcpServerException;
import io.modelcontextprotocol.spec.McpSchema.Icon;
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

	/**
	 * Create an endpoint.
	 * @param registry the servers to show
	 * @param timer limits the time of actions
	 * @param enabled whether the client is enabled
	 */
	public McpEndpoint(McpServerRegistry registry, Scheduler timer, boolean enabled) {
		this.registry = registry;
		this.timer = timer;
		this.enabled = enabled;
	}

	/**
	 * Return the state of all servers.
	 * @return the servers by name, in the order of their configuration
	 */
	@ReadOperation
	public ServersDescriptor servers() {
		Map<String, ServerDescriptor> servers = new LinkedHashMap<>();
		this.registry.servers()
			.forEach((server) -> servers.put(server.name(), ServerDescriptor.of(server.status(), server)));
		return new ServersDescriptor(this.enabled ? null : false, servers);
	}

	/**
	 * Return the state of a server and what it has.
	 * @param server the name of the server
	 * @return the server, or {@code null} if there is none of that name
	 */
	@ReadOperation
	public @Nullable ServerDetailsDescriptor server(@Selector String server) {
		return this.registry.find(server).map(ServerDetailsDescriptor::of).orElse(null);
	}

	ServerDetailsDescriptor requiredServer(String server) {
		return ServerDetailsDescriptor.of(this.registry.server(server));
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
		return start(action, target).map((status) -> new ActionDescriptor(ServerDescriptor.of(status, target), null))
			.timeout(LONGEST_WAIT, state(target, late), this.timer)
			.onErrorResume(McpException.class, (ex) -> state(target, ex.getMessage()));
	}

	private static Mono<ActionDescriptor> state(McpServer server, @Nullable String error) {
		return Mono.fromSupplier(() -> new ActionDescriptor(ServerDescriptor.of(server.status(), server), error));
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

	private static @Nullable Instant millis(@Nullable Instant time) {
		return (time != null) ? time.truncatedTo(ChronoUnit.MILLIS) : null;
	}

	/**
	 * All servers by name; {@code enabled} only if the client is disabled.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ServersDescriptor(@Nullable Boolean enabled,
			Map<String, ServerDescriptor> servers) implements OperationResponseBody {
	}

	/**
	 * The state of a server. Numbers are {@code null} if they are zero or if the items
	 * are listed beside them.
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "state", "type", "target", "required", "server", "protocolVersion", "tools", "excluded",
			"prompts", "resources", "resourceTemplates", "users", "since", "attempts", "latencyMs", "lastError",
			"nextRetry" })
	public record ServerDescriptor(McpServerState state, String type, String target, boolean required,
			@Nullable ServerInfoDescriptor server, @Nullable String protocolVersion, @Nullable Integer tools,
			@Nullable Integer excluded, @Nullable Integer prompts, @Nullable Integer resources,
			@Nullable Integer resourceTemplates, @Nullable Integer users, Instant since, int attempts,
			@Nullable Long latencyMs, @Nullable String lastError, @Nullable Instant nextRetry) {

		static ServerDescriptor of(McpServerStatus status, McpServer server) {
			return of(status, server.tools().size(), ExcludedDescriptor.of(server).size(), status.prompts(),
					status.resources(), status.resourceTemplates());
		}

		static ServerDescriptor withoutNumbers(McpServerStatus status) {
			return of(status, null, 0, 0, 0, 0);
		}

		private static ServerDescriptor of(McpServerStatus status, @Nullable Integer tools, int excluded, int prompts,
				int resources, int resourceTemplates) {
			Implementation info = status.serverInfo();
			Duration latency = status.latency();
			return new ServerDescriptor(status.state(), status.type(), status.target(), status.required(),
					(info != null)
							? new ServerInfoDescriptor(info.name(), info.title(), info.version(), info.websiteUrl())
							: null,
					status.protocolVersion(), tools, positive(excluded), positive(prompts), positive(resources),
					positive(resourceTemplates), positive(status.users()),
					status.since().truncatedTo(ChronoUnit.MILLIS), status.attempts(),
					(latency != null) ? latency.toMillis() : null, status.lastError(), millis(status.nextRetry()));
		}

		private static @Nullable Integer positive(int number) {
			return (number > 0) ? number : null;
		}

	}

	/**
	 * What a server reports about itself.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ServerInfoDescriptor(String name, @Nullable String title, String version,
			@Nullable String websiteUrl) {
	}

	/**
	 * The state of a server, and what it has; {@code stderr} for child processes only.
	 * Fields of the state are written beside the others.
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "status", "instructions", "icons", "tools", "excluded", "prompts", "resources",
			"resourceTemplates", "stderr" })
	public record ServerDetailsDescriptor(@JsonUnwrapped ServerDescriptor status, @Nullable String instructions,
			@JsonInclude(Include.NON_EMPTY) @Nullable List<Icon> icons, List<ToolDescriptor> tools,
			List<ExcludedDescriptor> excluded, @JsonInclude(Include.NON_EMPTY) List<PromptDescriptor> prompts,
			@JsonInclude(Include.NON_EMPTY) List<ResourceDescriptor> resources,
			@JsonInclude(Include.NON_EMPTY) List<ResourceTemplateDescriptor> resourceTemplates,
			@Nullable List<String> stderr) implements OperationResponseBody {

		static ServerDetailsDescriptor of(McpServer server) {
			McpServerStatus status = server.status();
			McpServerFeatures features = server.features();
			boolean child = status.type().equals(McpServerDefinition.STDIO) || !status.stderr().isEmpty();
			Implementation info = status.serverInfo();
			return new ServerDetailsDescriptor(ServerDescriptor.withoutNumbers(status), server.instructions(),
					(info != null) ? info.icons() : null, server.tools().stream().map(ToolDescriptor::of).toList(),
					ExcludedDescriptor.of(server), features.prompts().stream().map(PromptDescriptor::of).toList(),
					features.resources().stream().map(ResourceDescriptor::of).toList(),
					features.resourceTemplates().stream().map(ResourceTemplateDescriptor::of).toList(),
					child ? status.stderr() : null);
		}

	}

	/**
	 * A tool.
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "name", "originalName", "title", "description", "inputSchema", "outputSchema", "annotations",
			"available", "changedAt" })
	public record ToolDescriptor(String name, String originalName, @Nullable String title, @Nullable String description,
			Map<String, Object> inputSchema, @Nullable Map<String, Object> outputSchema,
			@Nullable ToolAnnotations annotations, boolean available, @Nullable Instant changedAt) {

		static ToolDescriptor of(McpTool tool) {
			return new ToolDescriptor(tool.name(), tool.originalName(), tool.title(), tool.description(),
					tool.inputSchema(), tool.outputSchema(), tool.annotations(), tool.available(),
					millis(tool.changedAt()));
		}

	}

	/**
	 * A tool, or another item, that the server lists and the application does not get.
	 */
	public record ExcludedDescriptor(String originalName, String reason) {

		static List<ExcludedDescriptor> of(McpServer server) {
			List<ExcludedDescriptor> excluded = new ArrayList<>();
			server.excludedTools()
				.forEach((tool) -> excluded.add(new ExcludedDescriptor(tool.originalName(), tool.reason())));
			server.features()
				.excluded()
				.stream()
				.filter((item) -> !item.kind().equals("tool"))
				.forEach((item) -> excluded
					.add(new ExcludedDescriptor(item.name(), item.kind() + ": " + item.reason())));
			return excluded;
		}

	}

	/**
	 * A prompt.
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
	 * A resource template.
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
	 * The state of a server after an action, and why the action failed, if it did.
	 */
	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "status", "error" })
	public record ActionDescriptor(@JsonUnwrapped ServerDescriptor status,
			@Nullable String error) implements OperationResponseBody {
	}

}
