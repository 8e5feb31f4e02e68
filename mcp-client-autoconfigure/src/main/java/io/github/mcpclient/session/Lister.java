package io.github.mcpclient.session;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Lists what a server has, page by page, within a bounded time.
 */
final class Lister {

	private static final Log logger = LogFactory.getLog(Lister.class);

	/**
	 * A server may change what it lists, and what is wrong with it, without end.
	 */
	private static final int MAX_REPORTS = 10;

	private final SessionOptions options;

	private final RequestChannel channel;

	private final SessionListener listener;

	private final Map<ItemKind<?>, Report> reports = new ConcurrentHashMap<>();

	Lister(SessionOptions options, RequestChannel channel, SessionListener listener) {
		this.options = options;
		this.channel = channel;
		this.listener = listener;
	}

	/**
	 * Given {@code null}, as long as the server has said nothing of itself, a listing
	 * fails as any request does.
	 */
	<T> Mono<List<T>> list(ItemKind<T> kind, @Nullable InitializeResult server) {
		if (server != null && !kind.offered().test(server.capabilities()) && this.channel.terminationCause() == null) {
			this.listener.excluded(kind.singular(), List.of());
			return Mono.just(List.of());
		}
		Duration timeout = this.options.initializationTimeout();
		Duration allPages = (timeout.compareTo(this.options.requestTimeout()) > 0) ? timeout
				: this.options.requestTimeout();
		Mono<List<T>> all = this.channel.within(listAll(kind, true), allPages, kind.method());
		// Servers often declare a capability of which they have a part only, such as
		// resources without templates
		return (kind == ItemKind.TOOLS) ? all : all
			.onErrorResume((ex) -> isRefusal(ex, McpSchema.ErrorCodes.METHOD_NOT_FOUND), (ex) -> Mono.just(List.of()));
	}

	/**
	 * Begin again, once, where the server no longer knows a cursor: its list changed
	 * meanwhile, or another instance answers.
	 */
	private <T> Mono<List<T>> listAll(ItemKind<T> kind, boolean beginAgain) {
		Listing<T> listing = new Listing<>(kind, this.options);
		Mono<List<T>> all = page(kind, Map.of()).expand((page) -> {
			Object cursor = listing.add(page);
			return (cursor != null) ? page(kind, Map.of("cursor", cursor)) : Mono.empty();
		}).then(Mono.fromSupplier(() -> {
			this.listener.excluded(kind.singular(), listing.excluded());
			report(kind, listing.problems());
			return listing.items();
		}));
		return beginAgain
				? all.onErrorResume((ex) -> listing.hasPages() && isCursorUnknown(ex), (ex) -> listAll(kind, false))
				: all;
	}

	private static boolean isCursorUnknown(Throwable failure) {
		return isRefusal(failure, McpSchema.ErrorCodes.INVALID_PARAMS) || (failure instanceof McpError refusal
				&& refusal.getJsonRpcError().message().toLowerCase(Locale.ROOT).contains("cursor"));
	}

	private static boolean isRefusal(Throwable failure, int code) {
		return failure instanceof McpError refusal && refusal.getJsonRpcError().code() == code;
	}

	private Mono<Map<String, Object>> page(ItemKind<?> kind, Map<String, Object> params) {
		return this.channel.request(Call.of(kind.method(), params,
				(transport, result) -> Json.object(transport, result, "The server's answer to " + kind.method()),
				this.options.requestTimeout()));
	}

	private void report(ItemKind<?> kind, String problems) {
		Report last = this.reports.getOrDefault(kind, new Report("", 0));
		boolean isNew = !problems.isEmpty() && !problems.equals(last.problems()) && last.count() < MAX_REPORTS;
		if (isNew) {
			logger.warn("MCP server '" + this.options.serverName() + "' lists " + kind.plural()
					+ " that cannot be used: " + problems);
		}
		this.reports.put(kind, new Report(problems, last.count() + (isNew ? 1 : 0)));
	}

	/**
	 * What was last wrong with a list, and how often that was logged.
	 */
	private record Report(String problems, int count) {
	}

}
