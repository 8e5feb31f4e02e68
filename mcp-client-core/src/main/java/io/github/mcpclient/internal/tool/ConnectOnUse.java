package io.github.mcpclient.internal.tool;

import java.time.Duration;

import reactor.core.publisher.Mono;

/**
 * Connects servers at their first use, where they are not connected at the start.
 */
@FunctionalInterface
public interface ConnectOnUse {

	/**
	 * Connect all servers before the catalog is read as a whole, and wait for them,
	 * unless the thread must not block.
	 */
	void connectAll();

	/**
	 * Return whether the application has not begun to connect its servers yet.
	 */
	default boolean isTooEarly() {
		return false;
	}

	/**
	 * Return whether the client is disabled, and has no servers.
	 */
	default boolean isDisabled() {
		return false;
	}

	/**
	 * Do the same as {@link #connectAll} before a tool is looked up that is not known or
	 * not available, but wait for the servers that may have it only.
	 */
	default void connectServersOf(String name) {
		connectAll();
	}

	/**
	 * Connect only the servers that may have a tool. Completes when the tool is known or
	 * the first attempts have ended, in bounded time; never fails.
	 */
	default Mono<Void> connect(String name) {
		return Mono.empty();
	}

	/**
	 * Return how long a listing waits for the first attempts to connect.
	 */
	default Duration limit() {
		return Duration.ofSeconds(5);
	}

}
