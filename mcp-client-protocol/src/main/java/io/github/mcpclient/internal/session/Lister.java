package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.LogKeys;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ArrayNode;

/**
 * Lists the items of a server, page by page, within a limited time.
 */
final class Lister {

	private static final Logger logger = LoggerFactory.getLogger(Lister.class);

	// the problems of a list may differ each time
	private static final int MAX_REPORTS = 10;

	private final SessionOptions options;

	private final Session session;

	private final RequestChannel channel;

	private final McpSession.Listener listener;

	private final Map<ItemKind<?>, Report> reports = new ConcurrentHashMap<>();

	Lister(SessionOptions options, Session session, RequestChannel channel, McpSession.Listener listener) {
		this.options = options;
		this.session = session;
		this.channel = channel;
		this.listener = listener;
	}

	/**
	 * List all pages. As long as the server is not known, this fails as any request does.
	 */
	<T> Mono<List<T>> list(ItemKind<T> kind, @Nullable ServerDescription server) {
		if (server != null && !server.mayHave(kind.setting()) && this.channel.terminationCause() == null) {
			this.listener.excluded(kind.singular(), List.of());
			return Mono.just(List.of());
		}
		if (server != null && !server.offers(kind.setting())) {
			return listUnannounced(kind);
		}
		Duration allPages = Collections
			.max(List.of(this.options.initializationTimeout(), this.options.requestTimeout()));
		Mono<List<T>> all = this.channel.within(listAll(kind, true), allPages, kind.method());
		// a server may have a part of a capability, such as resources without templates
		return (kind == ItemKind.TOOLS) ? all : all
			.onErrorResume((ex) -> isRefusal(ex, McpSchema.ErrorCodes.METHOD_NOT_FOUND), (ex) -> Mono.just(List.of()));
	}

	// requests items that the server may have forgotten to announce, and ignores a
	// failure
	private <T> Mono<List<T>> listUnannounced(ItemKind<T> kind) {
		return this.channel
			.within(listAll(kind, true), this.options.initializationTimeout().dividedBy(2), kind.method())
			.onErrorResume((ex) -> EraDetection.mayBeRefusal(ex) || ex instanceof SessionTimeoutException,
					(ex) -> Mono.just(List.of()))
			.doOnNext((items) -> {
				if (!items.isEmpty() || kind == ItemKind.TOOLS) {
					this.listener.deviation(Kind.CAPABILITIES, "It announces no " + kind.plural() + ", and lists "
							+ (items.isEmpty() ? "none" : items.size()));
				}
			});
	}

	// begins again, once, if the server no longer knows a cursor: its list has changed,
	// or
	// another instance responds
	private <T> Mono<List<T>> listAll(ItemKind<T> kind, boolean beginAgain) {
		ListedItems<T> items = new ListedItems<>(kind, this.options, this.session.era().hasEmptyCursors(),
				(item) -> this.session.era().problem(kind, item));
		Mono<List<T>> all = page(kind, Map.of()).expand((page) -> {
			Object cursor = items.add(page);
			return (cursor != null) ? page(kind, Map.of("cursor", cursor)) : Mono.empty();
		}).then(Mono.fromSupplier(() -> {
			this.listener.excluded(kind.singular(), items.excluded());
			report(kind, items.problems());
			if (items.deviation() != null) {
				this.listener.deviation(Kind.LISTS, kind.method() + ": " + items.deviation());
			}
			List<T> listed = items.items();
			this.session.era().listed(kind, listed);
			return listed;
		})).doOnError((ex) -> this.options.results().drop(kind));
		return beginAgain
				? all.onErrorResume((ex) -> items.hasPages() && isCursorUnknown(ex), (ex) -> listAll(kind, false))
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
		return this.session
			.request(
					Call.of(kind.method(), null, params,
							(transport, result) -> Json.object(transport,
									(result instanceof List || result instanceof ArrayNode) ? Map.of("", result)
											: result,
									"The server's response to " + kind.method()),
							this.options.requestTimeout()));
	}

	private void report(ItemKind<?> kind, String problems) {
		Report last = this.reports.getOrDefault(kind, new Report("", 0));
		boolean isNew = !problems.isEmpty() && !problems.equals(last.problems()) && last.count() < MAX_REPORTS;
		if (isNew) {
			LogKeys.line(logger, Level.WARN, this.options.serverName())
				.log("MCP server '{}' lists {} that cannot be used: {}", this.options.serverName(), kind.plural(),
						problems);
		}
		if (!problems.equals(last.problems())) {
			this.reports.put(kind, new Report(problems, last.count() + (isNew ? 1 : 0)));
		}
	}

	/**
	 * The latest problems of a list, and how often they were logged.
	 */
	private record Report(String problems, int count) {
	}

}
