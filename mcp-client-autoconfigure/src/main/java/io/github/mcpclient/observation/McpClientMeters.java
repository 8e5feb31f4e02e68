package io.github.mcpclient.observation;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.connection.McpConnection;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The meters of the connections, which come and go with their servers. Safe for use by
 * many threads.
 */
public final class McpClientMeters {

	/**
	 * The name of the metric for the duration of sessions.
	 */
	public static final String SESSION_DURATION = "mcp.client.session.duration";

	/**
	 * A closed connection is one of a server that is removed or replaced.
	 */
	private static final List<McpServerState> STATES = List.of(McpServerState.DISABLED, McpServerState.IDLE,
			McpServerState.CONNECTING, McpServerState.READY, McpServerState.UNAVAILABLE);

	private final MeterRegistry registry;

	private final Map<String, Server> servers = new ConcurrentHashMap<>();

	/**
	 * Creates an instance.
	 */
	public McpClientMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	/**
	 * A connection that replaces another goes on with its meters.
	 */
	void created(McpConnection connection) {
		this.servers.compute(connection.name(), (name, present) -> {
			Server next = (present != null) ? present : new Server(name);
			next.latest.set(connection);
			return next;
		}).register();
	}

	void connecting(String server) {
		of(server).attempts().increment();
	}

	void sessionEnded(McpServerDefinition server, Duration duration, @Nullable String protocolVersion,
			@Nullable Throwable cause) {
		String error = (cause != null) ? FailureTypes.of(cause) : null;
		List<Tag> tags = DefaultMcpClientObservationConvention.connection(server, protocolVersion)
			.and(DefaultMcpClientObservationConvention.optional("error.type", error))
			.stream()
			.map((tag) -> Tag.of(tag.getKey(), tag.getValue()))
			.toList();
		this.registry.timer(SESSION_DURATION, tags).record(duration);
		if (error != null) {
			of(server.name()).losses(error).increment();
		}
	}

	void closed(McpConnection connection) {
		Server server = of(connection.name());
		if (this.servers.computeIfPresent(connection.name(),
				(name, present) -> present.latest.compareAndSet(connection, null) ? null : present) == null) {
			server.meters.forEach(this.registry::remove);
		}
	}

	void result(String server, @Nullable Object raw) {
		if (raw instanceof JsonNode tree) {
			of(server).results().record(size(tree));
		}
	}

	private Server of(String name) {
		Server server = this.servers.get(name);
		return (server != null) ? server : new Server(name);
	}

	/**
	 * Returns about how many bytes a value takes.
	 */
	private static long size(JsonNode value) {
		if (value.isString()) {
			return ByteBufUtil.utf8Bytes(value.stringValue()) + 2L;
		}
		if (!value.isContainer()) {
			return value.asString("").length();
		}
		long size = 1L + Math.max(value.size(), 1);
		for (JsonNode item : value) {
			size += size(item);
		}
		for (String name : value.propertyNames()) {
			size += ByteBufUtil.utf8Bytes(name) + 3L;
		}
		return size;
	}

	/**
	 * The meters of one server, which are those of its latest connection.
	 */
	private final class Server {

		private final List<Tag> tags;

		private final AtomicReference<@Nullable McpConnection> latest = new AtomicReference<>();

		private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

		Server(String name) {
			this.tags = List.of(Tag.of(DefaultMcpClientObservationConvention.SERVER_NAME, name));
		}

		void register() {
			STATES.forEach((state) -> gauge("servers", "state", state.name(),
					(connection) -> (connection.state() == state) ? 1 : 0));
			gauge("pending", null, "", McpConnection::pendingCount);
			gauge("tools", null, "", (connection) -> connection.tools().size());
			attempts();
			results();
		}

		private void gauge(String name, @Nullable String key, String value, ToDoubleFunction<McpConnection> number) {
			add(Gauge.builder("mcp.client." + name, this.latest, (reference) -> {
				McpConnection connection = reference.get();
				return (connection != null) ? number.applyAsDouble(connection) : Double.NaN;
			}).tags(this.tags).tags((key != null) ? List.of(Tag.of(key, value)) : List.of()).register(registry()));
		}

		Counter attempts() {
			return add(Counter.builder("mcp.client.attempts").tags(this.tags).register(registry()));
		}

		Counter losses(String cause) {
			return add(Counter.builder("mcp.client.losses").tags(this.tags).tag("cause", cause).register(registry()));
		}

		DistributionSummary results() {
			return add(DistributionSummary.builder("mcp.client.result.size")
				.baseUnit("bytes")
				.tags(this.tags)
				.register(registry()));
		}

		private MeterRegistry registry() {
			return McpClientMeters.this.registry;
		}

		private <M extends Meter> M add(M meter) {
			this.meters.add(meter);
			return meter;
		}

	}

}
