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
 * Event loops of our own, and the resolution of names on them. Those that Reactor Netty
 * shares in the whole JVM end when any application in it is closed.
 */
final class EventLoops extends TcpResources {

	private static final Duration DISPOSE_TIMEOUT = Duration.ofSeconds(15);

	// nothing blocks there, so that one for each processor is enough: more of them cost
	// memory, and the CPU of calls. At least two, as one may be busy with TLS
	private static final int NUMBER = Integer.getInteger(ReactorNetty.IO_WORKER_COUNT,
			Math.max(2, Runtime.getRuntime().availableProcessors()));

	EventLoops() {
		super(LoopResources.create("mcp-http", NUMBER, true), ConnectionProvider.newConnection());
	}

	/**
	 * Return the same client if it runs on event loops that the application has chosen,
	 * as long as they run, and otherwise one that runs on these.
	 */
	HttpClient run(HttpClient client) {
		HttpClientConfig config = client.configuration();
		if (!(config.loopResources() instanceof HttpResources) && !config.loopResources().isDisposed()) {
			return client;
		}
		// Reactor Netty would make a resolver, and keep it for ever
		boolean resolved = config.resolver() != null || config.getNameResolverProvider() != null;
		return (resolved ? client : client.resolver(getOrCreateDefaultResolver())).runOn(this);
	}

	/**
	 * End the threads, soon after.
	 */
	void end() {
		_disposeLater(Duration.ZERO, DISPOSE_TIMEOUT).onErrorComplete().subscribe();
	}

}
