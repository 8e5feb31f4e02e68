package io.github.mcpclient.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The semantic conventions of OpenTelemetry for requests of MCP servers to clients, and
 * the configured name of the server. A {@code GlobalObservationConvention} replaces it.
 */
final class McpHandlerObservationConvention implements ObservationConvention<McpHandlerObservationContext> {

	@Override
	public String getName() {
		return DefaultMcpClientObservationConvention.HANDLER_NAME;
	}

	@Override
	public String getContextualName(McpHandlerObservationContext context) {
		return context.getRequest().method();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(McpHandlerObservationContext context) {
		return KeyValues.of(DefaultMcpClientObservationConvention.common(context.getRequest(), context.getOutcome()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(McpHandlerObservationContext context) {
		return KeyValues.of("jsonrpc.request.id", context.getRequest().id());
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof McpHandlerObservationContext;
	}

}
