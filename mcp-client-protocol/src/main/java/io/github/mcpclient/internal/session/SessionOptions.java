package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ProtocolVersions;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.SetLevelRequest;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import io.modelcontextprotocol.spec.McpSchema.UnsubscribeRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The options with which the sessions of one connection are opened, one after another.
 *
 * @param definition the server
 * @param clientInfo the client's description of itself
 * @param initializationTimeout how long the handshake may take
 * @param requests responds to the requests of the server
 * @param observers observe the requests
 * @param replayed the requests that are sent again to each session
 * @param era the facts that the previous sessions have detected about the server
 * @param results the results of the server that can be reused
 */
public record SessionOptions(McpServerDefinition definition, Implementation clientInfo, Duration initializationTimeout,
		ServerRequests requests, List<? extends RequestObserver> observers, Replayed replayed, EraMemory era,
		ResultCache results) {

	/**
	 * Create the options of a connection to a server of which nothing is known yet.
	 * @param caller returns whose authorization a request in a Reactor context has, or
	 * {@code null} for that of the connection
	 */
	public SessionOptions(McpServerDefinition definition, Implementation clientInfo, Duration initializationTimeout,
			ServerRequests requests, List<? extends RequestObserver> observers,
			Function<ContextView, @Nullable Object> caller) {
		this(definition, clientInfo, initializationTimeout, requests, observers, new Replayed(definition),
				new EraMemory(), new ResultCache().of(caller));
	}

	/**
	 * Return the options of a connection of one user to the same server.
	 * @param caller as for this connection
	 */
	public SessionOptions ofUser(Function<ContextView, @Nullable Object> caller) {
		return new SessionOptions(this.definition, this.clientInfo, this.initializationTimeout, this.requests,
				this.observers, new Replayed(this.definition), this.era, this.results.of(caller));
	}

	/**
	 * Discard all results that the server has sent so far, of all users.
	 */
	public void dropResults() {
		this.results.clear();
	}

	/**
	 * Use nothing again that the server has sent over this connection alone.
	 */
	public void dropOwnResults() {
		this.results.close();
	}

	/**
	 * Return these options with another limit to the handshake.
	 */
	public SessionOptions within(Duration initializationTimeout) {
		return new SessionOptions(this.definition, this.clientInfo, initializationTimeout, this.requests,
				this.observers, this.replayed, this.era, this.results);
	}

	/**
	 * Return the request that a handshake begins with, as messages name it.
	 */
	public String firstRequest() {
		String protocol = this.definition.protocol();
		boolean discovers = (this.definition.http() != null || this.definition.stdio() != null)
				&& !this.definition.type().equals(McpServerDefinition.SSE) && ProtocolVersions.allowsStateless(protocol)
				&& !(this.era.isLegacy() && ProtocolVersions.allowsLegacy(protocol));
		return discovers ? ProtocolNames.DISCOVER : McpSession.HANDSHAKE;
	}

	String serverName() {
		return this.definition.name();
	}

	Duration requestTimeout() {
		return this.definition.timeouts().request();
	}

	int max(ItemKind<?> kind) {
		return switch (kind.setting()) {
			case "tools" -> this.definition.limits().maxTools();
			case "prompts" -> this.definition.prompts().max();
			default -> this.definition.resources().max();
		};
	}

	/**
	 * Remembers whether the server supports only the legacy protocol (up to 2025-11-25),
	 * so that attempts to connect need not request the stateless protocol first. Safe for
	 * use by many threads.
	 */
	public static final class EraMemory {

		private final AtomicBoolean startedAgain = new AtomicBoolean();

		private volatile boolean legacy;

		// the failure that the request for other protocol versions may have caused
		private volatile @Nullable String suspicion;

		private volatile @Nullable String version;

		private volatile boolean late;

		/**
		 * Continue the memory of a connection that this one replaces.
		 */
		public void follow(EraMemory predecessor) {
			this.legacy = predecessor.legacy;
			this.late = predecessor.late;
			this.version = predecessor.version;
		}

		/**
		 * Note that the server may not have survived the request for other protocol
		 * versions: the next session omits it.
		 * @return whether to do so within the same attempt, which is true once until a
		 * session opens
		 */
		public boolean diedOfProbe() {
			suspect("The process exited");
			return this.startedAgain.compareAndSet(false, true);
		}

		/**
		 * Note that the request may have made the server silent, or broken the
		 * connection: the next session omits it.
		 */
		void suspect(String reason) {
			this.suspicion = reason;
		}

		@Nullable String suspicion() {
			return this.suspicion;
		}

		boolean isLegacy() {
			return this.legacy || this.suspicion != null;
		}

		/**
		 * Return the protocol version to begin with, if the server refuses newer ones.
		 */
		@Nullable String version() {
			return this.version;
		}

		void noteVersion(String version) {
			this.version = version;
		}

		/**
		 * Return whether the server supports other protocol versions, but responds
		 * slowly.
		 */
		boolean isLate() {
			return this.late;
		}

		void note(boolean legacy) {
			this.legacy = legacy;
			this.suspicion = null;
			this.startedAgain.set(false);
		}

		/**
		 * Note whether the server responded that it supports other protocol versions
		 * after it had opened a session.
		 */
		void noteLate(boolean late) {
			this.late = late;
			if (late) {
				this.legacy = false;
			}
		}

		/**
		 * Note that omitting the request did not help.
		 */
		void clear() {
			this.suspicion = null;
		}

	}

	/**
	 * Requests that are sent again to each new session of a connection: the level of log
	 * messages, and updates of the resources that the application has subscribed to. Safe
	 * for use by many threads.
	 */
	public static final class Replayed {

		private static final int CONCURRENCY = 8;

		private final McpServerDefinition definition;

		private final AtomicInteger sessions = new AtomicInteger();

		private volatile Set<String> subscriptions = ConcurrentHashMap.newKeySet();

		// an update may be faster than the response
		private final Set<String> asked = ConcurrentHashMap.newKeySet();

		Replayed(McpServerDefinition definition) {
			this.definition = definition;
		}

		/**
		 * Begin a new session, and return the requests that are sent again to it. A
		 * failure is reported to the listener only.
		 */
		public Mono<Void> renew(McpSession session, ServerDescription server, McpSession.Listener listener) {
			this.sessions.incrementAndGet();
			LoggingLevel level = server.offers("logging") ? this.definition.loggingLevel() : null;
			List<String> uris = server.offers("resources.subscribe") ? List.copyOf(this.subscriptions) : List.of();
			return Flux
				.concat(Mono.justOrEmpty(level)
					.map((wanted) -> ask(session,
							call(McpSchema.METHOD_LOGGING_SET_LEVEL, null, new SetLevelRequest(wanted)), listener,
							"its logging level could not be set to " + wanted.name().toLowerCase(Locale.ROOT))),
						Flux.fromIterable(uris)
							.filter(this.subscriptions::contains)
							.map((uri) -> ask(session, subscription(uri), listener,
									"its resource " + uri + " could not be subscribed to again")))
				.flatMap((request) -> request, CONCURRENCY)
				.then();
		}

		private static Mono<Boolean> ask(McpSession session, Call<Boolean> call, McpSession.Listener listener,
				String problem) {
			return session.request(call).onErrorResume((failure) -> {
				listener.notRenewed(problem, call.name(), failure);
				return Mono.empty();
			});
		}

		private Call<Boolean> subscription(String uri) {
			return call(McpSchema.METHOD_RESOURCES_SUBSCRIBE, uri, new SubscribeRequest(uri, null));
		}

		private Call<Boolean> call(String method, @Nullable String subject, Object params) {
			return Call.of(method, subject, params, (transport, result) -> true, this.definition.timeouts().request());
		}

		/**
		 * Use the subscriptions of the connection that this one replaces.
		 */
		public void follow(Replayed predecessor) {
			this.subscriptions = predecessor.subscriptions;
		}

		/**
		 * Subscribe to a resource, and renew the subscription from then on.
		 * @param sender sends the request to the present session
		 */
		public Mono<Void> subscribe(String uri, Function<Call<Boolean>, Mono<Boolean>> sender) {
			Mono<Boolean> request = sender.apply(subscription(uri));
			return Mono.defer(() -> {
				int max = this.definition.resources().max();
				if (this.subscriptions.size() >= max && !this.subscriptions.contains(uri)) {
					return Mono.error(new IllegalStateException("MCP server '" + this.definition.name() + "' has " + max
							+ " subscriptions to resources, and resources.max allows no more"));
				}
				int before = this.sessions.get();
				this.asked.add(uri);
				return request.doFinally((signal) -> this.asked.remove(uri)).flatMap((done) -> {
					this.subscriptions.add(uri);
					// the response may belong to a session that has been replaced since
					return (before == 0 || before == this.sessions.get()) ? Mono.empty() : request.then();
				});
			});
		}

		/**
		 * End a subscription, even if the server is unavailable.
		 */
		public Mono<Void> unsubscribe(String uri, Function<Call<Boolean>, Mono<Boolean>> sender) {
			Call<Boolean> call = call(McpSchema.METHOD_RESOURCES_UNSUBSCRIBE, uri, new UnsubscribeRequest(uri, null));
			return Mono.fromRunnable(() -> this.subscriptions.remove(uri))
				.then(sender.apply(call).then())
				.onErrorComplete(McpServerUnavailableException.class);
		}

		/**
		 * Return the resources that the application subscribes to.
		 */
		List<String> uris() {
			return Stream.concat(this.subscriptions.stream(), this.asked.stream()).distinct().sorted().toList();
		}

		/**
		 * Return whether the application has subscribed to a resource, or to one that it
		 * may be a part of.
		 */
		boolean isSubscribed(String uri) {
			Set<String> subscriptions = this.subscriptions;
			return subscriptions.contains(uri) || this.asked.contains(uri)
					|| subscriptions.stream().anyMatch(uri::startsWith);
		}

	}

}
