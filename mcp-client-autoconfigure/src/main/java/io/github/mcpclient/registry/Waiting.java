package io.github.mcpclient.registry;

import java.util.concurrent.ExecutionException;

import reactor.core.publisher.Mono;

/**
 * Waits on the thread of the application's life cycle.
 */
final class Waiting {

	private Waiting() {
	}

	/**
	 * Wait until the given signal, which is bounded in time by itself, or until the
	 * thread is interrupted.
	 */
	static void until(Mono<Void> signal) {
		try {
			signal.toFuture().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
	}

}
