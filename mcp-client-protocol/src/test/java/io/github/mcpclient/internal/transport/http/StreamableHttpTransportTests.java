package io.github.mcpclient.internal.transport.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;

import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableProtocol}: its life, and answers in JSON.
 */
class StreamableHttpTransportTests {

	private final McpTestServer server = McpTestServer.create()
		.on("GET", McpTestReply.status(405))
		.on("echo", (request) -> McpTestReply.result(request.params()))
		.start();

	@Test
	void deliversAnAnswerInJson() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		JSONRPCResponse answer = client.call("1", "echo");
		assertThat(answer.result()).isInstanceOf(JsonNode.class).hasToString("{\"text\":\"h\u00e9llo\"}");
		assertThat(client.messages()).hasSize(2);
	}

	@Test
	@DisplayName("Delivers the answer before the request completes, on a thread that must not block")
	void deliversTheAnswerFirstOnAThreadThatMustNotBlock() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		AtomicReference<Boolean> nonBlocking = new AtomicReference<>();
		AtomicReference<Integer> delivered = new AtomicReference<>();
		client.send("1", "echo").doOnTerminate(() -> {
			nonBlocking.set(Schedulers.isInNonBlockingThread());
			delivered.set(client.messages().size());
		}).block(LIMIT);
		assertThat(nonBlocking).hasValue(true);
		assertThat(delivered).hasValue(2);
	}

	@Test
	void sendsTheHeadersOfTheProtocol() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url(),
				(definition) -> definition.headers(Map.of("X-Key", "abc")));
		client.initialize().call("1", "echo");
		this.server.awaitRequest("GET");
		client.close();
		assertThat(this.server.requests()).extracting(McpTestRequest::httpMethod).containsOnly("POST", "GET", "DELETE");
		for (McpTestRequest request : this.server.requests()) {
			boolean initialize = request.method().equals("initialize");
			assertThat(request.header("X-Key")).isEqualTo("abc");
			assertThat(request.header("MCP-Protocol-Version")).isEqualTo(initialize ? null : "2025-11-25");
			assertThat(request.sessionId() == null).isEqualTo(initialize);
			if (request.httpMethod().equals("POST")) {
				assertThat(request.header("Accept")).isEqualTo("application/json, text/event-stream");
				assertThat(request.header("Content-Type")).isEqualTo("application/json");
				assertThat(request.header("Content-Length"))
					.isEqualTo(String.valueOf(request.body().getBytes(StandardCharsets.UTF_8).length));
				assertThat(request.header("Transfer-Encoding")).isNull();
			}
			if (request.method().equals("GET")) {
				assertThat(request.header("Accept")).isEqualTo("text/event-stream");
				assertThat(request.header("Last-Event-ID")).isNull();
			}
		}
	}

	@Test
	void aServerWithoutSessionsGetsNoSessionIdAndNoDelete() {
		this.server.withoutSessions();
		HttpTransportClient.to(this.server.url()).initialize().close();
		assertThat(this.server.requests("DELETE")).isEmpty();
		assertThat(this.server.requests("notifications/initialized")).singleElement()
			.satisfies((request) -> assertThat(request.header("Mcp-Session-Id")).isNull());
	}

	@Test
	void aSessionIdThatComesWithAnErrorIsNotTaken() {
		this.server.onNext("initialize", McpTestReply.status(503).withHeader("Mcp-Session-Id", "wrong"),
				McpTestReply.standard().withHeader("Mcp-Session-Id", "right"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url());
		assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class);
		client.call("2", "initialize");
		client.notify("notifications/initialized").block(LIMIT);
		assertThat(this.server.requests("notifications/initialized").get(0).header("Mcp-Session-Id"))
			.isEqualTo("right");
	}

	@ParameterizedTest
	@ValueSource(strings = { "with space", "TOO LONG" })
	void aSessionIdThatCannotBeSentBackFailsTheAttempt(String id) {
		String sessionId = id.replace("TOO LONG", "x".repeat(4097));
		this.server.on("initialize", McpTestReply.standard().withHeader("Mcp-Session-Id", sessionId));
		HttpTransportClient client = HttpTransportClient.to(this.server.url());
		assertThat(client.failure("1", "initialize")).isInstanceOf(TransportException.class)
			.hasMessage("The server's session ID of " + sessionId.length() + " characters cannot be used: at most"
					+ " 4096 are allowed, all of them visible ASCII");
		assertThat(client.messages()).isEmpty();
	}

	@Test
	void aSessionIdMayHaveTheGreatestLength() {
		String sessionId = "x".repeat(4096);
		this.server.on("initialize", McpTestReply.standard().withHeader("Mcp-Session-Id", sessionId));
		assertThat(HttpTransportClient.to(this.server.url()).initialize().messages()).hasSize(1);
		assertThat(this.server.requests("notifications/initialized").get(0).header("Mcp-Session-Id"))
			.isEqualTo(sessionId);
	}

	@Test
	void aVersionThatIsNoHeaderValueIsIgnored() {
		this.server.protocolVersions("a\r\nX: b");
		assertThat(HttpTransportClient.to(this.server.url()).initialize().messages()).hasSize(1);
		McpTestRequest request = this.server.requests("notifications/initialized").get(0);
		assertThat(request.header("MCP-Protocol-Version")).isNull();
		assertThat(request.header("X")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/mcp", "/base/path/mcp/", "/mcp?key=a%2Bb%252Fc&x=%20y", "/a%2Fb/%C3%BC?q", "?only=query",
			"/;matrix=1/mcp", "" })
	void theUrlArrivesUnchanged(String pathAndQuery) {
		this.server.on("POST",
				(request) -> McpTestReply.raw("{\"jsonrpc\": \"2.0\", \"id\": \"init\", \"result\": {}}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url().replace("/mcp", pathAndQuery))
			.initialize()) {
			assertThat(client.messages()).hasSize(1);
		}
		String expected = pathAndQuery.startsWith("/") ? pathAndQuery : "/" + pathAndQuery;
		assertThat(this.server.requests()).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.uri()).isEqualTo(expected));
	}

	@Test
	void numericIdsAreMatched() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.send(7, "echo").block(LIMIT);
		client.send(8L, "echo").block(LIMIT);
		client.send(1L << 40, "echo").block(LIMIT);
		assertThat(client.messages().stream().skip(1)).extracting((message) -> ((JSONRPCResponse) message).id())
			.containsExactly(7, 8, 1L << 40);
	}

	@Test
	void aNumberThatComesBackAsAStringIsTheAnswer() {
		this.server
			.on("echo",
					(request) -> McpTestReply.events(Flux
						.just("data: {\"jsonrpc\": \"2.0\", \"id\": \"" + request.id() + "\", \"result\": {}}\n\n")
						.concatWith(Mono.never())));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		// without waiting for the end of the stream
		client.send(7, "echo").block(LIMIT);
		assertThat(client.answer("7").error()).isNull();
	}

	@Test
	void aBatchIsTakenApart() {
		this.server.on("echo",
				(request) -> McpTestReply
					.raw("[{\"jsonrpc\": \"2.0\", \"method\": \"note\"}, {\"odd\": 1}, {\"jsonrpc\": \"2.0\", \"id\": "
							+ request.id() + ", \"result\": {}}, {\"jsonrpc\": \"2.0\", \"method\": \"after\"}]"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.send("1", "echo").block(LIMIT);
		assertThat(client.messages()).hasSize(4);
		assertThat(client.answer("1").error()).isNull();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@Fault(value = FaultKind.STRANGE_IDS, over = Transport.STREAMABLE_HTTP)
	void theAnswerToAnotherRequestIsIgnored(boolean stream) {
		String stray = "{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {\"not\": \"yours\"}}";
		this.server.on("slow", McpTestReply.never());
		this.server.on("echo", stream ? McpTestReply.result("{}").precededBy(stray)
				: McpTestReply.raw("[" + stray + ", {\"jsonrpc\": \"2.0\", \"id\": \"2\", \"result\": {}}]"));
		this.server.on("wrong", stream ? McpTestReply.raw(stray).asEvents() : McpTestReply.raw(stray));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		Disposable slow = client.send("1", "slow").subscribe();
		client.call("2", "echo");
		assertThat(client.failure("3", "wrong")).isInstanceOf(TransportException.class);
		assertThat(client.messages()).extracting((message) -> ((JSONRPCResponse) message).id())
			.containsExactly("init", "2");
		slow.dispose();
	}

	@Test
	void anErrorOfJsonRpcIsAnAnswer() {
		this.server.on("echo",
				McpTestReply.error(-32601, "no").withHeader("Content-Type", "application/json; charset=utf-8"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(client.call("1", "echo").error().code()).isEqualTo(-32601);
	}

	@Test
	void anAnswerWithoutContentTypeIsTakenForJson() throws Exception {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.answer("200 OK", "", "{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {}}");
		});
		assertThat(HttpTransportClient.to(raw.url()).call("1", "echo").error()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 100 Continue", "HTTP/1.1 102 Processing",
			"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style" })
	void whatComesBeforeTheResponseIsIgnored(String interim) {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			while (true) {
				String id = connection.read().replaceFirst("(?s).*\"id\":\"(\\d)\".*", "$1");
				connection.write(interim + "\r\n\r\n");
				connection.write(interim + "\r\n\r\n");
				connection.answer("200 OK", "Content-Type: application/json\r\n",
						"{\"jsonrpc\": \"2.0\", \"id\": \"" + id + "\", \"result\": {}}");
			}
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url());
		for (String id : List.of("1", "2", "3")) {
			assertThat(client.call(id, "echo").error()).isNull();
		}
	}

	@Test
	void aNotificationIsDoneOnceAccepted() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		for (int status : List.of(200, 202, 204)) {
			this.server.on("note", McpTestReply.status(status));
			client.notify("note").block(LIMIT);
		}
		// what some servers say
		this.server.on("note", McpTestReply.status(200).body("text/plain", "Accepted"));
		client.notify("note").block(LIMIT);
		assertThat(client.messages()).hasSize(1);
		assertThat(this.server.acceptedConnections()).isLessThanOrEqualTo(3);
	}

	@Test
	void aNotificationThatIsAnsweredWithAnEndlessStreamIsDone() {
		this.server.on("note", McpTestReply.events(Flux.interval(Duration.ofMillis(20)).map((tick) -> ":\n\n")));
		HttpTransportClient.to(this.server.url()).initialize().notify("note").block(LIMIT);
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
	}

	@Test
	void aNotificationThatIsNeverAnsweredFails() {
		this.server.on("note", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(),
					(definition) -> definition.requestTimeout(Duration.ofSeconds(1))
						.initializationTimeout(LIMIT)
						.connectTimeout(LIMIT))
			.initialize();
		assertThat(HttpTransportClient.failure(client.notify("note"))).isInstanceOf(TransportException.class)
			.hasMessage("The server did not respond in time");
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void anAnswerToTheServerIsPosted() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.transport().sendMessage(JSONRPCResponse.result(3, Map.of())).block(LIMIT);
		assertThat(this.server.requests("POST")).filteredOn((request) -> "3".equals(request.id()))
			.singleElement()
			.satisfies((request) -> assertThat(request.body()).contains("\"result\":{}"));
	}

	@Test
	void manyCallersGetTheirOwnAnswers() {
		this.server.on("echo", (request) -> McpTestReply.result("{\"id\": " + request.id() + "}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Flux.range(0, 64)
				.flatMap((caller) -> Flux.range(0, 10)
					.concatMap((call) -> client.send(caller + "-" + call, "echo"))
					.subscribeOn(Schedulers.boundedElastic()), 64)
				.blockLast(LIMIT);
			assertThat(client.messages()).hasSize(1 + 64 * 10);
			IntStream.range(0, 64).forEach((caller) -> {
				String id = caller + "-9";
				assertThat(((JsonNode) client.answer(id).result()).path("id").asString()).isEqualTo(id);
			});
			assertThat(this.server.acceptedConnections()).isLessThan(100);
		}
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void aCallThatIsCancelledIsDropped() {
		this.server.on("hang", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		Disposable call = client.send("1", "hang").subscribe();
		this.server.awaitRequest("hang");
		// for which it may open a connection
		this.server.awaitRequest("GET");
		int before = this.server.connections();
		call.dispose();
		Awaitility.await().until(() -> this.server.connections() == before - 1);
		assertThat(client.termination()).isNotDone();
		client.notify("note").block(LIMIT);
	}

	@Test
	void aCallThatIsCancelledWithinItsAnswerIsDropped() {
		this.server.on("drip", McpTestReply.status(200)
			.body("application/json", Flux.interval(Duration.ofMillis(20)).map((tick) -> " ")));
		Disposable call = HttpTransportClient.to(this.server.url()).initialize().send("1", "drip").subscribe();
		this.server.awaitRequest("drip");
		this.server.awaitRequest("GET");
		int before = this.server.connections();
		call.dispose();
		Awaitility.await().until(() -> this.server.connections() == before - 1);
	}

	@Test
	void whoCancelsWhenTheAnswerArrivesKeepsTheConnection() {
		this.server.on("stream", McpTestReply.result("{}").asEvents());
		HttpTransport transport = HttpTransportClient.unconnected(this.server.withoutSessions().url()).transport();
		AtomicReference<BaseSubscriber<Void>> call = new AtomicReference<>();
		AtomicReference<JSONRPCMessage> answer = new AtomicReference<>();
		transport.connect((message) -> message.doOnNext((delivered) -> {
			call.get().dispose();
			answer.set(delivered);
		})).block(LIMIT);
		for (int i = 0; i < 20; i++) {
			answer.set(null);
			call.set(new BaseSubscriber<Void>() {
			});
			transport.sendMessage(new JSONRPCRequest("2.0", (i % 2 == 0) ? "echo" : "stream", "1", null))
				.subscribe(call.get());
			Awaitility.await().until(() -> answer.get() != null);
		}
		// the next call may come before the connection is back in the pool
		assertThat(this.server.acceptedConnections()).isLessThanOrEqualTo(10);
		transport.closeGracefully().block(LIMIT);
	}

	@Test
	@Fault(value = FaultKind.OVERSIZE, over = Transport.STREAMABLE_HTTP)
	void anAnswerOverTheLimitEndsTheCallOnly() {
		this.server.on("large", McpTestReply.flood(100_000_000));
		HttpTransportClient client = limited(DataSize.ofMegabytes(1)).initialize();
		assertThat(client.failure("1", "large")).isInstanceOf(TransportException.class)
			.hasMessageContaining("larger than")
			.satisfies((ex) -> assertThat(((TransportException) ex).getNextStep())
				.contains("mcp.servers.test.max-message-size"));
		assertThat(client.call("2", "echo").error()).isNull();
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void theLimitCountsWhatIsDecompressed() {
		McpTestServer server = closing(McpTestServer.create((http) -> http.compress(true)).start());
		HttpTransportClient client = HttpTransportClient
			.to(server.url(),
					(definition) -> definition.maxMessageSize(DataSize.ofMegabytes(1))
						.maxResultSize(DataSize.ofMegabytes(1)))
			.initialize();
		server.on("bomb", McpTestReply.result("{\"a\": \"" + "x".repeat(20_000_000) + "\"}"));
		server.on("fits", McpTestReply.result("{\"a\": \"" + "x".repeat(1_000_000) + "\"}"));
		assertThat(client.failure("1", "bomb")).hasMessageContaining("larger than");
		assertThat(((JsonNode) client.call("2", "fits").result()).path("a").asString()).hasSize(1_000_000);
		assertThat(server.requests("fits").get(0).header("Accept-Encoding")).contains("gzip");
	}

	private HttpTransportClient limited(DataSize size) {
		return HttpTransportClient.to(this.server.url(),
				(definition) -> definition.maxMessageSize(size).maxResultSize(size));
	}

	@Test
	void connectDoesNotTouchTheNetworkAndIsForOnce() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url());
		assertThat(this.server.acceptedConnections()).isZero();
		StepVerifier.create(client.transport().connect((message) -> message))
			.expectError(IllegalStateException.class)
			.verify(LIMIT);
		client.close();
		StepVerifier.create(client.transport().connect((message) -> message))
			.expectError(TransportException.class)
			.verify(LIMIT);
		assertThat(this.server.acceptedConnections()).isZero();
	}

	@Test
	void nothingIsSentBeforeConnect() {
		HttpTransport transport = HttpTransportClient.unconnected(this.server.url()).transport();
		StepVerifier.create(transport.sendMessage(new JSONRPCNotification("2.0", "note", null)))
			.expectError(IllegalStateException.class)
			.verify(LIMIT);
		transport.closeGracefully().block(LIMIT);
	}

	@Test
	void aMessageLeavesNothingBehindHoweverItEnds() {
		this.server.on("bad", McpTestReply.status(500)).on("slow", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.call("1", "echo");
		awaitNothingPending(client);
		assertThat(client.failure("2", "bad")).isInstanceOf(TransportException.class);
		awaitNothingPending(client);
		client.notify("notifications/roots/list_changed").block(LIMIT);
		awaitNothingPending(client);
		Disposable call = client.send("3", "slow").subscribe();
		assertThat(client.transport().pending()).isOne();
		call.dispose();
		awaitNothingPending(client);
	}

	private static void awaitNothingPending(HttpTransportClient client) {
		Awaitility.await().until(() -> client.transport().pending() == 0);
	}

	@Test
	void closeFailsWhatIsUnderWayAndEndsTheSession() {
		this.server.on("hang", McpTestReply.never());
		this.server.on("GET", McpTestReply.events(Flux.never()));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		client.send("1", "hang").subscribe(null, failure::set);
		this.server.awaitRequest("hang");
		this.server.awaitRequest("GET");
		client.close();
		assertThat(failure.get()).isInstanceOf(TransportException.class)
			.hasMessage("The connection was closed")
			.extracting("nextStep")
			.isEqualTo(
					"The application is stopping, the server was removed, replaced, disabled or reconnected, or the connection of its user has ended.");
		assertThat(client.termination()).isCompleted();
		assertThat(this.server.requests("DELETE")).hasSize(1);
		Awaitility.await().until(() -> this.server.connections() == 0);
		assertThat(client.failure("2", "echo")).isInstanceOf(TransportException.class)
			.satisfies((ex) -> assertThat(((TransportException) ex).isPossiblyProcessed()).isFalse());
		client.close();
		assertThat(this.server.requests("DELETE")).hasSize(1);
	}

	@Test
	void closeIsBoundedWhenTheServerDoesNotAnswerDelete() {
		this.server.on("DELETE", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		StepVerifier.create(client.transport().closeGracefully()).expectComplete().verify(LIMIT);
		assertThat(client.termination()).isCompleted();
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@ParameterizedTest
	@ValueSource(ints = { 404, 405, 500 })
	void whateverTheServerAnswersToDeleteIsFine(int status) {
		this.server.on("DELETE", McpTestReply.status(status));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.close();
		assertThat(client.termination()).isCompleted();
	}

	@Test
	void closeDoesNotEndTheSessionWhereThatIsNotWanted() {
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), (definition) -> definition.terminateOnClose(false))
			.initialize();
		client.close();
		assertThat(client.termination()).isCompleted();
		assertThat(this.server.requests("DELETE")).isEmpty();
	}

	@Test
	void closeWithoutSubscriberOfItsOwn() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.transport().close();
		assertThat(client.termination()).succeedsWithin(LIMIT);
	}

	@Test
	void closeGoesOnWhenItsSubscriberGoesAway() {
		this.server.on("DELETE", McpTestReply.standard().after(Duration.ofMillis(200)));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.transport().closeGracefully().subscribe().dispose();
		assertThat(client.termination()).succeedsWithin(LIMIT);
		assertThat(this.server.awaitRequests("DELETE", 1)).hasSize(1);
	}

	@Test
	void worksUnderTheSdksOwnClient() {
		this.server.tool("echo", McpTestReply.text("h\u00e9llo").asEvents());
		HttpTransport transport = HttpTransportClient.unconnected(this.server.url()).transport();
		McpAsyncClient client = McpClient.async(transport).requestTimeout(LIMIT).build();
		assertThat(client.initialize().block(LIMIT).serverInfo().name()).isEqualTo("test-server");
		assertThat(client.listTools().block(LIMIT).tools()).extracting(McpSchema.Tool::name).containsExactly("echo");
		McpSchema.CallToolResult result = client
			.callTool(McpSchema.CallToolRequest.builder("echo").arguments(Map.of()).build())
			.block(LIMIT);
		assertThat(result.content()).singleElement()
			.isInstanceOfSatisfying(McpSchema.TextContent.class,
					(text) -> assertThat(text.text()).isEqualTo("h\u00e9llo"));
		client.closeGracefully().block(LIMIT);
		assertThat(this.server.requests("DELETE")).hasSize(1);
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void saysWhatItIsWithoutSecrets() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url() + "?token=abc");
		assertThat(client.transport()).asString().contains("/mcp").doesNotContain("abc");
		assertThat(client.transport().protocolVersions()).containsExactly("2024-11-05", "2025-03-26", "2025-06-18",
				"2025-11-25", "2026-07-28");
		assertThat(client.transport().stderr()).isEmpty();
	}

}
