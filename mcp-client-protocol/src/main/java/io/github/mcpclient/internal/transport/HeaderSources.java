package io.github.mcpclient.internal.transport;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.support.LoginRequired;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer.User;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.spi.LoginRequiredException;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;

/**
 * The application's providers of headers and authorizers. The headers of a caller are
 * requested once, where the call begins, and travel with it in its Reactor context.
 */
public final class HeaderSources {

	/**
	 * No providers and no authorizers.
	 */
	public static final HeaderSources NONE = new HeaderSources(List::of, (type) -> (request) -> Mono.empty(),
			Schedulers::immediate);

	private static final Logger logger = LoggerFactory.getLogger(HeaderSources.class);

	private static final int MAX_TEXT = 200;

	private final Supplier<List<McpHeadersProvider>> providers;

	private final Function<String, McpAuthorizer> authorizers;

	private final Supplier<Scheduler> scheduler;

	// the user of all requests, if they belong to one user, and the listener that is
	// notified
	// when this user has to log in
	private final @Nullable User user;

	private final Runnable loginEnded;

	private volatile @Nullable List<McpHeadersProvider> known;

	/**
	 * Create an instance.
	 * @param providers the providers, in their order; resolved once, for the first
	 * request, as they may depend on objects that the connections also use
	 * @param authorizers returns the authorizer of a type other than {@code none}, or
	 * fails; called for each request
	 * @param scheduler runs both where there is no caller, or a caller that must not
	 * block; its threads may
	 */
	public HeaderSources(Supplier<List<McpHeadersProvider>> providers, Function<String, McpAuthorizer> authorizers,
			Supplier<Scheduler> scheduler) {
		this.providers = providers;
		this.authorizers = authorizers;
		this.scheduler = scheduler;
		this.user = null;
		this.loginEnded = () -> {
		};
	}

	private HeaderSources(HeaderSources all, Function<McpAuthorizer, McpAuthorizer> authorizers) {
		this(all::providers, (type) -> authorizers.apply(all.authorizers.apply(type)), all.scheduler);
	}

	private HeaderSources(HeaderSources all, User user, Runnable loginEnded) {
		this.providers = all::providers;
		this.authorizers = all.authorizers;
		this.scheduler = all.scheduler;
		this.user = user;
		this.loginEnded = loginEnded;
	}

	/**
	 * Return the same for a connection of one user: requests without a caller are also
	 * authorized for the user, and requests of any other caller are refused.
	 * @param loginEnded called after a failure upon which the user has to log in
	 */
	public HeaderSources of(User user, Runnable loginEnded) {
		return new HeaderSources(this, user, loginEnded);
	}

	/**
	 * Return the same for a check of a server: no user logs in for it, no client is
	 * registered, and no token that the server refuses is replaced.
	 * @param steps receives the authorization steps of the check
	 */
	public HeaderSources forCheck(Consumer<McpDiagnosis.Step> steps) {
		return new HeaderSources(this, (authorizer) -> (authorizer instanceof UserAuthorizer users)
				? users.forCheck(steps) : authorizer::authorize);
	}

	/**
	 * Have deviations of the server's authorization reported to a listener.
	 */
	public void onDeviation(McpServerDefinition definition, BiConsumer<Kind, String> listener) {
		try {
			if (isAuthorized(definition)
					&& this.authorizers.apply(definition.auth().type()) instanceof UserAuthorizer users) {
				users.onDeviation(definition, listener);
			}
		}
		catch (RuntimeException ex) {
			// each request fails for it, with the reason
			logger.debug("Nothing authorizes MCP server '{}'", definition.name(), ex);
		}
	}

	/**
	 * Return the user of all requests, or {@code null} if they have no common user.
	 */
	public @Nullable User user() {
		return this.user;
	}

	/**
	 * Identify the user of a caller. Fails if no user is signed in.
	 */
	public Mono<User> user(McpServerDefinition definition) {
		Mono<Optional<User>> user = Mono
			.defer(() -> (this.authorizers.apply(definition.auth().type()) instanceof UserAuthorizer users)
					? users.user(definition) : Mono.empty())
			.singleOptional();
		// the thread of the caller may not be this one
		return Mono
			.deferContextual((context) -> subscribe(user, (task) -> CallerContext.capture(context).apply(task).run()))
			.flatMap(Mono::justOrEmpty);
	}

	/**
	 * Add the identity of the caller on this thread to a Reactor context, where it takes
	 * precedence.
	 */
	public Context withThread(McpServerDefinition definition, Context context) {
		return withUser(definition, CallerContext.withThread(context));
	}

	private Context withUser(McpServerDefinition definition, Context context) {
		return (isAuthorized(definition)
				&& this.authorizers.apply(definition.auth().type()) instanceof UserAuthorizer users)
						? users.withThread(context) : context;
	}

	private List<McpHeadersProvider> providers() {
		List<McpHeadersProvider> known = this.known;
		if (known == null) {
			known = List.copyOf(this.providers.get());
			this.known = known;
		}
		return known;
	}

	/**
	 * Return whether requests to a server get no headers from here.
	 */
	public boolean isEmpty(McpServerDefinition definition) {
		return !isAuthorized(definition) && providers().isEmpty();
	}

	/**
	 * Return whether a server has an authorizer.
	 */
	public static boolean isAuthorized(McpServerDefinition definition) {
		return !definition.auth().type().equals(McpServerAuth.NONE);
	}

	/**
	 * Return whether a Reactor context is that of a call whose headers are from here.
	 */
	public boolean isOfCaller(McpServerDefinition definition, ContextView context) {
		return context.hasKey(key(definition));
	}

	/**
	 * Return a Reactor context without such headers.
	 */
	public Context withoutCaller(McpServerDefinition definition, Context context) {
		return context.delete(key(definition));
	}

	/**
	 * Return these headers, or {@code null} for any other context.
	 */
	public @Nullable RequestHeaders ofCaller(McpServerDefinition definition, ContextView context) {
		return (context.getOrDefault(key(definition), null) instanceof Caller caller) ? caller.headers : null;
	}

	/**
	 * Return the headers of a request, not validated, or the headers of a caller if its
	 * Reactor context has some.
	 */
	public Mono<RequestHeaders> get(McpServerDefinition definition, String method) {
		return Mono.deferContextual((context) -> {
			RequestHeaders ofCaller = ofCaller(definition, context);
			return (ofCaller != null) ? Mono.just(ofCaller)
					: withoutCaller(collect(new McpHeadersRequest(definition, method, false)));
		});
	}

	/**
	 * Resolve the headers of a caller, on this thread if it may block, for the Reactor
	 * context of the call.
	 */
	public Mono<Context> ofCaller(McpServerDefinition definition) {
		return Mono.deferContextual((context) -> {
			UnaryOperator<Runnable> bound = CallerContext.capture(context);
			Context caller = withUser(definition, Context.of(context));
			Mono<RequestHeaders> collected = collect(new McpHeadersRequest(definition, "POST", true));
			return subscribe((this.user != null) ? checkUser(definition).then(collected) : collected, (task) -> {
				if (Schedulers.isInNonBlockingThread()) {
					this.scheduler.get().schedule(bound.apply(task));
				}
				else {
					task.run();
				}
			}).map((headers) -> caller.put(key(definition), new Caller(bound, headers)));
		});
	}

	private Mono<User> checkUser(McpServerDefinition definition) {
		return user(definition).filter((caller) -> this.user == null || caller.key().equals(this.user.key()))
			.switchIfEmpty(Mono.error(() -> new IllegalStateException(
					"The listing of MCP server '" + definition.name() + "' for one user was used for another user")));
	}

	/**
	 * Request other headers from the authorizer, not validated, that replace the headers
	 * that the server refused. The new headers of a caller also apply to its further
	 * requests.
	 * @return empty if the refusal stands
	 */
	public Mono<RequestHeaders> reauthorize(McpHeadersRequest request, RequestHeaders refused,
			McpAuthorizationChallenge challenge) {
		McpServerDefinition definition = request.server();
		Mono<Optional<RequestHeaders>> other = Mono.defer(() -> {
			McpAuthorizer authorizer = this.authorizers.apply(definition.auth().type());
			return checked(authorizer, authorizer.reauthorize(ofUser(request), challenge), request);
		})
			.onErrorResume(LoginRequired::is, this::loginEnded)
			.map((headers) -> new RequestHeaders(refused.provided(), RequestHeaders.merge(List.of(headers))))
			.filter((headers) -> !headers.equals(refused))
			.singleOptional();
		return Mono.deferContextual((context) -> {
			if (context.getOrDefault(key(definition), null) instanceof Caller caller) {
				return subscribe(other, (task) -> this.scheduler.get().schedule(caller.bound.apply(task)))
					.doOnNext((headers) -> headers.ifPresent((present) -> caller.headers = present));
			}
			return withoutCaller(other.onErrorMap((failure) -> failure(definition, failure)));
		}).flatMap(Mono::justOrEmpty);
	}

	/**
	 * Return the source of proofs for requests with given headers, {@code null} if they
	 * need none.
	 */
	public @Nullable Proofs proofs(McpServerDefinition definition, RequestHeaders headers) {
		return (!headers.authorization().isEmpty() && isAuthorized(definition)
				&& this.authorizers.apply(definition.auth().type()) instanceof UserAuthorizer users)
						? users.proofs(definition) : null;
	}

	private <T> Mono<T> withoutCaller(Mono<T> headers) {
		Context context = (this.user != null) ? this.user.context() : Context.empty();
		return subscribe(headers.contextWrite((ignored) -> context),
				(task) -> this.scheduler.get().schedule(CallerContext.withoutCaller(task)));
	}

	// subscribes to headers that do not complete without a value
	private static <T> Mono<T> subscribe(Mono<T> headers, Consumer<Runnable> runner) {
		return Mono.create((sink) -> {
			HeadersTask<T> task = new HeadersTask<>(headers.contextWrite(sink.contextView()), sink, Disposables.swap());
			sink.onCancel(task);
			runner.accept(task);
		});
	}

	private Mono<RequestHeaders> collect(McpHeadersRequest request) {
		return Flux.fromIterable(providers())
			.concatMap((provider) -> checked(provider, provider.headers(request), request), 0)
			.collectList()
			.map(RequestHeaders::merge)
			.flatMap((provided) -> authorization(request).map((headers) -> new RequestHeaders(provided, headers)));
	}

	private Mono<Map<String, String>> authorization(McpHeadersRequest request) {
		McpServerDefinition definition = request.server();
		if (!isAuthorized(definition)) {
			return Mono.just(Map.of());
		}
		Mono<Map<String, String>> headers = Mono.defer(() -> {
			McpAuthorizer authorizer = this.authorizers.apply(definition.auth().type());
			return checked(authorizer, authorizer.authorize(ofUser(request)), request);
		})
			.onErrorResume(LoginRequired::is, this::loginEnded)
			.map((authorization) -> RequestHeaders.merge(List.of(authorization)))
			.defaultIfEmpty(Map.of());
		return request.ofCaller() ? headers : headers.onErrorMap((failure) -> failure(definition, failure));
	}

	private McpHeadersRequest ofUser(McpHeadersRequest request) {
		return (this.user != null) ? new McpHeadersRequest(request.server(), request.method(), true) : request;
	}

	// fails, and reports that once the caller that waits for the headers has been
	// notified
	private <T> Mono<T> loginEnded(Throwable failure) {
		return Mono.<T>error(failure).doFinally((signal) -> this.loginEnded.run());
	}

	private Key key(McpServerDefinition definition) {
		return new Key(definition.name(), this.user);
	}

	private static Mono<Map<String, String>> checked(Object source, @Nullable Mono<Map<String, String>> headers,
			McpHeadersRequest request) {
		Assert.state(headers != null,
				() -> source.getClass().getName() + " returned null for MCP server '" + request.server().name() + "'");
		return headers;
	}

	/**
	 * Word a failure to authorize requests for the operator.
	 */
	public static TransportException failure(McpServerDefinition definition, Throwable failure) {
		if (LoginRequired.is(failure)) {
			return new LoginRequiredException(failure);
		}
		return (failure instanceof TransportException worded) ? worded
				: new TransportException(
						"The authorization failed: "
								+ McpServerSecrets.of(definition).line(failure.toString(), MAX_TEXT),
						"Check " + PropertyNames.ofServer(definition.name(), "auth") + ".", false, failure)
					.at(McpServerStatus.StepKind.TOKEN);
	}

	/**
	 * The key of the headers of a call in its context: headers for one server or user are
	 * not found by a nested call of another one.
	 */
	private record Key(String server, @Nullable User user) {

	}

	/**
	 * A caller: the values that are bound to its thread, and the headers of its requests.
	 * Neither is printed with its context.
	 */
	private static final class Caller {

		private final UnaryOperator<Runnable> bound;

		private volatile RequestHeaders headers;

		private Caller(UnaryOperator<Runnable> bound, RequestHeaders headers) {
			this.bound = bound;
			this.headers = headers;
		}

	}

	/**
	 * Subscribes to headers, which may block the thread that does so. Disposing of it
	 * interrupts that thread, though not beyond the end of {@link #run()}.
	 */
	private static final class HeadersTask<T> extends FutureTask<@Nullable Void> implements Disposable {

		private final MonoSink<T> sink;

		private final Disposable.Swap subscription;

		private volatile @Nullable Thread thread;

		HeadersTask(Mono<T> headers, MonoSink<T> sink, Disposable.Swap subscription) {
			super(() -> subscription
				.update(headers.subscribe(sink::success, (failure) -> fail(sink, subscription, failure))), null);
			this.sink = sink;
			this.subscription = subscription;
		}

		@Override
		public void run() {
			if (isDone()) {
				return;
			}
			this.thread = Thread.currentThread();
			super.run();
			if (isCancelled()) {
				Thread.interrupted();
			}
		}

		@Override
		protected void setException(Throwable failure) {
			// fatal to Reactor, such as a missing class, and not signalled by it
			fail(this.sink, this.subscription, failure);
		}

		private static void fail(MonoSink<?> sink, Disposable subscription, Throwable failure) {
			if (subscription.isDisposed()) {
				logger.debug("The headers failed when no call was waiting for them any more", failure);
			}
			else {
				sink.error(failure);
			}
		}

		@Override
		public void dispose() {
			this.subscription.dispose();
			if (this.thread != Thread.currentThread()) {
				cancel(true);
			}
		}

	}

	/**
	 * A transport that authorizes its requests.
	 */
	@FunctionalInterface
	public interface Target {

		/**
		 * Authorize all requests by the given headers, which belong to one user. Called
		 * before the transport is connected.
		 */
		void authorizeBy(HeaderSources headers);

	}

	/**
	 * A call was refused, and an authorizer failed to give it other headers. The caller
	 * gets the cause.
	 */
	public static final class CallerAuthorizationException extends TransportException {

		/**
		 * Create an exception for a failure of an authorizer.
		 */
		public CallerAuthorizationException(Throwable cause) {
			super("The authorization of a call failed", null, false, cause);
		}

	}

	/**
	 * Proves that who sends a token is who it was issued to (DPoP, RFC 9449), by a header
	 * of one request, which no other request may have, its repetition included.
	 */
	public interface Proofs {

		/**
		 * The name of the header.
		 */
		String HEADER = "DPoP";

		/**
		 * Make the proof of a request, on a thread that it does not delay.
		 * @param authorization the headers of the authorizer, which have the token
		 */
		Mono<String> make(String method, URI uri, Map<String, String> authorization);

		/**
		 * Take note of the head of a response.
		 * @return whether the request was refused for its proof alone, and another one
		 * may do
		 */
		boolean answered(URI uri, int status, Function<String, List<String>> headers);

	}

	/**
	 * An authorizer that identifies users, so that a server can have a separate
	 * connection for each user.
	 */
	public interface UserAuthorizer extends McpAuthorizer {

		/**
		 * Identify the user of the caller, without blocking. Fails if no user is signed
		 * in; empty for a server whose requests are not on behalf of users.
		 */
		Mono<User> user(McpServerDefinition server);

		/**
		 * Return the same for a {@linkplain HeaderSources#forCheck check} of a server.
		 */
		default McpAuthorizer forCheck(Consumer<McpDiagnosis.Step> steps) {
			return this::authorize;
		}

		/**
		 * Return the source of proofs for a server's requests, {@code null} if its tokens
		 * need none.
		 */
		default @Nullable Proofs proofs(McpServerDefinition server) {
			return null;
		}

		/**
		 * Report deviations of the server's authorization from the protocol, which the
		 * client tolerates, to a listener that replaces any earlier one.
		 */
		default void onDeviation(McpServerDefinition server, BiConsumer<Kind, String> listener) {
		}

		/**
		 * Add the user whom this thread has to a Reactor context, which takes precedence.
		 */
		default Context withThread(Context context) {
			return context;
		}

		/**
		 * A user. Its key is not printed, as it may be a token.
		 *
		 * @param key the same for the same user
		 * @param context the identity of the user in a Reactor context, without values of
		 * a request
		 */
		record User(Object key, Context context) {

			@Override
			public String toString() {
				return "User";
			}

		}

	}

}
