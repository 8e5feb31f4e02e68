package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerNotification;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.Times;
import io.github.mcpclient.transport.HeaderSources;
import io.github.mcpclient.transport.TransportException;
import io.github.mcpclient.transport.UserAuthorizer.User;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * The connections to a server that lists its tools for users, one for each, so that a
 * session and what it shows are of one user. Each is made at the user's first use, and
 * closed when the login has ended, or after a time without use.
 */
final class UserConnections {

	static final int MAX_USERS = 1000;

	static final Duration MAX_IDLE = Duration.ofMinutes(10);

	/**
	 * A connection that is lost is made again by itself only for a user who is there.
	 */
	static final Duration MAX_IDLE_WHILE_LOST = Duration.ofMinutes(1);

	private final McpServerDefinition definition;

	private final HeaderSources headers;

	private final ClientScheduler scheduler;

	/**
	 * That of the server, which hears what the server says to its users, but not how
	 * their connections are.
	 */
	private final McpConnectionListener listener;

	private final BiFunction<HeaderSources, McpConnectionListener, McpConnection> factory;

	private final Lock lock = new ReentrantLock();

	/**
	 * By the keys of their users, the one that was used last at the end.
	 */
	private final Map<Object, UserConnection> users = new LinkedHashMap<>();

	private boolean closed;

	UserConnections(McpServerDefinition definition, HeaderSources headers, ClientScheduler scheduler,
			McpConnectionListener listener, BiFunction<HeaderSources, McpConnectionListener, McpConnection> factory) {
		this.definition = definition;
		this.headers = headers;
		this.scheduler = scheduler;
		this.listener = listener;
		this.factory = factory;
	}

	int size() {
		return locked(this.users::size);
	}

	/**
	 * Returns the connection for the caller, once it is there: that for all, or the one
	 * of a user where that waits for users; empty once this is closed.
	 */
	Mono<McpConnection> forCaller(McpConnection forAll) {
		Duration timeout = this.definition.timeouts().request();
		return forAll.attempted()
			.then(Mono.defer(() -> forAll.isWaitingForUsers()
					? this.headers.user(this.definition).flatMap(this::connected) : Mono.just(forAll)))
			.timeout(Times.atMostForever(timeout),
					Mono.error(() -> new McpRequestTimeoutException(this.definition.name(),
							McpSchema.METHOD_INITIALIZE + " (for a user)", timeout)),
					this.scheduler)
			.onErrorMap(TransportException.class, (failure) -> new ErrorWording(this.definition).toException(failure,
					McpSchema.METHOD_INITIALIZE, timeout));
	}

	private Mono<McpConnection> connected(User user) {
		Mono<?> login = this.headers.of(user, () -> end(user.key(), "Its user has to log in."))
			.ofCaller(this.definition)
			.contextWrite(user.context());
		return login.then(Mono.defer(() -> {
			McpConnection connection = use(user);
			if (connection == null || connection.isReady()) {
				return Mono.justOrEmpty(connection);
			}
			connection.start();
			return connection.firstAttempt()
				.then(Mono.defer(() -> connection.hasBeenReady() ? Mono.just(connection)
						// the login ends where the server refuses the token
						: login.then(Mono.error(() -> new McpServerUnavailableException(connection.status())))));
		}));
	}

	private @Nullable McpConnection use(User user) {
		Object surplus = locked(() -> (!this.users.containsKey(user.key()) && this.users.size() >= MAX_USERS)
				? this.users.keySet().iterator().next() : null);
		if (surplus != null) {
			end(surplus, "More than " + MAX_USERS + " users use the server.");
		}
		return locked(() -> {
			if (this.closed) {
				return null;
			}
			UserConnection known = this.users.remove(user.key());
			UserConnection used = (known != null) ? known : new UserConnection(user);
			used.lastUse = this.scheduler.now(TimeUnit.NANOSECONDS);
			this.users.put(user.key(), used);
			return used.connection;
		});
	}

	private void end(Object key, String reason) {
		UserConnection ended = locked(() -> this.users.remove(key));
		if (ended != null) {
			ended.close(reason);
		}
	}

	/**
	 * Closes all connections, and makes no more. Completes when they are closed.
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
	 * The connection of one user.
	 */
	private final class UserConnection implements McpConnectionListener {

		private final Object key;

		private final McpConnection connection;

		private volatile long lastUse;

		private volatile Disposable expiry;

		private UserConnection(User user) {
			this.key = user.key();
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
			else if (this.connection.pendingCount() > 0) {
				this.expiry = expireAfter(MAX_IDLE);
			}
			else {
				end("It was not used for " + MAX_IDLE.toMinutes() + " minutes.");
			}
		}

		private Duration idle() {
			return Duration.ofNanos(UserConnections.this.scheduler.now(TimeUnit.NANOSECONDS) - this.lastUse);
		}

		@Override
		public void stateChanged(McpServerState previous, McpServerStatus status) {
			if (status.state() == McpServerState.UNAVAILABLE
					&& (status.nextRetry() == null || idle().compareTo(MAX_IDLE_WHILE_LOST) > 0)) {
				end(String.valueOf(status.lastError()));
			}
		}

		@Override
		public void notified(McpServerNotification notification) {
			UserConnections.this.listener.notified(notification);
		}

		@Override
		public void failed(McpException failure) {
			UserConnections.this.listener.failed(failure);
		}

		@Override
		public boolean wantsNotifications() {
			return UserConnections.this.listener.wantsNotifications();
		}

		@Override
		public boolean wantsProgress() {
			return UserConnections.this.listener.wantsProgress();
		}

		private void end(String reason) {
			if (locked(() -> UserConnections.this.users.remove(this.key, this))) {
				close(reason);
			}
		}

		private Mono<Void> close(String reason) {
			this.expiry.dispose();
			return this.connection.close(reason);
		}

	}

}
