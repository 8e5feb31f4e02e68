package io.github.mcpclient.internal.tool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.support.RecentItems;
import io.github.mcpclient.management.ManagedMcpServer.RecentCall;

/**
 * A server whose tools are in the catalog: how it is configured now, which its connection
 * need not know, that connection, and what is kept for it.
 */
public record ToolServer(McpServerDefinition definition, ToolConnection connection, Scope scope) {

	String name() {
		return this.definition.name();
	}

	/**
	 * Return whether another one has this definition and connection.
	 */
	boolean isSame(ToolServer other) {
		return other.definition == this.definition && other.connection == this.connection && other.scope == this.scope;
	}

	/**
	 * What is kept for a server until it is removed, whatever its definition, connections
	 * and listings. Safe for use by many threads.
	 */
	public static final class Scope {

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
		public Scope(McpServer server, Consumer<McpServerEvent> events) {
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
			if (!this.states.containsKey(type)) {
				this.states.putIfAbsent(type, initial.get());
			}
			return type.cast(this.states.get(type));
		}

		AtomicInteger revision() {
			return this.revision;
		}

	}

}
