package io.github.mcpclient.audit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.mcpclient.audit.AuditTrail.Pending;
import io.github.mcpclient.event.McpReloadEvent;
import io.github.mcpclient.event.McpReloadFailedEvent;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerReloader;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.context.event.EventListener;

/**
 * Records who requests a reload of the configuration, and the result of each reload,
 * including reloads that a changed file has triggered.
 */
final class AuditedReloader implements McpServerReloader {

	private static final String RELOAD = "reload";

	private static final String RELOADED = "reloaded";

	private final Supplier<McpServerReloader> reloader;

	private final AuditTrail trail;

	AuditedReloader(Supplier<McpServerReloader> reloader, AuditTrail trail) {
		this.reloader = reloader;
		this.trail = trail;
	}

	@Override
	public McpReload reload() {
		Pending reload = this.trail.administration(RELOAD, null, null, Context.empty());
		try {
			McpReload changes = this.reloader.get().reload();
			reload.succeed();
			return changes;
		}
		catch (Throwable ex) {
			reload.fail(ex);
			throw ex;
		}
	}

	@Override
	public Mono<McpReload> reloadAsync() {
		return Mono.deferContextual((context) -> {
			Pending reload = this.trail.administration(RELOAD, null, null, context);
			return this.reloader.get()
				.reloadAsync()
				.doOnSuccess((changes) -> reload.succeed())
				.doOnError(reload::fail)
				.doOnCancel(reload::succeed);
		});
	}

	@Override
	public Optional<McpReloadFailure> failure() {
		return this.reloader.get().failure();
	}

	@EventListener
	void reloaded(McpReloadEvent event) {
		McpReload changes = event.changes();
		Map<String, List<String>> names = new LinkedHashMap<>();
		names.put("added", changes.added());
		names.put("replaced", changes.replaced());
		names.put("updated", changes.updated());
		names.put("removed", changes.removed());
		this.trail.administration(RELOADED, null, names, Context.empty()).succeed();
	}

	@EventListener
	void failed(McpReloadFailedEvent event) {
		this.trail.administration(RELOADED, null, null, Context.empty()).fail(event.failure().message());
	}

}
