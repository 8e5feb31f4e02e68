package io.github.mcpclient.internal.session;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.SetLevelRequest;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import io.modelcontextprotocol.spec.McpSchema.UnsubscribeRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Requests that are sent again to each new session of a connection: the level of log
 * messages, and updates of the resources that the application has subscribed to. Safe for
 * use by many threads.
 */
public final class ReplayedRequests {

	private static final int CONCURRENCY = 8;

	private final McpServerDefinition definition;

	private final AtomicInteger sessions = new AtomicInteger();

	private volatile Set<String> subscriptions = ConcurrentHashMap.newKeySet();

	// an update may be faster than the answer
	private final Set<String> asked = ConcurrentHashMap.newKeySet();

	ReplayedRequests(McpServerDefinition definition) {
		this.definition = definition;
	}

	/**
	 * Begins a new session, and returns what asks it. A failure costs no more than that
	 * the listener is told.
	 */
	public Mono<Void> renew(McpSession session, ServerDescription server, SessionListener listener) {
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

	private static Mono<Boolean> ask(McpSession session, Call<Boolean> call, SessionListener listener, String problem) {
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
	 * Uses the subscriptions of the connection that this one replaces.
	 */
	public void follow(ReplayedRequests predecessor) {
		this.subscriptions = predecessor.subscriptions;
	}

	/**
	 * Subscribes to a resource, and renews the subscription from then on.
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
				// the answer may be that of a session that was replaced meanwhile
				return (before == 0 || before == this.sessions.get()) ? Mono.empty() : request.then();
			});
		});
	}

	/**
	 * Ends a subscription, even where the server cannot be told.
	 */
	public Mono<Void> unsubscribe(String uri, Function<Call<Boolean>, Mono<Boolean>> sender) {
		Call<Boolean> call = call(McpSchema.METHOD_RESOURCES_UNSUBSCRIBE, uri, new UnsubscribeRequest(uri, null));
		return Mono.fromRunnable(() -> this.subscriptions.remove(uri))
			.then(sender.apply(call).then())
			.onErrorComplete(McpServerUnavailableException.class);
	}

	/**
	 * Returns the resources that the application subscribes to.
	 */
	List<String> uris() {
		return Stream.concat(this.subscriptions.stream(), this.asked.stream()).distinct().sorted().toList();
	}

	/**
	 * Returns whether the application has subscribed to a resource, or to one that it may
	 * be a part of.
	 */
	boolean isSubscribed(String uri) {
		Set<String> subscriptions = this.subscriptions;
		return subscriptions.contains(uri) || this.asked.contains(uri)
				|| subscriptions.stream().anyMatch(uri::startsWith);
	}

}
