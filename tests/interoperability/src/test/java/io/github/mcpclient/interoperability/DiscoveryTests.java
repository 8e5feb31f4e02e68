package io.github.mcpclient.interoperability;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestProcess;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of servers that know sessions, and answer {@code server/discover} otherwise than
 * as a method that they do not know.
 */
class DiscoveryTests extends AbstractInteroperabilityTests {

	private static final String CHALLENGE = "WWW-Authenticate";

	private static final String GATEWAY = """
			{"error": {"code": 401, "message": "MCP Failure", "data": "{\\"error\\":{\\"code\\":-32601,\
			\\"message\\":\\"Method server/discover not found\\"}}"}}""";

	private final TokensOneByOne tokens = new TokensOneByOne();

	static Stream<Named<McpTestReply>> refusals() {
		return Stream.of(
				Named.of("a gateway that wraps -32601", McpTestReply.status(401).body("application/json", GATEWAY)),
				Named.of("401 without a challenge", McpTestReply.status(401)),
				Named.of("403 with text", McpTestReply.status(403).body("text/plain", "Forbidden")),
				Named.of("403 of JSON-RPC", McpTestReply.error(-32601, "Method not found").withStatus(403)),
				Named.of("502 that wraps -32601", McpTestReply.status(502).body("application/json", GATEWAY)),
				Named.of("429 for the method",
						McpTestReply.status(429).body("text/plain", "Unknown method: server/discover")));
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void credentialsThatInitializeAcceptsAreGood(McpTestReply refusal) {
		this.peer.deviates(McpTestDeviation.discovery(refusal));
		assertServed(connect((definition) -> definition.headers(Map.of("Authorization", "Bearer t"))));
		assertThat(this.peer.awaitRequest("initialize").header("Authorization")).isEqualTo("Bearer t");
	}

	@Test
	void tokenThatInitializeAcceptsIsNotGivenUp() {
		this.peer.deviates(McpTestDeviation.discovery(McpTestReply.status(401)));
		assertServed(connect((definition) -> definition.auth(McpServerAuth.of(TokensOneByOne.TYPE))));
		assertThat(this.tokens.refused).isEmpty();
		assertThat(this.peer.awaitRequest("initialize").header("Authorization")).isEqualTo("Bearer 0");
	}

	@ParameterizedTest
	@ValueSource(strings = { "initialize", "server/discover" })
	void tokenThatIsRefusedIsReplaced(String method) {
		// without a challenge initialize decides, with one discovery does
		McpTestReply refusal = method.equals("initialize") ? McpTestReply.status(401)
				: McpTestReply.status(401).withHeader(CHALLENGE, "Bearer");
		this.peer.on("POST",
				(request) -> "Bearer 0".equals(request.header("Authorization")) ? refusal : McpTestReply.standard());
		ManagedMcpServer server = connect((definition) -> definition.auth(McpServerAuth.of(TokensOneByOne.TYPE)));
		assertReady(server);
		assertThat(this.tokens.refused).containsExactly(method);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
	}

	@Test
	void insistingOnTheNewestRevisionReplacesTheTokenAtOnce() {
		this.peer.protocolVersions("2026-07-28")
			.on("POST", (request) -> "Bearer 0".equals(request.header("Authorization")) ? McpTestReply.status(401)
					: McpTestReply.standard());
		ManagedMcpServer server = connect(
				(definition) -> definition.protocol("stateless").auth(McpServerAuth.of(TokensOneByOne.TYPE)));
		assertReady(server);
		assertThat(this.tokens.refused).containsExactly("server/discover");
		assertThat(this.peer.requests("initialize")).isEmpty();
	}

	@Test
	void serverWithoutCredentialsMayRefuseTheMethodOnly() {
		this.peer.deviates(McpTestDeviation.discovery(McpTestReply.status(403).body("text/plain", "No")));
		assertServed(connect());
	}

	@Test
	void challengeIsAMatterOfAuthorization() {
		this.peer.on("server/discover",
				McpTestReply.status(401).withHeader(CHALLENGE, "Bearer error=\"invalid_token\""));
		ManagedMcpServer server = connectOnce();
		assertThat(server.status().lastError()).contains("HTTP 401 Unauthorized (Bearer, invalid_token)");
		assertThat(this.peer.requests("initialize")).isEmpty();
		assertNoDeviation(server);
	}

	@Test
	void credentialsThatInitializeRefusesAreReported() {
		this.peer.on("POST", McpTestReply.status(401).body("text/plain", "Who are you?"));
		ManagedMcpServer server = connectOnce();
		assertThat(server.status().lastError()).contains("HTTP 401").contains("Set the credentials in");
		assertThat(this.peer.requests("server/discover")).hasSize(1);
		assertThat(this.peer.requests("initialize")).hasSize(1);
		assertNoDeviation(server);
	}

	static Stream<Named<McpTestReply>> silences() {
		return Stream.of(Named.of("nothing", McpTestReply.never()),
				Named.of("a stream without events", McpTestReply.never().asEvents()),
				Named.of("comments", McpTestReply.status(200).body("text/event-stream", ": open\n\n").thenHang()),
				Named.of("another message",
						McpTestReply.never().precededBy(McpTestReply.notification("notifications/message", Map.of()))));
	}

	@ParameterizedTest
	@MethodSource("silences")
	void silenceIsNotWaitedForToItsEnd(McpTestReply silence) {
		this.peer.deviates(McpTestDeviation.discovery(silence));
		ManagedMcpServer server = connect((definition) -> definition.initializationTimeout(Duration.ofSeconds(1)));
		// a busy machine may need another attempt
		await().untilAsserted(() -> assertReady(server));
		await().until(() -> !server.status().deviations().isEmpty());
		assertServed(server);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void serverThatAnswersNothingElseIsInitializedByTheNextAttempt(boolean silent) {
		AtomicInteger hanging = new AtomicInteger();
		this.peer.on("server/discover", (request) -> {
			hanging.incrementAndGet();
			return silent ? McpTestReply.never() : McpTestReply.cut();
		})
			.on("initialize",
					(request) -> (silent && hanging.getAndSet(0) > 0) ? McpTestReply.never() : McpTestReply.standard());
		ManagedMcpServer server = connect(
				(definition) -> definition.initializationTimeout(Duration.ofSeconds(1)).reconnect(SOON));
		await().untilAsserted(() -> assertReady(server));
		assertThat(server.status().attempts()).isEqualTo(2);
		assertServed(server);
	}

	static Stream<Named<Function<McpTestProcess, McpTestReply>>> exits() {
		return Stream.of(Named.of("exit 1", (process) -> exit(process, 1)),
				Named.of("exit 0", (process) -> exit(process, 0)), Named.of("killed", (process) -> {
					process.kill();
					return McpTestReply.never();
				}));
	}

	private static McpTestReply exit(McpTestProcess process, int code) {
		process.exit(code);
		return McpTestReply.never();
	}

	@ParameterizedTest
	@MethodSource("exits")
	void processThatExitsIsStartedAgainWithinTheAttempt(Function<McpTestProcess, McpTestReply> exit) {
		this.peer.on("server/discover", (request) -> exit.apply(this.peer.awaitProcess()));
		ManagedMcpServer server = connectToChild();
		assertReady(server);
		assertThat(server.status().attempts()).isEqualTo(1);
		assertThat(this.log.lines()).noneMatch((line) -> line.contains("UNAVAILABLE") || line.contains("\tat "));
		assertServed(server);
	}

	@Test
	void webSocketThatIsClosedIsInitializedByTheNextAttempt() {
		this.peer.on("server/discover", McpTestReply.cut());
		ManagedMcpServer server = connect(McpServerDefinition.of(NAME, McpServerDefinition.WEBSOCKET)
			.url(URI.create(this.peer.webSocketUrl()))
			.reconnect(SOON)
			.build());
		await().untilAsserted(() -> assertReady(server));
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.DISCOVERY);
	}

	@Test
	void refusalAsAnUnknownMethodIsNoDeviation() {
		ManagedMcpServer server = connect();
		assertReady(server);
		assertNoDeviation(server);
	}

	@Override
	StandaloneMcpClient.Builder customize(StandaloneMcpClient.Builder client) {
		return client.add(TokensOneByOne.TYPE, this.tokens);
	}

	private ManagedMcpServer connectOnce() {
		return connect((definition) -> definition.headers(Map.of("Authorization", "Bearer t")).reconnect(OFF));
	}

	// also when it is connected again, without the question
	private void assertServed(ManagedMcpServer server) {
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.DISCOVERY);
		int asked = this.peer.requests("server/discover").size();
		server.reconnect();
		assertReady(server);
		assertThat(this.peer.requests("server/discover")).hasSize(asked);
		assertDeviation(server, Kind.DISCOVERY);
	}

	/**
	 * Gives another token for each that is refused.
	 */
	private final class TokensOneByOne implements McpAuthorizer {

		static final String TYPE = "one-by-one";

		private final List<String> refused = new CopyOnWriteArrayList<>();

		@Override
		public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
			return Mono.fromSupplier(() -> Map.of("Authorization", "Bearer " + this.refused.size()));
		}

		@Override
		public Mono<Map<String, String>> reauthorize(McpHeadersRequest request, McpAuthorizationChallenge challenge) {
			List<McpTestRequest> requests = DiscoveryTests.this.peer.requests();
			this.refused.add(requests.get(requests.size() - 1).method());
			return authorize(request);
		}

	}

}
