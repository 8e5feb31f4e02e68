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
 * A server whose tools are in the catalog: its current definition, which its connection
 * need not know, that connection, and its state.
 */
public record ToolServer(McpServerDefinition definition, ToolConnection connection, Scope scope) {

	String name() {
		return this.definition.name();
	}

	/**
	 * Return whether another instance has the same definition and connection.
	 */
	boolean isSame(ToolServer other) {
		return other.definition == this.definition && other.connection == this.connection && other.scope == this.scope;
	}

	/**
	 * The state of a server until it is removed, independent of its definition,
	 * connections and listings. Thread-safe.
	 */
	public static final class Scope {

		private final McpServer server;

		private final Consumer<McpServerEvent> events;

		private final RecentItems<RecentCall> calls = new RecentItems<>();

		private final Map<Class<?>, Object> states = new ConcurrentHashMap<>();

		// incremented when the result of customizers changes
		private final AtomicInteger revision = new AtomicInteger();

		/**
		 * Create an instance.
		 * @param events publishes events, and must not block
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
		 * Return the latest completed calls.
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
