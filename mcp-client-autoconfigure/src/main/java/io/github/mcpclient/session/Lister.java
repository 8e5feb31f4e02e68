package io.github.mcpclient.session;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransport;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Lists what a server has of one kind, page by page, within a bounded time.
 *
 * @param <T> the type of an item
 */
final class Lister<T> {

	private static final Log logger = LogFactory.getLog(Lister.class);

	/**
	 * A server may change what it lists, and what is wrong with it, without end.
	 */
	private static final int MAX_REPORTS = 10;

	private final ItemKind<T> kind;

	private final int max;

	private final SessionOptions options;

	private final McpTransport transport;

	private final RequestChannel channel;

	private final Alarm alarm;

	private final SessionListener listener;

	private volatile @Nullable String reportedProblems;

	private volatile int reports;

	Lister(ItemKind<T> kind, int max, SessionOptions options, McpTransport transport, RequestChannel channel,
			Alarm alarm, SessionListener listener) {
		this.kind = kind;
		this.max = max;
		this.options = options;
		this.transport = transport;
		this.channel = channel;
		this.alarm = alarm;
		this.listener = listener;
	}

	/**
	 * List all pages; nothing, without asking, where the server has no such capability.
	 * @param server what the server said of itself, or {@code null} if it did not yet
	 * @return the items in the server's order
	 */
	Mono<List<T>> list(@Nullable InitializeResult server) {
		if (server != null && !this.kind.offered().apply(server.capabilities())
				&& this.channel.terminationCause() == null) {
			this.listener.excluded(this.kind.singular(), List.of());
			return Mono.just(List.of());
		}
		Duration timeout = this.options.initializationTimeout();
		Duration allPages = (timeout.compareTo(this.options.requestTimeout()) > 0) ? timeout
				: this.options.requestTimeout();
		return this.alarm.within(listAll(true), allPages,
				() -> new SessionTimeoutException(this.kind.method(), allPages));
	}

	/**
	 * List all pages, and once more from the first where the server does not know a
	 * cursor any more: its list changed meanwhile, or another instance answers.
	 */
	private Mono<List<T>> listAll(boolean beginAgain) {
		Listing<T> listing = new Listing<>(this.kind, this.options.serverName(), this.max);
		Mono<List<T>> all = page(Map.of()).expand((page) -> {
			Object cursor = listing.add(page);
			return (cursor != null) ? page(Map.of("cursor", cursor)) : Mono.empty();
		}).then(Mono.fromSupplier(() -> {
			this.listener.excluded(this.kind.singular(), listing.excluded());
			report(listing.problems());
			return listing.items();
		}));
		return beginAgain ? all.onErrorResume((ex) -> listing.hasPages() && isCursorUnknown(ex), (ex) -> listAll(false))
				: all;
	}

	private static boolean isCursorUnknown(Throwable failure) {
		if (!(failure instanceof McpError refusal)) {
			return false;
		}
		JSONRPCError error = refusal.getJsonRpcError();
		return error.code() == McpSchema.ErrorCodes.INVALID_PARAMS
				|| error.message().toLowerCase(Locale.ROOT).contains("cursor");
	}

	private Mono<Map<String, Object>> page(Map<String, Object> params) {
		return this.channel.request(new Request<>(this.kind.method(), null, (id) -> params, this::read,
				CallOptions.of(this.options.requestTimeout()), false));
	}

	private Map<String, Object> read(Object result) {
		return Json.object(this.transport, result, "The server's answer to " + this.kind.method());
	}

	private void report(@Nullable String problems) {
		if (problems != null && !problems.equals(this.reportedProblems) && this.reports < MAX_REPORTS) {
			this.reports++;
			logger.warn("MCP server '" + this.options.serverName() + "' lists " + this.kind.noun()
					+ " that cannot be used: " + problems);
		}
		this.reportedProblems = problems;
	}

}
