package io.github.mcpclient.internal.transport.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.Endurance;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import tools.jackson.databind.JsonNode;

import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableProtocol} and a server that answers with streams of events.
 */
class StreamableHttpStreamTests {

	private static final String ANSWER = "data: {\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {}}\n\n";

	private static final String PROGRESS = "data: {\"jsonrpc\": \"2.0\", \"method\": \"progress\"}\n\n";

	private final McpTestServer server = McpTestServer.create().on("GET", McpTestReply.status(405)).start();

	private final VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);

	@Test
	void deliversMessagesInOrderAsTheyCome() {
		Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();
		this.server.on("work", McpTestReply.events(events.asFlux()));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		CompletableFuture<Void> call = client.send("1", "work").toFuture();
		events.tryEmitNext("id: 1\ndata:\n\n");
		events.tryEmitNext(PROGRESS);
		Awaitility.await().until(() -> client.messages().size() == 2);
		assertThat(client.messages().get(1)).isInstanceOf(JSONRPCNotification.class);
		events.tryEmitNext(": still here\n\n");
		events.tryEmitNext("event: ping\ndata: {}\n\n");
		events.tryEmitNext("data: {\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": \"sampling/createMessage\"}\n\n");
		Awaitility.await().until(() -> client.messages().size() == 3);
		assertThat(client.messages().get(2)).isInstanceOf(JSONRPCRequest.class);
		assertThat(call).isNotDone();
		events.tryEmitNext("event: message\n" + ANSWER);
		assertThat(call).succeedsWithin(LIMIT);
		assertThat(client.answer("1").error()).isNull();
		// what comes after the answer is told, too
		events.tryEmitNext("data: {\"jsonrpc\": \"2.0\", \"method\": \"late\"}\n\n");
		Awaitility.await().until(() -> client.messages().size() == 5);
		events.tryEmitComplete();
	}

	@Test
	void initializesOverAStream() {
		this.server.protocolVersions("2025-03-26").on("initialize", McpTestReply.standard().precededBy(""));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		McpTestRequest request = this.server.requests("notifications/initialized").get(0);
		assertThat(request.sessionId()).isNotNull();
		assertThat(request.header("MCP-Protocol-Version")).isEqualTo("2025-03-26");
		assertThat(client.messages()).hasSize(1);
	}

	@Test
	void reusesTheConnectionAfterAStreamThatEnds() {
		this.server.on("work", McpTestReply.result("{}").asEvents());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		for (int i = 0; i < 50; i++) {
			client.call("c" + i, "work");
		}
		assertThat(this.server.acceptedConnections()).isLessThan(10);
	}

	@Test
	void aStreamThatStaysOpenAfterTheAnswerIsDropped() {
		this.server.on("work", McpTestReply.result("{}").asEvents().thenHang());
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize();
		client.call("1", "work");
		assertThat(this.server.abortedRequests()).isZero();
		this.time.awaitTimer(StreamedAnswer.class);
		this.time.advance(Duration.ofSeconds(1));
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
	}

	@Test
	void aBadEventCostsOnlyItself() {
		this.server.on("work",
				McpTestReply.result("{\"ok\": true}").precededBy("{nonsense", "42", "{\"jsonrpc\": \"2.0\"}"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(((JsonNode) client.call("1", "work").result()).path("ok").asBoolean()).isTrue();
		assertThat(client.messages()).hasSize(2);
	}

	@Test
	@Fault(value = FaultKind.STREAM_IN_PIECES, over = Transport.STREAMABLE_HTTP)
	void aCharacterSplitBetweenPacketsArrivesWhole() throws Exception {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream;charset=utf-8\r\n"
					+ "Transfer-Encoding: chunked\r\n\r\n");
			byte[] event = "\uFEFFdata: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\r\ndata:\"result\":{\"a\":\"\u00fc\u20ac\"}}\r\n\r\n"
				.getBytes(StandardCharsets.UTF_8);
			for (byte next : event) {
				connection.write("1\r\n");
				connection.write(new byte[] { next });
				connection.write("\r\n");
			}
			connection.write("0\r\n\r\n");
			connection.awaitClose();
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url());
		assertThat(((JsonNode) client.call("1", "work").result()).path("a").asString()).isEqualTo("\u00fc\u20ac");
	}

	@Test
	void anEventOverTheLimitEndsTheCallOnly() {
		this.server.on("work", McpTestReply.flood(100_000_000).asEvents());
		this.server.on("many",
				McpTestReply.result("{}")
					.precededBy(Collections
						.nCopies(100,
								"{\"jsonrpc\": \"2.0\", \"method\": \"x\", \"params\": {\"x\": \"" + "x".repeat(50_000)
										+ "\"}}")
						.toArray()));
		DataSize size = DataSize.ofKilobytes(100);
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), (definition) -> definition.maxMessageSize(size).maxResultSize(size))
			.initialize();
		assertThat(client.failure("1", "work")).isInstanceOf(TransportException.class)
			.hasMessageContaining("larger than");
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
		assertThat(client.call("2", "many").error()).isNull();
		assertThat(client.messages()).hasSize(102);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ": hi\n\n", PROGRESS, "retry: 5\n\n", "id: 1\ndata:" })
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aStreamThatEndsWithoutAnswerFailsTheCallAtOnce(String text) {
		this.server.on("work", McpTestReply.events(text));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize();
		assertThat(client.failure("1", "work")).isInstanceOf(TransportException.class)
			.hasMessage("The server closed the stream before it responded")
			.satisfies((ex) -> assertThat(((TransportException) ex).isPossiblyProcessed()).isTrue());
		assertThat(client.termination()).isNotDone();
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aStreamThatBreaksWithoutAnswerFailsTheCallAtOnce() throws Exception {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
					+ "4\r\n:hi\n\r\n");
			connection.reset();
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url());
		assertThat(client.failure("1", "work")).isInstanceOf(TransportException.class)
			.hasMessageStartingWith("The stream broke before the server responded: ");
		assertThat(client.termination()).isNotDone();
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void continuesAStreamThatTheServerClosesAfterTheTimeThatItAsksFor() {
		this.server.on("work", McpTestReply.events("retry: 500\nid: stream-1\ndata:\n\n"));
		this.server.onNext("GET", McpTestReply.status(405), McpTestReply.events(ANSWER));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize();
		this.server.awaitRequest("GET");
		CompletableFuture<Void> call = client.send("1", "work").toFuture();
		this.time.awaitTimer(PostedMessage.class);
		this.time.advance(Duration.ofMillis(499));
		assertThat(this.server.requests("GET")).hasSize(1);
		this.time.advance(Duration.ofMillis(1));
		assertThat(call).succeedsWithin(LIMIT);
		assertThat(client.answer("1").error()).isNull();
		McpTestRequest resumption = this.server.requests("GET").get(1);
		assertThat(resumption.header("Last-Event-ID")).isEqualTo("stream-1");
		assertThat(resumption.header("Accept")).isEqualTo("text/event-stream");
		assertThat(resumption.sessionId()).isNotNull();
		assertThat(resumption.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
	}

	@Test
	void continuesAgainAndAgainWhereTheStreamStood() {
		this.server.on("work", McpTestReply.events("retry: 20\nid: 0\ndata:\n\n"));
		this.server.onNext("GET", McpTestReply.status(405), McpTestReply.events("id: a\n" + PROGRESS),
				McpTestReply.events("id: b\ndata:\n\n"), McpTestReply.status(503), McpTestReply.events(":\n\n"),
				McpTestReply.events("id: c\n" + ANSWER));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		this.server.awaitRequest("GET");
		client.call("1", "work");
		assertThat(this.server.requests("GET")).extracting((get) -> get.header("Last-Event-ID"))
			.containsExactly(null, "0", "a", "b", "b", "b");
		assertThat(client.messages()).hasSize(3);
	}

	@Test
	void idsOfSeveralStreamsAreNotMixed() {
		this.server.on("one", McpTestReply.events("retry: 100\nid: one\ndata:\n\n"));
		this.server.on("two", McpTestReply.events("retry: 100\nid: two\ndata:\n\n"));
		this.server.on("GET", (request) -> {
			String id = request.header("Last-Event-ID");
			if (id == null) {
				return McpTestReply.events("id: unasked\ndata:\n\n").thenHang();
			}
			return McpTestReply.events("data: {\"jsonrpc\": \"2.0\", \"id\": \"" + id + "\", \"result\": {}}\n\n");
		});
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		Mono.when(client.send("one", "one"), client.send("two", "two")).block(LIMIT);
		assertThat(client.answer("one")).isNotNull();
		assertThat(client.answer("two")).isNotNull();
		this.server.awaitRequests("GET", 3);
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 401, 404, 405, 302 })
	void aStreamThatTheServerDoesNotContinueFailsTheCall(int status) {
		this.server.on("work", McpTestReply.events("retry: 1\nid: 1\ndata:\n\n"));
		this.server.on("GET", McpTestReply.status(status));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(client.failure("1", "work")).isInstanceOf(TransportException.class)
			.hasMessage(
					"The server closed the stream before it responded, and does not resume it (HTTP " + status + ")");
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void continuingEndsWithTheCall() {
		this.server.on("work", McpTestReply.events("id: 1\ndata:\n\n"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize();
		this.server.awaitRequest("GET");
		Disposable call = client.send("1", "work").onErrorComplete().subscribe();
		this.time.awaitTimer(PostedMessage.class);
		call.dispose();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.requests("GET")).hasSize(1);
	}

	@Test
	void continuingIsGivenUpWhenItBringsNothing() {
		this.server.on("work", McpTestReply.events("id: 1\ndata:\n\n"));
		this.server.on("GET", McpTestReply.events(":\n\n"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time);
		client.send("init", "initialize").block(LIMIT);
		CompletableFuture<Void> call = client.send("1", "work").toFuture();
		long[] delays = { 1, 2, 4, 8, 16, 30, 30, 30 };
		for (int i = 0; i < delays.length; i++) {
			int attempts = i;
			this.time.awaitTimer(PostedMessage.class);
			this.time.advance(Duration.ofSeconds(delays[i]).minusMillis(1));
			assertThat(this.server.requests("GET")).hasSize(attempts);
			this.time.advance(Duration.ofMillis(delays[i] * 250 + 1));
			Awaitility.await().until(() -> this.server.requests("GET").size() == attempts + 1);
		}
		assertThat(call).failsWithin(LIMIT);
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.requests("GET")).hasSize(8);
	}

	@Test
	void aStreamThatIsSilentForTooLongIsContinued() {
		this.server.on("work", McpTestReply.events("retry: 1\nid: 1\ndata:\n\n").thenHang());
		this.server.on("silent", McpTestReply.events().thenHang());
		this.server.onNext("GET", McpTestReply.status(405), McpTestReply.events(ANSWER));
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), (definition) -> definition.sseReadTimeout(Duration.ofMillis(100)))
			.initialize();
		this.server.awaitRequest("GET");
		CompletableFuture<Void> silent = client.send("2", "silent").toFuture();
		client.call("1", "work");
		Awaitility.await().until(() -> this.server.abortedRequests() > 0);
		// there is nothing to continue: the request has a deadline of its own
		assertThat(silent).isNotDone();
	}

	@Test
	void aCallThatIsCancelledDropsItsStream() {
		this.server.on("work", McpTestReply.events("id: 1\ndata:\n\n").thenHang());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		Disposable call = client.send("1", "work").onErrorComplete().subscribe();
		this.server.awaitRequest("work");
		call.dispose();
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
		assertThat(this.server.requests("GET")).hasSizeLessThanOrEqualTo(1);
	}

	@Test
	void aCallThatIsCancelledAsItsResponseBeginsDropsItsStream() {
		this.server.on("work", McpTestReply.events("id: 1\ndata:\n\n").thenHang());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		for (int i = 1; i <= Endurance.times(2000); i++) {
			int calls = i;
			Disposable call = client.send(calls, "work").onErrorComplete().subscribe();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(1))
				.until(() -> this.server.requests("work").size() == calls);
			call.dispose();
			Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> this.server.abortedRequests() == calls);
		}
	}

	@Test
	void closeEndsAWaitToContinue() {
		this.server.on("work", McpTestReply.events("id: 1\ndata:\n\n"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize();
		CompletableFuture<Void> call = client.send("1", "work").toFuture();
		this.time.awaitTimer(PostedMessage.class);
		client.close();
		assertThat(call).failsWithin(LIMIT);
		int requests = this.server.requests().size();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.requests()).hasSize(requests);
	}

	@Test
	void concurrentStreamsEachGetTheirOwn() {
		this.server.on("work", (request) -> McpTestReply.result("{\"id\": " + request.id() + "}")
			.precededBy("{\"jsonrpc\": \"2.0\", \"method\": \"progress\"}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Flux.range(0, 320).flatMap((i) -> client.send("c" + i, "work"), 64).blockLast(LIMIT);
			for (String id : List.of("c0", "c160", "c319")) {
				JSONRPCResponse answer = client.answer(id);
				assertThat(((JsonNode) answer.result()).path("id").asString()).isEqualTo(id);
			}
			assertThat(client.messages()).hasSize(1 + 2 * 320);
		}
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

}
