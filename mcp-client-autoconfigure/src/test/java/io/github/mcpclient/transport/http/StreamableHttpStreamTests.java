package io.github.mcpclient.transport.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.VirtualScheduler;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import tools.jackson.databind.JsonNode;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableProtocol} and a server that answers with streams of events.
 */
@Timeout(120)
class StreamableHttpStreamTests {

	private static final Duration TIMEOUT = HttpTransportClient.TIMEOUT;

	private final ScriptedHttpServer server = ScriptedHttpServer.start();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void deliversMessagesInOrderAsTheyCome() {
		Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();
		AtomicReference<String> answer = new AtomicReference<>();
		this.server.on("work", (request, response) -> {
			answer.set(ScriptedHttpServer.result(request, "{}"));
			return ScriptedHttpServer.sse(response, events.asFlux());
		});
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			CompletableFuture<Void> call = client.send("1", "work").toFuture();
			events.tryEmitNext("id: 1\ndata:\n\n");
			events.tryEmitNext(ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"method\": \"progress\"}"));
			Awaitility.await().until(() -> client.messages().size() == 2);
			assertThat(client.messages().get(1)).isInstanceOf(JSONRPCNotification.class);
			events.tryEmitNext(": still here\n\n");
			events.tryEmitNext("event: ping\ndata: {}\n\n");
			events.tryEmitNext(ScriptedHttpServer
				.event("{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": \"sampling/createMessage\"}"));
			Awaitility.await().until(() -> client.messages().size() == 3);
			assertThat(client.messages().get(2)).isInstanceOf(JSONRPCRequest.class);
			assertThat(call).isNotDone();
			events.tryEmitNext("event: message\ndata: " + answer.get() + "\n\n");
			assertThat(call).succeedsWithin(TIMEOUT);
			assertThat(client.answer("1").error()).isNull();
			// what comes after the answer is told, too
			events.tryEmitNext(ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"method\": \"late\"}"));
			Awaitility.await().until(() -> client.messages().size() == 5);
			events.tryEmitComplete();
		}
	}

	@Test
	void initializesOverAStream() {
		this.server.on("initialize", (request, response) -> ScriptedHttpServer.sse(
				response.header("Mcp-Session-Id", "over-sse"), "id: 1\ndata:\n\n",
				ScriptedHttpServer.event(ScriptedHttpServer.result(request, "{\"protocolVersion\": \"2025-03-26\"}"))));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			ScriptedHttpServer.Request request = this.server.requests("notifications/initialized").get(0);
			assertThat(request.header("Mcp-Session-Id")).isEqualTo("over-sse");
			assertThat(request.header("MCP-Protocol-Version")).isEqualTo("2025-03-26");
			assertThat(client.messages()).hasSize(1);
		}
	}

	@Test
	void reusesTheConnectionAfterAStreamThatEnds() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response,
				ScriptedHttpServer.event(ScriptedHttpServer.result(request, "{}"))));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			for (int i = 0; i < 50; i++) {
				client.call("c" + i, "work");
			}
			assertThat(this.server.accepted()).isLessThan(10);
		}
	}

	@Test
	void aStreamThatStaysOpenAfterTheAnswerIsDropped() {
		this.server.on("work",
				(request, response) -> ScriptedHttpServer.sse(response,
						Flux.just(ScriptedHttpServer.event(ScriptedHttpServer.result(request, "{}")))
							.concatWith(Flux.never())));
		VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), time, (definition) -> {
		}).initialize()) {
			client.call("1", "work");
			assertThat(this.server.aborted()).isZero();
			time.awaitPending(1);
			time.advance(Duration.ofSeconds(1));
			Awaitility.await().until(() -> this.server.aborted() == 1);
		}
	}

	@Test
	void aBadEventCostsOnlyItself() {
		this.server.on("work",
				(request, response) -> ScriptedHttpServer.sse(response, "data: {nonsense\n\n", "data: 42\n\n",
						"data: {\"jsonrpc\": \"2.0\"}\n\n",
						ScriptedHttpServer.event(ScriptedHttpServer.result(request, "{\"ok\": true}"))));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			assertThat(((JsonNode) client.call("1", "work").result()).path("ok").asBoolean()).isTrue();
			assertThat(client.messages()).hasSize(2);
		}
	}

	@Test
	@Fault(value = FaultKind.STREAM_IN_PIECES, over = Transport.STREAMABLE_HTTP)
	void aCharacterSplitBetweenPacketsArrivesWhole() throws Exception {
		try (RawHttpServer raw = RawHttpServer.start((connection) -> {
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
		}); HttpTransportClient client = HttpTransportClient.to(raw.url())) {
			assertThat(((JsonNode) client.call("1", "work").result()).path("a").asString()).isEqualTo("\u00fc\u20ac");
		}
	}

	@Test
	void anEventOverTheLimitEndsTheCallOnly() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response,
				Flux.just("data: ").concatWith(Flux.range(0, 100_000).map((i) -> "x".repeat(1024)))));
		this.server.on("many", (request, response) -> ScriptedHttpServer.sse(response, Flux.range(0, 100)
			.map((i) -> ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"method\": \"" + "x".repeat(50_000) + "\"}"))
			.concatWith(Mono.fromSupplier(() -> ScriptedHttpServer.event(ScriptedHttpServer.result(request, "{}"))))));
		DataSize size = DataSize.ofKilobytes(100);
		try (HttpTransportClient client = HttpTransportClient
			.to(this.server.url(),
					(definition) -> definition.limits(new McpServerDefinition.Limits(size, size, 10, null)))
			.initialize()) {
			assertThat(client.failure("1", "work")).isInstanceOf(TransportException.class)
				.hasMessageContaining("larger than");
			Awaitility.await().until(() -> this.server.aborted() == 1);
			assertThat(client.call("2", "many").error()).isNull();
			assertThat(client.messages()).hasSize(102);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ": hi\n\n", "data: {\"jsonrpc\": \"2.0\", \"method\": \"progress\"}\n\n",
			"retry: 5\n\n", "id: 1\ndata:" })
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aStreamThatEndsWithoutAnswerFailsTheCallAtOnce(String text) {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response, text));
		VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), time, (definition) -> {
		}).initialize()) {
			assertThat(client.failure("1", "work")).isInstanceOf(TransportException.class)
				.hasMessage("The server closed the stream before it answered")
				.satisfies((ex) -> assertThat(((TransportException) ex).isPossiblyProcessed()).isTrue());
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aStreamThatBreaksWithoutAnswerFailsTheCallAtOnce() throws Exception {
		try (RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
					+ "4\r\n:hi\n\r\n");
			connection.reset();
		}); HttpTransportClient client = HttpTransportClient.to(raw.url())) {
			assertThat(client.failure("1", "work")).isInstanceOf(TransportException.class)
				.hasMessageStartingWith("The stream broke before the server answered: ");
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void continuesAStreamThatTheServerClosesAfterTheTimeThatItAsksFor() {
		this.server.on("work",
				(request, response) -> ScriptedHttpServer.sse(response, "retry: 500\nid: stream-1\ndata:\n\n"));
		this.server.on("GET", (request, response) -> {
			if (request.header("Last-Event-ID") == null) {
				return response.status(405).send();
			}
			return ScriptedHttpServer.sse(response,
					ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {}}"));
		});
		VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), time, (definition) -> {
		}).initialize()) {
			Awaitility.await().until(() -> this.server.requests("GET").size() == 1);
			CompletableFuture<Void> call = client.send("1", "work").toFuture();
			time.awaitPending(1);
			time.advance(Duration.ofMillis(499));
			assertThat(this.server.requests("GET")).hasSize(1);
			time.advance(Duration.ofMillis(1));
			assertThat(call).succeedsWithin(TIMEOUT);
			assertThat(client.answer("1").error()).isNull();
			ScriptedHttpServer.Request resumption = this.server.requests("GET").get(1);
			assertThat(resumption.header("Last-Event-ID")).isEqualTo("stream-1");
			assertThat(resumption.header("Accept")).isEqualTo("text/event-stream");
			assertThat(resumption.header("Mcp-Session-Id")).isEqualTo(ScriptedHttpServer.SESSION_ID);
			assertThat(resumption.header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
		}
	}

	@Test
	void continuesAgainAndAgainWhereTheStreamStood() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response, "retry: 20\nid: 0\ndata:\n\n"));
		AtomicInteger round = new AtomicInteger();
		this.server.on("GET", (request, response) -> {
			if (request.header("Last-Event-ID") == null) {
				return response.status(405).send();
			}
			int next = round.incrementAndGet();
			return switch (next) {
				case 1 -> ScriptedHttpServer.sse(response,
						ScriptedHttpServer.event("a", "{\"jsonrpc\": \"2.0\", \"method\": \"progress\"}"));
				case 2 -> ScriptedHttpServer.sse(response, "id: b\ndata:\n\n");
				case 3 -> response.status(503).send();
				case 4 -> ScriptedHttpServer.sse(response, ":\n\n");
				default -> ScriptedHttpServer.sse(response,
						ScriptedHttpServer.event("c", "{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {}}"));
			};
		});
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			client.call("1", "work");
			assertThat(this.server.requests("GET").stream().map((get) -> get.header("Last-Event-ID")))
				.filteredOn((id) -> id != null)
				.containsExactly("0", "a", "b", "b", "b");
			assertThat(client.messages()).hasSize(3);
		}
	}

	@Test
	void idsOfSeveralStreamsAreNotMixed() {
		this.server.on("one",
				(request, response) -> ScriptedHttpServer.sse(response, "retry: 100\nid: one\ndata:\n\n"));
		this.server.on("two",
				(request, response) -> ScriptedHttpServer.sse(response, "retry: 100\nid: two\ndata:\n\n"));
		this.server.on("GET", (request, response) -> {
			String id = request.header("Last-Event-ID");
			if (id == null) {
				return ScriptedHttpServer.sse(response, Flux.just("id: unasked\ndata:\n\n").concatWith(Flux.never()));
			}
			return ScriptedHttpServer.sse(response,
					ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"id\": \"" + id + "\", \"result\": {}}"));
		});
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Mono.when(client.send("one", "one"), client.send("two", "two")).block(TIMEOUT);
			assertThat(client.answer("one")).isNotNull();
			assertThat(client.answer("two")).isNotNull();
			Awaitility.await().untilAsserted(() -> assertThat(this.server.requests("GET")).hasSize(3));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 401, 404, 405, 302 })
	void aStreamThatTheServerDoesNotContinueFailsTheCall(int status) {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response, "retry: 1\nid: 1\ndata:\n\n"));
		this.server.on("GET", (request, response) -> response.status(status).send());
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.failure("1", "work")).isInstanceOf(TransportException.class)
				.hasMessage("The server closed the stream before it answered, and does not resume it (HTTP " + status
						+ ")");
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void continuingEndsWithTheCall() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response, "id: 1\ndata:\n\n"));
		VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), time, (definition) -> {
		}).initialize()) {
			Awaitility.await().until(() -> this.server.requests("GET").size() == 1);
			Disposable call = client.send("1", "work").onErrorComplete().subscribe();
			time.awaitPending(1);
			call.dispose();
			time.advance(Duration.ofHours(1));
			assertThat(this.server.requests("GET")).hasSize(1);
		}
	}

	@Test
	void continuingIsGivenUpWhenItBringsNothing() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response, "id: 1\ndata:\n\n"));
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response, ":\n\n"));
		VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), time, (definition) -> {
		})) {
			client.send("init", "initialize").block(TIMEOUT);
			CompletableFuture<Void> call = client.send("1", "work").toFuture();
			long[] delays = { 1, 2, 4, 8, 16, 30, 30, 30 };
			for (int i = 0; i < delays.length; i++) {
				int attempts = i;
				time.awaitPending(1);
				time.advance(Duration.ofSeconds(delays[i]).minusMillis(1));
				assertThat(this.server.requests("GET")).hasSize(attempts);
				time.advance(Duration.ofMillis(delays[i] * 250 + 1));
				Awaitility.await().until(() -> this.server.requests("GET").size() == attempts + 1);
			}
			assertThat(call).failsWithin(TIMEOUT);
			time.advance(Duration.ofHours(1));
			assertThat(this.server.requests("GET")).hasSize(8);
		}
	}

	@Test
	void aStreamThatIsSilentForTooLongIsContinued() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response,
				Flux.just("retry: 1\nid: 1\ndata:\n\n").concatWith(Flux.never())));
		this.server.on("silent", (request, response) -> ScriptedHttpServer.sse(response, Flux.never()));
		this.server.on("GET",
				(request, response) -> (request.header("Last-Event-ID") == null) ? response.status(405).send()
						: ScriptedHttpServer.sse(response,
								ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {}}")));
		try (HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), (definition) -> definition.sseReadTimeout(Duration.ofMillis(100)))
			.initialize()) {
			CompletableFuture<Void> silent = client.send("2", "silent").toFuture();
			client.call("1", "work");
			Awaitility.await().until(() -> this.server.aborted() > 0);
			// there is nothing to continue: the request has a deadline of its own
			assertThat(silent).isNotDone();
		}
	}

	@Test
	void aCallThatIsCancelledDropsItsStream() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response,
				Flux.just("id: 1\ndata:\n\n").concatWith(Flux.never())));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Disposable call = client.send("1", "work").onErrorComplete().subscribe();
			Awaitility.await().until(() -> !this.server.requests("work").isEmpty());
			call.dispose();
			Awaitility.await().until(() -> this.server.aborted() == 1);
			assertThat(this.server.requests("GET")).hasSizeLessThanOrEqualTo(1);
		}
	}

	@Test
	void closeEndsAWaitToContinue() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response, "id: 1\ndata:\n\n"));
		VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), time, (definition) -> {
		}).initialize();
		CompletableFuture<Void> call = client.send("1", "work").toFuture();
		time.awaitPending(1);
		client.close();
		assertThat(call).failsWithin(TIMEOUT);
		int requests = this.server.requests().size();
		time.advance(Duration.ofHours(1));
		assertThat(this.server.requests()).hasSize(requests);
	}

	@Test
	void concurrentStreamsEachGetTheirOwn() {
		this.server.on("work", (request, response) -> ScriptedHttpServer.sse(response, ":\n\n",
				ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"method\": \"progress\"}"),
				ScriptedHttpServer.event(ScriptedHttpServer.result(request, "{\"id\": " + request.id() + "}"))));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Flux.range(0, 320).flatMap((i) -> client.send("c" + i, "work"), 64).blockLast(TIMEOUT);
			for (String id : List.of("c0", "c160", "c319")) {
				JSONRPCResponse answer = client.answer(id);
				assertThat(((JsonNode) answer.result()).path("id").asString()).isEqualTo(id);
			}
			assertThat(client.messages()).hasSize(1 + 2 * 320);
		}
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

}
