package io.github.mcpclient.transport.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.ProvidedHeaders;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.netty.buffer.Unpooled;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableProtocol}: its life, and answers in JSON.
 */
@Timeout(120)
class StreamableHttpTransportTests {

	private static final Duration TIMEOUT = HttpTransportClient.TIMEOUT;

	private final ScriptedHttpServer server = ScriptedHttpServer.start();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void deliversAnAnswerInJson() {
		this.server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request,
				request.json().path("params").toString()));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			JSONRPCResponse answer = client.call("1", "echo");
			assertThat(answer.result()).isInstanceOf(JsonNode.class).hasToString("{\"text\":\"h\u00e9llo\"}");
			assertThat(client.messages()).hasSize(2);
		}
	}

	@Test
	void deliversTheAnswerBeforeTheRequestCompletesOnAThreadThatMustNotBlock() {
		this.server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			AtomicReference<Boolean> nonBlocking = new AtomicReference<>();
			AtomicReference<Integer> delivered = new AtomicReference<>();
			client.send("1", "echo").doOnTerminate(() -> {
				nonBlocking.set(Schedulers.isInNonBlockingThread());
				delivered.set(client.messages().size());
			}).block(TIMEOUT);
			assertThat(nonBlocking).hasValue(true);
			assertThat(delivered).hasValue(2);
		}
	}

	@Test
	void sendsTheHeadersOfTheProtocol() {
		this.server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(),
				(definition) -> definition.headers(Map.of("X-Key", "abc")));
		client.initialize().call("1", "echo");
		Awaitility.await().until(() -> !this.server.requests("GET").isEmpty());
		client.close();
		assertThat(this.server.requests()).extracting(ScriptedHttpServer.Request::method)
			.containsOnly("POST", "GET", "DELETE");
		for (ScriptedHttpServer.Request request : this.server.requests()) {
			boolean initialize = request.rpcMethod().equals("initialize");
			assertThat(request.header("X-Key")).isEqualTo("abc");
			assertThat(request.header("MCP-Protocol-Version")).isEqualTo(initialize ? null : "2025-06-18");
			assertThat(request.header("Mcp-Session-Id")).isEqualTo(initialize ? null : ScriptedHttpServer.SESSION_ID);
			if (request.method().equals("POST")) {
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
		this.server.on("initialize", (request, response) -> ScriptedHttpServer.json(response, request,
				"{\"protocolVersion\": \"2025-11-25\"}"));
		HttpTransportClient.to(this.server.url()).initialize().close();
		assertThat(this.server.requests("DELETE")).isEmpty();
		assertThat(this.server.requests("notifications/initialized")).singleElement()
			.satisfies((request) -> assertThat(request.header("Mcp-Session-Id")).isNull());
	}

	@Test
	void aSessionIdThatComesWithAnErrorIsNotTaken() {
		this.server.on("initialize",
				(request, response) -> response.status(503).header("Mcp-Session-Id", "wrong").send());
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url())) {
			assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class);
			this.server.on("initialize", (request, response) -> ScriptedHttpServer
				.json(response.header("Mcp-Session-Id", "right"), request, "{\"protocolVersion\": \"2025-11-25\"}"));
			client.call("2", "initialize");
			client.notify("notifications/initialized").block(TIMEOUT);
			assertThat(this.server.requests("notifications/initialized").get(0).header("Mcp-Session-Id"))
				.isEqualTo("right");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "with space", "TOO LONG" })
	void aSessionIdThatCannotBeSentBackFailsTheAttempt(String id) {
		String sessionId = id.replace("TOO LONG", "x".repeat(4097));
		this.server.on("initialize", (request, response) -> ScriptedHttpServer
			.json(response.header("Mcp-Session-Id", sessionId), request, "{\"protocolVersion\": \"2025-06-18\"}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url())) {
			assertThat(client.failure("1", "initialize")).isInstanceOf(TransportException.class)
				.hasMessage(
						"The server gave the session an id of " + sessionId.length() + " characters, which cannot be"
								+ " used: at most 4096 are allowed, all of them visible ASCII");
			assertThat(client.messages()).isEmpty();
		}
	}

	@Test
	void aSessionIdMayHaveTheGreatestLength() {
		String sessionId = "x".repeat(4096);
		this.server.on("initialize", (request, response) -> ScriptedHttpServer
			.json(response.header("Mcp-Session-Id", sessionId), request, "{\"protocolVersion\": \"2025-06-18\"}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.messages()).hasSize(1);
			assertThat(this.server.requests("notifications/initialized").get(0).header("Mcp-Session-Id"))
				.isEqualTo(sessionId);
		}
	}

	@Test
	void aVersionThatIsNoHeaderValueIsIgnored() {
		this.server.on("initialize", (request, response) -> ScriptedHttpServer.json(response, request,
				"{\"protocolVersion\": \"a\\r\\nX: b\"}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.messages()).hasSize(1);
			ScriptedHttpServer.Request request = this.server.requests("notifications/initialized").get(0);
			assertThat(request.header("MCP-Protocol-Version")).isNull();
			assertThat(request.header("X")).isNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/mcp", "/base/path/mcp/", "/mcp?key=a%2Bb%252Fc&x=%20y", "/a%2Fb/%C3%BC?q", "?only=query",
			"/;matrix=1/mcp", "" })
	void theUrlArrivesUnchanged(String pathAndQuery) {
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(pathAndQuery)).initialize()) {
			assertThat(client.messages()).hasSize(1);
		}
		String expected = pathAndQuery.startsWith("/") ? pathAndQuery : "/" + pathAndQuery;
		assertThat(this.server.requests()).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.uri()).isEqualTo(expected));
	}

	@Test
	void numericIdsAreMatched() {
		this.server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			client.send(7, "echo").block(TIMEOUT);
			client.send(8L, "echo").block(TIMEOUT);
			client.send(1L << 40, "echo").block(TIMEOUT);
			assertThat(client.messages().stream().skip(1)).extracting((message) -> ((JSONRPCResponse) message).id())
				.containsExactly(7, 8, 1L << 40);
		}
	}

	@Test
	void aNumberThatComesBackAsAStringIsTheAnswer() {
		this.server.on("echo", (request, response) -> ScriptedHttpServer.sse(response, Flux
			.just(ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"id\": \"" + request.id() + "\", \"result\": {}}"))
			.concatWith(Mono.never())));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			// without waiting for the end of the stream
			client.send(7, "echo").block(TIMEOUT);
			assertThat(client.answer("7").error()).isNull();
		}
	}

	@Test
	void aBatchIsTakenApart() {
		this.server.on("echo",
				(request, response) -> ScriptedHttpServer.raw(response, "application/json",
						"[{\"jsonrpc\": \"2.0\", \"method\": \"note\"}, {\"odd\": 1}, "
								+ ScriptedHttpServer.result(request, "{}")
								+ ", {\"jsonrpc\": \"2.0\", \"method\": \"after\"}]"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			client.send("1", "echo").block(TIMEOUT);
			assertThat(client.messages()).hasSize(4);
			assertThat(client.answer("1").error()).isNull();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@Fault(value = FaultKind.STRANGE_IDS, over = Transport.STREAMABLE_HTTP)
	void theAnswerToAnotherRequestIsIgnored(boolean stream) {
		String stray = "{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {\"not\": \"yours\"}}";
		this.server.on("slow", (request, response) -> Mono.never());
		this.server.on("echo", (request, response) -> {
			String own = ScriptedHttpServer.result(request, "{}");
			return stream
					? ScriptedHttpServer.sse(response, ScriptedHttpServer.event(stray), ScriptedHttpServer.event(own))
					: ScriptedHttpServer.raw(response, "application/json", "[" + stray + ", " + own + "]");
		});
		this.server.on("wrong",
				(request, response) -> stream ? ScriptedHttpServer.sse(response, ScriptedHttpServer.event(stray))
						: ScriptedHttpServer.raw(response, "application/json", stray));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Disposable slow = client.send("1", "slow").subscribe();
			client.call("2", "echo");
			assertThat(client.failure("3", "wrong")).isInstanceOf(TransportException.class);
			assertThat(client.messages()).extracting((message) -> ((JSONRPCResponse) message).id())
				.containsExactly("init", "2");
			slow.dispose();
		}
	}

	@Test
	void anErrorOfJsonRpcIsAnAnswer() {
		this.server.on("echo",
				(request, response) -> ScriptedHttpServer.raw(response, "application/json; charset=utf-8",
						"{\"jsonrpc\": \"2.0\", \"id\": " + request.id()
								+ ", \"error\": {\"code\": -32601, \"message\": \"no\"}}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.call("1", "echo").error().code()).isEqualTo(-32601);
		}
	}

	@Test
	void anAnswerWithoutContentTypeIsTakenForJson() {
		this.server.on("echo",
				(request, response) -> response.sendString(Mono.just(ScriptedHttpServer.result(request, "{}"))));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.call("1", "echo").error()).isNull();
		}
	}

	@Test
	void aNotificationIsDoneOnceAccepted() {
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			for (int status : List.of(200, 202, 204)) {
				this.server.on("note", (request, response) -> response.status(status).send());
				client.notify("note").block(TIMEOUT);
			}
			// what some servers say
			this.server.on("note", (request, response) -> ScriptedHttpServer.raw(response, "text/plain", "Accepted"));
			client.notify("note").block(TIMEOUT);
			assertThat(client.messages()).hasSize(1);
			assertThat(this.server.accepted()).isLessThanOrEqualTo(3);
		}
	}

	@Test
	void aNotificationThatIsAnsweredWithAnEndlessStreamIsDone() {
		this.server.on("note", (request, response) -> ScriptedHttpServer.sse(response,
				Flux.interval(Duration.ofMillis(20)).map((tick) -> ":\n\n")));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			client.notify("note").block(TIMEOUT);
			Awaitility.await().until(() -> this.server.aborted() == 1);
		}
	}

	@Test
	void aNotificationThatIsNeverAnsweredFails() {
		this.server.on("note", (request, response) -> Mono.never());
		try (HttpTransportClient client = HttpTransportClient
			.to(this.server.url(),
					(definition) -> definition
						.timeouts(new McpServerDefinition.Timeouts(Duration.ofSeconds(1), TIMEOUT, TIMEOUT, null)))
			.initialize()) {
			assertThat(HttpTransportClient.failure(client.notify("note"))).isInstanceOf(TransportException.class)
				.hasMessage("The server did not answer in time");
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void anAnswerToTheServerIsPosted() {
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			client.transport().sendMessage(JSONRPCResponse.result(3, Map.of())).block(TIMEOUT);
			assertThat(this.server.requests("POST")).filteredOn((request) -> request.id().equals("3"))
				.singleElement()
				.satisfies((request) -> assertThat(request.body()).contains("\"result\":{}"));
		}
	}

	@Test
	void manyCallersGetTheirOwnAnswers() {
		this.server.on("echo",
				(request, response) -> ScriptedHttpServer.json(response, request, "{\"id\": " + request.id() + "}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Flux.range(0, 64)
				.flatMap((caller) -> Flux.range(0, 10)
					.concatMap((call) -> client.send(caller + "-" + call, "echo"))
					.subscribeOn(Schedulers.boundedElastic()), 64)
				.blockLast(TIMEOUT);
			assertThat(client.messages()).hasSize(1 + 64 * 10);
			IntStream.range(0, 64).forEach((caller) -> {
				String id = caller + "-9";
				assertThat(((JsonNode) client.answer(id).result()).path("id").asString()).isEqualTo(id);
			});
			assertThat(this.server.accepted()).isLessThan(100);
		}
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void aCallThatIsCancelledIsDropped() {
		this.server.on("hang", (request, response) -> Mono.never());
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Disposable call = client.send("1", "hang").subscribe();
			Awaitility.await().until(() -> !this.server.requests("hang").isEmpty());
			awaitListener();
			int before = this.server.connections();
			call.dispose();
			Awaitility.await().until(() -> this.server.connections() == before - 1);
			assertThat(client.termination()).isNotDone();
			client.notify("note").block(TIMEOUT);
		}
	}

	@Test
	void aCallThatIsCancelledWithinItsAnswerIsDropped() {
		this.server
			.on("drip",
					(request, response) -> response.header("Content-Type", "application/json")
						.sendObject(
								Flux.interval(Duration.ofMillis(20))
									.map((tick) -> Unpooled.copiedBuffer(" ", StandardCharsets.UTF_8)),
								(piece) -> true));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Disposable call = client.send("1", "drip").subscribe();
			Awaitility.await().until(() -> !this.server.requests("drip").isEmpty());
			awaitListener();
			int before = this.server.connections();
			call.dispose();
			Awaitility.await().until(() -> this.server.connections() == before - 1);
		}
	}

	/**
	 * Wait until the client has tried to listen, for which it may open a connection.
	 */
	private void awaitListener() {
		Awaitility.await().until(() -> !this.server.requests("GET").isEmpty());
	}

	@Test
	void whoCancelsWhenTheAnswerArrivesKeepsTheConnection() {
		this.server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		this.server.on("stream", (request, response) -> ScriptedHttpServer.sse(response,
				ScriptedHttpServer.event(ScriptedHttpServer.result(request, "{}"))));
		McpServerDefinition definition = McpServerDefinition.http("test", this.server.url()).build();
		HttpTransport transport = (HttpTransport) HttpTransportFactory
			.streamable(new McpHttpClients(null, null, null, Map.of(), List.of()), ProvidedHeaders.NONE,
					JsonMapper.builder().build(), Schedulers.parallel())
			.create(definition);
		AtomicReference<BaseSubscriber<Void>> call = new AtomicReference<>();
		AtomicReference<JSONRPCMessage> answer = new AtomicReference<>();
		transport.connect((message) -> message.doOnNext((delivered) -> {
			call.get().dispose();
			answer.set(delivered);
		})).block(TIMEOUT);
		for (int i = 0; i < 20; i++) {
			answer.set(null);
			call.set(new BaseSubscriber<Void>() {
			});
			transport.sendMessage(new JSONRPCRequest("2.0", (i % 2 == 0) ? "echo" : "stream", "1", null))
				.subscribe(call.get());
			Awaitility.await().until(() -> answer.get() != null);
		}
		// the next call may come before the connection is back in the pool
		assertThat(this.server.accepted()).isLessThanOrEqualTo(10);
		transport.closeGracefully().block(TIMEOUT);
	}

	@Test
	@Fault(value = FaultKind.OVERSIZE, over = Transport.STREAMABLE_HTTP)
	void anAnswerOverTheLimitEndsTheCallOnly() {
		this.server.on("large", (request, response) -> response.header("Content-Type", "application/json")
			.sendString(Flux.range(0, 100_000).map((i) -> "x".repeat(1024))));
		this.server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		try (HttpTransportClient client = limited(DataSize.ofMegabytes(1)).initialize()) {
			assertThat(client.failure("1", "large")).isInstanceOf(TransportException.class)
				.hasMessageContaining("larger than")
				.satisfies((ex) -> assertThat(((TransportException) ex).getNextStep())
					.contains("mcp.servers.test.max-message-size"));
			assertThat(client.call("2", "echo").error()).isNull();
			Awaitility.await().until(() -> this.server.aborted() == 1);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void theLimitCountsWhatIsDecompressed() {
		try (ScriptedHttpServer server = ScriptedHttpServer.start((http) -> http.compress(true));
				HttpTransportClient client = HttpTransportClient
					.to(server.url(), (definition) -> definition.limits(limits(DataSize.ofMegabytes(1))))
					.initialize()) {
			server.on("bomb", (request, response) -> ScriptedHttpServer.json(response, request,
					"{\"a\": \"" + "x".repeat(20_000_000) + "\"}"));
			server.on("fits", (request, response) -> ScriptedHttpServer.json(response, request,
					"{\"a\": \"" + "x".repeat(1_000_000) + "\"}"));
			assertThat(client.failure("1", "bomb")).hasMessageContaining("larger than");
			assertThat(((JsonNode) client.call("2", "fits").result()).path("a").asString()).hasSize(1_000_000);
			assertThat(server.requests("fits").get(0).header("Accept-Encoding")).contains("gzip");
		}
	}

	private HttpTransportClient limited(DataSize size) {
		return HttpTransportClient.to(this.server.url(), (definition) -> definition.limits(limits(size)));
	}

	private static McpServerDefinition.Limits limits(DataSize size) {
		return new McpServerDefinition.Limits(size, size, 10, null);
	}

	@Test
	void connectDoesNotTouchTheNetworkAndIsForOnce() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url());
		assertThat(this.server.accepted()).isZero();
		StepVerifier.create(client.transport().connect((message) -> message))
			.expectError(IllegalStateException.class)
			.verify(TIMEOUT);
		client.close();
		StepVerifier.create(client.transport().connect((message) -> message))
			.expectError(TransportException.class)
			.verify(TIMEOUT);
		assertThat(this.server.accepted()).isZero();
	}

	@Test
	void nothingIsSentBeforeConnect() {
		HttpTransport transport = (HttpTransport) HttpTransportFactory
			.streamable(new McpHttpClients(null, null, null, Map.of(), List.of()), ProvidedHeaders.NONE,
					JsonMapper.builder().build(), Schedulers.parallel())
			.create(McpServerDefinition.http("test", this.server.url()).build());
		StepVerifier.create(transport.sendMessage(new JSONRPCNotification("2.0", "note", null)))
			.expectError(IllegalStateException.class)
			.verify(TIMEOUT);
		transport.closeGracefully().block(TIMEOUT);
	}

	@Test
	void closeFailsWhatIsUnderWayAndEndsTheSession() {
		this.server.on("hang", (request, response) -> Mono.never());
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response, Flux.never()));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		client.send("1", "hang").subscribe(null, failure::set);
		Awaitility.await()
			.until(() -> !this.server.requests("hang").isEmpty() && !this.server.requests("GET").isEmpty());
		client.close();
		assertThat(failure.get()).isInstanceOf(TransportException.class).hasMessage("The connection was closed");
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
		this.server.on("DELETE", (request, response) -> Mono.never());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		StepVerifier.create(client.transport().closeGracefully()).expectComplete().verify(TIMEOUT);
		assertThat(client.termination()).isCompleted();
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@ParameterizedTest
	@ValueSource(ints = { 404, 405, 500 })
	void whateverTheServerAnswersToDeleteIsFine(int status) {
		this.server.on("DELETE", (request, response) -> response.status(status).send());
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
		assertThat(client.termination()).succeedsWithin(TIMEOUT);
	}

	@Test
	void closeGoesOnWhenItsSubscriberGoesAway() {
		this.server.on("DELETE", (request, response) -> Mono.delay(Duration.ofMillis(200)).then(response.send()));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.transport().closeGracefully().subscribe().dispose();
		assertThat(client.termination()).succeedsWithin(TIMEOUT);
		Awaitility.await().untilAsserted(() -> assertThat(this.server.requests("DELETE")).hasSize(1));
	}

	@Test
	void worksUnderTheSdksOwnClient() {
		this.server.on("tools/list", (request, response) -> ScriptedHttpServer.json(response, request, """
				{"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}"""));
		this.server.on("tools/call", (request, response) -> ScriptedHttpServer.sse(response, ": hi\n\n",
				ScriptedHttpServer.event(ScriptedHttpServer.result(request, """
						{"content": [{"type": "text", "text": "h\u00e9llo"}], "isError": false}"""))));
		URI url = this.server.url();
		HttpTransport transport = (HttpTransport) HttpTransportFactory
			.streamable(new McpHttpClients(null, null, null, Map.of(), List.of()), ProvidedHeaders.NONE,
					JsonMapper.builder().build(), Schedulers.parallel())
			.create(McpServerDefinition.http("test", url).build());
		McpAsyncClient client = McpClient.async(transport).requestTimeout(TIMEOUT).build();
		assertThat(client.initialize().block(TIMEOUT).serverInfo().name()).isEqualTo("scripted");
		assertThat(client.listTools().block(TIMEOUT).tools()).extracting(McpSchema.Tool::name).containsExactly("echo");
		McpSchema.CallToolResult result = client
			.callTool(McpSchema.CallToolRequest.builder("echo").arguments(Map.of()).build())
			.block(TIMEOUT);
		assertThat(result.content()).singleElement()
			.isInstanceOfSatisfying(McpSchema.TextContent.class,
					(text) -> assertThat(text.text()).isEqualTo("h\u00e9llo"));
		client.closeGracefully().block(TIMEOUT);
		assertThat(this.server.requests("DELETE")).hasSize(1);
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void saysWhatItIsWithoutSecrets() {
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url("/mcp?token=abc"))) {
			assertThat(client.transport()).asString().contains("/mcp").doesNotContain("abc");
			assertThat(client.transport().protocolVersions()).containsExactly("2024-11-05", "2025-03-26", "2025-06-18",
					"2025-11-25");
			assertThat(client.transport().stderr()).isEmpty();
		}
	}

}
