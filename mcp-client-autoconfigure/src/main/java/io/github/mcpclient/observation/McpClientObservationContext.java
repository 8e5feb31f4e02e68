package io.github.mcpclient.observation;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.definition.McpServerDefinition;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of one request to an MCP server. The carrier contains
 * the entries that are added to the {@code _meta} of the request when the observation
 * starts, such as {@code traceparent}. Texts of a server or the application are a single
 * line of limited length, without configured secrets.
 */
public class McpClientObservationContext extends SenderContext<Map<String, String>> {

	private final Request request;

	private final ToolTags tags;

	// sorted: Micrometer's context sorts its map of values at each read, which was
	// nearly half the cost of an observation
	private final AtomicReference<KeyValues> lowCardinality = new AtomicReference<>(KeyValues.empty());

	private final AtomicReference<KeyValues> highCardinality = new AtomicReference<>(KeyValues.empty());

	private @Nullable KeyValues requestValues;

	private Outcome outcome;

	private boolean tracedByAgent;

	private OperationMeters.@Nullable Measurement measurement;

	/**
	 * Create a context.
	 * @param request the request
	 * @param outcome the outcome before the request is sent
	 */
	public McpClientObservationContext(Request request, Outcome outcome) {
		this(request, outcome, new ToolTags());
	}

	/**
	 * Create a context.
	 * @param tags the tags of other calls of the tool
	 */
	McpClientObservationContext(Request request, Outcome outcome, ToolTags tags) {
		super((carrier, key, value) -> {
			if (carrier != null) {
				carrier.put(key, value);
			}
		}, Kind.CLIENT);
		this.request = request;
		this.outcome = outcome;
		this.tags = tags;
		setCarrier(new HashMap<>());
	}

	/**
	 * Return the request.
	 * @return the request
	 */
	public Request getRequest() {
		return this.request;
	}

	/**
	 * Return the current outcome.
	 * @return the outcome, complete once the observation stops
	 */
	public Outcome getOutcome() {
		return this.outcome;
	}

	@Override
	public Observation.Context addLowCardinalityKeyValue(KeyValue value) {
		return addLowCardinalityKeyValues(KeyValues.of(value));
	}

	@Override
	public Observation.Context addLowCardinalityKeyValues(KeyValues values) {
		this.lowCardinality.updateAndGet((present) -> present.and(values));
		return this;
	}

	@Override
	public Observation.Context removeLowCardinalityKeyValue(String key) {
		remove(this.lowCardinality, key);
		return this;
	}

	@Override
	public KeyValues getLowCardinalityKeyValues() {
		return Objects.requireNonNull(this.lowCardinality.get());
	}

	@Override
	public @Nullable KeyValue getLowCardinalityKeyValue(String key) {
		return find(getLowCardinalityKeyValues(), key);
	}

	@Override
	public Observation.Context addHighCardinalityKeyValue(KeyValue value) {
		return addHighCardinalityKeyValues(KeyValues.of(value));
	}

	@Override
	public Observation.Context addHighCardinalityKeyValues(KeyValues values) {
		this.highCardinality.updateAndGet((present) -> present.and(values));
		return this;
	}

	@Override
	public Observation.Context removeHighCardinalityKeyValue(String key) {
		remove(this.highCardinality, key);
		return this;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues() {
		return Objects.requireNonNull(this.highCardinality.get());
	}

	@Override
	public @Nullable KeyValue getHighCardinalityKeyValue(String key) {
		return find(getHighCardinalityKeyValues(), key);
	}

	private static void remove(AtomicReference<KeyValues> values, String key) {
		values.updateAndGet(
				(present) -> KeyValues.of(present.stream().filter((value) -> !value.getKey().equals(key)).toList()));
	}

	private static @Nullable KeyValue find(KeyValues values, String key) {
		for (KeyValue value : values) {
			if (value.getKey().equals(key)) {
				return value;
			}
		}
		return null;
	}

	/**
	 * Return the values of the default convention that do not depend on the outcome. They
	 * are read at the start and at the end.
	 */
	KeyValues getRequestValues() {
		KeyValues values = this.requestValues;
		if (values == null) {
			values = DefaultMcpClientObservationConvention.highCardinality(this.request);
			this.requestValues = values;
		}
		return values;
	}

	ToolTags getToolTags() {
		return this.tags;
	}

	boolean isTracedByAgent() {
		return this.tracedByAgent;
	}

	/**
	 * Determine whether the parent is the observation of the execution of the same tool
	 * by Spring AI, or by another agent that follows the conventions of OpenTelemetry.
	 */
	void setOuter(@Nullable Observation outer) {
		String tool = (outer != null && !(outer.getContext() instanceof McpClientObservationContext))
				? tool(outer.getContextView()) : null;
		if (tool != null && this.request.method().equals(McpSchema.METHOD_TOOLS_CALL)) {
			McpServerDefinition server = this.request.server();
			String prefix = Objects.requireNonNullElse(server.tools().prefix(), server.name());
			this.tracedByAgent = tool.equals(this.request.target())
					|| tool.equals(prefix + '_' + this.request.target());
		}
	}

	private static @Nullable String tool(Observation.ContextView outer) {
		KeyValue tool = outer.getLowCardinalityKeyValue("spring.ai.tool.definition.name");
		KeyValue operation = outer.getLowCardinalityKeyValue("gen_ai.operation.name");
		if (tool == null && operation != null && operation.getValue().equals("execute_tool")) {
			tool = outer.getAllKeyValues()
				.stream()
				.filter((value) -> value.getKey().equals("gen_ai.tool.name"))
				.findFirst()
				.orElse(null);
		}
		return (tool != null) ? tool.getValue() : null;
	}

	OperationMeters.@Nullable Measurement getMeasurement() {
		return this.measurement;
	}

	void setMeasurement(OperationMeters.Measurement measurement) {
		this.measurement = measurement;
	}

	void setOutcome(Outcome outcome) {
		this.outcome = outcome;
	}

	/**
	 * A request. A retry is another request, with its own context.
	 *
	 * @param server the definition of the server, which may have secrets
	 * @param method the JSON-RPC method, such as {@code tools/call}
	 * @param id the JSON-RPC ID
	 * @param target the name of the tool or prompt, the URI of the resource, or
	 * {@code null} for requests that have none
	 * @param arguments the beginning of the arguments of a tool call, as JSON, or
	 * {@code null} unless {@code mcp.observations} includes them
	 * @param variables the arguments of a prompt by their names, or empty unless
	 * {@code mcp.observations} includes them
	 */
	public record Request(McpServerDefinition server, String method, String id, @Nullable String target,
			@Nullable String arguments, Map<String, String> variables) {
	}

	/**
	 * The current outcome of a request.
	 *
	 * @param protocolVersion the negotiated protocol version, or {@code null} until the
	 * response to {@code initialize}
	 * @param networkProtocolVersion the version of HTTP, or {@code null} until the first
	 * response, and for other protocols
	 * @param tag the name of the tool or prompt as the value of a tag: {@code other}
	 * where there are too many, or the server does not know the prompt, {@code null} for
	 * other requests
	 * @param errorType how the request failed, as in the tag {@code error.type}, or
	 * {@code null} if it did not
	 * @param statusCode the JSON-RPC error code, or {@code null} if it is absent
	 * @param result the beginning of the result of a tool call that did not fail, as
	 * JSON, or {@code null} unless {@code mcp.observations} includes it
	 */
	public record Outcome(@Nullable String protocolVersion, @Nullable String networkProtocolVersion,
			@Nullable String tag, @Nullable String errorType, @Nullable String statusCode, @Nullable String result) {
	}

}
