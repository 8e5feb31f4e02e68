package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.LoginRequired;
import io.github.mcpclient.internal.support.RecentItems;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer.User;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * The connections to a server that lists its tools for users, one for each user, so that
 * a session and its content belong to one user. Each is created at the user's first use,
 * and closed when the login has ended, or after a time without use.
 */
final class UserConnections {

	static final int MAX_USERS = 1000;

	static final Duration MAX_IDLE = Duration.ofMinutes(10);

	/**
	 * How long after the last use a lost connection is restored automatically.
	 */
	static final Duration MAX_IDLE_WHILE_LOST = Duration.ofMinutes(1);

	// for connections that are available immediately
	private static final Duration MIN_WAIT = Duration.ofMillis(100);

	/**
	 * How long a user whose attempt failed is listed without this server.
	 */
	static final Duration REMEMBERED = Duration.ofSeconds(10);

	private final McpServerDefinition definition;

	private final ErrorWording wording;

	private final HeaderSources headers;

	private final ClientScheduler scheduler;

	// the listener of the server, which receives messages to its users, but not the
	// states of their connections
	private final McpConnectionListener listener;

	private final BiFunction<HeaderSources, McpConnectionListener, McpConnection> factory;

	private final Lock lock = new ReentrantLock();

	// by the keys of their users, the most recently used one at the end
	private final Map<Object, UserConnection> users = new LinkedHashMap<>();

	// the latest attempts for listings of users, except for successful ones: a connection
	// is only referenced while it
	// is in use
	private final Map<Object, Attempt> attempts = RecentItems.map(MAX_USERS);

	private boolean closed;

	UserConnections(McpServerDefinition definition, ErrorWording wording, HeaderSources headers,
			ClientScheduler scheduler, McpConnectionListener listener,
			BiFunction<HeaderSources, McpConnectionListener, McpConnection> factory) {
		this.definition = definition;
		this.wording = wording;
		this.headers = headers;
		this.scheduler = scheduler;
		this.listener = listener;
		this.factory = factory;
	}

	int size() {
		return locked(this.users::size);
	}

	/**
	 * Return the connection of the caller's user, once it is available, if the connection
	 * for all users delegates to users; empty if the caller already uses it, or this is
	 * closed.
	 */
	Mono<McpConnection> forCaller(Supervisor forAll) {
		return limited(user(forAll).flatMap((user) -> connected(user, forAll)), forAll)
			.onErrorMap(TransportException.class, (failure) -> this.wording.toException(failure, McpSession.HANDSHAKE,
					this.definition.timeouts().request(), null, true));
	}

	/**
	 * Return the connection of the caller's user if it is available in time; afterwards,
	 * the attempt continues. All listings for the user share its time; if it fails, they
	 * do not wait for another one for some time. Fails if the user has to log in.
	 */
	Mono<McpConnection> forListing(Supervisor forAll, Duration wait) {
		Duration limit = (wait.compareTo(MIN_WAIT) > 0) ? wait : MIN_WAIT;
		return user(forAll).doOnError((failure) -> failed(failure, forAll))
			.flatMap((user) -> attempt(user, forAll, limit))
			.timeout(limit, Mono.empty(), this.scheduler)
			.onErrorResume((failure) -> !LoginRequired.is(failure), (failure) -> Mono.empty());
	}

	private Mono<User> user(Supervisor forAll) {
		return forAll.attempted()
			.then(Mono
				.defer(() -> forAll.state().isWaitingForUsers() ? this.headers.user(this.definition) : Mono.empty()));
	}

	private Mono<McpConnection> attempt(User user, Supervisor forAll, Duration limit) {
		return locked(() -> {
			Attempt known = this.attempts.get(user.key());
			if (known != null && !known.isOver()) {
				return known.connection;
			}
			Attempt attempt = new Attempt(user.key(), limited(connected(user, forAll), forAll), limit);
			this.attempts.put(user.key(), attempt);
			return attempt.connection;
		});
	}

	private <T> Mono<T> limited(Mono<T> use, Supervisor forAll) {
		Duration timeout = this.definition.timeouts().request();
		return use
			.timeout(Deadline.atMostForever(timeout),
					Mono.error(() -> new McpRequestTimeoutException(this.definition.name(),
							McpSession.HANDSHAKE + " (for a user)", timeout, false, true, null)),
					this.scheduler)
			.doOnError((failure) -> failed(failure, forAll));
	}

	/**
	 * Report why a user is not connected, unless a connection has already reported it.
	 */
	private void failed(Throwable failure, Supervisor forAll) {
		if (!LoginRequired.is(failure) && !LoginRequired.isOfNobody(failure)
				&& !(failure instanceof McpServerUnavailableException)) {
			Throwable worded = (failure instanceof McpException) ? failure
					: HeaderSources.failure(this.definition, failure);
			forAll.userFailed(this.wording.toException(worded, McpSession.HANDSHAKE),
					this.wording.describe(worded, McpSession.HANDSHAKE));
		}
	}

	private Mono<McpConnection> connected(User user, Supervisor forAll) {
		return Mono.defer(() -> {
			// a late notification that a login has ended must not end a later connection
			AtomicReference<@Nullable UserConnection> own = new AtomicReference<>(
					locked(() -> this.users.get(user.key())));
			Mono<?> login = this.headers.of(user, () -> end(own.get()))
				.ofCaller(this.definition)
				.contextWrite(user.context());
			return login.then(Mono.defer(() -> {
				UserConnection used = use(user, forAll);
				if (used == null || used.connection.isReady()) {
					return Mono.justOrEmpty((used != null) ? used.connection : null);
				}
				own.set(used);
				return used.started(login);
			}));
		});
	}

	private @Nullable UserConnection use(User user, Supervisor forAll) {
		List<UserConnection> surplus = new ArrayList<>();
		UserConnection used = locked(() -> {
			if (this.closed) {
				return null;
			}
			if (!this.users.containsKey(user.key()) && this.users.size() >= MAX_USERS) {
				surplus.add(longestIdle());
			}
			surplus.forEach((ended) -> this.users.remove(ended.key));
			UserConnection known = this.users.remove(user.key());
			UserConnection current = (known != null) ? known : new UserConnection(user, forAll);
			current.lastUse = now();
			this.users.put(user.key(), current);
			return current;
		});
		surplus.forEach((ended) -> ended.close("More than " + MAX_USERS + " users use the server."));
		return used;
	}

	private UserConnection longestIdle() {
		return this.users.values()
			.stream()
			.filter((user) -> !user.connection.isBusy())
			.findFirst()
			.orElseThrow(() -> new TransportException(
					"All " + MAX_USERS + " connections of users are busy, so that no other user can be connected",
					"Try again when a call has ended.", false, null));
	}

	private void end(@Nullable UserConnection user) {
		if (user != null) {
			user.end("Its user has to log in.");
		}
	}

	/**
	 * Close all connections, and create no more. Completes when they are closed.
	 */
	Mono<Void> close(String reason) {
		List<UserConnection> all = locked(() -> {
			this.closed = true;
			List<UserConnection> present = List.copyOf(this.users.values());
			this.users.clear();
			return present;
		});
		return Mono.whenDelayError(all.stream().map((user) -> user.close(reason)).toList());
	}

	/**
	 * Close each connection once its calls have ended, and create no more.
	 * @param next the connection for new calls, if any
	 */
	Mono<Void> drain(String reason, @Nullable McpConnection next) {
		// the connections remain registered for close()
		List<UserConnection> all = locked(() -> {
			this.closed = true;
			return List.copyOf(this.users.values());
		});
		return Mono.whenDelayError(all.stream().map((user) -> user.drain(reason, next)).toList());
	}

	private long now() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	private <T extends @Nullable Object> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * An attempt to connect a user, for all listings for this user.
	 */
	private final class Attempt {

		private final Object key;

		private volatile Mono<McpConnection> connection;

		// after which there may be another attempt
		private volatile @Nullable Long end;

		private Attempt(Object key, Mono<McpConnection> whole, Duration limit) {
			this.key = key;
			this.connection = whole.doOnSuccess((connection) -> forget())
				.doOnError((failure) -> failed(LoginRequired.is(failure)))
				.cache()
				.timeout(limit, Mono.empty(), UserConnections.this.scheduler)
				.cache();
		}

		private void forget() {
			locked(() -> UserConnections.this.attempts.remove(this.key, this));
		}

		private void failed(boolean needsLogin) {
			if (needsLogin) {
				forget();
			}
			else {
				this.end = now() + REMEMBERED.toNanos();
				this.connection = Mono.empty();
			}
		}

		private boolean isOver() {
			Long end = this.end;
			return end != null && now() - end >= 0;
		}

	}

	/**
	 * The connection of one user.
	 */
	private final class UserConnection implements McpConnectionListener {

		private final Object key;

		private final Supervisor forAll;

		private final McpConnection connection;

		private volatile long lastUse;

		private volatile Disposable expiry;

		private UserConnection(User user, Supervisor forAll) {
			this.key = user.key();
			this.forAll = forAll;
			this.connection = UserConnections.this.factory
				.apply(UserConnections.this.headers.of(user, () -> end("Its user has to log in.")), this);
			this.expiry = expireAfter(MAX_IDLE);
		}

		private Disposable expireAfter(Duration delay) {
			return UserConnections.this.scheduler.schedule(this::expire, delay.toNanos(), TimeUnit.NANOSECONDS);
		}

		private void expire() {
			Duration rest = MAX_IDLE.minus(idle());
			if (!rest.isZero() && !rest.isNegative()) {
				this.expiry = expireAfter(rest);
			}
			else if (this.connection.isBusy()) {
				this.expiry = expireAfter(MAX_IDLE);
			}
			else {
				end("It was not used for " + MAX_IDLE.toMinutes() + " minutes.");
			}
		}

		private Duration idle() {
			return Duration.ofNanos(now() - this.lastUse);
		}

		@Override
		public void stateChanged(McpServerState previous, McpServerStatus status) {
			if (status.state() == McpServerState.READY) {
				this.forAll.userConnected();
			}
			if (status.state() == McpServerState.UNAVAILABLE
					&& (status.nextRetry() == null || idle().compareTo(MAX_IDLE_WHILE_LOST) > 0)) {
				end(String.valueOf(status.lastError()));
			}
		}

		@Override
		public McpConnectionListener ofMessages() {
			return UserConnections.this.listener;
		}

		@Override
		public void failed(McpException failure) {
			if (!LoginRequired.isCauseOf(failure)) {
				this.forAll.userFailed(failure, String.valueOf(this.connection.status().lastError()));
			}
		}

		@Override
		public Mono<Void> toolsListed(@Nullable ToolConnection user, List<Tool> tools, Set<String> capabilities) {
			return UserConnections.this.listener.toolsListed(this.connection, tools, capabilities);
		}

		/**
		 * Return the connection once it was READY. The login ends if the server rejects
		 * the token.
		 */
		private Mono<McpConnection> started(Mono<?> login) {
			this.connection.start();
			return this.connection.firstAttempt()
				.then(Mono.defer(() -> this.connection.hasBeenReady() ? Mono.just(this.connection)
						: login.then(Mono.error(() -> new McpServerUnavailableException(this.connection.status())))));
		}

		private void end(String reason) {
			if (locked(() -> UserConnections.this.users.remove(this.key, this))) {
				close(reason);
			}
		}

		private Mono<Void> drain(String reason, @Nullable McpConnection next) {
			this.expiry.dispose();
			return this.connection.drain(reason, next);
		}

		private Mono<Void> close(String reason) {
			this.expiry.dispose();
			return this.connection.close(reason);
		}

	}

}
