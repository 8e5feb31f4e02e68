package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SseProtocol}.
 */
@Timeout(180)
class SseTransportTests {

	private static final Duration TIMEOUT = SseTransportClient.TIMEOUT;

	private final ScriptedSseServer server = ScriptedSseServer.start();

	@AfterEach
	void close() {
		this.server.close();
	}

	private List<ScriptedHttpServer.Request> posts() {
		return this.server.http().requests("POST");
	}

	@Test
	void deliversAnswersOfTheStream() {
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.call("1", "echo").result()).hasToString("{\"text\":\"h\u00e9llo\"}");
			assertThat(client.messages()).hasSize(2);
			assertThat(this.server.streams()).isEqualTo(1);
		}
	}

	@Test
	void sendsTheHeaders() {
		try (SseTransportClient client = SseTransportClient
			.to(this.server.url(), (definition) -> definition.headers(Map.of("X-Key", "abc")))
			.initialize()) {
			client.call("1", "echo");
		}
		assertThat(this.server.http().requests()).extracting(ScriptedHttpServer.Request::method)
			.containsExactly("GET", "POST", "POST", "POST");
		for (ScriptedHttpServer.Request request : this.server.http().requests()) {
			boolean get = request.method().equals("GET");
			boolean initialize = request.rpcMethod().equals("initialize");
			assertThat(request.uri()).isEqualTo(get ? "/sse" : ScriptedSseServer.ENDPOINT);
			assertThat(request.header("X-Key")).isEqualTo("abc");
			assertThat(request.header("MCP-Protocol-Version")).isEqualTo((get || initialize) ? null : "2025-06-18");
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
		this.server.endpoint(reference);
		try (SseTransportClient client = SseTransportClient.to(this.server.http().url("/base/sse")).initialize()) {
			assertThat(client.termination()).isNotDone();
			assertThat(posts()).isNotEmpty().allSatisfy((post) -> assertThat(post.uri()).isEqualTo(uri));
		}
	}

	@Test
	void anAbsoluteEndpointOfTheSameOriginIsUsed() {
		this.server.endpoint("HTTP://LOCALHOST:" + this.server.http().port() + "/elsewhere");
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.termination()).isNotDone();
			assertThat(posts()).isNotEmpty().allSatisfy((post) -> assertThat(post.uri()).isEqualTo("/elsewhere"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://localhost:%d/x", "//localhost:%d/x", "http://127.0.0.1:%d/x",
			"https://localhost:%d/x", "http://user@localhost:%d/x", "ftp://localhost:%d/x", "mailto:x@y" })
	void anEndpointOfAnotherOriginEndsTheTransport(String reference) {
		try (ScriptedHttpServer other = ScriptedHttpServer.start()) {
			this.server.endpoint(reference.formatted(other.port()));
			SseTransportClient client = SseTransportClient.to(this.server.url(),
					(definition) -> definition.headers(Map.of("X-Key", "abc")));
			assertThat(HttpTransportClient.failure(client.connecting())).isInstanceOf(TransportException.class)
				.hasMessageContaining("names an endpoint of another origin")
				.hasMessageContaining("which is not used")
				.satisfies((ex) -> assertThat(((TransportException) ex).getNextStep())
					.contains("mcp.servers.test.url to the url by which the server knows itself"));
			assertThat(client.death()).hasMessageContaining("another origin");
			assertThat(client.failure("1", "initialize")).hasMessageContaining("another origin");
			assertThat(other.accepted()).isZero();
			assertThat(posts()).isEmpty();
		}
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
		this.server.endpoint(reference);
		SseTransportClient client = SseTransportClient.to(this.server.url());
		assertThat(HttpTransportClient.failure(client.connecting()))
			.hasMessage("The server's stream of events names an endpoint that is not a url");
		assertThat(client.death()).isInstanceOf(TransportException.class);
	}

	@Test
	void anEndpointThatIsTooLongEndsTheTransport() {
		this.server.endpoint("/" + "x".repeat(10_000));
		assertThat(HttpTransportClient.failure(SseTransportClient.to(this.server.url()).connecting()))
			.hasMessageContaining("not a url");
	}

	@Test
	void aNewEndpointIsUsedFromThenOn() {
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			this.server.emit("event: endpoint\ndata: /moved\n\n");
			// in the order of the stream
			this.server.emit(ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"method\": \"note\"}"));
			Awaitility.await().until(() -> client.messages().size() == 2);
			client.call("1", "echo");
			assertThat(posts().get(posts().size() - 1).uri()).isEqualTo("/moved");
			assertThat(posts().get(posts().size() - 1).header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
		}
	}

	@Test
	void aNewEndpointOfAnotherOriginEndsTheTransport() {
		SseTransportClient client = SseTransportClient.to(this.server.url()).initialize();
		this.server.emit("event: endpoint\ndata: http://localhost:1/x\n\n");
		assertThat(client.death()).hasMessageContaining("another origin (http://localhost:1)");
	}

	@Test
	@Fault(value = FaultKind.NOISE, over = Transport.SSE)
	void eventsWithoutATypeAreUnderstoodAndOddOnesCostNothing() {
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			this.server.emit(": comment\n\nevent: odd\ndata: {}\n\ndata: no JSON\n\nid: 7\n\n");
			this.server.emit(ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"method\": \"note\"}"));
			Awaitility.await().until(() -> client.messages().size() == 2);
			assertThat(client.messages().get(1)).isInstanceOf(JSONRPCNotification.class);
			assertThat(client.call("1", "echo").error()).isNull();
		}
	}

	@Test
	void messagesWaitForTheEndpoint() {
		this.server.stream(": nothing yet\n\n");
		SseTransportClient client = SseTransportClient.to(this.server.url());
		CompletableFuture<Void> connected = client.connecting().toFuture();
		CompletableFuture<Void> sent = client.send("1", "initialize").toFuture();
		Awaitility.await().until(() -> this.server.streams() == 1);
		assertThat(posts()).isEmpty();
		this.server.emit("event: endpoint\ndata: /message\n\n");
		assertThat(sent).succeedsWithin(TIMEOUT);
		assertThat(connected).succeedsWithin(TIMEOUT);
		client.close();
	}

	@Test
	@Fault(value = FaultKind.REFUSED, over = Transport.SSE)
	void aRefusedConnectionIsKnownAtOnce() {
		URI url = this.server.url();
		this.server.close();
		SseTransportClient client = SseTransportClient.to(url);
		CompletableFuture<Void> connected = client.connecting().toFuture();
		CompletableFuture<Void> sent = client.send("1", "initialize").toFuture();
		assertThat(connected).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withMessageContaining("Connection refused");
		assertThat(sent).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withCauseInstanceOf(TransportException.class)
			.withMessageContaining("Connection refused")
			.satisfies((ex) -> assertThat(((TransportException) ex.getCause()).isPossiblyProcessed()).isFalse());
		assertThat(client.death()).hasMessageContaining("Connection refused");
	}

	@Test
	void anErrorStatusOfTheStreamIsTold() {
		this.server.on("GET",
				(request, response) -> response.status(401)
					.header("WWW-Authenticate", "Bearer realm=\"x\", error=\"invalid_token\"")
					.sendString(Mono.just("{\"message\": \"token abc123 is no good\"}")));
		SseTransportClient client = SseTransportClient.to(this.server.url(),
				(definition) -> definition.headers(Map.of("Authorization", "Bearer abc123")));
		assertThat(HttpTransportClient.failure(client.connecting())).isInstanceOfSatisfying(HttpStatusException.class,
				(ex) -> {
					assertThat(ex.getStatus()).isEqualTo(401);
					assertThat(ex).hasMessageStartingWith("HTTP 401 Unauthorized (Bearer, invalid_token)")
						.hasMessageNotContaining("abc123");
					assertThat(ex.getNextStep()).contains("mcp.servers.test.headers");
				});
		assertThat(client.death()).isInstanceOf(HttpStatusException.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 405, 429, 500, 503 })
	@Fault(value = FaultKind.REFUSAL, over = Transport.SSE)
	void anyErrorStatusOfTheStreamEndsTheTransport(int status) {
		this.server.on("GET", (request, response) -> response.status(status).send());
		SseTransportClient client = SseTransportClient.to(this.server.url());
		assertThat(HttpTransportClient.failure(client.connecting())).hasMessageStartingWith("HTTP " + status);
		assertThat(client.death()).hasMessageStartingWith("HTTP " + status);
		assertThat(this.server.http().requests()).hasSize(1);
	}

	@Test
	void anAnswerThatIsNoStreamEndsTheTransport() {
		this.server.on("GET", (request, response) -> ScriptedHttpServer.raw(response, "text/html", "<html>"));
		SseTransportClient client = SseTransportClient.to(this.server.url());
		assertThat(HttpTransportClient.failure(client.connecting()))
			.hasMessage("The server answered with text/html instead of an event stream");
		assertThat(client.death()).isInstanceOf(HttpStatusException.class);
	}

	@Test
	void aStreamThatNamesNoEndpointEndsTheTransport() {
		this.server.stream("data: {}\n\n");
		SseTransportClient client = SseTransportClient.to(this.server.url(), (definition) -> definition
			.timeouts(new McpServerDefinition.Timeouts(TIMEOUT, TIMEOUT, Duration.ofSeconds(1), null)));
		assertThat(HttpTransportClient.failure(client.connecting()))
			.hasMessage("The server's stream of events named no endpoint within 1000 ms");
		assertThat(client.death()).isInstanceOf(TransportException.class);
	}

	@Test
	void theStreamIsFollowedOnceOnTheSameOrigin() {
		this.server.on("GET", (request, response) -> response.status(301).header("Location", "sse/").send());
		SseTransportClient endless = SseTransportClient.to(this.server.url());
		assertThat(HttpTransportClient.failure(endless.connecting()))
			.hasMessageContaining("redirects to http://localhost:" + this.server.http().port() + " (HTTP 301)");
		assertThat(this.server.http().requests()).extracting(ScriptedHttpServer.Request::uri)
			.containsExactly("/sse", "/sse/");
	}

	@Test
	void theEndpointIsRelativeToWhereTheStreamWasFound() {
		this.server.on("GET", (request, response) -> {
			if (request.uri().equals("/sse")) {
				return response.status(307).header("Location", "/v2/sse").send();
			}
			return ScriptedHttpServer.sse(response,
					Flux.just("event: endpoint\ndata: message\n\n").concatWith(Mono.never()));
		});
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).connect()) {
			client.notify("note").block(TIMEOUT);
			assertThat(posts()).singleElement().satisfies((post) -> assertThat(post.uri()).isEqualTo("/v2/message"));
		}
	}

	@Test
	void aRedirectToAnotherOriginIsNotFollowed() {
		try (ScriptedHttpServer other = ScriptedHttpServer.start()) {
			this.server.on("GET",
					(request, response) -> response.status(302).header("Location", other.url().toString()).send());
			assertThat(HttpTransportClient.failure(SseTransportClient.to(this.server.url()).connecting()))
				.hasMessageContaining("which is not followed");
			assertThat(other.accepted()).isZero();
		}
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.SSE)
	void whenTheServerEndsTheStreamAllThatIsUnderWayFailsAtOnce() {
		this.server.ignore("wait");
		SseTransportClient client = SseTransportClient.to(this.server.url()).initialize();
		CompletableFuture<Void> first = client.send("1", "wait").toFuture();
		CompletableFuture<Void> second = client.send("2", "wait").toFuture();
		Awaitility.await().until(() -> this.server.http().requests("wait").size() == 2);
		this.server.endStream();
		for (CompletableFuture<Void> call : List.of(first, second)) {
			assertThat(call).failsWithin(Duration.ofSeconds(20))
				.withThrowableThat()
				.withCauseInstanceOf(TransportException.class)
				.withMessageContaining("The server closed the stream of events")
				.satisfies((ex) -> assertThat(((TransportException) ex.getCause()).isPossiblyProcessed()).isTrue());
		}
		assertThat(client.death()).hasMessage("The server closed the stream of events");
		assertThat(client.failure("3", "echo")).isInstanceOfSatisfying(TransportException.class,
				(ex) -> assertThat(ex.isPossiblyProcessed()).isFalse());
		assertThat(this.server.http().requests("echo")).isEmpty();
		assertThat(this.server.streams()).isEqualTo(1);
	}

	@Test
	@Fault(value = FaultKind.RESET, over = Transport.SSE)
	void whenTheConnectionOfTheStreamBreaksTheCauseIsTold() throws Exception {
		CompletableFuture<Void> broken = new CompletableFuture<>();
		try (RawHttpServer raw = RawHttpServer.start((connection) -> {
			if (connection.read().startsWith("GET")) {
				connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
						+ "Transfer-Encoding: chunked\r\n\r\n20\r\nevent: endpoint\ndata: /message\n\n\r\n");
				broken.join();
				connection.reset();
			}
			connection.write("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
			connection.awaitClose();
		})) {
			SseTransportClient client = SseTransportClient.to(raw.url()).connect();
			CompletableFuture<Void> call = client.send("1", "wait").toFuture();
			Awaitility.await().until(() -> raw.requests().size() == 2);
			broken.complete(null);
			assertThat(call).failsWithin(Duration.ofSeconds(20))
				.withThrowableThat()
				.withMessageContaining("The server's stream of events broke: ");
			assertThat(client.death()).hasMessageStartingWith("The server's stream of events broke: ");
		}
	}

	@Test
	@Fault(value = FaultKind.HALF_OPEN, over = Transport.SSE)
	void silenceForLongerThanAllowedEndsTheTransport() {
		SseTransportClient client = SseTransportClient
			.to(this.server.url(), (definition) -> definition.sseReadTimeout(Duration.ofSeconds(1)))
			.initialize();
		assertThat(client.death()).hasMessage("The server's stream of events was silent for more than 1000 ms");
	}

	@Test
	@Fault(value = FaultKind.OVERSIZE, over = Transport.SSE)
	void aMessageOverTheLimitEndsTheTransport() {
		SseTransportClient client = SseTransportClient.to(this.server.url(), (definition) -> definition
			.limits(new McpServerDefinition.Limits(DataSize.ofKilobytes(4), DataSize.ofMegabytes(1), 10, null)));
		client.initialize();
		this.server.on("big", (request, response) -> {
			this.server.answer(request, "\"" + "x".repeat(5000) + "\"");
			return response.status(202).send();
		});
		assertThat(client.failure("1", "big")).hasMessage("The server's message is larger than 4096B");
		assertThat(client.death()).hasMessage("The server's message is larger than 4096B");
	}

	@Test
	void anErrorStatusCostsJustTheMessage() {
		this.server.on("bad", (request, response) -> response.status(500)
			.sendString(Mono.just("no luck in session " + ScriptedSseServer.SESSION_ID)));
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.failure("1", "bad")).isInstanceOf(HttpStatusException.class)
				.hasMessage("HTTP 500 Internal Server Error: no luck in session ******");
			assertThat(client.call("2", "echo").error()).isNull();
			assertThat(client.termination()).isNotDone();
		}
	}

	@ParameterizedTest
	@CsvSource({ "404, whatever", "400, No transport found for sessionId" })
	@Fault(value = FaultKind.SESSION_LOST, over = Transport.SSE)
	void whenTheServerDoesNotKnowTheSessionTheTransportEnds(int status, String text) {
		this.server.ignore("wait");
		SseTransportClient client = SseTransportClient.to(this.server.url()).initialize();
		CompletableFuture<Void> waiting = client.send("1", "wait").toFuture();
		Awaitility.await().until(() -> this.server.http().requests("wait").size() == 1);
		this.server.on("lost", (request, response) -> response.status(status).sendString(Mono.just(text)));
		assertThat(client.failure("2", "lost")).isInstanceOfSatisfying(HttpStatusException.class, (ex) -> {
			assertThat(ex).hasMessage("The server no longer knows the session (HTTP " + status + ")");
			assertThat(ex.isPossiblyProcessed()).isFalse();
		});
		assertThat(client.death()).hasMessageContaining("no longer knows the session");
		assertThat(waiting).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.satisfies((ex) -> assertThat(((TransportException) ex.getCause()).isPossiblyProcessed()).isTrue());
	}

	@Test
	void anEndpointThatIsNotThereIsTold() {
		this.server.on("initialize", (request, response) -> response.status(404).send());
		SseTransportClient client = SseTransportClient.to(this.server.url()).connect();
		assertThat(client.failure("1", "initialize")).isInstanceOfSatisfying(HttpStatusException.class, (ex) -> {
			assertThat(ex)
				.hasMessage("The endpoint that the server's stream of events names answered HTTP 404 Not Found");
			assertThat(ex.getNextStep()).contains("path included");
		});
		client.close();
	}

	@Test
	void whenTheServerIsGoneAPostEndsTheTransport() throws Exception {
		try (RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
					+ "Transfer-Encoding: chunked\r\n\r\n20\r\nevent: endpoint\ndata: /message\n\n\r\n");
			connection.awaitClose();
		})) {
			SseTransportClient client = SseTransportClient.to(raw.url()).connect();
			raw.stopListening();
			assertThat(client.failure("1", "echo")).hasMessageContaining("Connection refused");
			assertThat(client.death()).hasMessageContaining("Connection refused");
		}
	}

	@Test
	void aServerMayAcceptARequestAfterItsAnswer() {
		Sinks.Empty<Void> accepted = Sinks.empty();
		this.server.on("slow", (request, response) -> {
			this.server.answer(request, "{}");
			return accepted.asMono().then(Mono.from(response.status(200).send()));
		});
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			int connections = this.server.http().accepted();
			assertThat(client.call("1", "slow").error()).isNull();
			accepted.tryEmitEmpty();
			// the connection was not closed for it
			client.call("2", "echo");
			client.call("3", "echo");
			assertThat(this.server.http().aborted()).isZero();
			assertThat(this.server.http().accepted()).isLessThanOrEqualTo(connections + 1);
		}
	}

	@Test
	void aPostThatIsNeverAcceptedIsDroppedAMomentAfterTheAnswer() {
		this.server.on("slow", (request, response) -> {
			this.server.answer(request, "{}");
			return Mono.never();
		});
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.call("1", "slow").error()).isNull();
			Awaitility.await().until(() -> this.server.http().aborted() == 1);
		}
	}

	@Test
	void aCallThatIsCancelledIsDropped() {
		this.server.on("slow", (request, response) -> Mono.never());
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			Disposable call = client.send("1", "slow").subscribe();
			Awaitility.await().until(() -> this.server.http().requests("slow").size() == 1);
			call.dispose();
			Awaitility.await().until(() -> this.server.http().aborted() == 1);
			assertThat(client.call("2", "echo").error()).isNull();
		}
	}

	@Test
	void aNotificationIsDoneOnceAccepted() {
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			client.notify("note").block(TIMEOUT);
			client.transport().sendMessage(JSONRPCResponse.result(3, Map.of())).block(TIMEOUT);
			this.server.on("note", (request, response) -> ScriptedHttpServer.sse(response,
					Flux.interval(Duration.ofMillis(20)).map((tick) -> ":\n\n")));
			client.notify("note").block(TIMEOUT);
			Awaitility.await().until(() -> this.server.http().aborted() == 1);
		}
	}

	@Test
	void aNumberThatComesBackAsAStringIsMatched() {
		this.server.on("echo", (request, response) -> {
			this.server.emit(ScriptedHttpServer
				.event("{\"jsonrpc\": \"2.0\", \"id\": \"" + request.id() + "\", \"result\": {}}"));
			return response.status(202).send();
		});
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			client.send(7, "echo").block(TIMEOUT);
			assertThat(client.answer("7").error()).isNull();
		}
	}

	@Test
	void manyCallersGetTheirOwnAnswers() {
		try (SseTransportClient client = SseTransportClient.to(this.server.url()).initialize()) {
			Queue<Integer> ids = new ConcurrentLinkedQueue<>();
			Flux.fromStream(IntStream.range(0, 500).boxed())
				.flatMap((id) -> client.send(id, "echo").doOnSuccess((nothing) -> ids.add(id)), 64)
				.blockLast(TIMEOUT);
			assertThat(ids).hasSize(500);
			for (int id = 0; id < 500; id++) {
				assertThat(client.answer(id).error()).isNull();
			}
		}
	}

	@Test
	void closeEndsTheStreamAndFailsWhatIsUnderWay() {
		this.server.ignore("wait");
		SseTransportClient client = SseTransportClient.to(this.server.url()).initialize();
		CompletableFuture<Void> call = client.send("1", "wait").toFuture();
		Awaitility.await().until(() -> this.server.http().requests("wait").size() == 1);
		client.close();
		assertThat(call).failsWithin(TIMEOUT).withThrowableThat().withMessageContaining("The connection was closed");
		assertThat(client.termination()).succeedsWithin(TIMEOUT);
		Awaitility.await().until(() -> this.server.http().connections() == 0);
		client.close();
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> client.connecting().block(TIMEOUT));
	}

	@Test
	void closeBeforeTheEndpointIsKnownEndsTheWait() {
		this.server.on("GET", (request, response) -> Mono.never());
		SseTransportClient client = SseTransportClient.to(this.server.url());
		CompletableFuture<Void> connected = client.connecting().toFuture();
		CompletableFuture<Void> sent = client.send("1", "initialize").toFuture();
		Awaitility.await().until(() -> this.server.http().requests().size() == 1);
		client.close();
		assertThat(connected).failsWithin(TIMEOUT);
		assertThat(sent).failsWithin(TIMEOUT);
		assertThat(client.termination()).succeedsWithin(TIMEOUT);
		Awaitility.await().until(() -> this.server.http().connections() == 0);
	}

	@Test
	void isConnectedOnceAndSendsNothingBefore() {
		SseTransportClient client = SseTransportClient.to(this.server.url());
		assertThat(client.failure("1", "initialize")).isInstanceOf(IllegalStateException.class);
		client.connect();
		assertThat(HttpTransportClient.failure(client.connecting())).isInstanceOf(IllegalStateException.class);
		client.close();
		assertThat(this.server.streams()).isEqualTo(1);
	}

	@Test
	void worksUnderTheSdksOwnClient() {
		this.server.on("tools/call", (request, response) -> {
			this.server.answer(request, "{\"content\": [{\"type\": \"text\", \"text\": \"hi\"}]}");
			return response.status(202).send();
		});
		SseTransportClient client = SseTransportClient.to(this.server.url());
		McpAsyncClient sdk = McpClient.async(client.transport()).requestTimeout(Duration.ofSeconds(30)).build();
		InitializeResult initialized = sdk.initialize().block(TIMEOUT);
		assertThat(initialized.serverInfo().name()).isEqualTo("scripted");
		assertThat(this.server.http().requests("initialize").get(0).json().path("params").path("protocolVersion"))
			.hasToString("\"2025-11-25\"");
		CallToolResult result = sdk.callTool(CallToolRequest.builder("x").arguments(Map.of()).build()).block(TIMEOUT);
		assertThat(result.content()).hasSize(1);
		this.server.ignore("tools/call");
		CompletableFuture<CallToolResult> call = sdk.callTool(CallToolRequest.builder("x").arguments(Map.of()).build())
			.toFuture();
		Awaitility.await().until(() -> this.server.http().requests("tools/call").size() == 2);
		this.server.endStream();
		assertThat(call).failsWithin(Duration.ofSeconds(20));
		sdk.closeGracefully().block(TIMEOUT);
	}

	@Test
	void theSdksOwnClientSeesAFailedConnectionAtOnce() {
		this.server.on("GET", (request, response) -> response.status(404).send());
		SseTransportClient client = SseTransportClient.to(this.server.url());
		McpAsyncClient sdk = McpClient.async(client.transport()).build();
		assertThat(sdk.initialize().toFuture()).failsWithin(Duration.ofSeconds(20));
		sdk.closeGracefully().block(TIMEOUT);
	}

	@Test
	void saysWhatItIsWithoutSecrets() {
		SseTransportClient client = SseTransportClient.to(this.server.http().url("/sse?key=secret"),
				(definition) -> definition.headers(Map.of("X-Key", "abc")));
		assertThat(client.transport().toString()).startsWith("HttpTransport[http://localhost")
			.doesNotContain("secret", "abc");
		client.close();
	}

}
