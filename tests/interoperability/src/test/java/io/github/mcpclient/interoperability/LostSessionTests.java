package io.github.mcpclient.interoperability;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestHandler;
import io.github.mcpclient.test.server.McpTestReply;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of servers that refuse what they accepted before: one probe decides whether the
 * session is lost.
 */
class LostSessionTests extends AbstractInteroperabilityTests {

	private static final String NO_ID = "{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32600, \"message\": \"Invalid Request\"}, \"id\": null}";

	private static final McpTestReply UNKNOWN = McpTestReply.error(-32001, "Session not found");

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void callThatWasRefusedIsRepeatedInANewSession(String seen, McpTestReply refusal) {
		ManagedMcpServer server = connect();
		this.peer.deviates(McpTestDeviation.lostSession(refusal)).forgetSessions();
		assertThat(call(server)).isEqualTo("hello");
		assertThat(this.peer.requests("initialize")).hasSize(2);
		assertThat(this.peer.requests("ping")).hasSize(1);
		assertReady(server);
		assertThat(assertDeviation(server, Kind.SESSION_LOST)).returns(seen, McpServerDeviation::detail)
			.returns(1L, McpServerDeviation::count);
	}

	static Stream<Arguments> callThatWasRefusedIsRepeatedInANewSession() {
		return Stream.of(
				Arguments.of("HTTP 401: Unauthorized: Session not found",
						text(401, "text/plain", "Unauthorized: Session not found")),
				Arguments.of("HTTP 410", McpTestReply.status(410)),
				Arguments.of("HTTP 400: Bad Request", text(400, "text/plain", "Bad Request")),
				Arguments.of("HTTP 400: Sitzung unbekannt", text(400, "text/plain", "Sitzung unbekannt")),
				Arguments.of("HTTP 400, error -32000: Bad Request: Server not initialized",
						text(400, "application/json",
								NO_ID.replace("-32600", "-32000")
									.replace("Invalid Request", "Bad Request: Server not initialized"))),
				Arguments.of("HTTP 400, error -32600: Invalid Request", text(400, "application/json", NO_ID)),
				Arguments.of("HTTP 400, error -32001: Session not found", UNKNOWN.withStatus(400)),
				Arguments.of("HTTP 403: Session expired", text(403, "text/plain", "Session expired")),
				Arguments.of("HTTP 405", McpTestReply.status(405)),
				Arguments.of("HTTP 409", text(409, "text/html", "<html>Conflict</html>")),
				Arguments.of("HTTP 422: {\"detail\": \"no session\"}",
						text(422, "application/json", "{\"detail\": \"no session\"}")),
				Arguments.of("HTTP 500: {\"error\": \"Session not found\"}",
						text(500, "application/json", "{\"error\": \"Session not found\"}")),
				Arguments.of("HTTP 302", McpTestReply.status(302).withHeader("Location", "/login")),
				Arguments.of("HTTP 200, error -32600: Invalid Request", McpTestReply.raw(NO_ID)),
				Arguments.of("HTTP 200, error -32600: Invalid Request", McpTestReply.raw(NO_ID).asEvents()),
				Arguments.of("HTTP 200, error -32001: Session not found", UNKNOWN),
				Arguments.of("HTTP 200, error -32603: Session terminated",
						McpTestReply.error(-32603, "Session terminated")),
				Arguments.of("HTTP 200: Session not found",
						McpTestReply.events("event: error\ndata: Session not found\n\n")),
				Arguments.of("HTTP 200: {\"error\":\"session not found\"}",
						McpTestReply.raw("{\"error\":\"session not found\"}")));
	}

	/**
	 * The tool may not be repeated, and nothing says that the server has not acted on it.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource
	void callThatMayHaveBeenActedOnFailsOnce(String seen, McpTestReply refusal) {
		ManagedMcpServer server = connect();
		this.peer.deviates(McpTestDeviation.lostSession(refusal)).forgetSessions();
		assertThatExceptionOfType(McpException.class).isThrownBy(() -> call(server));
		assertThat(call(server)).isEqualTo("hello");
		assertThat(this.peer.requests("initialize")).hasSize(2);
		assertThat(assertDeviation(server, Kind.SESSION_LOST).detail()).isEqualTo(seen);
	}

	static Stream<Arguments> callThatMayHaveBeenActedOnFailsOnce() {
		return Stream.of(Arguments.of("HTTP 200", McpTestReply.status(200)),
				Arguments.of("HTTP 200", text(200, "text/html", "<html>Sign in</html>")),
				Arguments.of("HTTP 200", McpTestReply.events()),
				Arguments.of("HTTP 200: Hello", McpTestReply.raw("Hello")),
				Arguments.of("HTTP 200, error -32000: The session has no owner",
						McpTestReply.error(-32000, "The session has no owner")),
				Arguments.of("HTTP 500: The session store failed",
						text(500, "text/plain", "The session store failed")));
	}

	@Test
	void notFoundIsNoDeviationInAnyForm() {
		ManagedMcpServer server = connect();
		this.peer.unknownSession(text(404, "text/html", "<html>Not found</html>")).forgetSessions();
		assertThat(call(server)).isEqualTo("hello");
		assertThat(this.peer.requests("ping")).isEmpty();
		assertNoDeviation(server);
	}

	@Test
	void callsOfTheSameMomentShareTheProbe() {
		ManagedMcpServer server = connect();
		CompletableFuture<Void> all = new CompletableFuture<>();
		this.peer.deviates(McpTestDeviation.lostSession(McpTestReply.status(410).after(all))).forgetSessions();
		List<CompletableFuture<McpToolResult>> calls = Stream
			.generate(() -> tool(server, "echo").callAsync(Map.of()).toFuture())
			.limit(20)
			.toList();
		this.peer.awaitRequests("tools/call", 20);
		all.complete(null);
		assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(Duration.ofSeconds(20)));
		assertThat(this.peer.requests("initialize")).hasSize(2);
		assertThat(this.peer.requests("ping")).hasSize(1);
		assertThat(assertDeviation(server, Kind.SESSION_LOST).count()).isEqualTo(1);
	}

	@Test
	void pingOfTheKeepAliveFindsItOut() {
		ManagedMcpServer server = connect((settings) -> settings.keepAliveInterval(Duration.ofMillis(300)));
		this.peer.deviates(McpTestDeviation.lostSession(text(401, "text/plain", "Session expired"))).forgetSessions();
		Awaitility.await().until(() -> this.peer.requests("initialize").size() == 2);
		Awaitility.await().until(() -> server.status().state() == McpServerState.READY);
		assertDeviation(server, Kind.SESSION_LOST);
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 410, 400, 200 })
	void streamThatIsRefusedFindsItOut(int status) {
		McpTestReply refusal = text(status, "text/plain", "Session not found");
		ManagedMcpServer server = connect();
		this.peer.awaitListeners(1);
		this.peer.deviates(McpTestDeviation.lostSession(refusal)).closeStreams().forgetSessions();
		Awaitility.await().until(() -> this.peer.requests("initialize").size() == 2);
		Awaitility.await().until(() -> server.status().state() == McpServerState.READY);
		assertDeviation(server, Kind.SESSION_LOST);
		assertThat(this.log.lines()).noneMatch((line) -> line.contains("credentials"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 410, 400 })
	void sessionOverSse(int status) {
		ManagedMcpServer server = connect(
				McpServerDefinition.of(NAME, McpServerDefinition.SSE).url(URI.create(this.peer.sseUrl())).build());
		assertThat(call(server)).isEqualTo("hello");
		McpTestReply refusal = text(status, "text/plain", "Session not found");
		this.peer.on("tools/call", ofFirstSession(refusal)).on("ping", ofFirstSession(refusal));
		this.peer.on("tools/list", ofFirstSession(refusal));
		assertThat(call(server)).isEqualTo("hello");
		assertThat(this.peer.requests("initialize")).hasSize(2);
		assertDeviation(server, Kind.SESSION_LOST);
	}

	/**
	 * Such a server passes on what another one says, whose session it lost.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "stdio", "websocket" })
	void sessionBehindAnotherTransport(String type) {
		ManagedMcpServer server = type.equals("stdio") ? connectToChild()
				: connect(McpServerDefinition.of(NAME, type).url(URI.create(this.peer.webSocketUrl())).build());
		this.peer.on("tools/call", ofFirstSession(UNKNOWN)).on("ping", ofFirstSession(UNKNOWN));
		assertThat(call(server)).isEqualTo("hello");
		assertThat(this.peer.requests("initialize")).hasSize(2);
		assertReady(server);
		assertThat(assertDeviation(server, Kind.SESSION_LOST).detail()).contains("Session not found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "websocket" })
	void sessionOfAToolBehindAnotherTransport(String type) {
		ManagedMcpServer server = type.equals("stdio") ? connectToChild()
				: connect(McpServerDefinition.of(NAME, type).url(URI.create(this.peer.webSocketUrl())).build());
		this.peer.on("tools/call", UNKNOWN);
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> call(server))
				.withMessageContaining("Session not found");
		}
		assertThat(this.peer.requests("ping")).hasSize(1);
		assertThat(this.peer.requests("initialize")).hasSize(1);
		assertNoDeviation(server);
	}

	/**
	 * A probe of each sort of refusal, and not of each refusal.
	 */
	@Test
	void refusalInASessionThatIsThereIsThatOfTheCall() {
		ManagedMcpServer server = connect();
		this.peer.on("tools/call",
				(request) -> text(400, "text/plain", "Bad order " + this.peer.requests("tools/call").size()));
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> call(server))
				.withMessageContaining("HTTP 400 Bad Request: Bad order");
		}
		assertThat(this.peer.requests("ping")).hasSize(1);
		this.peer.on("tools/call", UNKNOWN);
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> call(server))
				.withMessageContaining("Session not found");
		}
		assertThat(this.peer.requests("ping")).hasSize(2);
		assertThat(this.peer.requests("initialize")).hasSize(1);
		assertReady(server);
		assertNoDeviation(server);
		// none of which hides that it is lost
		this.peer.on("tools/call", McpTestReply.standard());
		this.peer.deviates(McpTestDeviation.lostSession(McpTestReply.status(410))).forgetSessions();
		assertThat(call(server)).isEqualTo("hello");
		assertDeviation(server, Kind.SESSION_LOST);
	}

	@ParameterizedTest
	@CsvSource({ "401, false", "401, true", "403, false", "400, true", "405, true" })
	void serverThatRefusesEachPingIsAskedForItsList(int status, boolean refused) {
		this.peer.on("ping", McpTestReply.status(status));
		ManagedMcpServer server = connect((settings) -> settings.keepAliveInterval(Duration.ofMillis(300)));
		this.peer.awaitRequests("ping", 4);
		if (refused) {
			this.peer.on("tools/call", McpTestReply.status(status));
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> call(server));
		}
		assertThat(this.peer.requests("tools/list")).hasSize(2);
		assertThat(this.peer.requests("initialize")).hasSize(1);
		assertNoDeviation(server);
	}

	/**
	 * Each new session is refused again after its list.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 410 })
	void serverThatRefusesAllAgainIsNotAskedInALoop(int status) {
		ManagedMcpServer server = connect((settings) -> settings
			.reconnect(new Reconnect(true, Duration.ofHours(1), 2.0, Duration.ofHours(2), 0.0)));
		McpTestReply refusal = text(status, "text/plain", "Go away");
		McpTestHandler onlyTheFirst = (request) -> (this.peer.requests("tools/list")
			.stream()
			.filter((other) -> request.sessionId().equals(other.sessionId()))
			.count() > 1) ? refusal : McpTestReply.standard();
		this.peer.on("tools/list", onlyTheFirst).on("tools/call", refusal).on("ping", refusal);
		assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> call(server))
			.withMessageContaining("HTTP " + status)
			.withMessageContaining("Go away");
		Awaitility.await().until(() -> server.status().state() == McpServerState.UNAVAILABLE);
		assertThat(server.status().lastError()).contains("HTTP " + status).contains("Go away");
		assertThat(this.peer.requests("initialize")).hasSize(2);
	}

	/**
	 * A challenge is a matter of authorization, whatever the text.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 401, 403 })
	void challengeIsAMatterOfCredentials(int status) {
		ManagedMcpServer server = connect((settings) -> settings.headers(Map.of("Authorization", "Bearer abcdefgh")));
		this.peer.on("POST", text(status, "text/plain", "Session not found").withHeader("WWW-Authenticate",
				"Bearer error=\"invalid_token\""));
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> call(server))
				.withMessageContaining("HTTP " + status)
				.withMessageContaining("credentials");
		}
		assertThat(this.peer.requests("initialize")).hasSize(1);
		assertThat(this.peer.requests("ping")).isEmpty();
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403 })
	void credentialsThatHaveExpiredAreNoLostSession(int status) {
		ManagedMcpServer server = connect((settings) -> settings.headers(Map.of("Authorization", "Bearer abcdefgh"))
			.reconnect(new Reconnect(true, Duration.ofHours(1), 2.0, Duration.ofHours(2), 0.0)));
		this.peer.on("POST", McpTestReply.status(status));
		assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> call(server))
			.withMessageContaining("HTTP " + status)
			.withMessageContaining("credentials");
		assertThat(server.status().state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(server.status().lastError()).contains("HTTP " + status).contains("credentials");
		assertThat(this.peer.requests("initialize")).hasSize(2);
		assertNoDeviation(server);
	}

	@Test
	void keyOfOneCallerThatIsRefusedEndsTheSessionOfNobody() {
		McpHeadersProvider keys = (request) -> Mono.deferContextual((context) -> Mono
			.just(context.<String>getOrEmpty("key").map((key) -> Map.of("X-Key", key)).orElse(Map.of())));
		this.peer.on("POST", (request) -> "revoked".equals(request.header("X-Key")) ? McpTestReply.status(401)
				: McpTestReply.standard());
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.startupWait(Duration.ofSeconds(60))
			.add(keys)
			.server(McpServerDefinition.http(NAME, URI.create(this.peer.url())).build())
			.build()) {
			ManagedMcpServer server = client.manager().server(NAME);
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(McpConnectionException.class)
					.isThrownBy(() -> tool(server, "echo")
						.call(McpToolRequest.of(Map.of()).withContext(Context.of("key", "revoked"))))
					.withMessageContaining("HTTP 401");
				assertThat(call(server)).isEqualTo("hello");
			}
			assertNoDeviation(server);
		}
		assertThat(this.peer.requests("initialize")).hasSize(1);
	}

	@Test
	void whatIsEchoedOfATokenIsMasked() {
		String token = "s3cr3t-token-of-a-provider";
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.startupWait(Duration.ofSeconds(60))
			.add(McpHeadersProvider.of((request) -> Map.of("Authorization", "Bearer " + token)))
			.server(McpServerDefinition.http(NAME, URI.create(this.peer.url())).build())
			.build()) {
			ManagedMcpServer server = client.manager().server(NAME);
			this.peer.deviates(
					McpTestDeviation.lostSession(text(400, "text/plain", "Session not found for Bearer " + token)));
			this.peer.forgetSessions();
			assertThat(call(server)).isEqualTo("hello");
			assertThat(server.status().deviations()).isNotEmpty();
			assertThat(server.status().toString() + server.recentStates()).doesNotContain("s3cr3t");
		}
		assertThat(this.log.lines()).noneMatch((line) -> line.contains("s3cr3t"));
	}

	/**
	 * A token that is good is not given up, and one that is refused is no lost session.
	 */
	@ParameterizedTest
	@CsvSource({ "Unauthorized: Session not found, 0, 2", "Unauthorized, 1, 1" })
	void tokenIsAskedForAgainOnlyIfItMayBeTheReason(String text, int tokens, int sessions) {
		AtomicInteger asked = new AtomicInteger();
		McpAuthorizer authorizer = new McpAuthorizer() {

			@Override
			public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
				return Mono.just(Map.of("Authorization", "Bearer abcdefgh"));
			}

			@Override
			public Mono<Map<String, String>> reauthorize(McpHeadersRequest request,
					McpAuthorizationChallenge challenge) {
				asked.incrementAndGet();
				return Mono.empty();
			}

		};
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.startupWait(Duration.ofSeconds(60))
			.add("tokens", authorizer)
			.server(McpServerDefinition.http(NAME, URI.create(this.peer.url()))
				.auth(McpServerAuth.of("tokens"))
				.build())
			.build()) {
			ManagedMcpServer server = client.manager().server(NAME);
			assertReady(server);
			// or its stream would be refused, too
			this.peer.awaitListeners(1);
			this.peer.deviates(McpTestDeviation.lostSession(text(401, "text/plain", text))).forgetSessions();
			if (sessions > 1) {
				assertThat(call(server)).isEqualTo("hello");
			}
			else {
				assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> call(server))
					.withMessageContaining("credentials");
			}
		}
		assertThat(asked).hasValue(tokens);
		assertThat(this.peer.requests("initialize")).hasSize(sessions);
	}

	@Test
	void serverThatIsNotAnsweringLosesNoSession() {
		ManagedMcpServer server = connect((settings) -> settings.connectTimeout(Duration.ofMillis(200)));
		this.peer.on("tools/call", McpTestReply.status(400)).on("ping", McpTestReply.never());
		assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> call(server))
			.withMessageContaining("HTTP 400");
		assertThat(this.peer.requests("initialize")).hasSize(1);
		assertReady(server);
		this.peer.on("tools/call", McpTestReply.standard());
		assertThat(call(server)).isEqualTo("hello");
	}

	private McpTestHandler ofFirstSession(McpTestReply refusal) {
		return (request) -> (this.peer.requests("initialize").size() == 1) ? refusal : McpTestReply.standard();
	}

	private static String call(ManagedMcpServer server) {
		return tool(server, "echo").call(Map.of()).text();
	}

	private static McpTestReply text(int status, String type, String text) {
		return McpTestReply.status(status).body(type, text);
	}

}
