package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * The subscription to the notifications of a server: one request without a deadline,
 * whose ID identifies the notifications (MCP 2026-07-28,
 * {@code basic/patterns/subscriptions}). When it ends, the client sends it again, with
 * backoff. Another resource also makes the client send it again; the previous request
 * then lasts until the new one is acknowledged. Safe for use by many threads.
 */
final class ListenSubscription {

	static final Duration FIRST_DELAY = Duration.ofSeconds(1);

	static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

	// before the first listing
	private static final Duration PATIENCE = Duration.ofMillis(250);

	private static final Logger logger = LoggerFactory.getLogger(ListenSubscription.class);

	private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

	private static final String ID = ProtocolNames.PREFIX + "subscriptionId";

	private static final String RESOURCES = "resourceSubscriptions";

	private static final int MAX_URI = 200;

	private static final List<String> LISTS = List.of("tools", "prompts", "resources");

	private final SessionOptions options;

	private final McpSession.Listener listener;

	private final RequestChannel channel;

	private final WireFormat format;

	private final AtomicReference<@Nullable Stream> latest = new AtomicReference<>();

	// disposed at the end of the session
	private final Disposable.Swap timer = Disposables.swap();

	private volatile @Nullable ServerDescription server;

	private volatile int fruitless;

	private volatile boolean warned;

	private volatile boolean opened;

	ListenSubscription(SessionOptions options, McpSession.Listener listener, RequestChannel channel,
			WireFormat format) {
		this.options = options;
		this.listener = listener;
		this.channel = channel;
		this.format = format;
	}

	/**
	 * Begin, and complete when the server has acknowledged the subscription, or after a
	 * moment: later listings change only with an announcement.
	 */
	Mono<Void> open(ServerDescription server) {
		return Mono.defer(() -> {
			this.server = server;
			listen();
			Stream first = this.latest.get();
			return (first != null) ? Mono
				.firstWithSignal(first.settled.asMono().onErrorComplete(),
						Mono.delay(PATIENCE, this.channel.scheduler()).then())
				.doFinally((signal) -> this.opened = true) : Mono.empty();
		});
	}

	private Map<String, Object> wanted(ServerDescription server) {
		Map<String, Object> wanted = new LinkedHashMap<>();
		LISTS.stream()
			.filter((list) -> server.offers(list + ".listChanged"))
			.forEach((list) -> wanted.put(list + "ListChanged", true));
		List<String> uris = this.options.replayed().uris();
		if (!uris.isEmpty()) {
			wanted.put(RESOURCES, uris);
		}
		return wanted;
	}

	/**
	 * Serve a call that subscribes to a resource, or end that.
	 */
	<T> Mono<T> update(Call<T> call) {
		String uri = String.valueOf(call.subject());
		boolean more = McpSchema.METHOD_RESOURCES_SUBSCRIBE.equals(call.method());
		return Mono.defer(() -> {
			listen();
			return acknowledged((stream) -> stream.uris().contains(uri) == more);
		})
			.then(Mono.defer(() -> (more && isRefused(uri))
					? Mono.error(new SessionProtocolException(
							"The server does not announce updates of the resource " + Printable.line(uri, MAX_URI)))
					: Mono.empty()))
			.timeout(call.options().remaining(),
					Mono.error(() -> new SessionTimeoutException(call.name(), call.options().longest())),
					this.channel.scheduler())
			.then(Mono.fromSupplier(() -> call.reader().apply(this.channel.transport(), Map.of())));
	}

	private boolean isRefused(String uri) {
		Stream stream = this.latest.get();
		return stream != null && stream.acknowledged && stream.uris().contains(uri)
				&& (!stream.honoured.containsKey(RESOURCES)
						|| (stream.honoured.get(RESOURCES) instanceof List<?> uris && !uris.contains(uri)));
	}

	private Mono<Void> acknowledged(Predicate<Stream> sufficient) {
		Stream stream = this.latest.get();
		return (stream != null) ? stream.settled.asMono()
			.then(Mono.defer(() -> (sufficient.test(stream) || this.latest.get() == stream) ? Mono.empty()
					: acknowledged(sufficient)))
				: Mono.empty();
	}

	private void listen() {
		ServerDescription server = this.server;
		while (server != null && !this.timer.isDisposed()) {
			Stream before = this.latest.get();
			if (before != null && !before.isSettled()) {
				before.outdated.set(true);
				if (!before.isSettled() || !before.outdated.compareAndSet(true, false)) {
					return;
				}
			}
			Map<String, Object> wanted = wanted(server);
			if (wanted.isEmpty()) {
				if (before == null || this.latest.compareAndSet(before, null)) {
					dispose(before);
					return;
				}
				continue;
			}
			Stream next = new Stream(before, wanted);
			if (this.latest.compareAndSet(before, next)) {
				next.start();
				return;
			}
		}
	}

	/**
	 * Take a notification.
	 * @return whether it is of a subscription that lasts, or of no subscription
	 */
	boolean receive(String method, Map<String, Object> params) {
		boolean cancelled = "notifications/cancelled".equals(method);
		Object id = cancelled ? params.get("requestId") : Json.at(params, "_meta", ID);
		if (id == null) {
			return true;
		}
		Stream stream = find(String.valueOf(id));
		if (stream != null && method.equals(ACKNOWLEDGED)) {
			stream.acknowledged(Json.objectOrNull(params.get("notifications")));
		}
		else if (stream != null && cancelled) {
			stream.ended(null);
		}
		return stream != null && !method.equals(ACKNOWLEDGED);
	}

	private @Nullable Stream find(String id) {
		Stream stream = this.latest.get();
		while (stream != null && !id.equals(stream.id)) {
			stream = stream.predecessor;
		}
		return stream;
	}

	// earlier streams, too
	private static void dispose(@Nullable Stream latest) {
		for (Stream stream = latest; stream != null; stream = stream.predecessor) {
			stream.dispose();
		}
	}

	void terminate() {
		this.timer.dispose();
		Stream stream = this.latest.get();
		Throwable cause = this.channel.terminationCause();
		if (stream != null && cause != null) {
			stream.settled.tryEmitError(cause);
		}
		dispose(stream);
	}

	private void missed() {
		ServerDescription server = this.server;
		if (server != null) {
			this.options.results().gap(server, this.options.replayed()::isSubscribed);
		}
	}

	private void listenLater() {
		int doublings = Math.min(this.fruitless, 8);
		this.fruitless = doublings + 1;
		long delay = Math.min(FIRST_DELAY.toMillis() << doublings, LONGEST_DELAY.toMillis());
		// as streams tend to end together
		Duration random = Duration.ofMillis(delay + ThreadLocalRandom.current().nextLong(delay / 4 + 1));
		this.timer.update(this.channel.schedule(this::listen, random));
	}

	/**
	 * One request, until it ends.
	 */
	private final class Stream implements WireFormat {

		private final Map<String, Object> wanted;

		// signals that it was acknowledged, or has ended
		private final Sinks.Empty<Void> settled = Sinks.empty();

		private final AtomicBoolean over = new AtomicBoolean();

		private final AtomicBoolean outdated = new AtomicBoolean();

		private final Disposable.Composite parts = Disposables.composite();

		private final boolean again;

		private final long started;

		private volatile @Nullable Stream predecessor;

		private volatile String id = "";

		private volatile boolean acknowledged;

		private volatile Map<String, Object> honoured = Map.of();

		Stream(@Nullable Stream before, Map<String, Object> wanted) {
			this.wanted = wanted;
			Stream live = before;
			while (live != null && live.over.get()) {
				live = live.predecessor;
			}
			this.predecessor = live;
			this.again = before != null && live == null;
			this.started = ListenSubscription.this.channel.nanoTime();
		}

		void start() {
			RequestChannel channel = ListenSubscription.this.channel;
			Duration timeout = ListenSubscription.this.options.requestTimeout();
			this.parts.add(channel.schedule(() -> {
				if (!this.acknowledged) {
					ended(new SessionTimeoutException(ProtocolNames.LISTEN, timeout));
				}
			}, timeout));
			this.parts
				.add(channel
					.request(Call.of(ProtocolNames.LISTEN, null, Map.of("notifications", this.wanted),
							(transport, result) -> true, timeout), this)
					.subscribe((result) -> ended(null), this::ended));
		}

		List<?> uris() {
			return (this.wanted.get(RESOURCES) instanceof List<?> uris) ? uris : List.of();
		}

		boolean isSettled() {
			return this.acknowledged || this.over.get();
		}

		void acknowledged(@Nullable Map<String, Object> honoured) {
			this.honoured = (honoured != null) ? honoured : Map.of();
			this.acknowledged = true;
			Stream before = this.predecessor;
			this.predecessor = null;
			ListenSubscription.dispose(before);
			if (honoured == null || !honoured.keySet().containsAll(this.wanted.keySet())) {
				logger.debug("MCP server '{}' announces fewer changes than requested: {} of {}",
						ListenSubscription.this.options.serverName(),
						(honoured != null) ? honoured.keySet() : List.of(), this.wanted.keySet());
			}
			ListenSubscription.this.warned = false;
			if (this.again || (before == null && ListenSubscription.this.opened)) {
				missed();
				ListenSubscription.this.listener.gap();
			}
			settle();
		}

		// listens again before the waiting callers are notified
		private boolean settle() {
			boolean anew = this.outdated.compareAndSet(true, false);
			if (anew) {
				listen();
			}
			this.settled.tryEmitEmpty();
			return anew;
		}

		void ended(@Nullable Throwable failure) {
			if (!this.over.compareAndSet(false, true)) {
				return;
			}
			this.parts.dispose();
			if (ListenSubscription.this.latest.get() != this
					|| ListenSubscription.this.channel.terminationCause() != null) {
				this.settled.tryEmitEmpty();
				return;
			}
			logger.debug("The subscription to MCP server '{}' ended", ListenSubscription.this.options.serverName(),
					failure);
			missed();
			if (this.acknowledged) {
				Duration lasted = Duration.ofNanos(ListenSubscription.this.channel.nanoTime() - this.started);
				ListenSubscription.this.fruitless = (lasted.compareTo(LONGEST_DELAY) > 0) ? 0
						: ListenSubscription.this.fruitless;
			}
			else if (failure != null) {
				this.settled.tryEmitError(failure);
				if (!ListenSubscription.this.warned) {
					ListenSubscription.this.warned = true;
					ListenSubscription.this.listener.notRenewed("it cannot announce changes", ProtocolNames.LISTEN,
							failure);
				}
			}
			if (!settle() && !isUnknown(failure)) {
				listenLater();
			}
		}

		private static boolean isUnknown(@Nullable Throwable failure) {
			return (failure instanceof McpError error
					&& error.getJsonRpcError().code() == McpSchema.ErrorCodes.METHOD_NOT_FOUND)
					|| (failure instanceof HttpStatusException answer
							&& List.of(405, 501).contains(answer.getStatus()));
		}

		void dispose() {
			this.over.set(true);
			this.parts.dispose();
			this.settled.tryEmitEmpty();
		}

		@Override
		public Map<String, Object> meta() {
			return ListenSubscription.this.format.meta();
		}

		@Override
		public Context sending(Call<?> call, long id, Context context) {
			this.id = Long.toString(id);
			return ListenSubscription.this.format.sending(call, id, context);
		}

		@Override
		public boolean notifiesOfCancellation() {
			return ListenSubscription.this.format.notifiesOfCancellation();
		}

	}

}
