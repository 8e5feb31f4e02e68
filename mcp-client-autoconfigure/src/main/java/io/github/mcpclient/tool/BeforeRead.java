package io.github.mcpclient.tool;

import reactor.core.publisher.Mono;

/**
 * Connects servers at their first use, where they are not connected at the start.
 */
@FunctionalInterface
public interface BeforeRead {

	/**
	 * The catalog is about to be read as a whole, on the reader's thread. Waits for the
	 * servers, but on a thread that must not block.
	 */
	void all();

	/**
	 * The catalog is about to be asked for a tool that it does not have, or whose server
	 * is not connected. Waits for the servers that may have it, as {@link #all()} does.
	 */
	default void of(String name) {
		all();
	}

	/**
	 * Connect the servers that may have a tool, and no others. Completes when the tool is
	 * known or the first attempts have ended, in bounded time; never fails.
	 */
	default Mono<Void> connect(String name) {
		return Mono.empty();
	}

}
