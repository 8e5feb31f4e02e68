package io.github.mcpclient.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.connection.ConnectionObserver;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes all servers. Safe for use by many threads.
 */
public final class McpClientObservations {

	private final ObservationRegistry registry;

	private final McpClientObservationConvention convention;

	private final @Nullable McpClientMeters meters;

	private final McpProperties.Observations settings;

	/**
	 * What is the value of a tag, by server and kind: a server may be replaced by one
	 * that has other names.
	 */
	private final Map<String, Map<String, String>> values = new ConcurrentHashMap<>();

	/**
	 * Creates an instance.
	 * @param meters takes what is not observed of requests, or {@code null}
	 */
	public McpClientObservations(ObservationRegistry registry, McpClientObservationConvention convention,
			@Nullable McpClientMeters meters, McpProperties.Observations settings) {
		this.registry = registry;
		this.convention = convention;
		this.meters = meters;
		this.settings = settings;
	}

	/**
	 * Returns what observes the connection to a server, or {@code null} if nobody is
	 * there to see it.
	 */
	public @Nullable ConnectionObserver of(McpServerDefinition definition) {
		return (this.meters != null || this.registry != ObservationRegistry.NOOP)
				? new ServerObserver(this, definition, this.meters) : null;
	}

	ObservationRegistry registry() {
		return this.registry;
	}

	McpClientObservationConvention convention() {
		return this.convention;
	}

	McpProperties.Observations settings() {
		return this.settings;
	}

	Map<String, String> values(String server, String kind) {
		return this.values.computeIfAbsent(kind + " " + server, (key) -> new ConcurrentHashMap<>());
	}

}
