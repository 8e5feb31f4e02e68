package io.github.mcpclient.internal.tool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServer.RecentCall;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.internal.support.RecentItems;

/**
 * What is kept for a server until it is removed, whatever its definition, connections and
 * listings. Safe for use by many threads.
 */
public final class ServerScope {

	private final McpServer server;

	private final Consumer<McpServerEvent> events;

	private final RecentItems<RecentCall> calls = new RecentItems<>();

	private final Map<Class<?>, Object> states = new ConcurrentHashMap<>();

	// of what customizers say
	private final AtomicInteger revision = new AtomicInteger();

	/**
	 * Create an instance.
	 * @param events publishes events, and does not block
	 */
	public ServerScope(McpServer server, Consumer<McpServerEvent> events) {
		this.server = server;
		this.events = events;
	}

	McpServer server() {
		return this.server;
	}

	Consumer<McpServerEvent> events() {
		return this.events;
	}

	/**
	 * Return the calls that have ended last.
	 */
	public RecentItems<RecentCall> calls() {
		return this.calls;
	}

	<T> T state(Class<T> type, Supplier<? extends T> initial) {
		return type.cast(this.states.computeIfAbsent(type, (added) -> initial.get()));
	}

	AtomicInteger revision() {
		return this.revision;
	}

}
