package io.github.mcpclient.internal.registry;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.internal.connection.ToolConnection;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.function.SingletonSupplier;

/**
 * Connects lazy servers on their first use. Concurrent users share the attempt, which
 * none of them can cancel.
 */
final class FirstUse implements ToolConnection.ConnectOnUse {

	private final DefaultMcpServerRegistry registry;

	// created on demand, for lazy servers only
	private volatile Supplier<Attempt> attempt;

	FirstUse(DefaultMcpServerRegistry registry) {
		this.registry = registry;
		this.attempt = SingletonSupplier.of(Attempt::new);
	}

	void reset() {
		this.attempt = SingletonSupplier.of(Attempt::new);
	}

	boolean hasBegun() {
		return this.attempt.get().begun;
	}

	@Override
	public void connectAll() {
		if (!this.registry.connectsOnFirstUse()) {
			return;
		}
		Attempt attempt = this.attempt.get();
		if (attempt.ended) {
			return;
		}
		attempt.shown.subscribe();
		if (!Schedulers.isInNonBlockingThread()) {
			DefaultMcpServerRegistry
				.await(this.registry.application().isInCreation() ? attempt.connected : attempt.shown);
		}
	}

	@Override
	public boolean isTooEarly() {
		return this.registry.isNew();
	}

	@Override
	public void connectServersOf(String name) {
		if (!this.registry.connectsOnFirstUse()) {
			return;
		}
		this.attempt.get().connected.subscribe();
		Mono<Void> connected = connect(name);
		if (Schedulers.isInNonBlockingThread()) {
			connected.subscribe();
		}
		else {
			DefaultMcpServerRegistry.await(connected);
		}
	}

	@Override
	public Mono<Void> connect(String name) {
		if (!this.registry.connectsOnFirstUse()) {
			return Mono.empty();
		}
		Collection<String> candidates = this.registry.catalog().servers().serversOf(name);
		List<Mono<Boolean>> uses = this.registry.all()
			.stream()
			.filter((server) -> candidates.contains(server.name()))
			.map((server) -> server.link().firstUse().thenReturn(true))
			.toList();
		return Flux.fromIterable(uses)
			.flatMap(Function.identity(), Math.max(1, uses.size()))
			.takeUntil((ended) -> this.registry.catalog().listed().containsKey(name))
			.then();
	}

	@Override
	public Duration limit() {
		return this.registry.startupWait();
	}

	/**
	 * The attempts to connect all servers, after which their tools become beans.
	 */
	private final class Attempt {

		private final Mono<Void> connected;

		private final Mono<Void> shown;

		private volatile boolean begun;

		private volatile boolean ended;

		private Attempt() {
			DefaultMcpServerRegistry registry = FirstUse.this.registry;
			Duration wait = registry.startupWait();
			Scheduler timer = registry.timer();
			this.connected = Mono.defer(() -> {
				// set first, so that a server that is added during the attempts is
				// connected
				this.begun = true;
				return Mono.when(registry.all().stream().map((server) -> server.link().firstUse()).toList());
			}).timeout(wait, Mono.empty(), timer).cache();
			this.shown = this.connected.then(Mono.defer(() -> registry.events().toolsShown()))
				.timeout(wait, Mono.empty(), timer)
				.doOnTerminate(() -> this.ended = true)
				.cache();
		}

	}

}
