package io.github.mcpclient.console;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.event.McpPromptsChangedEvent;
import io.github.mcpclient.event.McpResourcesChangedEvent;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.DaemonThreads;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;

/**
 * The servers as they are now, for all viewers together. A snapshot is made when
 * something has changed, and nothing runs while nobody watches. Each viewer gets the
 * difference between the snapshot that it has and the one that is current when it takes
 * more: who is slow misses what was between, and costs no memory.
 */
final class ServerFeed implements SmartLifecycle {

	private static final Duration FIGURES = Duration.ofSeconds(2);

	private static final int TICKS_OF_SILENCE = 5;

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);

	// a request that waits, such as for a store of logins, holds up nothing else
	private static final int MOST_THREADS = ConsoleApi.MOST_READS + 4;

	static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

	private final McpServerRegistry registry;

	private final ClientScheduler timer;

	private final @Nullable Supplier<? extends Map<String, ?>> figures;

	private final Scheduler threads;

	// makes snapshots and tells of them, one at a time
	private final Scheduler.Worker worker;

	private volatile Sinks.Empty<Void> stopped = Sinks.empty();

	private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();

	private final Set<String> changed = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean allChanged = new AtomicBoolean();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final Object lock = new Object();

	private boolean ticking;

	private volatile @Nullable Snapshot current;

	private volatile long lastMade;

	private volatile boolean running;

	/**
	 * Create a feed.
	 * @param figures the figures of servers by their names, if there are any
	 */
	ServerFeed(McpServerRegistry registry, ClientScheduler timer,
			@Nullable Supplier<? extends Map<String, ?>> figures) {
		this(registry, timer, figures,
				Schedulers.newBoundedElastic(MOST_THREADS, 1000, DaemonThreads.blocking("mcp-console"), 10));
	}

	ServerFeed(McpServerRegistry registry, ClientScheduler timer, @Nullable Supplier<? extends Map<String, ?>> figures,
			Scheduler threads) {
		this.registry = registry;
		this.timer = timer;
		this.figures = figures;
		this.threads = threads;
		this.worker = threads.createWorker();
	}

	/**
	 * Return threads for work that may take long, such as JSON of a thousand tools.
	 */
	Scheduler threads() {
		return this.threads;
	}

	boolean hasFigures() {
		return this.figures != null;
	}

	private Map<String, ?> figures() {
		return (this.figures != null) ? this.figures.get() : Map.of();
	}

	ClientScheduler timer() {
		return this.timer;
	}

	Instant now() {
		return this.timer.instant();
	}

	/**
	 * Return all servers as of now.
	 */
	Collection<ServerRow> rows() {
		return rows(this.current).values().stream().map(Row::value).toList();
	}

	/**
	 * Return a server as of now.
	 */
	ServerRow row(McpServer server) {
		Snapshot known = this.current;
		Row row = (known != null) ? known.rows().get(server.name()) : null;
		return (row != null) ? row.value().now(server)
				: ServerRow.of(server, this.registry.servers().indexOf(server), figures().get(server.name()));
	}

	/**
	 * Return server-sent events: all servers, and then what changes. They end when the
	 * application stops.
	 */
	Flux<Mono<byte[]>> watch(BooleanSupplier writable) {
		return Flux.<Mono<byte[]>>create((sink) -> {
			Viewer viewer = new Viewer(writable, sink);
			add(viewer);
			sink.onDispose(() -> remove(viewer));
		}, FluxSink.OverflowStrategy.LATEST).takeUntilOther(stopped());
	}

	/**
	 * Return what completes when all streams have to end.
	 */
	Mono<Void> stopped() {
		return this.stopped.asMono();
	}

	private void add(Viewer viewer) {
		synchronized (this.lock) {
			this.viewers.add(viewer);
			if (!this.ticking) {
				this.ticking = true;
				this.timer.schedule(this::tick, FIGURES.toMillis(), TimeUnit.MILLISECONDS);
			}
		}
		if (this.current == null) {
			schedule();
		}
		else {
			this.worker.schedule(viewer::tick);
		}
	}

	private void remove(Viewer viewer) {
		synchronized (this.lock) {
			this.viewers.remove(viewer);
			if (this.viewers.isEmpty()) {
				this.current = null;
				this.changed.clear();
			}
		}
	}

	@EventListener({ McpServerStateChangedEvent.class, McpToolsChangedEvent.class, McpPromptsChangedEvent.class,
			McpResourcesChangedEvent.class })
	void changed(McpServerEvent event) {
		if (!this.viewers.isEmpty()) {
			this.changed.add(event.serverName());
			schedule();
		}
	}

	private void tick() {
		synchronized (this.lock) {
			this.ticking = !this.viewers.isEmpty();
			if (!this.ticking) {
				return;
			}
			this.timer.schedule(this::tick, FIGURES.toMillis(), TimeUnit.MILLISECONDS);
		}
		this.allChanged.set(true);
		schedule();
	}

	private void schedule() {
		if (!this.scheduled.getAndSet(true)) {
			long pause = this.lastMade + SHORTEST_PAUSE.toNanos() - this.timer.now(TimeUnit.NANOSECONDS);
			this.timer.schedule(() -> this.worker.schedule(this::make), Math.max(0, pause), TimeUnit.NANOSECONDS);
		}
	}

	private void make() {
		this.lastMade = this.timer.now(TimeUnit.NANOSECONDS);
		this.scheduled.set(false);
		Snapshot known = this.current;
		Map<String, Row> rows;
		if (known == null || this.allChanged.getAndSet(false)) {
			this.changed.clear();
			rows = rows(known);
		}
		else {
			rows = new LinkedHashMap<>(known.rows());
			int next = next(rows);
			for (String name : List.copyOf(this.changed)) {
				this.changed.remove(name);
				McpServer server = this.registry.find(name).orElse(null);
				Row row = rows.get(name);
				if (server == null) {
					rows.remove(name);
				}
				else if (row != null) {
					rows.put(name, row.with(row.value().now(server)));
				}
				else {
					rows.put(name, new Row(ServerRow.of(server, next++, null)));
				}
			}
		}
		synchronized (this.lock) {
			if (!this.viewers.isEmpty()) {
				this.current = new Snapshot(rows);
			}
		}
		this.viewers.forEach(Viewer::tick);
	}

	private Map<String, Row> rows(@Nullable Snapshot known) {
		Map<String, ?> figures = figures();
		Map<String, Row> rows = new LinkedHashMap<>();
		int next = (known != null) ? next(known.rows()) : 0;
		for (McpServer server : this.registry.servers()) {
			Row row = (known != null) ? known.rows().get(server.name()) : null;
			ServerRow value = ServerRow.of(server, (row != null) ? row.value().position() : next++,
					figures.get(server.name()));
			rows.put(server.name(), (row != null) ? row.with(value) : new Row(value));
		}
		return rows;
	}

	// the order of all never changes: what is added comes last
	private static int next(Map<String, Row> rows) {
		return rows.values().stream().mapToInt((row) -> row.value().position()).max().orElse(-1) + 1;
	}

	@Override
	public void start() {
		this.stopped = Sinks.empty();
		this.running = true;
	}

	/**
	 * End all streams, before the web server waits for their requests.
	 */
	@Override
	public void stop() {
		this.running = false;
		this.stopped.tryEmitEmpty();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	void close() {
		this.worker.dispose();
		this.threads.dispose();
	}

	/**
	 * A row, with its JSON once somebody has asked for it.
	 */
	private static final class Row {

		private final ServerRow value;

		private volatile byte @Nullable [] json;

		Row(ServerRow value) {
			this.value = value;
		}

		ServerRow value() {
			return this.value;
		}

		Row with(ServerRow value) {
			return value.equals(this.value) ? this : new Row(value);
		}

		byte[] json() {
			byte[] json = this.json;
			if (json == null) {
				json = ConsoleJson.bytes(this.value);
				this.json = json;
			}
			return json;
		}

	}

	/**
	 * All servers at one time.
	 */
	private final class Snapshot {

		private final Map<String, Row> rows;

		private final byte[] time;

		// for the viewers who have seen the same before
		private volatile @Nullable Difference difference;

		Snapshot(Map<String, Row> rows) {
			this.rows = rows;
			this.time = ConsoleJson.bytes(ServerFeed.this.timer.instant());
		}

		Map<String, Row> rows() {
			return this.rows;
		}

		byte @Nullable [] since(@Nullable Snapshot known) {
			Difference difference = this.difference;
			if (difference == null || difference.known() != known) {
				difference = new Difference(known, event(known));
				this.difference = difference;
			}
			return difference.event();
		}

		private byte @Nullable [] event(@Nullable Snapshot known) {
			List<byte[]> changed = new ArrayList<>();
			this.rows.forEach((name, row) -> {
				if (known == null || known.rows().get(name) != row) {
					changed.add(row.json());
				}
			});
			List<String> removed = (known != null)
					? known.rows().keySet().stream().filter((name) -> !this.rows.containsKey(name)).toList()
					: List.of();
			if (known != null && changed.isEmpty() && removed.isEmpty()) {
				return null;
			}
			ByteArrayOutputStream json = new ByteArrayOutputStream();
			write(json, "{\"time\":");
			json.writeBytes(this.time);
			write(json, ",\"servers\":[");
			for (int i = 0; i < changed.size(); i++) {
				write(json, (i > 0) ? "," : "");
				json.writeBytes(changed.get(i));
			}
			write(json, "],\"removed\":");
			json.writeBytes(ConsoleJson.bytes(removed));
			write(json, (known != null) ? "}" : ",\"full\":true}");
			return ConsoleJson.event("servers", json.toByteArray());
		}

		private static void write(ByteArrayOutputStream json, String text) {
			json.writeBytes(text.getBytes(StandardCharsets.UTF_8));
		}

	}

	private record Difference(@Nullable Snapshot known, byte @Nullable [] event) {
	}

	/**
	 * Somebody who watches. What is written is only looked up when it is taken.
	 */
	private final class Viewer {

		private final BooleanSupplier writable;

		private final FluxSink<Mono<byte[]>> sink;

		private @Nullable Snapshot known;

		private int silent;

		Viewer(BooleanSupplier writable, FluxSink<Mono<byte[]>> sink) {
			this.writable = writable;
			this.sink = sink;
		}

		void tick() {
			this.sink.next(Mono.fromSupplier(this::next));
		}

		byte @Nullable [] next() {
			Snapshot snapshot = ServerFeed.this.current;
			if (snapshot == null || !this.writable.getAsBoolean()) {
				return null;
			}
			byte[] event = (snapshot != this.known) ? snapshot.since(this.known) : null;
			this.known = snapshot;
			this.silent = (event != null) ? 0 : this.silent + 1;
			return (event == null && this.silent % TICKS_OF_SILENCE == 0) ? COMMENT : event;
		}

	}

}
