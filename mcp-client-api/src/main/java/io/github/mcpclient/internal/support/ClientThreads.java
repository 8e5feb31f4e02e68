package io.github.mcpclient.internal.support;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.ServerThreads.Limits;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * All threads of the client. Each kind of code that may block has dedicated threads,
 * created on first use, so that kinds do not block each other.
 */
public final class ClientThreads implements Disposable {

	// a server whose transport factory hangs occupies one thread
	private static final int CONNECT_THREADS = 128;

	private static final int APPLICATION_THREADS = 256;

	private static final int APPLICATION_QUEUE = 1024;

	private static final int SERVER_QUEUE = 10_000;

	private final ClientScheduler scheduler = ClientScheduler.create();

	private final Map<String, Scheduler> blocking = new ConcurrentHashMap<>();

	private final AtomicReference<@Nullable EventLoops> eventLoops = new AtomicReference<>();

	private final ServerThreads interceptors = threads("mcp-blocking", new Limits(64, SERVER_QUEUE));

	private final ServerThreads progress = threads("mcp-progress", new Limits(64, SERVER_QUEUE));

	private final ServerThreads naming = threads("mcp-naming", new Limits(8, SERVER_QUEUE));

	private final ServerThreads listing = threads("mcp-listing", new Limits(2, 256, 128, 64));

	private final ServerThreads pinning = threads("mcp-pinning", new Limits(2, 256, 128, 64));

	private final ServerThreads authorization = threads("mcp-oauth2", new Limits(32, Integer.MAX_VALUE, 512, 256));

	/**
	 * Return the scheduler of timers, queues and signals, and the source of time.
	 */
	public ClientScheduler scheduler() {
		return this.scheduler;
	}

	/**
	 * Return a scheduler for opening connections.
	 */
	public Scheduler opening() {
		return connections("mcp-connect");
	}

	/**
	 * Return a scheduler for closing connections.
	 */
	public Scheduler closing() {
		return connections("mcp-close");
	}

	/**
	 * Return the threads of interceptors, which may wait for minutes for an approval.
	 */
	public ServerThreads interceptors() {
		return this.interceptors;
	}

	/**
	 * Return the threads of progress listeners. Calls may wait for these listeners on the
	 * threads of interceptors.
	 */
	public ServerThreads progress() {
		return this.progress;
	}

	/**
	 * Return the threads of the naming strategy.
	 */
	public ServerThreads naming() {
		return this.naming;
	}

	/**
	 * Return the threads of the customizers of the tools that servers list.
	 */
	public ServerThreads listing() {
		return this.listing;
	}

	/**
	 * Return the threads that read and write the approved definitions of tools.
	 */
	public ServerThreads pinning() {
		return this.pinning;
	}

	/**
	 * Return a scheduler for providers of headers.
	 */
	public Scheduler headers() {
		return this.blocking.computeIfAbsent("mcp-headers", (name) -> Schedulers.newBoundedElastic(APPLICATION_THREADS,
				APPLICATION_QUEUE, DaemonThreads.blocking(name), 60));
	}

	/**
	 * Return the threads that wait for authorization servers. All servers share them.
	 */
	public ServerThreads authorization() {
		return this.authorization;
	}

	/**
	 * Return a client that does not use the event loops that Reactor Netty shares within
	 * the JVM.
	 */
	public HttpClient onEventLoops(HttpClient client) {
		return eventLoops().run(client);
	}

	private EventLoops eventLoops() {
		// an instance that loses a race has no thread yet
		return this.eventLoops.updateAndGet((loops) -> (loops != null) ? loops : new EventLoops());
	}

	/**
	 * Load the classes that connections over HTTP need, and create their event loops,
	 * while the application continues to start: otherwise, the first connection would
	 * wait for this. Nothing is connected, and no code of the application is called.
	 */
	public void warmUp() {
		EventLoops loops = eventLoops();
		opening().schedule(() -> loops.run(HttpClient.create(ConnectionProvider.newConnection()))
			.warmup()
			.onErrorComplete()
			.subscribe());
	}

	private ServerThreads threads(String name, Limits limits) {
		return new ServerThreads(name, limits, DaemonThreads.cached(DaemonThreads.blocking(name)), this.scheduler);
	}

	private Scheduler connections(String name) {
		Limits limits = new Limits(CONNECT_THREADS, Integer.MAX_VALUE);
		return this.blocking.computeIfAbsent(name,
				(key) -> Schedulers.fromExecutorService(new BoundedThreads(key, threads(key, limits)), key));
	}

	@Override
	public void dispose() {
		Stream.of(this.interceptors, this.progress, this.naming, this.listing, this.pinning, this.authorization)
			.forEach(ServerThreads::dispose);
		this.blocking.values().forEach(Scheduler::dispose);
		EventLoops loops = this.eventLoops.get();
		if (loops != null) {
			loops.end();
		}
		this.scheduler.dispose();
	}

}
