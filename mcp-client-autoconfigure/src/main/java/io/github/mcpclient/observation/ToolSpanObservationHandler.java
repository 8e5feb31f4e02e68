package io.github.mcpclient.observation;

import java.util.Map;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;

/**
 * Where an agent traces the execution of a tool, adds what is observed of its call to
 * that span, and makes none: OpenTelemetry's conventions want one span for both. Has to
 * come before the handlers that make spans.
 */
record ToolSpanObservationHandler(Tracer tracer,
		Propagator propagator) implements TracingObservationHandler<McpClientObservationContext> {

	@Override
	public void onStart(McpClientObservationContext context) {
		Span span = getParentSpan(context);
		Map<String, String> carrier = context.getCarrier();
		if (span != null && carrier != null) {
			getTracingContext(context).setSpan(span);
			this.propagator.inject(span.context(), carrier, context.getSetter()::set);
		}
	}

	/**
	 * Whether the execution has failed is for the agent to say: a call may be repeated.
	 */
	@Override
	public void onError(McpClientObservationContext context) {
	}

	@Override
	public void onStop(McpClientObservationContext context) {
		Span span = getTracingContext(context).getSpan();
		if (span != null) {
			tagSpan(context, span);
		}
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof McpClientObservationContext request && request.isTracedByAgent();
	}

	@Override
	public Tracer getTracer() {
		return this.tracer;
	}

}
