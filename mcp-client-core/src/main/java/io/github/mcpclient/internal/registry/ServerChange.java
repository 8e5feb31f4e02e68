package io.github.mcpclient.internal.registry;

import java.util.function.UnaryOperator;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.McpConnection;
import io.github.mcpclient.internal.registry.ManagedServer.Link;
import org.jspecify.annotations.Nullable;

/**
 * A server that is to be added, replaced, removed, enabled or disabled.
 *
 * @param before its previous definition, or {@code null} if it is to be added
 * @param present its present connection, or {@code null} if it is to be added
 * @param next its next connection, which may be the same, or {@code null} if it is to be
 * removed
 */
record ServerChange(ManagedServer server, @Nullable McpServerDefinition before, McpServerDefinition definition,
		@Nullable Link present, @Nullable Link next) {

	static ServerChange add(ManagedServer server) {
		return new ServerChange(server, null, server.definition(), null, server.link());
	}

	static ServerChange replace(ManagedServer server, McpServerDefinition definition) {
		Link present = server.link();
		return new ServerChange(server, present.definition(), definition, present,
				present.serves(definition) ? present : server.newLink(definition));
	}

	/**
	 * Enable or disable a server.
	 * @param check validates the new definition
	 */
	static ServerChange setEnabled(ManagedServer server, boolean enabled, UnaryOperator<McpServerDefinition> check) {
		Link present = server.link();
		McpServerDefinition before = present.definition();
		if (before.enabled() == enabled) {
			return new ServerChange(server, before, before, present, present);
		}
		McpServerDefinition definition = check.apply(before.mutate().enabled(enabled).build());
		return new ServerChange(server, before, definition, present, server.newLink(definition));
	}

	static ServerChange remove(ManagedServer server) {
		Link present = server.link();
		return new ServerChange(server, present.definition(), present.definition(), present, null);
	}

	String name() {
		return this.server.name();
	}

	boolean isNone() {
		return this.before == this.definition && this.present == this.next;
	}

	boolean isUpToDate(Link link) {
		return link == this.present && link.definition() == this.before;
	}

	String verb() {
		if (this.before == null || this.next == null) {
			return (this.before == null) ? "added" : "removed";
		}
		return (this.before.enabled() == this.definition.enabled()) ? "replaced"
				: this.definition.enabled() ? "enabled" : "disabled";
	}

	/**
	 * Close the connection of a change that is not made.
	 */
	void abandon() {
		McpConnection opened = opened();
		if (opened != null) {
			opened.close();
		}
	}

	/**
	 * Return the connection that ends.
	 */
	@Nullable Link closed() {
		return (this.present != this.next) ? this.present : null;
	}

	/**
	 * Return the connection that begins.
	 */
	@Nullable McpConnection opened() {
		return (this.next != null && this.present != this.next) ? this.next.connection() : null;
	}

}
