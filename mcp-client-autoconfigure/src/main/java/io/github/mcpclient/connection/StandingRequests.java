package io.github.mcpclient.connection;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.session.Call;
import io.github.mcpclient.session.ServerDescription;
import io.github.mcpclient.support.LogKeys;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.SetLevelRequest;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What each new session must be asked for again: the level of log messages, and updates
 * of the resources that the application has subscribed to. A failure costs no more than a
 * line. Safe for use by many threads, but for {@link #start}, on the serial queue.
 */
final class StandingRequests {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionContext.LOGGER);

	private static final int CONCURRENCY = 8;

	private final ConnectionContext context;

	private final ReportedFailures failures = new ReportedFailures();

	private final AtomicInteger sessions = new AtomicInteger();

	private volatile Set<String> subscriptions = ConcurrentHashMap.newKeySet();

	// an update may be faster than the answer
	private final Set<String> asked = ConcurrentHashMap.newKeySet();

	StandingRequests(ConnectionContext context) {
		this.context = context;
	}

	void start(Generation generation, ServerDescription server) {
		LoggingLevel level = this.context.definition().loggingLevel();
		if (level != null && server.offers("logging")) {
			Call<Boolean> call = Call.withoutResult(McpSchema.METHOD_LOGGING_SET_LEVEL, null,
					new SetLevelRequest(level), this.context.definition().timeouts().request());
			String problem = "its logging level could not be set to " + level.name().toLowerCase(Locale.ROOT);
			this.context.queue().aside(() -> send(generation, call, problem).subscribe());
		}
		this.sessions.incrementAndGet();
		List<String> uris = List.copyOf(this.subscriptions);
		if (!uris.isEmpty() && server.offers("resources.subscribe")) {
			this.context.queue()
				.aside(() -> Flux.fromIterable(uris)
					.filter(this.subscriptions::contains)
					.flatMap((uri) -> send(generation, subscribe(uri),
							"its resource " + uri + " could not be subscribed to again"), CONCURRENCY)
					.subscribe());
		}
	}

	/**
	 * Uses the subscriptions of the connection that this one replaces.
	 */
	void follow(StandingRequests predecessor) {
		this.subscriptions = predecessor.subscriptions;
	}

	Call<Boolean> subscribe(String uri) {
		return Call.withoutResult(McpSchema.METHOD_RESOURCES_SUBSCRIBE, uri, new SubscribeRequest(uri, null),
				this.context.definition().timeouts().request());
	}

	/**
	 * Makes a request to subscribe, and renews the subscription from then on.
	 */
	Mono<Void> subscribe(String uri, Mono<Boolean> request) {
		return Mono.defer(() -> {
			int max = this.context.definition().resources().max();
			if (this.subscriptions.size() >= max && !this.subscriptions.contains(uri)) {
				return Mono.error(new IllegalStateException("There are " + max
						+ " subscriptions to resources of MCP server '" + this.context.definition().name() + "'"));
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
	 * Returns whether the application has subscribed to a resource, or to one that it may
	 * be a part of.
	 */
	boolean isSubscribed(String uri) {
		Set<String> subscriptions = this.subscriptions;
		return subscriptions.contains(uri) || this.asked.contains(uri)
				|| subscriptions.stream().anyMatch(uri::startsWith);
	}

	Mono<Void> unsubscribe(String uri, Mono<Boolean> request) {
		return Mono.fromRunnable(() -> this.subscriptions.remove(uri))
			.then(request.then())
			.onErrorComplete(McpServerUnavailableException.class);
	}

	private Mono<Boolean> send(Generation generation, Call<Boolean> call, String problem) {
		return generation.session().request(call).onErrorResume((failure) -> {
			this.context.queue().execute(() -> failed(generation, call, problem, failure));
			return Mono.empty();
		});
	}

	private void failed(Generation generation, Call<?> call, String problem, Throwable failure) {
		if (generation.hasEnded()) {
			return;
		}
		ErrorWording wording = this.context.wording();
		String reason = wording.describe(failure, call.name());
		logger.atLevel(this.failures.isNew(failure, reason) ? Level.WARN : Level.DEBUG)
			.addKeyValue(LogKeys.SERVER, wording.serverName())
			.addKeyValue(LogKeys.CAUSE, reason)
			.log("{}: {}: {}", wording.server(), wording.line(problem), reason);
		generation.failed(failure, call.name());
	}

}
