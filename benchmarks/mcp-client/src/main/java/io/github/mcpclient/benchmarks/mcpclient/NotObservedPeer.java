package io.github.mcpclient.benchmarks.mcpclient;

import java.util.List;

import io.github.mcpclient.benchmarks.client.Peer;

/**
 * The same application without registries of Micrometer, which the starter has through
 * Actuator.
 */
public class NotObservedPeer implements Peer {

	private static final String PACKAGE = "org.springframework.boot.micrometer.";

	private static final List<String> REGISTRIES = List.of(
			PACKAGE + "observation.autoconfigure.ObservationAutoConfiguration",
			PACKAGE + "metrics.autoconfigure.MetricsAutoConfiguration",
			PACKAGE + "metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
			PACKAGE + "metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration");

	@Override
	public Client start(List<String> servers) {
		return new McpClientPeer().start(servers,
				List.of("--spring.autoconfigure.exclude=" + String.join(",", REGISTRIES)));
	}

}
