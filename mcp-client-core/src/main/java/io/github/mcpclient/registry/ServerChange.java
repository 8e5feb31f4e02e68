package io.github.mcpclient.registry;

import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.registry.ManagedServer.Link;
import org.jspecify.annotations.Nullable;

/**
 * A server that is to be added, replaced or removed.
 *
 * @param present what it has, or {@code null} if it is to be added
 * @param next what it gets, which may be the same, or {@code null} if it is to be removed
 */
record ServerChange(ManagedServer server, McpServerDefinition definition, @Nullable Link present, @Nullable Link next) {

	static ServerChange add(ManagedServer server) {
		return new ServerChange(server, server.definition(), null, server.link());
	}

	static ServerChange replace(ManagedServer server, McpServerDefinition definition) {
		Link present = server.link();
		return new ServerChange(server, definition, present,
				present.serves(definition) ? present : server.newLink(definition));
	}

	static ServerChange remove(ManagedServer server) {
		return new ServerChange(server, server.definition(), server.link(), null);
	}

	String name() {
		return this.server.name();
	}

	String verb() {
		return (this.present == null) ? "added" : (this.next != null) ? "replaced" : "removed";
	}

	/**
	 * Return the connection that ends.
	 */
	@Nullable McpConnection closed() {
		return (this.present != null && this.present != this.next) ? this.present.connection() : null;
	}

	/**
	 * Return the connection that begins.
	 */
	@Nullable McpConnection opened() {
		return (this.next != null && this.present != this.next) ? this.next.connection() : null;
	}

}
