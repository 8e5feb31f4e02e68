package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The part of a session that differs between the legacy protocol (2024-11-05 to
 * 2025-11-25) and the stateless protocol (from 2026-07-28 on): see MCP 2026-07-28,
 * {@code basic/versioning}.
 */
interface Era {

	/**
	 * Do the handshake.
	 */
	Mono<ServerDescription> open();

	/**
	 * Prepare for the first listing, right after the handshake. Never fails.
	 */
	default Mono<Void> opened(ServerDescription server) {
		return Mono.empty();
	}

	<T> Mono<T> request(Call<T> call);

	/**
	 * Return the requests that make the server send notifications, such as subscriptions.
	 */
	Mono<Void> renew(ServerDescription server);

	/**
	 * Check that the server responds. A JSON-RPC error is a response, too.
	 */
	Mono<Void> ping(Duration timeout);

	/**
	 * Take a request of the server.
	 */
	void receive(JSONRPCRequest request, ContextView call);

	/**
	 * Receive a notification that only this era has, or that it may ignore.
	 * @return whether the notification is honored
	 */
	boolean receive(String method, Map<String, Object> params);

	/**
	 * Return whether an empty cursor is one.
	 */
	default boolean hasEmptyCursors() {
		return false;
	}

	/**
	 * Return why an item of a list cannot be used, or {@code null} if it can.
	 */
	default @Nullable String problem(ItemKind<?> kind, Map<String, Object> item) {
		return null;
	}

	/**
	 * Take a list that the server gave.
	 */
	default void listed(ItemKind<?> kind, List<?> items) {
	}

	/**
	 * End the pending work of the era.
	 */
	void terminate();

}
