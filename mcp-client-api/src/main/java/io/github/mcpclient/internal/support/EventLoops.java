package io.github.mcpclient.internal.support;

import java.time.Duration;

import reactor.netty.ReactorNetty;
import reactor.netty.http.HttpResources;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientConfig;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpResources;

/**
 * Dedicated event loops, with name resolution on them. The event loops that Reactor Netty
 * shares within the JVM end when any application in the JVM is closed.
 */
final class EventLoops extends TcpResources {

	private static final Duration DISPOSE_TIMEOUT = Duration.ofSeconds(15);

	// nothing blocks there, so one per processor is sufficient: more cost memory, and CPU
	// of calls. At least two, since one may be occupied by TLS
	private static final int NUMBER = Integer.getInteger(ReactorNetty.IO_WORKER_COUNT,
			Math.max(2, Runtime.getRuntime().availableProcessors()));

	EventLoops() {
		super(LoopResources.create("mcp-http", NUMBER, true), ConnectionProvider.newConnection());
	}

	/**
	 * Return the same client if it runs on event loops of the application that are still
	 * active, or else a client that runs on these event loops.
	 */
	HttpClient run(HttpClient client) {
		HttpClientConfig config = client.configuration();
		if (!(config.loopResources() instanceof HttpResources) && !config.loopResources().isDisposed()) {
			return client;
		}
		// Reactor Netty would create a resolver, and never release it
		boolean resolved = config.resolver() != null || config.getNameResolverProvider() != null;
		return (resolved ? client : client.resolver(getOrCreateDefaultResolver())).runOn(this);
	}

	/**
	 * End the threads asynchronously.
	 */
	void end() {
		_disposeLater(Duration.ZERO, DISPOSE_TIMEOUT).onErrorComplete().subscribe();
	}

}
