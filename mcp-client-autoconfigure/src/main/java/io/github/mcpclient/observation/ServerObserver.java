package io.github.mcpclient.observation;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.connection.ConnectionObserver;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.session.Call;
import io.github.mcpclient.support.Redaction;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.McpServerSecrets;
import io.micrometer.observation.NullObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.Context;
import reactor.util.context.ContextView;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Observes the connection to one server and its requests. What registries, handlers and
 * conventions throw costs the observation alone.
 */
final class ServerObserver implements ConnectionObserver {

	static final int MAX_CONTENT = 4000;

	private static final int MAX_NAME = 128;

	private static final int MAX_MESSAGE = 500;

	/**
	 * A server can answer with any number.
	 */
	private static final int MAX_CODES = 20;

	private static final String OTHER_NAME = "other";

	private static final String KEY = ObservationThreadLocalAccessor.KEY;

	private static final Logger logger = LoggerFactory.getLogger(ServerObserver.class);

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final McpClientObservations observations;

	private final ObservationRegistry registry;

	private final McpServerDefinition definition;

	private final @Nullable McpClientMeters allMeters;

	private final Secrets secrets;

	private final Map<String, String> tools;

	private final Map<String, String> prompts;

	private final Map<String, String> codes;

	/**
	 * Once there is a connection.
	 */
	private volatile @Nullable ServerMeters meters;

	ServerObserver(McpClientObservations observations, McpServerDefinition definition,
			@Nullable McpClientMeters meters) {
		this.observations = observations;
		this.registry = observations.registry();
		this.definition = definition;
		this.allMeters = meters;
		this.secrets = McpServerSecrets.of(definition);
		this.tools = observations.values(definition.name(), "tool");
		this.prompts = observations.values(definition.name(), "prompt");
		this.codes = observations.values(definition.name(), "code");
	}

	/**
	 * What an interceptor observes lies within what its caller has in the context.
	 */
	@Override
	public Context capture(Context caller) {
		Observation current = this.registry.isNoop() ? null : this.registry.getCurrentObservation();
		if (current == null) {
			return caller;
		}
		Object given = caller.getOrDefault(KEY, null);
		return (given == null || isWithin(current, given)) ? caller.put(KEY, current) : caller;
	}

	private static boolean isWithin(ObservationView inner, Object outer) {
		ObservationView observation = inner;
		while (observation != null && observation != outer) {
			observation = observation.getContextView().getParentObservation();
		}
		return observation != null;
	}

	@Override
	public @Nullable ObservedRequest begin(Call<?> call, long id, @Nullable String protocolVersion,
			ContextView caller) {
		boolean measured = this.meters != null && call.params() instanceof CallToolRequest;
		if (this.registry.isNoop()) {
			return measured ? new Request(Observation.NOOP, context(call, id, protocolVersion)) : null;
		}
		McpClientObservationContext context = context(call, id, protocolVersion);
		Observation observation = Observation.NOOP;
		try {
			observation = start(context, caller.getOrDefault(KEY, null));
		}
		catch (Throwable ex) {
			logger.debug("A request to MCP server '{}' is not observed", this.definition.name(), ex);
		}
		return (measured || !observation.isNoop()) ? new Request(observation, context) : null;
	}

	private McpClientObservationContext context(Call<?> call, long id, @Nullable String protocolVersion) {
		McpClientObservationContext context = new McpClientObservationContext(this.definition, call.method(),
				String.valueOf(id));
		context.setRequest(call.params());
		context.setProtocolVersion(protocolVersion);
		String subject = call.subject();
		if (subject != null && call.method().startsWith("resources/")) {
			context.setTarget(Redaction.urls(this.secrets.line(subject, MAX_MESSAGE)), null);
		}
		else if (subject != null && McpSchema.METHOD_PROMPT_GET.equals(call.method())) {
			// a tag only once the server has answered it
			String known = this.prompts.get(subject);
			context.setTarget((known != null) ? known : name(subject), (known != null) ? known : OTHER_NAME);
		}
		else if (call.params() instanceof CallToolRequest request) {
			String known = tag(this.tools, request.name());
			context.setTarget((known != null) ? known : name(request.name()), (known != null) ? known : OTHER_NAME);
			if (this.observations.settings().includeArguments() && request.arguments() != null) {
				context.setArguments(text(request.arguments()));
			}
		}
		return context;
	}

	/**
	 * Whatever is observed on the thread that happens to send the request.
	 */
	@SuppressWarnings("try")
	private Observation start(McpClientObservationContext context, @Nullable Observation parent) {
		if (this.registry.getCurrentObservation() == parent) {
			return create(context).start();
		}
		try (Observation.Scope scope = ((parent != null) ? parent : new NullObservation(this.registry)).openScope()) {
			return create(context).start();
		}
	}

	private Observation create(McpClientObservationContext context) {
		return Observation.createNotStarted(this.observations.convention(), () -> context, this.registry);
	}

	private String name(String name) {
		return this.secrets.line(name, MAX_NAME);
	}

	/**
	 * Returns a name if it may be the value of a tag.
	 */
	private @Nullable String tag(Map<String, String> known, String name) {
		String tag = known.get(name);
		if (tag == null && known.size() < this.observations.settings().maxNames()) {
			tag = name(name);
			known.put(name, tag);
		}
		return tag;
	}

	private String type(Throwable failure) {
		String type = FailureTypes.of(failure);
		if (Character.isLetter(type.charAt(0)) || this.codes.containsKey(type)) {
			return type;
		}
		if (this.codes.size() >= MAX_CODES) {
			return FailureTypes.OTHER;
		}
		this.codes.put(type, type);
		return type;
	}

	private String message(Throwable failure) {
		JSONRPCError error = FailureTypes.error(failure);
		return Redaction.urls(this.secrets
			.line(String.valueOf((error != null) ? error.message() : failure.getMessage()), MAX_MESSAGE));
	}

	/**
	 * Returns the beginning of a value as JSON: no more is written.
	 */
	private String text(Object value) {
		StringBuilder text = new StringBuilder();
		try {
			mapper.writeValue(new Writer() {

				@Override
				public void write(char[] characters, int offset, int length) throws IOException {
					text.append(characters, offset, length);
					if (text.length() > MAX_CONTENT) {
						throw new IOException("Enough");
					}
				}

				@Override
				public void flush() {
				}

				@Override
				public void close() {
				}

			}, value);
		}
		catch (JacksonException ex) {
			logger.trace("Not all was written", ex);
		}
		return this.secrets.line(text.toString(), MAX_CONTENT);
	}

	@Override
	public void created(McpConnection connection) {
		if (this.allMeters != null) {
			this.meters = this.allMeters.created(connection);
		}
	}

	@Override
	public void connecting() {
		ServerMeters meters = this.meters;
		if (meters != null) {
			meters.connecting();
		}
	}

	@Override
	public void sessionEnded(Duration duration, @Nullable String protocolVersion, @Nullable Throwable cause) {
		ServerMeters meters = this.meters;
		if (meters != null) {
			String type = (cause != null) ? type(cause) : null;
			meters.sessionEnded(duration,
					DefaultMcpClientObservationConvention.connection(this.definition, protocolVersion), type);
		}
	}

	@Override
	public void closed(McpConnection connection) {
		if (this.allMeters != null) {
			this.allMeters.closed(connection);
		}
	}

	/**
	 * One request.
	 */
	private final class Request implements ObservedRequest {

		private final Observation observation;

		private final McpClientObservationContext context;

		private final AtomicBoolean ended = new AtomicBoolean();

		Request(Observation observation, McpClientObservationContext context) {
			this.observation = observation;
			this.context = context;
		}

		@Override
		public Map<String, String> meta() {
			Map<String, String> carrier = this.context.getCarrier();
			return (carrier != null) ? carrier : Map.of();
		}

		@Override
		public void answered(Object result, @Nullable Object raw) {
			end(() -> {
				this.context.setResult(result);
				if (result instanceof CallToolResult answer) {
					answered(answer, raw);
				}
				else if (result instanceof InitializeResult server) {
					this.context.setProtocolVersion(server.protocolVersion());
				}
				else if (this.context.getRequest() instanceof McpSchema.GetPromptRequest prompt) {
					String tag = tag(ServerObserver.this.prompts, prompt.name());
					this.context.setTarget(this.context.getTarget(), (tag != null) ? tag : OTHER_NAME);
				}
			});
		}

		private void answered(CallToolResult result, @Nullable Object raw) {
			ServerMeters meters = ServerObserver.this.meters;
			if (meters != null) {
				meters.result(raw);
			}
			if (Boolean.TRUE.equals(result.isError())) {
				failed("tool_error", null, "The tool answered with an error");
			}
			else if (ServerObserver.this.observations.settings().includeResults()) {
				Object content = (result.structuredContent() != null) ? result.structuredContent() : result.content();
				this.context.setResultText(text(content));
			}
		}

		@Override
		public void failed(Throwable failure) {
			end(() -> {
				String type = type(failure);
				failed(type, (FailureTypes.error(failure) != null) ? type : null, message(failure));
			});
		}

		private void failed(String type, @Nullable String statusCode, String message) {
			this.context.setError(type, statusCode);
			this.observation.error(new OperationFailure(message));
		}

		private void end(Runnable result) {
			if (!this.ended.compareAndSet(false, true)) {
				return;
			}
			try {
				result.run();
			}
			catch (Throwable ex) {
				logger.debug("The end of a request to MCP server '{}' is not observed",
						ServerObserver.this.definition.name(), ex);
			}
			finally {
				stop();
			}
		}

		private void stop() {
			try {
				this.observation.stop();
			}
			catch (Throwable ex) {
				logger.debug("The end of a request to MCP server '{}' is not observed",
						ServerObserver.this.definition.name(), ex);
			}
		}

	}

	/**
	 * What a span shows of a failure, whose own message may have secrets.
	 */
	private static final class OperationFailure extends RuntimeException {

		OperationFailure(String message) {
			super(message, null, false, false);
		}

	}

}
