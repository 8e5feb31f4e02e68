package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.MemoryBudget.Cache.Kept;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;
import tools.jackson.databind.JsonNode;

/**
 * The lists and resources of a server that one connection may reuse for a limited time
 * (MCP 2026-07-28, {@code server/utilities/caching}). Results that the server marks as
 * public are shared with the connections of its users. All other results are found only
 * over the connection that they came over, by requests with the same headers of their
 * caller. A change that the server announces drops the results that it concerns. A time
 * in which the server could not announce changes drops all results that such changes
 * might have concerned. Safe for use by many threads.
 */
final class ResultCache {

	/**
	 * The largest number of results of one server.
	 */
	static final int MAX_RESULTS = 200;

	/**
	 * The largest size of all results of one server, as {@link MemoryBudget#sizeOf} has
	 * it.
	 */
	static final long MAX_SIZE = 4 * 1024 * 1024;

	/**
	 * The largest size of one result, which must not displace all others.
	 */
	static final long MAX_RESULT = MAX_SIZE / 4;

	static final Duration LONGEST = Duration.ofHours(1);

	// by method: the setting and capability of the listed items
	private static final Map<String, String> LISTS = Stream
		.of(ItemKind.TOOLS, ItemKind.PROMPTS, ItemKind.RESOURCES, ItemKind.RESOURCE_TEMPLATES)
		.collect(Collectors.toUnmodifiableMap(ItemKind::method, ItemKind::setting));

	private final MemoryBudget.Cache<Key, JsonNode> results;

	private final Function<ContextView, @Nullable Object> caller;

	private final AtomicBoolean opened = new AtomicBoolean();

	/**
	 * Create the cache of a server.
	 */
	ResultCache() {
		this(new MemoryBudget.Cache<>(MAX_RESULTS, MAX_SIZE, MAX_RESULT, MemoryBudget.ofCache()), (context) -> null);
	}

	private ResultCache(MemoryBudget.Cache<Key, JsonNode> results, Function<ContextView, @Nullable Object> caller) {
		this.results = results;
		this.caller = caller;
	}

	/**
	 * Return the same for a connection.
	 * @param caller returns whose authorization a request in a Reactor context has, or
	 * {@code null} for that of the connection
	 */
	ResultCache of(Function<ContextView, @Nullable Object> caller) {
		return new ResultCache(this.results, caller);
	}

	/**
	 * Return where the result of a request is, or {@code null} if it must not be used for
	 * others.
	 */
	@Nullable Place place(String method, @Nullable Object params, ContextView context) {
		boolean usable = (params instanceof ReadResourceRequest read) ? read.meta() == null || read.meta().isEmpty()
				: LISTS.containsKey(method);
		return (params != null && usable) ? new Place(method, params, context) : null;
	}

	/**
	 * Take a notification of the server.
	 */
	void announced(String notification, Map<String, Object> params) {
		if (McpSchema.METHOD_NOTIFICATION_RESOURCES_UPDATED.equals(notification)) {
			// the notification may name a part of a cached resource
			if (params.get("uri") instanceof String uri) {
				this.results.drop((key) -> key.uri() != null && uri.startsWith(key.uri()));
			}
		}
		else if (notification.endsWith("/list_changed")) {
			this.results.drop((key) -> notification.equals("notifications/" + key.listed() + "/list_changed"));
		}
	}

	/**
	 * A session was opened, over which the server announces changes from then on: if it
	 * is not the first one, some may have been missed.
	 */
	void opened(ServerDescription server, Predicate<String> subscribed) {
		if (this.opened.getAndSet(true)) {
			gap(server, subscribed);
		}
	}

	/**
	 * The server could not announce changes for a while.
	 * @param subscribed whether the server was to announce changes of the resource of a
	 * URI
	 */
	void gap(ServerDescription server, Predicate<String> subscribed) {
		this.results.drop((key) -> key.isSeenBy(this)
				&& ((key.uri() != null) ? subscribed.test(key.uri()) : server.offers(key.listed() + ".listChanged")));
	}

	/**
	 * Drop all pages of a list.
	 */
	void drop(ItemKind<?> kind) {
		this.results.drop((key) -> key.isSeenBy(this) && key.method().equals(kind.method()));
	}

	/**
	 * Drop all that the server has sent.
	 */
	void clear() {
		this.results.drop((key) -> true);
	}

	/**
	 * Discard the results of this connection alone, at its end.
	 */
	void close() {
		this.results.drop((key) -> key.connection() == this);
	}

	/**
	 * Where the result of a request is. For one request, made before it is sent.
	 */
	final class Place {

		private final ContextView context;

		private final Key own;

		private final long changes = ResultCache.this.results.changes();

		private Place(String method, Object params, ContextView context) {
			this.context = context;
			this.own = new Key(method, params, ResultCache.this, ResultCache.this.caller.apply(context));
		}

		@Nullable JsonNode find(long nanoTime) {
			JsonNode own = ResultCache.this.results.find(this.own, nanoTime);
			return (own != null) ? own : ResultCache.this.results.find(this.own.shared(), nanoTime);
		}

		/**
		 * Cache the result if the server allows that and nothing has been dropped since
		 * the request. If the caller's authorization has changed since the request, the
		 * owner of the result is unknown.
		 */
		void keep(Object result, long nanoTime) {
			if (!(result instanceof JsonNode tree)
					|| !Objects.equals(this.own.caller(), ResultCache.this.caller.apply(this.context))) {
				return;
			}
			boolean shared = tree.path("cacheScope").asString("").equals("public");
			if (!shared) {
				ResultCache.this.results.remove(this.own::noLongerShares);
			}
			double millis = tree.path("ttlMs").isNumber() ? tree.path("ttlMs").asDouble(0) : 0;
			if (millis > 0) {
				long size = MemoryBudget.sizeOf(tree) + MemoryBudget.sizeOf(this.own.uri());
				Duration ttl = Duration.ofMillis((long) Math.min(millis, LONGEST.toMillis()));
				ResultCache.this.results.keep(shared ? this.own.shared() : this.own,
						new Kept<>(tree, size, nanoTime + ttl.toNanos()), nanoTime, this.changes);
			}
		}

	}

	/**
	 * The request that a result belongs to.
	 *
	 * @param connection the only connection that the result is for, or {@code null} for
	 * all
	 * @param caller the owner of the authorization of the request, or {@code null} for
	 * the authorization of the connection
	 */
	private record Key(String method, Object params, @Nullable ResultCache connection, @Nullable Object caller) {

		Key shared() {
			return new Key(this.method, this.params, null, null);
		}

		boolean isSeenBy(ResultCache user) {
			return this.connection == null || this.connection == user;
		}

		/**
		 * Return whether another one is shared, and of a request whose results the server
		 * does not share any more.
		 */
		boolean noLongerShares(Key other) {
			return other.connection == null && other.method.equals(this.method)
					&& (uri() == null || other.params.equals(this.params));
		}

		@Nullable String uri() {
			return (this.params instanceof ReadResourceRequest read) ? read.uri() : null;
		}

		@Nullable String listed() {
			return LISTS.get(this.method);
		}

		@Override
		public String toString() {
			return this.method;
		}

	}

}
