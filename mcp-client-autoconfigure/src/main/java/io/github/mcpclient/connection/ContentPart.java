package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.session.SessionTimeoutException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What the server has of one kind beside its tools. It is listed once the connection is
 * READY, which neither waits for it nor depends on it, and stays known while the
 * connection is lost. Lives on the serial queue, but for {@link #known()} and
 * {@link #list}.
 *
 * @param <T> the type of an item
 */
final class ContentPart<T> implements ListRefresher.Owner<T> {

	private static final Logger logger = LoggerFactory.getLogger(McpConnection.class);

	private final String noun;

	private final String method;

	private final Predicate<ServerCapabilities> wanted;

	private final Function<McpSession, Mono<List<T>>> listing;

	private final Environment environment;

	private final Runnable changed;

	private @Nullable ListRefresher<T> refresher;

	private @Nullable String lastFailure;

	private volatile @Nullable List<T> known;

	/**
	 * Create a part.
	 * @param noun what to call the items, in messages
	 * @param method the method that lists them, for messages
	 * @param wanted whether to ask a server of these capabilities
	 * @param listing asks
	 * @param environment what the parts of the connection share
	 * @param changed told of other items than before, on the serial queue
	 */
	ContentPart(String noun, String method, Predicate<ServerCapabilities> wanted,
			Function<McpSession, Mono<List<T>>> listing, Environment environment, Runnable changed) {
		this.noun = noun;
		this.method = method;
		this.wanted = wanted;
		this.listing = listing;
		this.environment = environment;
		this.changed = changed;
	}

	/**
	 * Return the items that are known.
	 * @return the items, or {@code null} where the server was never asked
	 */
	@Nullable List<T> known() {
		return this.known;
	}

	/**
	 * Return the items once they are known, of a connection that is READY.
	 * @param timeout how long to wait for them
	 * @return the items; fails as the listing does
	 */
	Mono<List<T>> list(Duration timeout) {
		Mono<List<T>> list = Mono.create((sink) -> this.environment.queue().execute(() -> {
			ListRefresher<T> refresher = this.refresher;
			if (this.known != null) {
				sink.success(this.known);
			}
			else if (refresher == null) {
				sink.error(new TransportException("The connection was lost", null, false, null));
			}
			else {
				refresher.join((failure) -> {
					if (failure != null) {
						sink.error(failure);
					}
					else {
						sink.success(this.known);
					}
				});
			}
		}));
		Scheduler scheduler = this.environment.queue().scheduler();
		return list.publishOn(scheduler)
			.timeout(timeout, Mono.error(() -> new SessionTimeoutException(this.method, timeout)), scheduler);
	}

	void ready(Generation generation, ServerCapabilities capabilities) {
		if (this.wanted.test(capabilities)) {
			this.refresher = new ListRefresher<>(generation, this.environment.queue(), this.listing, this);
			this.refresher.announced();
		}
		else {
			listed(List.of());
		}
	}

	void announced() {
		if (this.refresher != null) {
			this.refresher.announced();
		}
	}

	void gap() {
		if (this.refresher != null) {
			this.refresher.gap();
		}
	}

	/**
	 * List anew.
	 * @param ended told, on the serial queue, of the end, well or not
	 */
	void refresh(Consumer<@Nullable Throwable> ended) {
		if (this.refresher != null) {
			this.refresher.refresh(ended);
		}
		else {
			ended.accept(null);
		}
	}

	void stop(Throwable cause) {
		if (this.refresher != null) {
			this.refresher.stop(cause);
			this.refresher = null;
		}
	}

	@Override
	public boolean listed(List<T> items) {
		this.lastFailure = null;
		List<T> before = this.known;
		this.known = items;
		boolean changed = !items.equals((before != null) ? before : List.of());
		if (changed) {
			this.changed.run();
		}
		return changed || before == null;
	}

	@Override
	public void listingFailed(Throwable failure) {
		ErrorWording wording = this.environment.wording();
		String reason = wording.describe(failure, this.method);
		// the end of a connection is told anyway
		boolean known = reason.equals(this.lastFailure) || ErrorWording.isConnectionFailure(failure);
		Level level = known ? Level.DEBUG : Level.WARN;
		this.lastFailure = reason;
		logger.atLevel(level).log("{}: its {} could not be listed: {}", wording.server(), this.noun, reason);
	}

}
