package io.github.mcpclient.internal.transport.http;

import java.time.Duration;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * An HTTP client with dedicated connections. Its user disposes of it.
 *
 * @param client the client
 * @param connections its connections
 */
record HttpPool(HttpClient client, ConnectionProvider connections) {

	private static final Duration DISPOSE_TIMEOUT = Duration.ofSeconds(1);

	/**
	 * Close all connections.
	 * @param timer limits the time
	 * @return completes when they are closed, or after a second; never fails
	 */
	Mono<Void> dispose(Scheduler timer) {
		return this.connections.disposeLater().timeout(DISPOSE_TIMEOUT, timer).onErrorComplete();
	}

}
