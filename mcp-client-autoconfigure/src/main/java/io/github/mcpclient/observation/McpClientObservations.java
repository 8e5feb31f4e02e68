package io.github.mcpclient.observation;

import java.io.CharArrayWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.ConnectionObserver;
import io.github.mcpclient.internal.connection.ConnectionObserver.ObservedConnection;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.RequestObserver;
import io.github.mcpclient.internal.session.RequestObserver.Protocol;
import io.github.mcpclient.internal.session.ServerDescription;
import io.github.mcpclient.internal.support.CallOrigin;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.github.mcpclient.observation.McpClientObservationContext.Request;
import io.micrometer.observation.NullObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.Context;
import reactor.util.context.ContextView;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * Observes the requests to all servers. An exception in a registry, handler or convention
 * affects only the observation, not the request. Safe for use by many threads.
 */
final class McpClientObservations implements ConnectionObserver.Source {

	static final int MAX_CONTENT = 4000;

	private static final int MAX_LINE = 500;

	// a server can return any number
	private static final int MAX_CODES = 20;

	private static final String OTHER_NAME = "other";

	private static final int MAX_VARIABLES = 20;

	// requests to handlers: a server cannot add other names
	private static final Set<String> HANDLED = Set.of(McpSchema.METHOD_SAMPLING_CREATE_MESSAGE,
			McpSchema.METHOD_ELICITATION_CREATE, McpSchema.METHOD_ROOTS_LIST);

	private static final McpHandlerObservationConvention HANDLER_CONVENTION = new McpHandlerObservationConvention();

	private static final String KEY = ObservationThreadLocalAccessor.KEY;

	private static final Logger logger = LoggerFactory.getLogger(McpClientObservations.class);

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final ObservationRegistry registry;

	private final McpClientObservationConvention convention;

	private final @Nullable McpClientMeters meters;

	private final Settings settings;

	// the values of tags by server; a server may be replaced by one with other values
	private final Map<String, Values> values = new ConcurrentHashMap<>();

	/**
	 * Create an instance.
	 * @param meters the meters of connections, or {@code null}
	 */
	McpClientObservations(ObservationRegistry registry, McpClientObservationConvention convention,
			@Nullable McpClientMeters meters, Settings settings) {
		this.registry = registry;
		this.convention = convention;
		this.meters = meters;
		this.settings = settings;
	}

	/**
	 * Return the observer of the connection to a server, which does nothing without
	 * registries.
	 */
	@Override
	public List<ConnectionObserver> of(McpServerDefinition server) {
		return (this.meters != null || this.registry != ObservationRegistry.NOOP) ? List.of(new ServerObserver(server))
				: List.of();
	}

	/**
	 * Start within the parent, regardless of the current observation on the thread that
	 * sends or reads the request.
	 */
	@SuppressWarnings("try")
	private void within(@Nullable Observation parent, Runnable start) {
		if (this.registry.getCurrentObservation() == parent) {
			start.run();
			return;
		}
		try (Observation.Scope scope = ((parent != null) ? parent : new NullObservation(this.registry)).openScope()) {
			start.run();
		}
	}

	private final class ServerObserver implements ConnectionObserver {

		private final McpServerDefinition server;

		private final Secrets secrets;

		private final Set<String> fixedArguments;

		private final Values values;

		private volatile @Nullable String networkProtocolVersion;

		ServerObserver(McpServerDefinition server) {
			this.server = server;
			this.secrets = McpServerSecrets.of(server);
			this.fixedArguments = McpServerSecrets.fixedArguments(server);
			this.values = McpClientObservations.this.values.computeIfAbsent(server.name(), (name) -> new Values());
		}

		/**
		 * The observations of an interceptor are children of the observation of its
		 * caller.
		 */
		@Override
		public Context capture(Context caller) {
			ObservationRegistry registry = McpClientObservations.this.registry;
			Observation current = registry.isNoop() ? null : registry.getCurrentObservation();
			Object given = caller.getOrDefault(KEY, null);
			ObservationView outer = (given != null) ? current : null;
			while (outer != null && outer != given) {
				outer = outer.getContextView().getParentObservation();
			}
			return (current != null && (given == null || outer == given)) ? caller.put(KEY, current) : caller;
		}

		@Override
		public @Nullable ObservedRequest begin(Call<?> call, long id, Protocol protocol, ContextView caller) {
			boolean measured = McpClientObservations.this.meters != null;
			if (!measured && McpClientObservations.this.registry.isNoop()) {
				return null;
			}
			try {
				ServerRequest request = new ServerRequest(this, call, id, protocol);
				// ended and measured, even if another step fails
				guarded(() -> within(caller.getOrDefault(KEY, null), request::start));
				return (measured || !request.observation.isNoop()) ? request : null;
			}
			catch (Throwable ex) {
				notObserved(ex);
				return null;
			}
		}

		@Override
		public @Nullable ObservedAnswer receive(JSONRPCRequest request, Protocol protocol, ContextView call) {
			if (McpClientObservations.this.registry.isNoop() || !HANDLED.contains(request.method())) {
				return null;
			}
			try {
				ServerAnswer answer = new ServerAnswer(this, request, protocol);
				guarded(() -> within(call.getOrDefault(KEY, null), answer::start));
				return answer.observation.isNoop() ? null : answer;
			}
			catch (Throwable ex) {
				notObserved(ex);
				return null;
			}
		}

		@Override
		public void created(ObservedConnection connection) {
			McpClientObservations.this.values.compute(this.server.name(),
					(name, known) -> Objects.requireNonNullElse(known, this.values).users(1));
			measured((meters) -> meters.created(connection));
		}

		@Override
		public void connecting() {
			measured((meters) -> meters.connecting(this.server.name()));
		}

		@Override
		public void sessionEnded(Duration duration, @Nullable String protocolVersion, @Nullable Throwable cause) {
			measured((meters) -> meters.sessionEnded(this.server, duration, protocolVersion,
					this.networkProtocolVersion, (cause != null) ? errorType(cause) : null));
		}

		@Override
		public void closed(ObservedConnection connection) {
			McpClientObservations.this.values.computeIfPresent(this.server.name(),
					(name, known) -> (known.users(-1).users > 0) ? known : null);
			measured((meters) -> meters.closed(connection));
		}

		private @Nullable String updateNetworkProtocolVersion(Protocol protocol) {
			String version = protocol.networkVersion();
			if (version != null && !version.equals(this.networkProtocolVersion)) {
				this.networkProtocolVersion = version;
			}
			return this.networkProtocolVersion;
		}

		private void measured(Consumer<McpClientMeters> event) {
			McpClientMeters meters = McpClientObservations.this.meters;
			if (meters != null) {
				guarded(() -> event.accept(meters));
			}
		}

		private void guarded(Runnable task) {
			try {
				task.run();
			}
			catch (Throwable ex) {
				notObserved(ex);
			}
		}

		private void notObserved(Throwable failure) {
			logger.debug("A request or connection to MCP server '{}' is not observed", this.server.name(), failure);
		}

		private String line(String text) {
			return Redaction.urls(this.secrets.line(text, MAX_LINE));
		}

		/**
		 * Return the value of a tag, or another value if there are too many.
		 */
		private String tag(Map<String, String> known, String value, int limit, String other) {
			String tag = known.get(value);
			if (tag == null && known.size() < limit) {
				tag = line(value);
				known.put(value, tag);
			}
			return (tag != null) ? tag : other;
		}

		private String tag(Map<String, String> known, String name) {
			return tag(known, name, McpClientObservations.this.settings.maxNames(), OTHER_NAME);
		}

		private String errorType(Throwable failure) {
			String type = FailureTypes.of(failure);
			return Character.isLetter(type.charAt(0)) ? type : code(type);
		}

		private String code(String code) {
			return tag(this.values.codes, code, MAX_CODES, FailureTypes.OTHER);
		}

		private String arguments(Map<String, @Nullable Object> arguments) {
			Map<String, @Nullable Object> shown = new LinkedHashMap<>(arguments);
			shown.replaceAll((name, value) -> this.fixedArguments.contains(name) ? Secrets.MASK : value);
			return json(shown);
		}

		/**
		 * Return the beginning of a value as JSON, without writing all of it.
		 */
		private String json(Object value) {
			CharArrayWriter text = new CharArrayWriter() {

				@Override
				public void write(char[] characters, int offset, int length) {
					super.write(characters, offset, length);
					Assert.state(size() <= MAX_CONTENT, "Enough");
				}

			};
			try {
				mapper.writeValue(text, value);
			}
			catch (RuntimeException | StackOverflowError ex) {
				logger.trace("Not all was written", ex);
			}
			return this.secrets.line(text.toString(), MAX_CONTENT, text.size() > MAX_CONTENT);
		}

	}

	/**
	 * An observation, which ends once.
	 */
	private abstract class Exchange {

		final ServerObserver server;

		final Protocol protocol;

		Observation observation = Observation.NOOP;

		private final AtomicBoolean ended = new AtomicBoolean();

		Exchange(ServerObserver server, Protocol protocol) {
			this.server = server;
			this.protocol = protocol;
		}

		<T extends Observation.Context> void start(ObservationConvention<T> convention, T context) {
			this.observation = Observation.createNotStarted(convention, () -> context,
					McpClientObservations.this.registry);
			this.observation.start();
		}

		void end(Runnable result) {
			if (this.ended.compareAndSet(false, true)) {
				this.server.guarded(result);
				this.server.guarded(this.observation::stop);
				this.server.measured(McpClientMeters::measured);
			}
		}

	}

	private final class ServerRequest extends Exchange implements RequestObserver.ObservedRequest {

		private final McpClientObservationContext context;

		private final @Nullable String prompt;

		private @Nullable String protocolVersion;

		private @Nullable String tag;

		ServerRequest(ServerObserver server, Call<?> call, long id, Protocol protocol) {
			super(server, protocol);
			this.protocolVersion = protocol.version();
			this.prompt = McpSchema.METHOD_PROMPT_GET.equals(call.method()) ? call.subject() : null;
			String target = McpSchema.METHOD_COMPLETION_COMPLETE.equals(call.method()) ? null : call.subject();
			String arguments = null;
			Map<String, String> variables = Map.of();
			ToolTags tags = null;
			if (call.params() instanceof CallToolRequest tool) {
				this.tag = server.tag(server.values.tools, tool.name());
				tags = server.values.tags(this.tag);
				arguments = McpClientObservations.this.settings.includeArguments()
						? server.arguments(Objects.requireNonNullElse(tool.arguments(), Map.of())) : null;
			}
			else if (this.prompt != null) {
				// a prompt is a tag only after a response of the server
				this.tag = server.values.prompts.getOrDefault(this.prompt, OTHER_NAME);
				variables = variables(call.params());
			}
			target = (target == null || target.equals(this.tag)) ? target : server.line(target);
			this.context = new McpClientObservationContext(
					new Request(server.server, call.method(), String.valueOf(id), target, arguments, variables),
					new Outcome(this.protocolVersion, server.networkProtocolVersion, this.tag, null, null, null),
					(tags != null) ? tags : new ToolTags());
		}

		private Map<String, String> variables(@Nullable Object params) {
			if (!McpClientObservations.this.settings.includeArguments()
					|| !(params instanceof GetPromptRequest get && get.arguments() != null)) {
				return Map.of();
			}
			Map<String, String> variables = new LinkedHashMap<>();
			get.arguments()
				.entrySet()
				.stream()
				.limit(MAX_VARIABLES)
				.forEach((argument) -> variables.put(this.server.line(argument.getKey()),
						this.server.line(String.valueOf(argument.getValue()))));
			return variables;
		}

		void start() {
			this.context.setOuter(McpClientObservations.this.registry.getCurrentObservation());
			start(McpClientObservations.this.convention, this.context);
		}

		@Override
		public Map<String, String> meta() {
			Map<String, String> carrier = this.context.getCarrier();
			return (carrier != null) ? carrier : Map.of();
		}

		@Override
		public void answered(Object result, @Nullable Object raw) {
			end(() -> {
				if (result instanceof CallToolResult answer) {
					answered(answer, raw);
					return;
				}
				if (result instanceof ServerDescription description) {
					this.protocolVersion = description.protocolVersion();
				}
				else if (this.prompt != null) {
					this.tag = this.server.tag(this.server.values.prompts, this.prompt);
				}
				outcome(null, null, null);
			});
		}

		private void answered(CallToolResult result, @Nullable Object raw) {
			this.server.measured((meters) -> meters.result(this.server.server.name(), raw));
			if (Boolean.TRUE.equals(result.isError())) {
				failed("tool_error", null, "The tool returned an error");
			}
			else if (McpClientObservations.this.settings.includeResults()) {
				outcome(null, null, this.server
					.json((result.structuredContent() != null) ? result.structuredContent() : result.content()));
			}
		}

		@Override
		public void failed(Throwable failure) {
			end(() -> {
				JSONRPCError error = FailureTypes.error(failure);
				String type = this.server.errorType(failure);
				failed(type, (error != null) ? type : null,
						this.server.line(String.valueOf((error != null) ? error.message() : failure.getMessage())));
			});
		}

		private void failed(String type, @Nullable String statusCode, String message) {
			outcome(type, statusCode, null);
			this.observation.error(new OperationFailure(message));
		}

		private void outcome(@Nullable String errorType, @Nullable String statusCode, @Nullable String result) {
			this.context.setOutcome(new Outcome(this.protocolVersion,
					this.server.updateNetworkProtocolVersion(this.protocol), this.tag, errorType, statusCode, result));
		}

	}

	private final class ServerAnswer extends Exchange implements RequestObserver.ObservedAnswer {

		private final McpHandlerObservationContext context;

		ServerAnswer(ServerObserver server, JSONRPCRequest request, Protocol protocol) {
			super(server, protocol);
			this.context = new McpHandlerObservationContext(new Request(server.server, request.method(),
					server.line(String.valueOf(request.id())), null, null, Map.of()), outcome(null, null),
					request.params());
		}

		void start() {
			start(HANDLER_CONVENTION, this.context);
		}

		@Override
		public Context within(Context call) {
			CallOrigin origin = call.get(CallOrigin.class);
			return call.put(KEY, this.observation).put(CallOrigin.class, origin.withInner(this::scoped));
		}

		private Runnable scoped(Runnable task) {
			return () -> {
				Observation.Scope scope = openScope();
				try {
					task.run();
				}
				finally {
					this.server.guarded(scope::close);
				}
			};
		}

		private Observation.Scope openScope() {
			try {
				return this.observation.openScope();
			}
			catch (Throwable ex) {
				this.server.notObserved(ex);
				return Observation.Scope.NOOP;
			}
		}

		@Override
		public void answered(@Nullable JSONRPCError error) {
			end(() -> {
				if (error == null) {
					this.context.setOutcome(outcome(null, null));
					return;
				}
				String code = this.server.code(String.valueOf(error.code()));
				if (FailureTypes.isOfCaller(error.code())) {
					this.context.setOutcome(outcome(null, code));
					return;
				}
				failed(code, code, this.server.line(String.valueOf(error.message())));
			});
		}

		@Override
		public void cancelled() {
			end(() -> failed("cancelled", null, "The request was cancelled"));
		}

		private void failed(String type, @Nullable String statusCode, String message) {
			this.context.setOutcome(outcome(type, statusCode));
			this.observation.error(new OperationFailure(message));
		}

		private Outcome outcome(@Nullable String errorType, @Nullable String statusCode) {
			return new Outcome(this.protocol.version(), this.protocol.networkVersion(), null, errorType, statusCode,
					null);
		}

	}

	/**
	 * The optional content of observations, and the limit of names per server.
	 */
	record Settings(boolean includeArguments, boolean includeResults, int maxNames) {
	}

	/**
	 * The values of the tags of one server.
	 */
	private static final class Values {

		private final Map<String, String> tools = new ConcurrentHashMap<>(1);

		private final Map<String, String> prompts = new ConcurrentHashMap<>(1);

		private final Map<String, String> codes = new ConcurrentHashMap<>(1);

		// by the tag of a tool, whose number is limited
		private final Map<String, ToolTags> toolTags = new ConcurrentHashMap<>(1);

		private int users;

		ToolTags tags(String tool) {
			ToolTags tags = this.toolTags.get(tool);
			return (tags != null) ? tags : this.toolTags.computeIfAbsent(tool, (name) -> new ToolTags());
		}

		Values users(int more) {
			this.users += more;
			return this;
		}

	}

	/**
	 * The text of a failure in a span, since its message may have secrets.
	 */
	private static final class OperationFailure extends RuntimeException {

		OperationFailure(String message) {
			super(message, null, false, false);
		}

	}

}
