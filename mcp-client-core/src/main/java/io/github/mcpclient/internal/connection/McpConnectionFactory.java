package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.session.SessionOptions;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.SerialQueue;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * Creates the connections of an application. Thread-safe.
 */
public final class McpConnectionFactory {

	private static final int MOST_CHECKS = 8;

	private static final Duration LONGEST_CHECK = Duration.ofSeconds(20);

	private final McpSession.Factory sessions;

	private final ClientScheduler scheduler;

	private final Scheduler opener;

	private final Scheduler closer;

	private final Implementation clientInfo;

	private final HeaderSources headers;

	private final ConnectThrottle throttle;

	private final Semaphore checks = new Semaphore(MOST_CHECKS);

	/**
	 * Create a factory.
	 * @param scheduler runs all non-blocking code. Must outlive the connections
	 * @param opener runs the beginning of each attempt, which may block: creating a
	 * transport builds its TLS context, and a transport factory may be application code
	 * @param closer runs the end of each attempt, which may block, too
	 * @param clientInfo the description of the application for servers
	 */
	public McpConnectionFactory(McpSession.Factory sessions, ClientScheduler scheduler, Scheduler opener,
			Scheduler closer, Implementation clientInfo, HeaderSources headers) {
		this.sessions = sessions;
		this.scheduler = scheduler;
		this.opener = opener;
		this.closer = closer;
		this.clientInfo = clientInfo;
		this.headers = headers;
		this.throttle = new ConnectThrottle(scheduler);
	}

	/**
	 * Create a connection, which does nothing until it is started or used. It must be
	 * closed.
	 * @param configured whether the server has properties that errors can name
	 * @param transports creates a new transport for each attempt
	 * @param requests handles the requests of the server
	 * @param observers observe the connection
	 */
	public McpConnection create(McpServerDefinition definition, boolean configured,
			Supplier<McpClientTransport> transports, McpConnectionListener listener, ServerRequests requests,
			List<ConnectionObserver> observers) {
		return create(definition, new ErrorWording(definition, configured), transports, listener, requests, observers,
				this.headers, null, null);
	}

	/**
	 * Check a server, without its connection, within its initialization timeout, another
	 * limit or 20 s, depending on which is the shortest, and two seconds for closing;
	 * never fails. The number of concurrent checks is limited.
	 * @param configured whether the server has properties
	 * @param transports creates a transport that reports its steps
	 * @param requests the capabilities declared to the server; all of its requests are
	 * rejected
	 * @param end fails if the check must end early; it completes once all is closed
	 */
	public Mono<McpDiagnosis> check(McpServerDefinition definition, boolean configured,
			Function<Consumer<Step>, McpClientTransport> transports, ServerRequests requests, Duration limit,
			Mono<Void> end) {
		// another check can begin as soon as the callers are notified
		return Mono.using(this.checks::tryAcquire, (taken) -> {
			if (!taken) {
				return Mono.just(new McpDiagnosis(definition.name(), this.scheduler.instant(), Duration.ZERO,
						List.of(Step.skipped(StepKind.CONFIGURATION,
								MOST_CHECKS + " other servers are being checked. Try again in a few seconds."))));
			}
			Duration most = Collections.min(List.of(limit, LONGEST_CHECK, definition.timeouts().initialization()));
			SessionOptions options = new SessionOptions(definition, this.clientInfo, most, new Declared(requests),
					List.of(), (call) -> null);
			ErrorWording wording = new ErrorWording(definition, configured);
			ServerCheck check = new ServerCheck(definition, wording, (steps) -> {
				McpClientTransport transport = transports.apply(steps);
				if (transport instanceof HeaderSources.Target target) {
					target.authorizeBy(this.headers.forCheck(steps));
				}
				return transport;
			}, this.sessions, options, this.scheduler, this.opener, this.closer);
			return check.run(most, end);
		}, (taken) -> this.checks.release(taken ? 1 : 0));
	}

	private McpConnection create(McpServerDefinition definition, ErrorWording wording,
			Supplier<McpClientTransport> transports, McpConnectionListener listener, ServerRequests requests,
			List<ConnectionObserver> observers, HeaderSources headers, @Nullable SessionOptions forAll,
			@Nullable Deviations ofServer) {
		boolean ofUser = headers.user() != null;
		Function<ContextView, @Nullable Object> caller = (call) -> headers.ofCaller(definition, call);
		SessionOptions options = (forAll != null) ? forAll.ofUser(caller) : new SessionOptions(definition,
				this.clientInfo, definition.timeouts().initialization(), requests, observers, caller);
		Deviations deviations = (ofServer != null) ? ofServer : new Deviations(wording, this.scheduler);
		UserConnections users = (ofUser || !definition.auth().type().equals(McpServerAuth.OAUTH2)) ? null
				: new UserConnections(definition, wording, headers, this.scheduler, listener,
						(own, state) -> create(definition, wording, authorized(transports, own), state, requests,
								observers, own, options, deviations));
		ConnectionContext context = new ConnectionContext(definition, () -> {
			headers.onDeviation(definition, deviations::add);
			return transports.get();
		}, this.sessions, options, new SerialQueue(this.scheduler, this.scheduler),
				new SerialQueue(this.opener, this.scheduler), new SerialQueue(this.closer, this.scheduler),
				this.throttle, wording, deviations, listener, observers, (users != null) ? users::size : () -> 0,
				ofUser);
		Backoff backoff = new Backoff(definition.reconnect(), () -> ThreadLocalRandom.current().nextLong());
		Supervisor supervisor = new Supervisor(context, backoff);
		McpConnection connection = new McpConnection(context, supervisor, new Calls(supervisor, context, headers),
				users);
		supervisor.onClosed().subscribe(null, null, options::dropOwnResults);
		if (!ofUser) {
			observers.forEach((observer) -> observer.created(connection));
			supervisor.onClosed()
				.subscribe(null, null, () -> observers.forEach((observer) -> observer.closed(connection)));
		}
		return connection;
	}

	private static Supplier<McpClientTransport> authorized(Supplier<McpClientTransport> transports,
			HeaderSources headers) {
		return () -> {
			McpClientTransport transport = transports.get();
			if (transport instanceof HeaderSources.Target target) {
				target.authorizeBy(headers);
			}
			return transport;
		};
	}

	/**
	 * Declares the capabilities of the application, and rejects all requests.
	 */
	private record Declared(ServerRequests requests) implements ServerRequests {

		@Override
		public boolean isEmpty() {
			return this.requests.isEmpty();
		}

		@Override
		public void declare(ClientCapabilities.Builder capabilities) {
			this.requests.declare(capabilities);
		}

	}

}
