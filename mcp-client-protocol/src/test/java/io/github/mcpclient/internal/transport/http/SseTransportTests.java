package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.github.mcpclient.internal.support.VirtualScheduler;
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
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SseProtocol}.
 */
class SseTransportTests {

	private static final String NOTE = "data: {\"jsonrpc\": \"2.0\", \"method\": \"note\"}\n\n";

	private final McpTestServer server = McpTestServer.create()
		.on("echo", (request) -> McpTestReply.result(request.params()))
		.on("wait", McpTestReply.never())
		.start();

	private final Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();

	/**
	 * Write the stream by hand, with answers wherever requests arrive.
	 */
	private void stream(String beginning) {
		this.server.on("GET", McpTestReply.events(Flux.just(beginning).concatWith(this.events.asFlux())))
			.on("POST", (request) -> {
				if (request.id() != null) {
					emit("data: {\"jsonrpc\": \"2.0\", \"id\": " + request.id()
							+ ", \"result\": {\"protocolVersion\": \"2025-06-18\"}}\n\n");
				}
				return McpTestReply.status(202);
			});
	}

	private void endpoint(String reference) {
		stream("event: endpoint\ndata: " + reference + "\n\n");
	}

	private void emit(String text) {
		this.events.emitNext(text, Sinks.EmitFailureHandler.busyLooping(LIMIT));
	}

	private void assertPosts(String uri) {
		assertThat(this.server.requests("POST")).isNotEmpty()
			.allSatisfy((post) -> assertThat(post.uri()).isEqualTo(uri));
	}

	@Test
	void deliversAnswersOfTheStream() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		assertThat(client.call("1", "echo").result()).hasToString("{\"text\":\"h\u00e9llo\"}");
		assertThat(client.messages()).hasSize(2);
		assertThat(this.server.requests("GET")).hasSize(1);
	}

	@Test
	void sendsTheHeaders() {
		try (HttpTransportClient client = HttpTransportClient
			.sse(this.server.sseUrl(), (definition) -> definition.headers(Map.of("X-Key", "abc")))
			.initialize()) {
			client.call("1", "echo");
		}
		assertThat(this.server.requests()).extracting(McpTestRequest::httpMethod)
			.containsExactly("GET", "POST", "POST", "POST");
		for (McpTestRequest request : this.server.requests()) {
			boolean get = request.httpMethod().equals("GET");
			boolean initialize = request.method().equals("initialize");
			assertThat(request.path()).isEqualTo(get ? "/sse" : "/message");
			assertThat(request.sessionId() == null).isEqualTo(get);
			assertThat(request.header("X-Key")).isEqualTo("abc");
			assertThat(request.header("MCP-Protocol-Version")).isEqualTo((get || initialize) ? null : "2025-11-25");
			if (get) {
				assertThat(request.header("Accept")).isEqualTo("text/event-stream");
			}
			else {
				assertThat(request.header("Content-Type")).isEqualTo("application/json");
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "/message?sessionId=1, /message?sessionId=1", "message?x=a%2Bb%20c, /base/message?x=a%2Bb%20c",
			"?sessionId=1, /base/sse?sessionId=1", "../up, /up", "'  /padded  ', /padded", "/ö, /%C3%B6",
			"/with#fragment, /with" })
	void theEndpointIsResolved(String reference, String uri) {
		endpoint(reference);
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl().replace("/sse", "/base/sse"))
			.initialize();
		assertThat(client.termination()).isNotDone();
		assertPosts(uri);
	}

	@Test
	void anAbsoluteEndpointOfTheSameOriginIsUsed() {
		endpoint("HTTP://LOCALHOST:" + this.server.port() + "/elsewhere");
		assertThat(HttpTransportClient.sse(this.server.sseUrl()).initialize().termination()).isNotDone();
		assertPosts("/elsewhere");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://localhost:%d/x", "//localhost:%d/x", "http://127.0.0.1:%d/x",
			"https://localhost:%d/x", "http://user@localhost:%d/x", "ftp://localhost:%d/x", "mailto:x@y" })
	void anEndpointOfAnotherOriginEndsTheTransport(String reference) {
		McpTestServer other = closing(McpTestServer.create().start());
		endpoint(reference.formatted(other.port()));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(),
				(definition) -> definition.headers(Map.of("X-Key", "abc")));
		assertThat(HttpTransportClient.failure(client.connecting())).isInstanceOf(TransportException.class)
			.hasMessageContaining("names an endpoint of another origin")
			.hasMessageContaining("which is not used")
			.satisfies((ex) -> assertThat(((TransportException) ex).getNextStep())
				.contains("mcp.servers.test.url to the URL that the server uses for itself"));
		assertThat(client.death()).hasMessageContaining("another origin");
		assertThat(client.failure("1", "initialize")).hasMessageContaining("another origin");
		assertThat(other.acceptedConnections()).isZero();
		assertThat(this.server.requests("POST")).isEmpty();
	}

	@Test
	void theSchemeAndTheUserAreAPartOfTheOrigin() {
		URI http = URI.create("http://host/sse");
		assertThat(HttpUris.isSameOrigin(http, URI.create("http://HOST:80/x"))).isTrue();
		assertThat(HttpUris.isSameOrigin(http, URI.create("https://host:80/x"))).isFalse();
		assertThat(HttpUris.isSameOrigin(http, URI.create("http://user@host/x"))).isFalse();
		assertThat(HttpUris.isSameOrigin(URI.create("https://host"), URI.create("https://host:443/x"))).isTrue();
		// no part of the host
		assertThat(HttpUris.resolve(URI.create("http://host"), "evil")).hasToString("http://host/evil");
		assertThat(HttpUris.resolve(URI.create("http://host"), "?a=b")).hasToString("http://host/?a=b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://[", "/with space", "\\\\host\\x", "{\"uri\": \"/x\"}" })
	void anEndpointThatIsNoUrlEndsTheTransport(String reference) {
		endpoint(reference);
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl());
		assertThat(HttpTransportClient.failure(client.connecting()))
			.hasMessage("The server's event stream names an endpoint that is not a URL");
		assertThat(client.death()).isInstanceOf(TransportException.class);
	}

	@Test
	void anEndpointThatIsTooLongEndsTheTransport() {
		endpoint("/" + "x".repeat(10_000));
		assertThat(HttpTransportClient.failure(HttpTransportClient.sse(this.server.sseUrl()).connecting()))
			.hasMessageContaining("not a URL");
	}

	@Test
	void aNewEndpointIsUsedFromThenOn() {
		endpoint("/message");
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		emit("event: endpoint\ndata: /moved\n\n");
		// in the order of the stream
		emit(NOTE);
		Awaitility.await().until(() -> client.messages().size() == 2);
		client.call("1", "echo");
		assertThat(this.server.awaitRequest("echo").uri()).isEqualTo("/moved");
		assertThat(this.server.awaitRequest("echo").header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
	}

	@Test
	void aNewEndpointOfAnotherOriginEndsTheTransport() {
		endpoint("/message");
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		emit("event: endpoint\ndata: http://localhost:1/x\n\n");
		assertThat(client.death()).hasMessageContaining("another origin (http://localhost:1)");
	}

	@Test
	@Fault(value = FaultKind.NOISE, over = Transport.SSE)
	void eventsWithoutATypeAreUnderstoodAndOddOnesCostNothing() {
		endpoint("/message");
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		emit(": comment\n\nevent: odd\ndata: {}\n\ndata: no JSON\n\nid: 7\n\n");
		emit(NOTE);
		Awaitility.await().until(() -> client.messages().size() == 2);
		assertThat(client.messages().get(1)).isInstanceOf(JSONRPCNotification.class);
		assertThat(client.call("1", "echo").error()).isNull();
	}

	@Test
	void messagesWaitForTheEndpoint() {
		stream(": nothing yet\n\n");
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl());
		CompletableFuture<Void> connected = client.connecting().toFuture();
		CompletableFuture<Void> sent = client.send("1", "initialize").toFuture();
		this.server.awaitRequest("GET");
		assertThat(this.server.requests("POST")).isEmpty();
		emit("event: endpoint\ndata: /message\n\n");
		assertThat(sent).succeedsWithin(LIMIT);
		assertThat(connected).succeedsWithin(LIMIT);
		client.close();
	}

	@Test
	@Fault(value = FaultKind.REFUSED, over = Transport.SSE)
	void aRefusedConnectionIsKnownAtOnce() {
		this.server.stop();
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl());
		CompletableFuture<Void> connected = client.connecting().toFuture();
		CompletableFuture<Void> sent = client.send("1", "initialize").toFuture();
		assertThat(connected).failsWithin(LIMIT).withThrowableThat().withMessageContaining("Connection refused");
		assertThat(sent).failsWithin(LIMIT)
			.withThrowableThat()
			.withCauseInstanceOf(TransportException.class)
			.withMessageContaining("Connection refused")
			.satisfies((ex) -> assertThat(((TransportException) ex.getCause()).isPossiblyProcessed()).isFalse());
		assertThat(client.death()).hasMessageContaining("Connection refused");
	}

	@Test
	void anErrorStatusOfTheStreamIsTold() {
		this.server.on("GET",
				McpTestReply.status(401)
					.withHeader("WWW-Authenticate", "Bearer realm=\"x\", error=\"invalid_token\"")
					.body("text/plain", "{\"message\": \"token abc123 is no good\"}"));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(),
				(definition) -> definition.headers(Map.of("Authorization", "Bearer abc123")));
		assertThat(HttpTransportClient.failure(client.connecting())).isInstanceOf(HttpStatusException.class)
			.hasFieldOrPropertyWithValue("status", 401)
			.hasMessageStartingWith("HTTP 401 Unauthorized (Bearer, invalid_token)")
			.hasMessageNotContaining("abc123")
			.extracting("nextStep")
			.asString()
			.contains("mcp.servers.test.headers");
		assertThat(client.death()).isInstanceOf(HttpStatusException.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 405, 429, 500, 503 })
	@Fault(value = FaultKind.REFUSAL, over = Transport.SSE)
	void anyErrorStatusOfTheStreamEndsTheTransport(int status) {
		this.server.on("GET", McpTestReply.status(status));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl());
		assertThat(HttpTransportClient.failure(client.connecting())).hasMessageStartingWith("HTTP " + status);
		assertThat(client.death()).hasMessageStartingWith("HTTP " + status);
		assertThat(this.server.requests()).hasSize(1);
	}

	@Test
	void anAnswerThatIsNoStreamEndsTheTransport() {
		this.server.on("GET", McpTestReply.status(200).body("text/html", "<html>"));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl());
		assertThat(HttpTransportClient.failure(client.connecting()))
			.hasMessage("The server responded with text/html instead of an event stream");
		assertThat(client.death()).isInstanceOf(HttpStatusException.class);
	}

	@Test
	void aStreamThatNamesNoEndpointEndsTheTransport() {
		stream("data: {}\n\n");
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(),
				(definition) -> definition.requestTimeout(LIMIT)
					.initializationTimeout(LIMIT)
					.connectTimeout(Duration.ofSeconds(1)));
		assertThat(HttpTransportClient.failure(client.connecting()))
			.hasMessage("The server's event stream named no endpoint within 1000 ms");
		assertThat(client.death()).isInstanceOf(TransportException.class);
	}

	@Test
	void theStreamIsFollowedAFewTimesOnTheSameOrigin() {
		this.server.on("GET", McpTestReply.status(301).withHeader("Location", "sse/"));
		HttpTransportClient endless = HttpTransportClient.sse(this.server.sseUrl());
		assertThat(HttpTransportClient.failure(endless.connecting())).hasMessageContaining(
				"redirects to http://localhost:" + this.server.port() + "/sse/sse/sse/sse/ (HTTP 301)");
		assertThat(this.server.requests()).extracting(McpTestRequest::uri)
			.containsExactly("/sse", "/sse/", "/sse/sse/", "/sse/sse/sse/");
	}

	@Test
	void theEndpointIsRelativeToWhereTheStreamWasFound() {
		endpoint("message");
		this.server.onNext("GET", McpTestReply.status(307).withHeader("Location", "/v2/sse"));
		HttpTransportClient.sse(this.server.sseUrl()).connect().notify("note").block(LIMIT);
		assertPosts("/v2/message");
	}

	@Test
	void aRedirectToAnotherOriginIsNotFollowed() {
		McpTestServer other = closing(McpTestServer.create().start());
		this.server.on("GET", McpTestReply.status(302).withHeader("Location", other.url()));
		assertThat(HttpTransportClient.failure(HttpTransportClient.sse(this.server.sseUrl()).connecting()))
			.hasMessageContaining("which is not followed");
		assertThat(other.acceptedConnections()).isZero();
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.SSE)
	void whenTheServerEndsTheStreamAllThatIsUnderWayFailsAtOnce() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		CompletableFuture<Void> first = client.send("1", "wait").toFuture();
		CompletableFuture<Void> second = client.send("2", "wait").toFuture();
		this.server.awaitRequests("wait", 2);
		this.server.closeStreams();
		for (CompletableFuture<Void> call : List.of(first, second)) {
			assertThat(call).failsWithin(LIMIT)
				.withThrowableThat()
				.withCauseInstanceOf(TransportException.class)
				.withMessageContaining("The server closed the event stream")
				.satisfies((ex) -> assertThat(((TransportException) ex.getCause()).isPossiblyProcessed()).isTrue());
		}
		assertThat(client.death()).hasMessage("The server closed the event stream");
		assertThat(client.failure("3", "echo")).hasFieldOrPropertyWithValue("possiblyProcessed", false);
		assertThat(this.server.requests("echo")).isEmpty();
		assertThat(this.server.requests("GET")).hasSize(1);
	}

	@Test
	@Fault(value = FaultKind.RESET, over = Transport.SSE)
	void whenTheConnectionOfTheStreamBreaksTheCauseIsTold() throws Exception {
		CompletableFuture<Void> broken = new CompletableFuture<>();
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			if (connection.read().startsWith("GET")) {
				connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
						+ "Transfer-Encoding: chunked\r\n\r\n20\r\nevent: endpoint\ndata: /message\n\n\r\n");
				broken.join();
				connection.reset();
			}
			connection.write("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
			connection.awaitClose();
		});
		HttpTransportClient client = HttpTransportClient.sse(raw.url()).connect();
		CompletableFuture<Void> call = client.send("1", "wait").toFuture();
		Awaitility.await().until(() -> raw.requests().size() == 2);
		broken.complete(null);
		assertThat(call).failsWithin(LIMIT)
			.withThrowableThat()
			.withMessageContaining("The server's event stream broke: ");
		assertThat(client.death()).hasMessageStartingWith("The server's event stream broke: ");
	}

	@Test
	@Fault(value = FaultKind.HALF_OPEN, over = Transport.SSE)
	void silenceForLongerThanAllowedEndsTheTransport() {
		HttpTransportClient client = HttpTransportClient
			.sse(this.server.sseUrl(), (definition) -> definition.sseReadTimeout(Duration.ofSeconds(1)))
			.initialize();
		assertThat(client.death()).hasMessage("The server's event stream was silent for more than 1000 ms");
	}

	@Test
	@Fault(value = FaultKind.OVERSIZE, over = Transport.SSE)
	void aMessageOverTheLimitEndsTheTransport() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(),
				(definition) -> definition.maxMessageSize(DataSize.ofKilobytes(4))
					.maxResultSize(DataSize.ofMegabytes(1)));
		client.initialize();
		this.server.on("big", McpTestReply.result("\"" + "x".repeat(5000) + "\""));
		assertThat(client.failure("1", "big")).hasMessage("The server's message is larger than 4096B");
		assertThat(client.death()).hasMessage("The server's message is larger than 4096B");
	}

	@Test
	void anErrorStatusCostsJustTheMessage() {
		this.server.on("bad",
				(request) -> McpTestReply.status(500).body("text/plain", "no luck in session " + request.sessionId()));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		assertThat(client.failure("1", "bad")).isInstanceOf(HttpStatusException.class)
			.hasMessage("HTTP 500 Internal Server Error: no luck in session ******");
		assertThat(client.call("2", "echo").error()).isNull();
		assertThat(client.termination()).isNotDone();
	}

	@ParameterizedTest
	@CsvSource({ "404, whatever", "400, No transport found for sessionId" })
	@Fault(value = FaultKind.SESSION_LOST, over = Transport.SSE)
	void whenTheServerDoesNotKnowTheSessionTheTransportEnds(int status, String text) {
		VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(), time).initialize();
		CompletableFuture<Void> waiting = client.send("1", "wait").toFuture();
		this.server.awaitRequest("wait");
		McpTestReply refusal = McpTestReply.status(status).body("text/plain", text);
		this.server.on("lost", refusal).on("ping", refusal);
		assertThat(client.failure("2", "lost")).isInstanceOf(HttpStatusException.class)
			.hasMessageStartingWith("The server no longer knows the session (HTTP " + status + ")")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false);
		assertThat(client.death()).hasMessageContaining("no longer knows the session");
		Awaitility.await().until(() -> {
			time.advance(Duration.ofSeconds(5));
			return waiting.isDone();
		});
		assertThat(waiting).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.satisfies((ex) -> assertThat(((TransportException) ex.getCause()).isPossiblyProcessed()).isTrue());
	}

	@Test
	void anEndpointThatIsNotThereIsTold() {
		this.server.on("initialize", McpTestReply.status(404).body("text/plain", "nobody"));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).connect();
		assertThat(client.failure("1", "initialize")).isInstanceOfSatisfying(HttpStatusException.class, (ex) -> {
			String summary = "The endpoint that the server's event stream names responded with HTTP 404 Not Found";
			assertThat(ex).hasMessage(summary + ": nobody").hasFieldOrPropertyWithValue("summary", summary);
			assertThat(ex.getNextStep()).contains("including the path");
		});
		client.close();
	}

	@Test
	void whenTheServerIsGoneAPostEndsTheTransport() throws Exception {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
					+ "Transfer-Encoding: chunked\r\n\r\n20\r\nevent: endpoint\ndata: /message\n\n\r\n");
			connection.awaitClose();
		});
		HttpTransportClient client = HttpTransportClient.sse(raw.url()).connect();
		raw.stopListening();
		assertThat(client.failure("1", "echo")).hasMessageContaining("Connection refused");
		assertThat(client.death()).hasMessageContaining("Connection refused");
	}

	@Test
	void aServerMayAcceptARequestAfterItsAnswer() {
		CompletableFuture<Void> accepted = new CompletableFuture<>();
		this.server.on("slow", (request) -> {
			this.server.sendToClients("{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {}}");
			return McpTestReply.status(200).after(accepted);
		});
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		int connections = this.server.acceptedConnections();
		assertThat(client.call("1", "slow").error()).isNull();
		accepted.complete(null);
		// the connection was not closed for it
		client.call("2", "echo");
		client.call("3", "echo");
		assertThat(this.server.abortedRequests()).isZero();
		assertThat(this.server.acceptedConnections()).isLessThanOrEqualTo(connections + 1);
	}

	@Test
	void aPostThatIsNeverAcceptedIsDroppedAMomentAfterTheAnswer() {
		this.server.on("slow", (request) -> {
			this.server.sendToClients("{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {}}");
			return McpTestReply.status(202).after(new CompletableFuture<>());
		});
		assertThat(HttpTransportClient.sse(this.server.sseUrl()).initialize().call("1", "slow").error()).isNull();
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
	}

	@Test
	void aCallThatIsCancelledIsDropped() {
		this.server.on("slow", McpTestReply.status(202).after(new CompletableFuture<>()));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		Disposable call = client.send("1", "slow").subscribe();
		this.server.awaitRequest("slow");
		call.dispose();
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
		assertThat(client.call("2", "echo").error()).isNull();
	}

	@Test
	void aNotificationIsDoneOnceAccepted() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		client.notify("note").block(LIMIT);
		client.transport().sendMessage(JSONRPCResponse.result(3, Map.of())).block(LIMIT);
		this.server.on("note", McpTestReply.events(Flux.interval(Duration.ofMillis(20)).map((tick) -> ":\n\n")));
		client.notify("note").block(LIMIT);
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
	}

	@Test
	void aNumberThatComesBackAsAStringIsMatched() {
		this.server.on("echo", (request) -> McpTestReply
			.raw("{\"jsonrpc\": \"2.0\", \"id\": \"" + request.id() + "\", \"result\": {}}"));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		client.send(7, "echo").block(LIMIT);
		assertThat(client.answer("7").error()).isNull();
	}

	@Test
	void manyCallersGetTheirOwnAnswers() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		Queue<Integer> ids = new ConcurrentLinkedQueue<>();
		Flux.fromStream(IntStream.range(0, 500).boxed())
			.flatMap((id) -> client.send(id, "echo").doOnSuccess((nothing) -> ids.add(id)), 64)
			.blockLast(LIMIT);
		assertThat(ids).hasSize(500);
		for (int id = 0; id < 500; id++) {
			assertThat(client.answer(id).error()).isNull();
		}
	}

	@Test
	void closeEndsTheStreamAndFailsWhatIsUnderWay() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).initialize();
		CompletableFuture<Void> call = client.send("1", "wait").toFuture();
		this.server.awaitRequest("wait");
		client.close();
		assertThat(call).failsWithin(LIMIT).withThrowableThat().withMessageContaining("The connection was closed");
		assertThat(client.termination()).succeedsWithin(LIMIT);
		Awaitility.await().until(() -> this.server.connections() == 0);
		client.close();
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> client.connecting().block(LIMIT));
	}

	@Test
	void closeBeforeTheEndpointIsKnownEndsTheWait() {
		this.server.on("GET", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl());
		CompletableFuture<Void> connected = client.connecting().toFuture();
		CompletableFuture<Void> sent = client.send("1", "initialize").toFuture();
		this.server.awaitRequest("GET");
		client.close();
		assertThat(connected).failsWithin(LIMIT);
		assertThat(sent).failsWithin(LIMIT);
		assertThat(client.termination()).succeedsWithin(LIMIT);
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void isConnectedOnceAndSendsNothingBefore() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl());
		assertThat(client.failure("1", "initialize")).isInstanceOf(IllegalStateException.class);
		client.connect();
		assertThat(HttpTransportClient.failure(client.connecting())).isInstanceOf(IllegalStateException.class);
		client.close();
		assertThat(this.server.requests("GET")).hasSize(1);
	}

	@Test
	void worksUnderTheSdksOwnClient() {
		this.server.tool("x", McpTestReply.text("hi"));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl());
		McpAsyncClient sdk = McpClient.async(client.transport()).requestTimeout(Duration.ofSeconds(30)).build();
		assertThat(sdk.initialize().block(LIMIT).serverInfo().name()).isEqualTo("test-server");
		assertThat(this.server.awaitRequest("initialize").params()).containsEntry("protocolVersion", "2025-11-25");
		CallToolResult result = sdk.callTool(CallToolRequest.builder("x").arguments(Map.of()).build()).block(LIMIT);
		assertThat(result.content()).hasSize(1);
		this.server.on("tools/call", McpTestReply.never());
		CompletableFuture<CallToolResult> call = sdk.callTool(CallToolRequest.builder("x").arguments(Map.of()).build())
			.toFuture();
		this.server.awaitRequests("tools/call", 2);
		this.server.closeStreams();
		assertThat(call).failsWithin(LIMIT);
		sdk.closeGracefully().block(LIMIT);
	}

	@Test
	void theSdksOwnClientSeesAFailedConnectionAtOnce() {
		this.server.on("GET", McpTestReply.status(404));
		McpAsyncClient sdk = McpClient.async(HttpTransportClient.sse(this.server.sseUrl()).transport()).build();
		assertThat(sdk.initialize().toFuture()).failsWithin(LIMIT);
		sdk.closeGracefully().block(LIMIT);
	}

	@Test
	void saysWhatItIsWithoutSecrets() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl() + "?key=secret",
				(definition) -> definition.headers(Map.of("X-Key", "abc")));
		assertThat(client.transport().toString()).startsWith("HttpTransport[http://localhost")
			.doesNotContain("secret", "abc");
		client.close();
	}

}
