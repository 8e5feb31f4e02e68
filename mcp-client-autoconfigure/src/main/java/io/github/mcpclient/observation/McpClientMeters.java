package io.github.mcpclient.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.ConnectionObserver.ObservedConnection;
import io.micrometer.common.KeyValue;
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

import org.springframework.util.ConcurrentLruCache;

/**
 * The meters of the connections, which are added and removed with their servers. When a
 * server is removed, all other meters with its name as a tag are removed, too. Safe for
 * use by many threads.
 */
final class McpClientMeters {

	/**
	 * The name of the metric for the duration of sessions.
	 */
	public static final String SESSION_DURATION = "mcp.client.session.duration";

	// a closed connection belongs to a server that is removed or replaced
	private static final List<McpServerState> STATES = List.of(McpServerState.DISABLED, McpServerState.IDLE,
			McpServerState.CONNECTING, McpServerState.READY, McpServerState.UNAVAILABLE);

	private static final int MOST_GONE = 1000;

	private final MeterRegistry registry;

	private final Map<String, Server> servers = new ConcurrentHashMap<>();

	// recently removed servers, which may still have calls in flight
	private final ConcurrentLruCache<String, Boolean> gone = new ConcurrentLruCache<>(MOST_GONE, (name) -> true);

	// meters that were added for removed servers
	private final Queue<Meter> late = new ConcurrentLinkedQueue<>();

	/**
	 * Create an instance.
	 */
	McpClientMeters(MeterRegistry registry) {
		this.registry = registry;
		registry.config().onMeterAdded(this::added);
	}

	// called by the registry before it has the meter
	private void added(Meter meter) {
		String name = serverName(meter);
		Server server = (name != null) ? this.servers.get(name) : null;
		if (server != null) {
			server.meters.add(meter);
		}
		if (name != null && this.gone.contains(name)) {
			this.late.add(meter);
		}
	}

	private static @Nullable String serverName(Meter meter) {
		return meter.getId().getName().startsWith("mcp.")
				? meter.getId().getTag(DefaultMcpClientObservationConvention.SERVER_NAME) : null;
	}

	/**
	 * Handle a measurement, perhaps of a removed server.
	 */
	void measured() {
		for (Meter meter = this.late.poll(); meter != null; meter = this.late.poll()) {
			if (this.gone.contains(String.valueOf(serverName(meter)))) {
				this.registry.remove(meter);
			}
		}
	}

	/**
	 * A connection that replaces another continues its meters.
	 */
	void created(ObservedConnection connection) {
		Server server = this.servers.compute(connection.name(), (name, present) -> {
			Server next = (present != null) ? present : new Server(name);
			next.latest.set(connection);
			this.gone.remove(name);
			return next;
		});
		if (!server.registered) {
			server.register();
		}
	}

	void connecting(String server) {
		measured(server, (meters) -> meters.attempts().increment());
	}

	void sessionEnded(McpServerDefinition server, Duration duration, @Nullable String protocolVersion,
			@Nullable String networkProtocolVersion, @Nullable String error) {
		List<KeyValue> values = new ArrayList<>();
		DefaultMcpClientObservationConvention.add(values, "error.type", error);
		DefaultMcpClientObservationConvention.addConnection(values, server, protocolVersion, networkProtocolVersion);
		DefaultMcpClientObservationConvention.addAddress(values, server);
		Timer.builder(SESSION_DURATION)
			.description("Sessions that have ended, from READY on")
			.tags(values.stream().map((value) -> Tag.of(value.getKey(), value.getValue())).toList())
			.register(this.registry)
			.record(duration);
		measured();
		if (error != null) {
			measured(server.name(), (meters) -> meters.losses(error).increment());
		}
	}

	void closed(ObservedConnection connection) {
		measured(connection.name(), (server) -> {
			Server present = this.servers.computeIfPresent(connection.name(), (name, same) -> {
				boolean last = same.latest.compareAndSet(connection, null);
				if (last) {
					this.gone.get(name);
				}
				return last ? null : same;
			});
			server.remove((present != null) ? present::isOfAnother : (meter) -> true);
		});
		measured();
	}

	void result(String server, @Nullable Object raw) {
		if (raw instanceof JsonNode tree) {
			measured(server, (meters) -> meters.result(size(tree)));
		}
	}

	/**
	 * Stop the measurements of a removed server.
	 */
	private void measured(String name, Consumer<Server> event) {
		Server server = this.servers.get(name);
		if (server != null) {
			event.accept(server);
		}
	}

	/**
	 * Return about how many bytes a value takes.
	 */
	static long size(JsonNode value) {
		if (value.isString()) {
			return ByteBufUtil.utf8Bytes(value.stringValue()) + 2L;
		}
		if (!value.isContainer()) {
			return value.asString("").length();
		}
		long size = 1L + Math.max(value.size(), 1);
		for (int i = 0; value.isArray() && i < value.size(); i++) {
			size += size(value.get(i));
		}
		for (Map.Entry<String, JsonNode> property : value.properties()) {
			size += ByteBufUtil.utf8Bytes(property.getKey()) + 3L + size(property.getValue());
		}
		return size;
	}

	/**
	 * The meters of one server, with the values of its latest connection.
	 */
	private final class Server {

		private final List<Tag> tags;

		private final AtomicReference<@Nullable ObservedConnection> latest = new AtomicReference<>();

		private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

		private volatile boolean registered;

		// most servers are never called
		private volatile @Nullable DistributionSummary results;

		Server(String name) {
			this.tags = List.of(Tag.of(DefaultMcpClientObservationConvention.SERVER_NAME, name));
		}

		void register() {
			STATES.forEach((state) -> gauge("mcp.client.servers", (connection) -> (connection.state() == state) ? 1 : 0)
				.description("1 for the state that the server is in, 0 for the others")
				.baseUnit("servers")
				.tag("state", state.name())
				.register(registry()));
			// a unit would become a part of its name in Prometheus
			gauge("mcp.client.pending", ObservedConnection::pendingCount)
				.description("Requests that wait for their responses")
				.register(registry());
			gauge("mcp.client.tools", (connection) -> connection.tools().size())
				.description("Tools that the server lists")
				.baseUnit("tools")
				.register(registry());
			gauge("mcp.client.deviations", ObservedConnection::deviationCount)
				.description("Known deviations of the server from the protocol")
				.baseUnit("deviations")
				.register(registry());
			attempts();
			this.registered = true;
		}

		/**
		 * Return whether a meter has tags of a connection to another address.
		 */
		boolean isOfAnother(Meter meter) {
			ObservedConnection connection = this.latest.get();
			List<KeyValue> values = new ArrayList<>();
			if (connection != null) {
				DefaultMcpClientObservationConvention.addConnection(values, connection.definition(), null, null);
				DefaultMcpClientObservationConvention.addAddress(values, connection.definition());
			}
			return values.stream().anyMatch((value) -> {
				String tag = meter.getId().getTag(value.getKey());
				return tag != null && !tag.equals(value.getValue());
			});
		}

		void remove(Predicate<Meter> which) {
			this.meters.stream().filter(which).toList().forEach((meter) -> {
				this.meters.remove(meter);
				registry().remove(meter);
			});
		}

		private Gauge.Builder<?> gauge(String name, ToDoubleFunction<ObservedConnection> number) {
			return Gauge.builder(name, this.latest, (reference) -> {
				ObservedConnection connection = reference.get();
				return (connection != null) ? number.applyAsDouble(connection) : Double.NaN;
			}).tags(this.tags);
		}

		Counter attempts() {
			return Counter.builder("mcp.client.attempts")
				.description("Attempts to connect")
				.baseUnit("attempts")
				.tags(this.tags)
				.register(registry());
		}

		Counter losses(String cause) {
			return Counter.builder("mcp.client.losses")
				.description("Sessions that were lost")
				.baseUnit("losses")
				.tags(this.tags)
				.tag("cause", cause)
				.register(registry());
		}

		void result(long bytes) {
			DistributionSummary results = this.results;
			if (results == null) {
				results = DistributionSummary.builder("mcp.client.result.size")
					.description("The results of tool calls, as compact JSON")
					.baseUnit("bytes")
					.tags(this.tags)
					.register(registry());
				this.results = results;
			}
			results.record(bytes);
		}

		private MeterRegistry registry() {
			return McpClientMeters.this.registry;
		}

	}

}
