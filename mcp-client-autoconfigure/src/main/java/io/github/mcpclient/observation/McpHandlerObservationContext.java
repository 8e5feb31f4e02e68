package io.github.mcpclient.observation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.github.mcpclient.observation.McpClientObservationContext.Request;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The context of the observation of one request of an MCP server to a handler of the
 * application. The carrier has the trace in the {@code _meta} of the request. It excludes
 * the baggage, which could be mistaken for baggage of the application.
 */
public final class McpHandlerObservationContext extends ReceiverContext<Map<String, String>> {

	private static final List<String> TRACE = List.of("traceparent", "tracestate");

	private static final int MAX_TRACE = 512;

	private final Request request;

	private Outcome outcome;

	McpHandlerObservationContext(Request request, Outcome outcome, @Nullable Object params) {
		super(Map::get, Kind.SERVER);
		this.request = request;
		this.outcome = outcome;
		Map<String, String> carrier = new HashMap<>();
		for (String key : TRACE) {
			String value = meta(params, key);
			if (value != null && value.length() <= MAX_TRACE) {
				carrier.put(key, value);
			}
		}
		setCarrier(carrier);
	}

	/**
	 * Parameters are a tree, or a map in custom transports.
	 */
	private static @Nullable String meta(@Nullable Object params, String key) {
		if (params instanceof JsonNode tree) {
			return tree.path("_meta").path(key).stringValue(null);
		}
		return (params instanceof Map<?, ?> map && map.get("_meta") instanceof Map<?, ?> meta
				&& meta.get(key) instanceof String value) ? value : null;
	}

	/**
	 * Return the request.
	 * @return the request, which has no target
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

	void setOutcome(Outcome outcome) {
		this.outcome = outcome;
	}

}
