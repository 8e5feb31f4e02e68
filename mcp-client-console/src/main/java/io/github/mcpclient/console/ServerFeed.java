package io.github.mcpclient.console;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.mcpclient.event.McpPromptsChangedEvent;
import io.github.mcpclient.event.McpReloadEvent;
import io.github.mcpclient.event.McpReloadFailedEvent;
import io.github.mcpclient.event.McpResourcesChangedEvent;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;

/**
 * The current state of servers, shared by all viewers. A snapshot is made when something
 * has changed and there are viewers. Each viewer receives the difference between its last
 * snapshot and the current one: a slow viewer skips snapshots, and uses no more memory.
 */
final class ServerFeed implements SmartLifecycle {

	private static final Duration FIGURES = Duration.ofSeconds(2);

	private static final int TICKS_OF_SILENCE = 5;

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);

	// a request that waits, such as for a store of logins, must not delay others
	private static final int MOST_THREADS = ConsoleApi.MOST_READS + 4;

	static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

	private final McpServerManager manager;

	private final ClientScheduler timer;

	private final @Nullable Supplier<? extends Map<String, ?>> figures;

	private final Scheduler threads;

	private final Supplier<@Nullable String> reloadFailure;

	private final Sinks.Many<Boolean> changes = Sinks.many().multicast().directBestEffort();

	private final Flux<Snapshot> snapshots;

	private volatile @Nullable Snapshot current;

	private volatile Sinks.Empty<Void> stopped = Sinks.empty();

	private volatile boolean running;

	/**
	 * Create a feed.
	 * @param figures the figures of servers by their names, if there are any
	 * @param reloadFailure the reason of a failed reload, until a reload succeeds
	 */
	ServerFeed(McpServerManager manager, ClientScheduler timer, @Nullable Supplier<? extends Map<String, ?>> figures,
			Supplier<@Nullable String> reloadFailure) {
		this(manager, timer, figures, reloadFailure,
				Schedulers.newBoundedElastic(MOST_THREADS, 1000, DaemonThreads.blocking("mcp-console"), 10));
	}

	ServerFeed(McpServerManager manager, ClientScheduler timer, @Nullable Supplier<? extends Map<String, ?>> figures,
			Supplier<@Nullable String> reloadFailure, Scheduler threads) {
		this.manager = manager;
		this.timer = timer;
		this.figures = figures;
		this.reloadFailure = reloadFailure;
		this.threads = threads;
		this.snapshots = Flux.merge(Mono.just(true), Mono.delay(FIGURES, timer).repeat(), this.changes.asFlux())
			.onBackpressureLatest()
			.publishOn(threads, 1)
			.concatMap((signal) -> Mono.fromCallable(this::snapshot)
				.concatWith(Mono.delay(SHORTEST_PAUSE, timer).then(Mono.empty())), 0)
			.doFinally((signal) -> this.current = null)
			.replay(1)
			.refCount();
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
	 * Return the current state of all servers.
	 */
	Collection<ServerRow> rows() {
		return rows(this.current).values();
	}

	/**
	 * Return the current state of a server.
	 */
	ServerRow row(ManagedMcpServer server) {
		Snapshot known = this.current;
		ServerRow row = (known != null) ? known.rows().get(server.name()) : null;
		int position = (row != null) ? row.position() : this.manager.servers().indexOf(server);
		return ServerRow.of(server, position, figures().get(server.name()));
	}

	/**
	 * Return server-sent events: all servers, and then the changes. They end when the
	 * application stops.
	 */
	Flux<Mono<byte[]>> watch(BooleanSupplier writable) {
		return Flux.defer(() -> {
			Viewer viewer = new Viewer(writable);
			return this.snapshots.onBackpressureLatest().map((snapshot) -> Mono.fromSupplier(viewer::next));
		}).takeUntilOther(stopped());
	}

	/**
	 * Return a signal that completes when all streams have to end.
	 */
	Mono<Void> stopped() {
		return this.stopped.asMono();
	}

	@EventListener({ McpServerStateChangedEvent.class, McpToolsChangedEvent.class, McpPromptsChangedEvent.class,
			McpResourcesChangedEvent.class, McpReloadEvent.class, McpReloadFailedEvent.class })
	void changed() {
		// one of two concurrent signals is enough
		this.changes.tryEmitNext(true);
	}

	private Snapshot snapshot() {
		Snapshot snapshot = new Snapshot(now(), rows(this.current), this.reloadFailure.get());
		this.current = snapshot;
		return snapshot;
	}

	// positions never change: new servers come last
	private Map<String, ServerRow> rows(@Nullable Snapshot known) {
		Map<String, ?> figures = figures();
		Map<String, ServerRow> rows = new LinkedHashMap<>();
		int next = 0;
		for (ManagedMcpServer server : this.manager.servers()) {
			ServerRow row = (known != null) ? known.rows().get(server.name()) : null;
			int position = (row != null) ? row.position() : next;
			rows.put(server.name(), ServerRow.of(server, position, figures.get(server.name())));
			next = position + 1;
		}
		return rows;
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
		this.threads.dispose();
	}

	/**
	 * All servers at one time.
	 */
	private record Snapshot(Instant time, Map<String, ServerRow> rows, @Nullable String reloadFailure) {

		/**
		 * Return the changes, or {@code null} if nothing has changed.
		 */
		@Nullable Change since(@Nullable Snapshot known) {
			Map<String, ServerRow> before = (known != null) ? known.rows : Map.of();
			List<ServerRow> changed = this.rows.values()
				.stream()
				.filter((row) -> !row.equals(before.get(row.name())))
				.toList();
			List<String> removed = before.keySet().stream().filter((name) -> !this.rows.containsKey(name)).toList();
			boolean same = known != null && Objects.equals(this.reloadFailure, known.reloadFailure);
			return (same && changed.isEmpty() && removed.isEmpty()) ? null
					: new Change(this.time, changed, removed, (known != null) ? null : true, this.reloadFailure);
		}

	}

	/**
	 * An update for a viewer.
	 *
	 * @param full {@code true} if these are all servers
	 * @param reloadFailure the reason of a failed reload
	 */
	@JsonInclude(Include.NON_NULL)
	record Change(Instant time, List<ServerRow> servers, List<String> removed, @Nullable Boolean full,
			@Nullable String reloadFailure) {
	}

	/**
	 * A viewer. Each update is computed when the viewer reads it.
	 */
	private final class Viewer {

		private final BooleanSupplier writable;

		private @Nullable Snapshot known;

		private int silent;

		Viewer(BooleanSupplier writable) {
			this.writable = writable;
		}

		byte @Nullable [] next() {
			Snapshot snapshot = ServerFeed.this.current;
			if (snapshot == null || !this.writable.getAsBoolean()) {
				return null;
			}
			Change change = snapshot.since(this.known);
			this.known = snapshot;
			this.silent = (change != null) ? 0 : this.silent + 1;
			return (change != null) ? ConsoleJson.event("servers", ConsoleJson.bytes(change))
					: (this.silent % TICKS_OF_SILENCE == 0) ? COMMENT : null;
		}

	}

}
