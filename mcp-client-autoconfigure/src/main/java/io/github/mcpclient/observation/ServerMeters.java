package io.github.mcpclient.observation;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.connection.McpConnection;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The meters of one server, which are those of its latest connection.
 */
final class ServerMeters {

	/**
	 * A closed connection is one of a server that is removed or replaced.
	 */
	private static final List<McpServerState> STATES = List.of(McpServerState.DISABLED, McpServerState.IDLE,
			McpServerState.CONNECTING, McpServerState.READY, McpServerState.UNAVAILABLE);

	private final MeterRegistry registry;

	private final List<Tag> server;

	private final AtomicReference<@Nullable McpConnection> connection = new AtomicReference<>();

	private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

	ServerMeters(String server, MeterRegistry registry) {
		this.registry = registry;
		this.server = List.of(Tag.of(DefaultMcpClientObservationConvention.SERVER_NAME, server));
	}

	void follow(McpConnection connection) {
		this.connection.set(connection);
	}

	/**
	 * Returns whether that was the latest connection.
	 */
	boolean leave(McpConnection connection) {
		return this.connection.compareAndSet(connection, null);
	}

	void register() {
		for (McpServerState state : STATES) {
			this.meters.add(gauge("servers", "Whether the server is in the state",
					(present) -> (present.state() == state) ? 1 : 0)
				.tag("state", state.name())
				.register(this.registry));
		}
		this.meters.add(gauge("pending", "Requests that wait for their answers", McpConnection::pendingCount)
			.register(this.registry));
		this.meters.add(gauge("tools", "Tools that the server has", (present) -> present.tools().size())
			.register(this.registry));
		attempts();
		results();
	}

	private Gauge.Builder<AtomicReference<@Nullable McpConnection>> gauge(String name, String description,
			ToDoubleFunction<McpConnection> value) {
		return Gauge.builder("mcp.client." + name, this.connection, (reference) -> {
			McpConnection present = reference.get();
			return (present != null) ? value.applyAsDouble(present) : Double.NaN;
		}).description(description).tags(this.server);
	}

	void connecting() {
		attempts().increment();
	}

	private Counter attempts() {
		return add(Counter.builder("mcp.client.attempts")
			.description("Attempts to connect to the server")
			.tags(this.server)
			.register(this.registry));
	}

	private DistributionSummary results() {
		return add(DistributionSummary.builder("mcp.client.result.size")
			.description("Size of the results of tool calls, as compact JSON")
			.baseUnit("bytes")
			.tags(this.server)
			.register(this.registry));
	}

	void result(@Nullable Object raw) {
		if (raw instanceof JsonNode tree) {
			results().record(size(tree));
		}
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

	void sessionEnded(Duration duration, KeyValues connection, @Nullable String error) {
		List<Tag> tags = connection.and((error != null) ? KeyValues.of("error.type", error) : KeyValues.empty())
			.stream()
			.map((tag) -> Tag.of(tag.getKey(), tag.getValue()))
			.toList();
		Timer.builder(McpClientMeters.SESSION_DURATION)
			.description("Duration of sessions with the server")
			.tags(tags)
			.register(this.registry)
			.record(duration);
		if (error != null) {
			add(Counter.builder("mcp.client.losses")
				.description("Connections that were lost, by cause")
				.tags(this.server)
				.tag("cause", error)
				.register(this.registry)).increment();
		}
	}

	void remove() {
		this.meters.forEach(this.registry::remove);
	}

	private <M extends Meter> M add(M meter) {
		this.meters.add(meter);
		return meter;
	}

}
