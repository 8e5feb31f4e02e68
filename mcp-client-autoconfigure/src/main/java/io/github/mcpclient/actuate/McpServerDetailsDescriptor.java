package io.github.mcpclient.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.actuate.McpServerDescriptor.Excluded;
import io.github.mcpclient.authorization.McpAuthorizationStatus;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.definition.McpToolRule.Rate;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.ManagedMcpServer.RecentCall;
import io.github.mcpclient.management.ManagedMcpServer.StateChange;
import io.github.mcpclient.management.McpServerOrigin;
import io.github.mcpclient.management.McpServerSetting;
import io.github.mcpclient.management.McpToolPin;
import io.modelcontextprotocol.spec.McpSchema.Icon;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The state of a server, its definition, and its tools, prompts and resources;
 * {@code stderr} for child processes only. The fields of the state are unwrapped.
 */
@JsonInclude(Include.NON_NULL)
public record McpServerDetailsDescriptor(@JsonUnwrapped McpServerDescriptor status, @Nullable String instructions,
		@JsonInclude(Include.NON_EMPTY) @Nullable List<Icon> icons, List<ToolView> tools, List<Excluded> excluded,
		@JsonInclude(Include.NON_EMPTY) List<PinView> pins, @JsonInclude(Include.NON_EMPTY) List<PromptView> prompts,
		@JsonInclude(Include.NON_EMPTY) List<ResourceView> resources,
		@JsonInclude(Include.NON_EMPTY) List<ResourceTemplateView> resourceTemplates,
		@JsonInclude(Include.NON_EMPTY) List<CallView> calls, @JsonInclude(Include.NON_EMPTY) List<StateView> states,
		@JsonInclude(Include.NON_EMPTY) List<DeviationView> deviations,
		@JsonInclude(Include.NON_EMPTY) List<MismatchView> mismatches, @Nullable List<String> stderr,
		@Nullable AuthorizationView authorization, McpServerOrigin origin,
		@JsonInclude(Include.NON_EMPTY) List<McpServerSetting> settings,
		DefinitionView definition) implements OperationResponseBody {

	/**
	 * Return the details of a server.
	 * @param clients the mismatches of the declared clients of all servers
	 */
	public static McpServerDetailsDescriptor of(ManagedMcpServer server, List<McpToolClientMismatchEvent> clients) {
		McpServerStatus status = server.status();
		McpServerFeatures features = server.features();
		boolean child = status.type().equals(McpServerDefinition.STDIO) || !status.stderr().isEmpty();
		Implementation info = status.serverInfo();
		Secrets secrets = McpServerSecrets.of(server.definition()).withoutShort();
		return new McpServerDetailsDescriptor(McpServerDescriptor.of(status, null, 0, 0, 0, 0), server.instructions(),
				(info != null) ? info.icons() : null,
				server.tools().stream().map((tool) -> ToolView.of(tool, secrets)).toList(), Excluded.of(server),
				server.toolPins().stream().map(PinView::of).toList(),
				features.prompts().stream().map((prompt) -> PromptView.of(prompt, secrets)).toList(),
				features.resources().stream().map((resource) -> ResourceView.of(resource, secrets)).toList(),
				features.resourceTemplates()
					.stream()
					.map((template) -> ResourceTemplateView.of(template, secrets))
					.toList(),
				server.recentCalls().stream().map(CallView::of).toList(),
				server.recentStates().stream().map(StateView::of).toList(),
				status.deviations().stream().map(DeviationView::of).toList(), MismatchView.of(server.name(), clients),
				child ? status.stderr() : null, AuthorizationView.of(server.authorization()), server.origin(),
				server.settings(), DefinitionView.of(server.definition()));
	}

	private static @Nullable String masked(@Nullable String text, Secrets secrets) {
		return (text != null) ? secrets.mask(text) : null;
	}

	// but for names, by which what a schema describes is called
	@SuppressWarnings("unchecked")
	private static Map<String, @Nullable Object> schema(Map<String, @Nullable Object> schema, Secrets secrets) {
		return (Map<String, @Nullable Object>) Objects.requireNonNull(secrets.mask(schema, false));
	}

	/**
	 * A tool.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ToolView(String name, String originalName, @Nullable String title, @Nullable String description,
			Map<String, @Nullable Object> inputSchema, @Nullable Map<String, @Nullable Object> outputSchema,
			@Nullable ToolAnnotations annotations, boolean available, @Nullable Instant changedAt,
			@Nullable RuleView rule) {

		static ToolView of(McpTool tool, Secrets secrets) {
			Map<String, @Nullable Object> output = tool.outputSchema();
			return new ToolView(tool.name(), tool.originalName(), masked(tool.title(), secrets),
					masked(tool.description(), secrets), schema(tool.inputSchema(), secrets),
					(output != null) ? schema(output, secrets) : null, hints(tool.annotations(), secrets),
					tool.available(), McpServerDescriptor.millis(tool.changedAt()), RuleView.of(tool.rule()));
		}

		private static @Nullable ToolAnnotations hints(@Nullable ToolAnnotations hints, Secrets secrets) {
			return (hints == null || hints.title() == null) ? hints
					: new ToolAnnotations(secrets.mask(hints.title()), hints.readOnlyHint(), hints.destructiveHint(),
							hints.idempotentHint(), hints.openWorldHint(), hints.returnDirect());
		}

	}

	/**
	 * The effective rules for a tool, except for its title, description and annotations,
	 * which the tool itself shows. Arguments are shown by name only.
	 */
	@JsonInclude(Include.NON_NULL)
	public record RuleView(@Nullable Duration timeout, @Nullable Duration progressExtendsTimeoutTo,
			@JsonInclude(Include.NON_EMPTY) Collection<String> arguments,
			@JsonInclude(Include.NON_EMPTY) Collection<String> defaultArguments, @Nullable Approval approval,
			@Nullable Duration cache, @Nullable Boolean cacheAnyway, @Nullable String ratePerCaller,
			@Nullable String rate) {

		static @Nullable RuleView of(@Nullable McpToolRule rule) {
			return (rule != null) ? new RuleView(rule.timeout(), rule.progressExtendsTimeoutTo(),
					rule.arguments().keySet(), rule.defaultArguments().keySet(), rule.approval(), rule.cache(),
					rule.cacheAnyway(), text(rule.ratePerCaller()), text(rule.rate())) : null;
		}

		private static @Nullable String text(@Nullable Rate rate) {
			return (rate != null) ? rate.text() : null;
		}

	}

	/**
	 * The definition of a tool compared with the approved one.
	 */
	@JsonInclude(Include.NON_NULL)
	public record PinView(String tool, McpToolPin.State state, @Nullable String hash, @Nullable String approvedHash,
			@JsonInclude(Include.NON_EMPTY) List<ChangeView> changes) {

		static PinView of(McpToolPin pin) {
			return new PinView(pin.tool(), pin.state(), pin.hash(), pin.approvedHash(),
					pin.changes().stream().map(ChangeView::of).toList());
		}

	}

	/**
	 * A field of a definition that differs.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ChangeView(String field, @Nullable String approved, @Nullable String listed) {

		static ChangeView of(McpToolPin.Change change) {
			return new ChangeView(change.field(), change.approved(), change.listed());
		}

	}

	/**
	 * A prompt.
	 */
	@JsonInclude(Include.NON_NULL)
	public record PromptView(String name, @Nullable String title, @Nullable String description,
			List<PromptArgumentView> arguments) {

		static PromptView of(Prompt prompt, Secrets secrets) {
			List<PromptArgument> arguments = prompt.arguments();
			return new PromptView(prompt.name(), masked(prompt.title(), secrets), masked(prompt.description(), secrets),
					(arguments != null)
							? arguments.stream().map((argument) -> PromptArgumentView.of(argument, secrets)).toList()
							: List.of());
		}

	}

	/**
	 * An argument of a prompt.
	 */
	@JsonInclude(Include.NON_NULL)
	public record PromptArgumentView(String name, @Nullable String description, boolean required) {

		static PromptArgumentView of(PromptArgument argument, Secrets secrets) {
			return new PromptArgumentView(argument.name(), masked(argument.description(), secrets),
					Boolean.TRUE.equals(argument.required()));
		}

	}

	/**
	 * A resource.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ResourceView(String uri, @Nullable String name, @Nullable String title, @Nullable String description,
			@Nullable String mimeType, @Nullable Long size) {

		static ResourceView of(Resource resource, Secrets secrets) {
			return new ResourceView(secrets.mask(resource.uri()), masked(resource.name(), secrets),
					masked(resource.title(), secrets), masked(resource.description(), secrets), resource.mimeType(),
					resource.size());
		}

	}

	/**
	 * A resource template.
	 */
	@JsonInclude(Include.NON_NULL)
	public record ResourceTemplateView(String uriTemplate, @Nullable String name, @Nullable String title,
			@Nullable String description, @Nullable String mimeType) {

		static ResourceTemplateView of(ResourceTemplate template, Secrets secrets) {
			return new ResourceTemplateView(secrets.mask(template.uriTemplate()), masked(template.name(), secrets),
					masked(template.title(), secrets), masked(template.description(), secrets), template.mimeType());
		}

	}

	/**
	 * The authorization of requests: the scopes and the expiry of the token of the user
	 * or of the application.
	 */
	@JsonInclude(Include.NON_NULL)
	public record AuthorizationView(String type, @Nullable String issuer, @Nullable List<String> scopes,
			@Nullable Instant expires, @Nullable Boolean refreshable, @Nullable String user, @Nullable Integer users) {

		static @Nullable AuthorizationView of(@Nullable McpAuthorizationStatus status) {
			return (status != null) ? new AuthorizationView(status.type(), status.issuer(), status.scopes(),
					McpServerDescriptor.millis(status.expires()), status.refreshable(), status.user(), status.users())
					: null;
		}

	}

	/**
	 * A deviation of a server from the protocol, and how the client handled it.
	 */
	public record DeviationView(McpServerDeviation.Kind kind, String detail, String summary, String handling,
			long count, @Nullable Instant firstSeen, @Nullable Instant lastSeen) {

		static DeviationView of(McpServerDeviation deviation) {
			return new DeviationView(deviation.kind(), deviation.detail(), deviation.kind().summary(),
					deviation.kind().handling(), deviation.count(), McpServerDescriptor.millis(deviation.firstSeen()),
					McpServerDescriptor.millis(deviation.lastSeen()));
		}

	}

	/**
	 * A mismatch between a declared client and the tools that the server lists.
	 */
	@JsonInclude(Include.NON_NULL)
	public record MismatchView(String client, @Nullable String method, McpToolClientMismatchEvent.Kind kind,
			String detail) {

		static List<MismatchView> of(String server, List<McpToolClientMismatchEvent> clients) {
			return clients.stream()
				.filter((client) -> client.serverName().equals(server))
				.flatMap((client) -> client.mismatches()
					.stream()
					.map((one) -> new MismatchView(client.client(), one.method(), one.kind(), one.detail())))
				.toList();
		}

	}

	/**
	 * A call that has ended.
	 */
	@JsonInclude(Include.NON_NULL)
	public record CallView(String tool, @Nullable Instant started, long durationMs, String outcome,
			@Nullable String error, @Nullable Boolean repeated) {

		static CallView of(RecentCall call) {
			return new CallView(call.tool(), McpServerDescriptor.millis(call.started()), call.duration().toMillis(),
					call.outcome(), call.error(), call.repeated() ? true : null);
		}

	}

	/**
	 * A change of the state.
	 */
	@JsonInclude(Include.NON_NULL)
	public record StateView(McpServerState state, @Nullable Instant since, @Nullable String reason) {

		static StateView of(StateChange change) {
			return new StateView(change.state(), McpServerDescriptor.millis(change.since()), change.reason());
		}

	}

}
