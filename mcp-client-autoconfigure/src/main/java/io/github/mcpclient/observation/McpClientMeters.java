package io.github.mcpclient.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.connection.McpConnection;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of the connections, which come and go with them. Safe for use by many
 * threads.
 */
public final class McpClientMeters {

	/**
	 * The name of the metric for the duration of sessions.
	 */
	public static final String SESSION_DURATION = "mcp.client.session.duration";

	private final MeterRegistry registry;

	private final Map<String, ServerMeters> servers = new ConcurrentHashMap<>();

	/**
	 * Creates an instance.
	 */
	public McpClientMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	/**
	 * A connection that replaces another goes on with its meters.
	 */
	ServerMeters created(McpConnection connection) {
		ServerMeters meters = this.servers.compute(connection.name(), (name, present) -> {
			ServerMeters next = (present != null) ? present : new ServerMeters(name, this.registry);
			next.follow(connection);
			return next;
		});
		meters.register();
		return meters;
	}

	void closed(McpConnection connection) {
		ServerMeters meters = this.servers.get(connection.name());
		if (meters != null && this.servers.computeIfPresent(connection.name(),
				(name, present) -> present.leave(connection) ? null : present) == null) {
			meters.remove();
		}
	}

}
