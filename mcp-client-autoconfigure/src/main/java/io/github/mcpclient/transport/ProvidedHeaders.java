package io.github.mcpclient.transport;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.github.mcpclient.McpHeadersProvider;
import io.github.mcpclient.McpHeadersRequest;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.CallerContext;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;

/**
 * The headers that the application's providers give. Those of a caller are requested
 * once, where the call begins, and travel with it in its Reactor context.
 */
public final class ProvidedHeaders {

	/**
	 * No providers.
	 */
	public static final ProvidedHeaders NONE = new ProvidedHeaders(List::of, Schedulers::immediate);

	private static final Log logger = LogFactory.getLog(ProvidedHeaders.class);

	private final Supplier<List<McpHeadersProvider>> providers;

	private final Supplier<Scheduler> scheduler;

	private volatile @Nullable List<McpHeadersProvider> known;

	/**
	 * Create an instance.
	 * @param providers the providers, in their order; resolved once, for the first
	 * request, as they may use what is used to make the connections
	 * @param scheduler runs providers where there is no caller, or one who must not
	 * block; its threads may
	 */
	public ProvidedHeaders(Supplier<List<McpHeadersProvider>> providers, Supplier<Scheduler> scheduler) {
		this.providers = providers;
		this.scheduler = scheduler;
	}

	private List<McpHeadersProvider> all() {
		List<McpHeadersProvider> known = this.known;
		if (known == null) {
			known = List.copyOf(this.providers.get());
			this.known = known;
		}
		return known;
	}

	/**
	 * Returns whether there are no providers.
	 */
	public boolean isEmpty() {
		return all().isEmpty();
	}

	/**
	 * Returns the headers of a request, not validated; those of a caller where its
	 * Reactor context has some.
	 */
	public Mono<Map<String, String>> get(McpServerDefinition definition, String method) {
		return Mono.deferContextual((context) -> {
			if (context.getOrDefault(new Key(definition.name()), null) instanceof CallerHeaders headers) {
				return Mono.just(headers.values);
			}
			Mono<Map<String, String>> headers = collect(new McpHeadersRequest(definition, method, false));
			return subscribe(headers.contextWrite((ignored) -> Context.empty()),
					(task, ignored) -> this.scheduler.get().schedule(CallerContext.withoutCaller(task)));
		});
	}

	/**
	 * Resolves the headers of a caller, on this thread if it may block, for the Reactor
	 * context of the call.
	 */
	public Mono<Context> ofCaller(McpServerDefinition definition) {
		return subscribe(collect(new McpHeadersRequest(definition, "POST", true)), (task, context) -> {
			if (Schedulers.isInNonBlockingThread()) {
				this.scheduler.get().schedule(CallerContext.restoredIn(task, context));
			}
			else {
				task.run();
			}
		}).map((headers) -> Context.of(new Key(definition.name()), new CallerHeaders(headers)));
	}

	private static Mono<Map<String, String>> subscribe(Mono<Map<String, String>> headers,
			BiConsumer<Runnable, ContextView> runner) {
		return Mono.create((sink) -> {
			HeadersTask task = new HeadersTask(headers.contextWrite(sink.contextView()), sink, Disposables.swap());
			sink.onCancel(task);
			runner.accept(task, sink.contextView());
		});
	}

	private Mono<Map<String, String>> collect(McpHeadersRequest request) {
		return Flux.fromIterable(all())
			.concatMap((provider) -> headers(provider, request), 0)
			.collectList()
			.map(ProvidedHeaders::merge);
	}

	private static Mono<Map<String, String>> headers(McpHeadersProvider provider, McpHeadersRequest request) {
		Mono<Map<String, String>> headers = provider.headers(request);
		Assert.state(headers != null, () -> "The McpHeadersProvider " + provider.getClass().getName()
				+ " gave null for MCP server '" + request.server().name() + "'");
		return headers;
	}

	private static Map<String, String> merge(List<Map<String, String>> all) {
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		// a name that is null is refused like an empty one
		all.forEach((some) -> some.forEach((name, value) -> headers.putIfAbsent((name != null) ? name : "", value)));
		return headers;
	}

	/**
	 * Where the headers of a call are in its context: those for one server are not found
	 * by a call of another one that is made on the way.
	 */
	private record Key(String server) {

	}

	/**
	 * Headers that do not show when the context of a call is printed.
	 */
	private static final class CallerHeaders {

		private final Map<String, String> values;

		private CallerHeaders(Map<String, String> values) {
			this.values = values;
		}

	}

	/**
	 * Subscribes to headers, which may block the thread that does so. Disposing of it
	 * interrupts that thread, though not beyond the end of {@link #run()}.
	 */
	private static final class HeadersTask extends FutureTask<@Nullable Void> implements Disposable {

		private final MonoSink<Map<String, String>> sink;

		private final Disposable.Swap subscription;

		private volatile @Nullable Thread thread;

		HeadersTask(Mono<Map<String, String>> headers, MonoSink<Map<String, String>> sink,
				Disposable.Swap subscription) {
			super(() -> subscription
				.update(headers.subscribe(sink::success, (failure) -> fail(sink, subscription, failure))), null);
			this.sink = sink;
			this.subscription = subscription;
		}

		@Override
		public void run() {
			if (isDone()) {
				return;
			}
			this.thread = Thread.currentThread();
			super.run();
			if (isCancelled()) {
				Thread.interrupted();
			}
		}

		@Override
		protected void setException(Throwable failure) {
			// fatal to Reactor, such as a missing class, and not signalled by it
			fail(this.sink, this.subscription, failure);
		}

		private static void fail(MonoSink<?> sink, Disposable subscription, Throwable failure) {
			if (subscription.isDisposed()) {
				logger.debug("Nobody waits any more for the headers that failed", failure);
			}
			else {
				sink.error(failure);
			}
		}

		@Override
		public void dispose() {
			this.subscription.dispose();
			if (this.thread != Thread.currentThread()) {
				cancel(true);
			}
		}

	}

}
