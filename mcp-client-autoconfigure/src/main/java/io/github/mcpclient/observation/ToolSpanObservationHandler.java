package io.github.mcpclient.observation;

import java.util.Map;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;

/**
 * If an agent traces the execution of a tool, adds the attributes of the call to that
 * span and creates no other span: OpenTelemetry's conventions require one span for both.
 * Must precede the handlers that create spans.
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
	 * The agent determines whether the execution has failed, since a call may be retried.
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
