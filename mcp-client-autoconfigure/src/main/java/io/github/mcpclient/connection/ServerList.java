package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.mcpclient.session.ItemKind;
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
 * What the server has of one kind. It is listed while the connection is READY, and stays
 * known while it is lost. Lives on the serial queue, but for {@link #known()},
 * {@link #items()} and {@link #get}.
 *
 * @param <T> the type of an item
 */
final class ServerList<T> {

	private static final Logger logger = LoggerFactory.getLogger(McpConnection.class);

	private final ItemKind<T> kind;

	private final boolean enabled;

	private final ConnectionContext context;

	private final BiConsumer<@Nullable List<T>, List<T>> changed;

	private final ReportedFailures failures = new ReportedFailures();

	private @Nullable ListRefresher<T> refresher;

	/**
	 * Whether a change was announced before there was a refresher.
	 */
	private boolean announced;

	private volatile @Nullable List<T> known;

	/**
	 * Create a list.
	 * @param enabled whether to ask a server that has such items
	 * @param changed called with other items than before, and with those before, if any,
	 * on the serial queue
	 */
	ServerList(ItemKind<T> kind, boolean enabled, ConnectionContext context,
			BiConsumer<@Nullable List<T>, List<T>> changed) {
		this.kind = kind;
		this.enabled = enabled;
		this.context = context;
		this.changed = changed;
	}

	ItemKind<T> kind() {
		return this.kind;
	}

	/**
	 * Return the items, or {@code null} where the server was never asked.
	 */
	@Nullable List<T> known() {
		return this.known;
	}

	List<T> items() {
		List<T> known = this.known;
		return (known != null) ? known : List.of();
	}

	/**
	 * Return the items once they are known, of a connection that is READY; fails as the
	 * listing does.
	 */
	Mono<List<T>> get(Duration timeout) {
		Mono<List<T>> list = Mono.create((sink) -> this.context.queue().execute(() -> {
			if (this.known != null) {
				sink.success(this.known);
			}
			else if (this.refresher == null) {
				sink.error(new TransportException("The connection was lost", null, false, null));
			}
			else {
				this.refresher.join((failure) -> {
					if (failure != null) {
						sink.error(failure);
					}
					else {
						sink.success(this.known);
					}
				});
			}
		}));
		Scheduler scheduler = this.context.queue().scheduler();
		return list.publishOn(scheduler)
			.timeout(timeout, Mono.error(() -> new SessionTimeoutException(this.kind.method(), timeout)), scheduler);
	}

	void start(Generation generation, ServerCapabilities capabilities) {
		if (this.enabled && this.kind.offered().test(capabilities)) {
			this.refresher = new ListRefresher<>(generation, this.context.queue(), this);
			if (this.announced) {
				this.refresher.announced();
			}
		}
		else {
			listed(List.of());
		}
	}

	void stop(Throwable cause) {
		this.announced = false;
		if (this.refresher != null) {
			this.refresher.stop(cause);
			this.refresher = null;
		}
	}

	void announced() {
		if (this.refresher != null) {
			this.refresher.announced();
		}
		this.announced = true;
	}

	void gap() {
		if (this.refresher != null) {
			this.refresher.gap();
		}
		this.announced = true;
	}

	/**
	 * List again.
	 * @param ended called on the serial queue at the end, with the failure if any
	 */
	void refresh(Consumer<@Nullable Throwable> ended) {
		if (this.refresher != null) {
			this.refresher.refresh(ended);
		}
		else {
			ended.accept(null);
		}
	}

	/**
	 * Take a list, and return whether it differs from the one before.
	 */
	boolean listed(List<T> items) {
		this.failures.forget();
		List<T> before = this.known;
		if (items.equals(before)) {
			return false;
		}
		this.known = items;
		this.changed.accept(before, items);
		return true;
	}

	void failed(Throwable failure) {
		ErrorWording wording = this.context.wording();
		String reason = wording.describe(failure, this.kind.method());
		// the end of a connection is reported anyway; what depends on tools is not
		boolean reported = !this.failures.isNew(failure, reason)
				|| (this.kind != ItemKind.TOOLS && ErrorWording.isConnectionFailure(failure));
		int count = items().size();
		logger.atLevel(reported ? Level.DEBUG : Level.WARN)
			.log("{}: its {} could not be listed: {} It keeps {} until a listing succeeds", wording.server(),
					this.kind.plural(), reason,
					(count == 1) ? "1 " + this.kind.singular() : count + " " + this.kind.plural());
	}

}
