package io.github.mcpclient.internal.connection;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.event.McpServerNotification;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Receives the changes of one connection, one at a time, on its serial queue: must not
 * block, nor run application code.
 */
public interface McpConnectionListener {

	/**
	 * The connection entered another state.
	 */
	void stateChanged(McpServerState previous, McpServerStatus status);

	/**
	 * The server has listed its tools, which are in use once this completes. If it fails,
	 * the listing fails. Called on any thread.
	 * @param user the connection of the user that has listed them, or {@code null} for
	 * this connection
	 * @param capabilities the capabilities of the server
	 */
	default Mono<Void> toolsListed(@Nullable ToolConnection user, List<Tool> tools, Set<String> capabilities) {
		return Mono.empty();
	}

	/**
	 * The server has other tools than before. On connecting, this precedes READY.
	 */
	default void toolsChanged(List<Tool> tools) {
	}

	/**
	 * The server lists tools for users only, although an earlier connection may have
	 * listed tools for all users.
	 */
	default void toolsWithdrawn() {
	}

	/**
	 * The server has other prompts than before.
	 */
	default void promptsChanged() {
	}

	/**
	 * Return the listener of messages, which also determines whether they are needed:
	 * this one, unless one listener serves all users.
	 */
	default McpConnectionListener ofMessages() {
		return this;
	}

	/**
	 * The server sent a notification. Called on a thread of the transport.
	 */
	default void notified(McpServerNotification notification) {
	}

	/**
	 * Return whether notifications are needed that are irrelevant to the connection.
	 * Called on any thread.
	 */
	default boolean wantsNotifications() {
		return true;
	}

	/**
	 * An attempt, the connection, or another operation than a call failed. Called on any
	 * thread.
	 */
	default void failed(McpException failure) {
	}

	/**
	 * An attempt failed and there will be no other attempt, or none that can succeed
	 * before someone changes something. Called after the change of state.
	 */
	default void waitIsOver() {
	}

	/**
	 * Return the recorder of all messages, see {@link McpSession.Listener#recorder()}.
	 * Called on any thread.
	 */
	default @Nullable Consumer<RecentMessage> recorder() {
		return null;
	}

	/**
	 * Return whether all calls of tools request progress. Called on any thread.
	 */
	default boolean wantsProgress() {
		return false;
	}

	/**
	 * The server has other resources or resource templates than before.
	 */
	default void resourcesChanged() {
	}

}
