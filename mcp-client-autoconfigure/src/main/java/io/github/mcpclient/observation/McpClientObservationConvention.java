package io.github.mcpclient.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The names, tags and attributes of the requests to MCP servers. A bean of this type
 * replaces the {@link DefaultMcpClientObservationConvention}, which may be extended.
 * Implementations are called by many threads, must not block, and must keep the values of
 * low cardinality few: each is a series of a metric.
 */
public interface McpClientObservationConvention extends ObservationConvention<McpClientObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof McpClientObservationContext;
	}

}
