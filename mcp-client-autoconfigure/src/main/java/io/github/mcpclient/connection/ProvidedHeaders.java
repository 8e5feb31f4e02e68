package io.github.mcpclient.connection;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.github.mcpclient.McpHeadersProvider;
import io.github.mcpclient.McpHeadersRequest;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.McpRequestHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * The headers that the application's providers give. Those of a caller are asked for
 * once, where the call begins, and travel with it in its Reactor context.
 */
public final class ProvidedHeaders implements McpRequestHeaders {

	/**
	 * No providers.
	 */
	public static final ProvidedHeaders NONE = new ProvidedHeaders(List::of, () -> {
		throw new IllegalStateException("Nobody is to be asked");
	});

	private final Supplier<List<McpHeadersProvider>> providers;

	private final Supplier<Scheduler> scheduler;

	private volatile @Nullable List<McpHeadersProvider> known;

	/**
	 * Describe the providers.
	 * @param providers the providers, in their order; asked once, at the first request,
	 * as they may use what is used to make the connections
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

	@Override
	public boolean isEmpty() {
		return all().isEmpty();
	}

	@Override
	public Mono<Map<String, String>> get(McpServerDefinition definition, String method) {
		return Mono.deferContextual((context) -> {
			if (context.getOrDefault(Key.of(definition), null) instanceof OfCaller headers) {
				return Mono.just(headers.values());
			}
			return askForNobody(new McpHeadersRequest(definition, method, false));
		});
	}

	private Mono<Map<String, String>> askForNobody(McpHeadersRequest request) {
		return Mono.create((sink) -> {
			Asking asking = new Asking(ask(request), Context.empty(), sink);
			sink.onCancel(asking);
			this.scheduler.get().schedule(CallerContext.withoutCaller(asking));
		});
	}

	/**
	 * Ask for the headers of a caller, on this thread if it may block.
	 * @param definition the server
	 * @return adds the headers to the Reactor context of the call
	 */
	Mono<Context> ofCaller(McpServerDefinition definition) {
		return askForCaller(new McpHeadersRequest(definition, "POST", true))
			.map((headers) -> Context.of(Key.of(definition), new OfCaller(headers)));
	}

	private Mono<Map<String, String>> askForCaller(McpHeadersRequest request) {
		return Mono.create((sink) -> {
			Asking asking = new Asking(ask(request), sink.contextView(), sink);
			sink.onCancel(asking);
			if (Schedulers.isInNonBlockingThread()) {
				this.scheduler.get().schedule(CallerContext.restoredIn(asking, sink.contextView()));
			}
			else {
				asking.run();
			}
		});
	}

	private Mono<Map<String, String>> ask(McpHeadersRequest request) {
		return Flux.fromIterable(all())
			.concatMap((provider) -> headers(provider, request), 0)
			.collectList()
			.map(ProvidedHeaders::merge);
	}

	private static Mono<Map<String, String>> headers(McpHeadersProvider provider, McpHeadersRequest request) {
		Mono<Map<String, String>> headers = provider.headers(request);
		if (headers == null) {
			throw new IllegalStateException("The McpHeadersProvider " + provider.getClass().getName()
					+ " gave null for MCP server '" + request.server().name() + "'");
		}
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

		static Key of(McpServerDefinition definition) {
			return new Key(definition.name());
		}

	}

	/**
	 * Headers that do not show when the context of a call is printed.
	 */
	private static final class OfCaller {

		private final Map<String, String> values;

		private OfCaller(Map<String, String> values) {
			this.values = values;
		}

		private Map<String, String> values() {
			return this.values;
		}

	}

}
