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
 * block, nor run foreign code.
 */
public interface McpConnectionListener {

	/**
	 * The connection entered another state.
	 */
	void stateChanged(McpServerState previous, McpServerStatus status);

	/**
	 * The server has listed its tools, which are in use once this completes. Where it
	 * fails, so does the listing. On any thread.
	 * @param user the connection of a user that has listed them, or {@code null} for this
	 * one
	 * @param capabilities those of the server
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
	 * The server lists tools for users only, although a connection before this one may
	 * have listed some for all.
	 */
	default void toolsWithdrawn() {
	}

	/**
	 * The server has other prompts than before.
	 */
	default void promptsChanged() {
	}

	/**
	 * Return who hears of messages, and says whether they are wanted: this one, unless
	 * that is the same for all users.
	 */
	default McpConnectionListener ofMessages() {
		return this;
	}

	/**
	 * The server sent a notification: called on a transport's thread.
	 */
	default void notified(McpServerNotification notification) {
	}

	/**
	 * Return whether notifications are needed that mean nothing to the connection: on any
	 * thread.
	 */
	default boolean wantsNotifications() {
		return true;
	}

	/**
	 * An attempt or the connection failed, or something beside the calls: on any thread.
	 */
	default void failed(McpException failure) {
	}

	/**
	 * An attempt failed and there will be no other, or none that can succeed before
	 * somebody changes something. Follows the change of state.
	 */
	default void waitIsOver() {
	}

	/**
	 * Return what records all messages, as {@link McpSession.Listener#recorder()} does:
	 * on any thread.
	 */
	default @Nullable Consumer<RecentMessage> recorder() {
		return null;
	}

	/**
	 * Return whether all calls of tools are to ask for progress: on any thread.
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
