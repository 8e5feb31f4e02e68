package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.FaultProxy;
import io.github.mcpclient.testsupport.faults.Transport;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.util.Assert;

/**
 * A server of {@link Soak}, with those who call it, and the windows in which calls may
 * fail.
 */
final class SoakServer implements AutoCloseable {

	/**
	 * From the end of a fault to a right answer for each caller.
	 */
	static final Duration RECOVERY_BOUND = Duration.ofSeconds(20);

	static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

	private static final int CALLERS = 2;

	private static final String METADATA = "/.well-known/oauth-protected-resource";

	private final String name;

	private final Kind kind;

	private final FaultyPeer peer;

	private final @Nullable FaultProxy proxy;

	private final @Nullable SoakAuthorizationServer authorizationServer;

	private final List<SoakCaller> callers = new ArrayList<>();

	private final SoakReport report;

	private volatile @Nullable ClientApplication application;

	// the last one
	private volatile @Nullable SoakFault fault;

	private volatile McpTestReply answer = McpTestReply.standard();

	// odd while calls may fail
	private volatile int window;

	SoakServer(String name, Kind kind, SoakReport report) {
		this.name = name;
		this.kind = kind;
		this.peer = FaultyPeer.start(kind.transport);
		this.proxy = (this.peer instanceof FaultyServer server) ? FaultProxy.to(server.port()) : null;
		this.authorizationServer = kind.isAuthorized()
				? new SoakAuthorizationServer(name, "http://localhost:" + proxy().port() + "/mcp", report) : null;
		this.report = report;
		if (this.peer instanceof FaultyServer server) {
			server.script()
				.on("GET", (request) -> admit(request, server.openStream(request)))
				.on("POST", (request) -> admit(request, this.answer))
				.on("DELETE", (request) -> admit(request, McpTestReply.standard()));
		}
		this.peer.tools(tools());
	}

	String name() {
		return this.name;
	}

	Stream<String> properties() {
		String prefix = "mcp.servers." + this.name;
		String[] properties = (this.peer instanceof FaultyServer server) ? server.properties(this.name, proxy().port())
				: this.peer.properties(this.name);
		Stream<String> authorization = (this.authorizationServer != null)
				? this.authorizationServer.properties(this.kind == Kind.OAUTH_OF_USERS) : Stream.empty();
		return Stream.of(Stream.of(properties), authorization,
				Stream.of(prefix + ".request-timeout=" + REQUEST_TIMEOUT.toMillis() + "ms",
						prefix + ".initialization-timeout=" + REQUEST_TIMEOUT.toMillis() + "ms",
						prefix + ".keep-alive-interval=3s"))
			.flatMap((all) -> all);
	}

	/**
	 * Begin to call.
	 * @param application where the server is connected
	 */
	void begin(ClientApplication application, SoakPause pause) {
		this.application = application;
		await("the first connection", this::isReady);
		for (int i = 0; i < CALLERS; i++) {
			SoakCaller caller = new SoakCaller(this, i, this.report, pause);
			this.callers.add(caller);
			caller.start();
		}
	}

	/**
	 * Stop to call.
	 */
	void end() throws InterruptedException {
		for (SoakCaller caller : this.callers) {
			caller.end();
		}
	}

	/**
	 * Meet a fault, and recover from it.
	 */
	void meet(SoakFault fault, Duration duration) {
		this.report.begins(this.name, fault);
		this.fault = fault;
		if (fault.mayFailCalls()) {
			this.window++;
		}
		try {
			fault.happen(this, duration);
			long over = System.nanoTime();
			long[] answers = this.callers.stream().mapToLong(SoakCaller::answers).toArray();
			await("a right answer for each caller", () -> isReady() && haveMoreThan(answers));
			this.report.recovered(Duration.ofNanos(System.nanoTime() - over));
		}
		catch (ConditionTimeoutException | IllegalStateException | AssertionError ex) {
			this.report.notRecovered(this.name + " did not recover from " + fault, ex);
		}
		finally {
			if (fault.mayFailCalls()) {
				this.window++;
			}
		}
	}

	/**
	 * The number of the present window, or of none.
	 */
	int window() {
		return this.window;
	}

	/**
	 * Whether a call may have failed that began in a window and has just ended.
	 */
	boolean mayHaveFailed(int windowAtBegin) {
		return windowAtBegin % 2 == 1 || this.window != windowAtBegin;
	}

	/**
	 * Whether the last fault explains why a call failed.
	 */
	boolean explains(McpException failure) {
		SoakFault fault = this.fault;
		return fault != null && fault.explains(failure);
	}

	/**
	 * Look at what a request has with it, and find the reply to it.
	 * @param reply the reply, if the request is authorized
	 */
	private McpTestReply admit(McpTestRequest request, McpTestReply reply) {
		List<SoakCredential> credentials = SoakCredential.in(request);
		this.report.inspect(this.name + " with " + request.method(), credentials,
				(credential) -> belongsTo(request, credential));
		SoakAuthorizationServer authorizationServer = this.authorizationServer;
		if (authorizationServer == null) {
			return reply;
		}
		if (request.path().equals(METADATA + "/mcp")) {
			return authorizationServer.resourceMetadata();
		}
		if (!authorizationServer.admits(credentials)) {
			return McpTestReply.status(401)
				.withHeader("WWW-Authenticate",
						"Bearer resource_metadata=\"http://localhost:" + proxy().port() + METADATA + "/mcp\"");
		}
		this.report.sawToken(this.name);
		return reply;
	}

	private boolean belongsTo(McpTestRequest request, SoakCredential credential) {
		if (!this.kind.isAuthorized() || credential.kind() != SoakCredential.Kind.ACCESS
				|| !credential.server().equals(this.name)) {
			return false;
		}
		boolean ofUser = this.kind == Kind.OAUTH_OF_USERS && request.method().equals("tools/call");
		// to cancel a call is what its user does
		return credential.holder().equals(ofUser ? request.argument("caller") : "application")
				|| (this.kind == Kind.OAUTH_OF_USERS && request.method().equals("notifications/cancelled"));
	}

	/**
	 * How to answer messages from now on.
	 */
	void answer(McpTestReply reply) {
		this.answer = reply;
	}

	void answerNext(int messages, McpTestReply reply) {
		for (int i = 0; i < messages; i++) {
			http().script().onNext("POST", (request) -> admit(request, reply));
		}
	}

	private boolean isReady() {
		return application().state(this.name) == McpServerState.READY;
	}

	private boolean haveMoreThan(long[] answers) {
		for (int i = 0; i < answers.length; i++) {
			// the first may be that of a call that began before
			if (this.callers.get(i).answers() < answers[i] + 2) {
				return false;
			}
		}
		return true;
	}

	void await(String what, Callable<Boolean> condition) {
		Waiting.await(RECOVERY_BOUND).pollInterval(Duration.ofMillis(20)).alias(what).until(condition);
	}

	String call(String tool, Map<String, Object> arguments) {
		SecurityContextHolder.getContext().setAuthentication(caller());
		try {
			return application().text(this.name + "_" + tool, withCaller(arguments));
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

	String callAsync(String tool, Map<String, Object> arguments) {
		return application().tools()
			.get(this.name + "_" + tool)
			.callAsync(withCaller(arguments))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(caller()))
			.blockOptional()
			.orElseThrow()
			.orThrow()
			.text();
	}

	/**
	 * Each thread is a user.
	 */
	private Authentication caller() {
		Object token = new OAuth2AccessToken(TokenType.BEARER,
				new SoakCredential(SoakCredential.Kind.SUBJECT, this.name, Thread.currentThread().getName()).toString(),
				null, null);
		return new TestingAuthenticationToken(token, "none", "USER");
	}

	private static Map<String, Object> withCaller(Map<String, Object> arguments) {
		Map<String, Object> all = new HashMap<>(arguments);
		all.put("caller", Thread.currentThread().getName());
		return all;
	}

	String[] tools() {
		Stream<String> tools = Stream.of("hang", "huge", "endless", "noise", "ids", "storm", "nested", "optional",
				"lookahead");
		Stream<String> more = (this.kind == Kind.STDIO) ? Stream.of("exit", "flood", "mute", "deaf", "fork")
				: Stream.empty();
		return Stream.concat(tools, more).toArray(String[]::new);
	}

	boolean offers(String... tools) {
		return Stream.of(tools).allMatch((tool) -> application().tools().find(this.name + "_" + tool).isPresent());
	}

	FaultyPeer peer() {
		return this.peer;
	}

	FaultyChild child() {
		return (FaultyChild) this.peer;
	}

	FaultyServer http() {
		return (FaultyServer) this.peer;
	}

	FaultProxy proxy() {
		FaultProxy proxy = this.proxy;
		Assert.state(proxy != null, "There is no network between");
		return proxy;
	}

	SoakAuthorizationServer authorizationServer() {
		SoakAuthorizationServer server = this.authorizationServer;
		Assert.state(server != null, "There is no authorization");
		return server;
	}

	private ClientApplication application() {
		ClientApplication application = this.application;
		Assert.state(application != null, "Not begun");
		return application;
	}

	@Override
	public void close() {
		if (this.proxy != null) {
			this.proxy.close();
		}
		if (this.authorizationServer != null) {
			this.authorizationServer.close();
		}
		this.peer.close();
	}

	/**
	 * How it is reached, and who may call it.
	 */
	enum Kind {

		STDIO(Transport.STDIO),

		STREAMABLE_HTTP(Transport.STREAMABLE_HTTP),

		WEBSOCKET(Transport.WEBSOCKET),

		/**
		 * Called with tokens of the application.
		 */
		OAUTH(Transport.STREAMABLE_HTTP),

		/**
		 * Called with tokens of users, each of which is exchanged for another one.
		 */
		OAUTH_OF_USERS(Transport.STREAMABLE_HTTP);

		private final Transport transport;

		Kind(Transport transport) {
			this.transport = transport;
		}

		String id() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

		boolean isAuthorized() {
			return this == OAUTH || this == OAUTH_OF_USERS;
		}

	}

}
