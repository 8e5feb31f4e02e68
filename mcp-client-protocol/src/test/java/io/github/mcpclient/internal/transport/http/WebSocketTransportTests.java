package io.github.mcpclient.internal.transport.http;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer.User;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.github.mcpclient.internal.transport.http.RawWebSocketServer.Connection;
import io.github.mcpclient.internal.transport.http.RawWebSocketServer.Frame;
import io.github.mcpclient.internal.transport.http.RawWebSocketServer.Script;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link WebSocketTransport}, with servers that are no good.
 */
@ExtendWith(OutputCaptureExtension.class)
class WebSocketTransportTests {

	private static final ClientScheduler SCHEDULER = ClientScheduler.create();

	private final BlockingQueue<JSONRPCMessage> received = new LinkedBlockingQueue<>();

	private WebSocketTransport transport;

	private CompletableFuture<Void> termination;

	@AfterEach
	void close() {
		if (this.transport != null) {
			this.transport.closeGracefully().block(LIMIT);
		}
	}

	@Test
	void handshakeHasSubprotocolAndHeaders() throws IOException {
		RawWebSocketServer server = answering();
		connect(server, (builder) -> builder.headers(Map.of("Authorization", "Bearer t0ken")));
		assertThat(call()).isEqualTo("grüße \uD83D\uDE00");
		assertThat(server.connection().head().toLowerCase()).startsWith("get /mcp http/1.1\r\n")
			.contains("\r\nsec-websocket-protocol: mcp\r\n", "\r\nauthorization: bearer t0ken\r\n");
	}

	private static RawWebSocketServer answering() {
		return RawWebSocketServer.afterMessage((connection) -> {
			connection.answer("grüße \uD83D\uDE00");
			connection.awaitClose();
		});
	}

	@Test
	void handshakeHasTheHeadersThatTheApplicationProvides() throws IOException {
		McpHeadersProvider provider = (request) -> Mono.just(Map.of("X-Token", request.method() + request.forCaller()));
		HeaderSources headers = new HeaderSources(() -> List.of(provider), (type) -> null, () -> SCHEDULER);
		RawWebSocketServer server = answering();
		connect(transport(server.url(), headers, UnaryOperator.identity()));
		call();
		assertThat(server.connection().head().toLowerCase()).contains("\r\nx-token: getfalse\r\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "anne", "ben" })
	void theHandshakeForAUserIsAuthorizedForThatUser(String name) throws IOException {
		UserAuthorizer users = new UserAuthorizer() {

			@Override
			public Mono<User> user(McpServerDefinition server) {
				return Mono.deferContextual((context) -> Mono
					.just(new User(context.get("user"), Context.of("user", context.<String>get("user")))));
			}

			@Override
			public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
				return Mono.deferContextual((context) -> Mono
					.just(Map.of("Authorization", "Bearer of-" + context.getOrDefault("user", "nobody"))));
			}

		};
		HeaderSources all = new HeaderSources(List::of, (type) -> users, () -> SCHEDULER);
		RawWebSocketServer server = answering();
		WebSocketTransport transport = transport(server.url(), all,
				(builder) -> builder.auth(McpServerAuth.clientCredentials("client", "secret")));
		transport.authorizeBy(all.of(new User(name, Context.of("user", name)), () -> {
		}));
		connect(transport);
		call();
		assertThat(server.connection().head().toLowerCase()).contains("\r\nauthorization: bearer of-" + name + "\r\n")
			.doesNotContain("nobody");
	}

	@Test
	@Fault(FaultKind.HANDSHAKE)
	void aHandshakeThatIsRefusedIsMadeAgainWithWhatTheAuthorizerGives() throws IOException {
		McpAuthorizer authorizer = new McpAuthorizer() {

			@Override
			public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
				return Mono.just(Map.of("Authorization", "Bearer old"));
			}

			@Override
			public Mono<Map<String, String>> reauthorize(McpHeadersRequest request,
					McpAuthorizationChallenge challenge) {
				assertThat(challenge.wwwAuthenticate()).containsExactly("Bearer error=\"invalid_token\"");
				return Mono.just(Map.of("Authorization", "Bearer new"));
			}

		};
		HeaderSources headers = new HeaderSources(List::of, (type) -> authorizer, () -> SCHEDULER);
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			if (!connection.head().contains("Bearer new")) {
				connection.write("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer error=\"invalid_token\"\r\n"
						+ "Content-Length: 0\r\n\r\n");
				return;
			}
			connection.upgrade();
			connection.readMessage();
			connection.answer("authorized");
			connection.awaitClose();
		});
		connect(transport(server.url(), headers, (builder) -> builder.auth(McpServerAuth.of("custom"))));
		assertThat(call()).isEqualTo("authorized");
	}

	@Test
	void whatComesBeforeTheAnswerToTheHandshakeIsIgnored() {
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.write("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
			connection.upgrade();
			connection.readMessage();
			connection.answer("hello");
			connection.awaitClose();
		});
		connect(server);
		assertThat(call()).isEqualTo("hello");
	}

	@Test
	void closesWithACloseFrame() throws Exception {
		CompletableFuture<Frame> last = new CompletableFuture<>();
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.upgrade();
			last.complete(connection.read());
		});
		connect(server);
		this.transport.closeGracefully().block(LIMIT);
		assertThat(last.get(30, TimeUnit.SECONDS).code()).isEqualTo(1000);
		assertThat(this.termination).succeedsWithin(LIMIT);
		assertThat(catchThrowable(() -> send())).isInstanceOf(TransportException.class)
			.satisfies((ex) -> assertThat(((TransportException) ex).isPossiblyProcessed()).isFalse());
	}

	@Test
	void goodbyeIsBoundedThoughTheServerReadsNothing() throws IOException {
		CompletableFuture<Void> over = new CompletableFuture<>();
		afterTest(() -> over.complete(null));
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.upgrade();
			over.join();
		});
		connect(server);
		Mono<Void> flood = this.transport
			.sendMessage(new JSONRPCRequest("2.0", "tools/call", 1, Map.of("text", "x".repeat(14_000_000))));
		CompletableFuture<Void> sent = flood.toFuture();
		this.transport.closeGracefully().block(Duration.ofSeconds(10));
		assertThat(sent).failsWithin(LIMIT);
	}

	@Test
	@Fault(FaultKind.FRAMES)
	void aServerThatDoesNotReadFailsTheSendBeforeMemoryIsShort() throws IOException {
		CompletableFuture<Void> over = new CompletableFuture<>();
		afterTest(() -> over.complete(null));
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.upgrade();
			over.join();
		});
		connect(server, (builder) -> builder.maxMessageSize(DataSize.ofMegabytes(1)));
		List<CompletableFuture<Void>> sent = IntStream.range(0, 100)
			.mapToObj((i) -> this.transport
				.sendMessage(new JSONRPCRequest("2.0", "tools/call", i, Map.of("text", "x".repeat(200_000))))
				.toFuture())
			.toList();
		Throwable failure = catchThrowable(() -> sent.get(99).get(30, TimeUnit.SECONDS));
		assertThat(failure).hasCauseInstanceOf(TransportException.class)
			.hasMessageContaining("The server does not read");
		assertThat(((TransportException) failure.getCause()).isPossiblyProcessed()).isFalse();
		assertThat(this.transport.hasEnded()).isFalse();
	}

	@Test
	@Fault(FaultKind.FRAMES)
	void aMessageInFragmentsWithAPingWithinIsOneMessage() throws Exception {
		CompletableFuture<Frame> pong = new CompletableFuture<>();
		RawWebSocketServer server = RawWebSocketServer.afterMessage((connection) -> {
			byte[] json = Connection.response("grüße").getBytes(StandardCharsets.UTF_8);
			for (int i = 0; i < json.length; i++) {
				connection.frame((i == 0) ? RawWebSocketServer.TEXT : 0, i == json.length - 1, new byte[] { json[i] });
				if (i == 10) {
					connection.frame(RawWebSocketServer.PING, true, "here?".getBytes(StandardCharsets.UTF_8));
				}
			}
			pong.complete(connection.read());
			connection.awaitClose();
		});
		connect(server);
		assertThat(call()).isEqualTo("grüße");
		assertThat(pong.get(30, TimeUnit.SECONDS).opcode()).isEqualTo(RawWebSocketServer.PONG);
		assertThat(pong.join().payload()).asString(StandardCharsets.UTF_8).isEqualTo("here?");
	}

	@Test
	@Fault(FaultKind.FRAMES)
	void binaryFramesAreReadAndWhatIsNoMessageIsSkipped(CapturedOutput output) throws IOException {
		RawWebSocketServer server = RawWebSocketServer.afterMessage((connection) -> {
			connection.frame(RawWebSocketServer.BINARY, true, new byte[] { 0, -1, 7, -128 });
			connection.text("Listening on port 3000");
			connection.text("");
			connection.frame(RawWebSocketServer.BINARY, true,
					Connection.response("binary").getBytes(StandardCharsets.UTF_8));
			connection.awaitClose();
		});
		connect(server);
		assertThat(call()).isEqualTo("binary");
		assertThat(output)
			.contains("Skipped message 1 of MCP server 'test' that is not an MCP message (it is not JSON)")
			.doesNotContain("Listening on port 3000");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Fault(value = FaultKind.OVERSIZE, over = Transport.WEBSOCKET)
	void fiftyMegabytesAreAMessageWhereTheLimitsAllowIt(boolean fragmented) throws IOException {
		String text = "x".repeat(50_000_000);
		RawWebSocketServer server = RawWebSocketServer.afterMessage((connection) -> {
			byte[] json = Connection.response(text).getBytes(StandardCharsets.UTF_8);
			int size = fragmented ? 100_000 : json.length;
			for (int i = 0; i < json.length; i += size) {
				int end = Math.min(json.length, i + size);
				connection.frame((i == 0) ? RawWebSocketServer.TEXT : 0, end == json.length,
						Arrays.copyOfRange(json, i, end));
			}
			connection.awaitClose();
		});
		connect(server,
				(builder) -> builder.maxMessageSize(DataSize.ofMegabytes(64)).maxResultSize(DataSize.ofMegabytes(64)));
		assertThat(call()).hasSameSizeAs(text);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Fault(value = FaultKind.OVERSIZE, over = Transport.WEBSOCKET)
	void aMessageOverTheLimitEndsTheTransport(boolean fragmented) throws IOException {
		RawWebSocketServer server = RawWebSocketServer.afterMessage((connection) -> {
			for (int i = 0; i < 50; i++) {
				connection.frame((i == 0) ? RawWebSocketServer.TEXT : 0, !fragmented,
						new byte[fragmented ? 100_000 : 5_000_000]);
			}
			connection.awaitClose();
		});
		connect(server, (builder) -> builder.maxMessageSize(DataSize.ofMegabytes(1)));
		send();
		assertThat(reason()).hasMessage("The server's message is larger than 1048576B");
	}

	@Test
	void anAnswerBeyondABoundCostsTheCallOnly() throws IOException {
		RawWebSocketServer server = RawWebSocketServer.afterMessage((connection) -> {
			connection.text("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + "[".repeat(600) + "]".repeat(600) + "}");
			connection.readMessage();
			connection.answer("short");
			connection.awaitClose();
		});
		connect(server);
		send();
		assertThat(((JSONRPCResponse) receive()).error().data()).isInstanceOf(UnreadMessageException.class);
		assertThat(call()).isEqualTo("short");
	}

	@Test
	void aResultOverItsLimitCostsTheCallOnly() throws IOException {
		RawWebSocketServer server = RawWebSocketServer.afterMessage((connection) -> {
			connection.answer("x".repeat(2000));
			connection.readMessage();
			connection.answer("short");
			connection.awaitClose();
		});
		connect(server, (builder) -> builder.maxResultSize(DataSize.ofKilobytes(1)));
		send();
		assertThat(((JSONRPCResponse) receive()).error().message()).contains("larger than 1024B");
		assertThat(call()).isEqualTo("short");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			1000 | bye      | The server closed the connection: 1000 Normal closure (bye)
			1001 | ''       | The server closed the connection: 1001 Endpoint unavailable
			1008 | no t0ken | The server closed the connection: 1008 Policy violation (no ******)
			1011 | ''       | The server closed the connection: 1011 Internal server error
			4711 | mine     | The server closed the connection: 4711 (mine)
			0    | ''       | The server closed the connection without a reason
			""")
	@Fault(FaultKind.CLOSED)
	void aCloseInMidCallFailsItWithTheReason(int code, String reason, String message) throws IOException {
		RawWebSocketServer server = RawWebSocketServer.afterMessage((connection) -> {
			if (code != 0) {
				connection.closeWith(code, reason);
				connection.awaitClose();
			}
		});
		connect(server, (builder) -> builder.headers(Map.of("Authorization", "t0ken")));
		send();
		TransportException failure = reason();
		assertThat(failure).hasMessage(message);
		assertThat(failure.isPossiblyProcessed()).isTrue();
		assertThat(failure.getNextStep()).isNotNull();
	}

	@Test
	@Fault(FaultKind.CLOSED)
	void aCloseFrameWithoutACodeSaysNothing() throws IOException {
		RawWebSocketServer server = RawWebSocketServer
			.afterMessage((connection) -> connection.frame(RawWebSocketServer.CLOSE, true, new byte[0]));
		connect(server);
		send();
		assertThat(reason()).hasMessage("The server closed the connection without a reason");
	}

	@Test
	@Fault(value = FaultKind.HALF_OPEN, over = Transport.WEBSOCKET)
	void noPongEndsTheConnection() throws IOException {
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.upgrade();
			connection.awaitClose();
		});
		connect(server,
				(builder) -> builder.keepAliveInterval(Duration.ofMillis(100)).requestTimeout(Duration.ofMillis(300)));
		assertThat(reason()).hasMessageMatching("The server has not responded to a ping.* for \\d+ ms");
	}

	@Test
	void aServerThatAnswersPingsMaySayNothingElse() throws IOException {
		CompletableFuture<Void> tenPings = new CompletableFuture<>();
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.upgrade();
			for (int i = 0; i < 10; i++) {
				assertThat(connection.read().opcode()).isEqualTo(RawWebSocketServer.PING);
				connection.frame(RawWebSocketServer.PONG, true, new byte[0]);
			}
			tenPings.complete(null);
			connection.awaitClose();
		});
		connect(server,
				(builder) -> builder.keepAliveInterval(Duration.ofMillis(50)).requestTimeout(Duration.ofMillis(2000)));
		assertThat(tenPings).succeedsWithin(LIMIT);
		assertThat(this.transport.hasEnded()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 200 OK\r\n\r\n{}", "\u0083\u0005hello", "\u0081\u0081abcd",
			// a reserved bit, and what is not UTF-8
			"\u00c1\u0005hello", "\u0081\u0002\u00c3(" })
	@Fault(FaultKind.FRAMES)
	void garbageEndsTheConnection(String garbage, CapturedOutput output) throws IOException {
		RawWebSocketServer server = RawWebSocketServer.afterMessage((connection) -> {
			connection.write(garbage);
			connection.awaitClose();
		});
		connect(server);
		send();
		assertThat(reason()).message().startsWith("The server violates the WebSocket protocol: ");
		assertThat(output).doesNotContain("\tat ");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					401 Unauthorized | 401 | HTTP 401 Unauthorized (Bearer): no such ****** | Set the credentials in mcp.servers.test.headers, or correct them.
					404 Not Found    | 404 | HTTP 404 Not Found (Bearer): no such ******            | Check that mcp.servers.test.url is an MCP endpoint.
					200 OK           | 200 | The server responded to the WebSocket handshake with HTTP 200 | Check that mcp.servers.test.url is a WebSocket endpoint of MCP.
					302 Found        | 302 | The server redirects to http://localhost:1/ (HTTP 302), which is not followed | Set mcp.servers.test.url to it, if it is the MCP endpoint and you trust it. If it is a login page, configure the gateway in front of the server to allow the client.
					""")
	@Fault(FaultKind.HANDSHAKE)
	void aHandshakeThatIsRefused(String status, int code, String message, String nextStep, CapturedOutput output)
			throws IOException {
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.write("HTTP/1.1 " + status + "\r\nWWW-Authenticate: Bearer\r\nLocation: http://localhost:1/\r\n"
					+ "Content-Length: 13\r\n\r\nno such t0ken");
			connection.awaitClose();
		});
		TransportException failure = refused(server);
		assertThat(failure).isInstanceOf(HttpStatusException.class).hasMessage(message);
		assertThat(((HttpStatusException) failure).getStatus()).isEqualTo(code);
		assertThat(failure.getNextStep()).isEqualTo(nextStep);
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	@Fault(FaultKind.HANDSHAKE)
	void aRefusalWithALongPageStillHasItsStatus(CapturedOutput output) throws IOException {
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(1_000_000));
			connection.awaitClose();
		});
		assertThat(refused(server)).hasMessageStartingWith("HTTP 404 Not Found");
		assertThat(output).doesNotContain("\tat ");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					''                                        | The server violates the WebSocket protocol: it does not support the subprotocol mcp
					Sec-WebSocket-Protocol: graphql           | The server violates the WebSocket protocol: it does not support the subprotocol mcp
					""")
	@Fault(FaultKind.HANDSHAKE)
	void anotherSubprotocolIsRefused(String header, String message, CapturedOutput output) throws IOException {
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.upgrade(header.isEmpty() ? "" : header + "\r\n");
			connection.awaitClose();
		});
		assertThat(refused(server)).hasMessage(message);
		assertThat(output).doesNotContain("\tat ");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			Upgrade: websocket | wrong | its Sec-WebSocket-Accept is wrong
			X-Upgrade: no      | wrong | it does not upgrade the connection
			""")
	@Fault(FaultKind.HANDSHAKE)
	void anUpgradeThatIsNoneIsRefusedInALine(String header, String accept, String problem, CapturedOutput output)
			throws IOException {
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.write("HTTP/1.1 101 Switching Protocols\r\n" + header + "\r\nConnection: Upgrade\r\n"
					+ "Sec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Accept: " + accept + "\r\n\r\n");
			connection.awaitClose();
		});
		assertThat(refused(server)).hasMessage("The server violates the WebSocket protocol: " + problem);
		assertThat(output).doesNotContain("\tat ");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			''               | No WebSocket handshake within 300 ms
			close            | The server closed the connection without a response
			no HTTP\\r\\n\\r\\n  | The server's response is not valid HTTP
			""")
	@Fault(FaultKind.HANDSHAKE)
	void aHandshakeThatIsNotAnswered(String answer, String message, CapturedOutput output) throws IOException {
		Script script = (connection) -> {
			if (!answer.equals("close")) {
				connection.write(answer.translateEscapes());
				connection.awaitClose();
			}
		};
		assertThat(refused(RawWebSocketServer.start(script))).hasMessage(message);
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	@Fault(value = FaultKind.REFUSED, over = Transport.WEBSOCKET)
	void aConnectionThatIsRefused() {
		URI url = URI.create("ws://localhost:" + Peers.freePort() + "/mcp");
		assertThat(failureToConnect(url)).hasMessageContaining("Connection refused")
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.test.url"));
	}

	@Test
	void whatWasNotSentWhenTheConnectionFailsWasNotProcessed() throws IOException {
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> connection.awaitClose());
		this.transport = transport(server.url(), (builder) -> builder.connectTimeout(Duration.ofMillis(300)));
		CompletableFuture<Void> connected = this.transport.connect((message) -> message).toFuture();
		TransportException failure = (TransportException) catchThrowable(this::send);
		assertThat(failure.isPossiblyProcessed()).isFalse();
		assertThat(connected).failsWithin(LIMIT);
	}

	@Test
	void closingDoesNotWaitForAHandshake() throws IOException {
		CompletableFuture<Void> closed = new CompletableFuture<>();
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.awaitClose();
			closed.complete(null);
		});
		this.transport = transport(server.url(), UnaryOperator.identity());
		CompletableFuture<Void> connected = this.transport.connect((message) -> message).toFuture();
		Awaitility.await().until(server::hasConnection);
		this.transport.closeGracefully().block(Duration.ofSeconds(5));
		assertThat(connected).failsWithin(LIMIT);
		assertThat(closed).succeedsWithin(LIMIT);
	}

	@Test
	void messagesThatNobodyTakesHoldUpTheServerAndLoseNothing() throws Exception {
		CompletableFuture<Void> taken = new CompletableFuture<>();
		CompletableFuture<Void> allSent = new CompletableFuture<>();
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.upgrade();
			String text = "x".repeat(100_000);
			for (int i = 0; i < 500; i++) {
				connection
					.text("{\"jsonrpc\":\"2.0\",\"method\":\"m" + i + "\",\"params\":{\"text\":\"" + text + "\"}}");
			}
			allSent.complete(null);
			connection.awaitClose();
		});
		this.transport = transport(server.url(), (builder) -> builder.maxMessageSize(DataSize.ofMegabytes(1)));
		this.transport.connect((message) -> message.doOnNext((next) -> {
			taken.join();
			this.received.add(next);
		})).block(LIMIT);
		assertThat(catchThrowable(() -> allSent.get(2, TimeUnit.SECONDS))).isNotNull();
		taken.complete(null);
		for (int i = 0; i < 500; i++) {
			assertThat(receive()).asString().contains("m" + i);
		}
	}

	@Test
	void onlyLargeMessagesAreReadOnAThreadOfTheirServer() throws IOException {
		BlockingQueue<String> threads = new LinkedBlockingQueue<>();
		RawWebSocketServer server = RawWebSocketServer.start((connection) -> {
			connection.upgrade();
			for (int size : List.of(10, 100_000, 10)) {
				connection
					.text("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"text\":\"" + "x".repeat(size) + "\"}}");
			}
			connection.awaitClose();
		});
		this.transport = transport(server.url(), UnaryOperator.identity());
		this.transport
			.connect((message) -> message.doOnNext((next) -> threads.add(Thread.currentThread().getName()))
				.doOnNext(this.received::add))
			.block(LIMIT);
		for (int i = 0; i < 3; i++) {
			receive();
		}
		assertThat(threads).extracting((thread) -> thread.replaceAll("[0-9]+", ""))
			.containsExactly("mcp-parallel-", "mcp-reading-", "mcp-parallel-");
	}

	private void connect(RawWebSocketServer server) {
		connect(server, UnaryOperator.identity());
	}

	private void connect(RawWebSocketServer server, UnaryOperator<McpServerDefinitionBuilder> customizer) {
		connect(transport(server.url(), customizer));
	}

	private void connect(WebSocketTransport transport) {
		this.transport = transport;
		this.termination = this.transport.termination().toFuture();
		this.transport.connect((message) -> message.doOnNext(this.received::add)).block(LIMIT);
	}

	private static WebSocketTransport transport(URI url, UnaryOperator<McpServerDefinitionBuilder> customizer) {
		return transport(url, HeaderSources.NONE, customizer);
	}

	private static WebSocketTransport transport(URI url, HeaderSources headers,
			UnaryOperator<McpServerDefinitionBuilder> customizer) {
		WebSocketTransportFactory factory = new WebSocketTransportFactory(
				new McpHttpClients(McpHttpClientFactory.simple(), List.of()), headers, JsonMapper.builder().build(),
				SCHEDULER);
		McpServerDefinitionBuilder builder = McpServerDefinition.of("test", McpServerDefinition.WEBSOCKET).url(url);
		return (WebSocketTransport) factory.create(customizer.apply(builder).build());
	}

	private TransportException refused(RawWebSocketServer server) {
		return failureToConnect(server.url());
	}

	private TransportException failureToConnect(URI url) {
		this.transport = transport(url,
				(builder) -> builder.headers(Map.of("Authorization", "t0ken")).connectTimeout(Duration.ofMillis(300)));
		Throwable failure = catchThrowable(() -> this.transport.connect((message) -> message).block(LIMIT));
		assertThat(failure).isInstanceOf(TransportException.class);
		return (TransportException) failure;
	}

	private void send() {
		this.transport.sendMessage(new JSONRPCRequest("2.0", "tools/call", 1, Map.of("name", "x"))).block(LIMIT);
	}

	private String call() {
		send();
		return ((JsonNode) ((JSONRPCResponse) receive()).result()).path("text").asString();
	}

	private JSONRPCMessage receive() {
		try {
			JSONRPCMessage message = this.received.poll(30, TimeUnit.SECONDS);
			assertThat(message).isNotNull();
			return message;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Why the transport has ended.
	 */
	private TransportException reason() {
		Throwable failure = catchThrowable(() -> this.termination.get(30, TimeUnit.SECONDS));
		assertThat(failure).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(TransportException.class);
		return (TransportException) failure.getCause();
	}

}
