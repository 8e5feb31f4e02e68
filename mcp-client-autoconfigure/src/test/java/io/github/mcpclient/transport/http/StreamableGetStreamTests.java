package io.github.mcpclient.transport.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Limits;
import io.github.mcpclient.support.VirtualScheduler;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.github.mcpclient.transport.ResultTooLargeException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableGetStream}.
 */
@Timeout(120)
class StreamableGetStreamTests {

	private final ScriptedHttpServer server = ScriptedHttpServer.start();

	private final VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);

	private final Logger logger = (Logger) LoggerFactory.getLogger(StreamableGetStream.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void listenToTheLog() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void close() {
		this.logger.detachAppender(this.log);
		this.server.close();
		this.time.awaitPending(0);
	}

	@Test
	void opensAfterTheServerWasToldThatTheSessionIsInitialized() {
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response, Flux.never()));
		try (HttpTransportClient client = client()) {
			client.send("1", "initialize").block(HttpTransportClient.TIMEOUT);
			client.notify("notifications/other").block(HttpTransportClient.TIMEOUT);
			assertThat(this.server.requests("GET")).isEmpty();
			client.notify("notifications/initialized").block(HttpTransportClient.TIMEOUT);
			awaitGets(1);
			ScriptedHttpServer.Request get = this.server.requests("GET").get(0);
			assertThat(get.header("Mcp-Session-Id")).isEqualTo(ScriptedHttpServer.SESSION_ID);
			assertThat(get.header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
			client.notify("notifications/initialized").block(HttpTransportClient.TIMEOUT);
			assertThat(this.server.requests("GET")).hasSize(1);
		}
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void doesNotOpenWhenThatIsRefused() {
		this.server.on("notifications/initialized", (request, response) -> response.status(500).send());
		try (HttpTransportClient client = client()) {
			client.send("1", "initialize").block(HttpTransportClient.TIMEOUT);
			HttpTransportClient.failure(client.notify("notifications/initialized"));
			this.time.advance(Duration.ofMinutes(1));
			assertThat(this.server.requests("GET")).isEmpty();
		}
	}

	@Test
	void deliversWhatTheServerSays() {
		Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response, events.asFlux()));
		try (HttpTransportClient client = client().initialize()) {
			events.tryEmitNext("id: 1\ndata:\n\ndata: {bad\n\n" + ScriptedHttpServer
				.event("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/tools/list_changed\"}"));
			Awaitility.await().until(() -> client.messages().size() == 2);
			assertThat(client.messages().get(1)).isInstanceOf(JSONRPCNotification.class);
			events.tryEmitNext(ScriptedHttpServer.event("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}"));
			Awaitility.await().until(() -> client.messages().size() == 3);
			assertThat(client.messages().get(2)).isInstanceOf(JSONRPCRequest.class);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callsThatAreAnsweredOnItGiveTheirConnectionsBack(boolean head) {
		Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response, events.asFlux()));
		this.server.on("echo", (request, response) -> {
			events.emitNext(ScriptedHttpServer.event(ScriptedHttpServer.result(request, "{}")),
					Sinks.EmitFailureHandler.busyLooping(HttpTransportClient.TIMEOUT));
			return head ? ScriptedHttpServer.sse(response, Flux.just(":\n\n").concatWith(Flux.never())) : Mono.never();
		});
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			awaitGets(1);
			int calls = McpHttpClients.MAX_CONNECTIONS + 44;
			Flux.range(0, calls).flatMap((i) -> client.send(i, "echo"), 8).blockLast(HttpTransportClient.TIMEOUT);
			assertThat(client.messages()).hasSize(1 + calls);
			Awaitility.await().until(() -> client.transport().pending() == 0);
		}
	}

	@Test
	void anAnswerOnItThatIsTooLargeFailsTheCall() {
		Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response, events.asFlux()));
		this.server.on("tools/call", (request, response) -> {
			events.tryEmitNext(ScriptedHttpServer
				.event(ScriptedHttpServer.result(request, "{\"x\": \"" + "x".repeat(2048) + "\"}")));
			return Mono.never();
		});
		try (HttpTransportClient client = HttpTransportClient
			.to(this.server.url(),
					(definition) -> definition
						.limits(new Limits(DataSize.ofMegabytes(1), DataSize.ofKilobytes(1), 1000, null)))
			.initialize()) {
			awaitGets(1);
			assertThat(client.failure(1, "tools/call")).isInstanceOf(ResultTooLargeException.class);
			assertThat(client.messages()).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 405, 404, 501 })
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aServerThatHasNoStreamIsLeftAlone(int status) {
		this.server.on("GET", (request, response) -> response.status(status).send());
		this.server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		assertThatThereIsNoStream();
	}

	@ParameterizedTest
	@ValueSource(ints = { 409, 401, 403, 400, 406, 410, 302, 204 })
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aStreamThatIsRefusedIsAskedForAgainLessAndLess(int status) {
		AtomicBoolean refuses = new AtomicBoolean(true);
		this.server.on("GET", (request, response) -> refuses.get() ? response.status(status).send()
				: ScriptedHttpServer.sse(response, Flux.never()));
		try (HttpTransportClient client = client().initialize()) {
			for (int gets = 1; gets <= 12; gets++) {
				awaitGets(gets);
				this.time.awaitPending(1);
				advance(Math.min(300, 1 << (gets - 1)));
			}
			awaitGets(13);
			this.time.awaitPending(1);
			this.time.advance(Duration.ofMinutes(5).minusMillis(1));
			assertThat(this.server.requests("GET")).hasSize(13);
			refuses.set(false);
			this.time.advance(Duration.ofMinutes(2));
			awaitGets(14);
			this.time.awaitPending(0);
			this.time.advance(Duration.ofHours(1));
			assertThat(this.server.requests("GET")).hasSize(14);
			assertThat(client.termination()).isNotDone();
			assertThat(this.log.list).filteredOn((event) -> event.getLevel() == Level.WARN)
				.hasSize(List.of(401, 403, 409).contains(status) ? 1 : 0);
		}
	}

	@ParameterizedTest
	@CsvSource({ "429, 90, 90", "503, 90, 90", "429, 86400, 300", "500, 90, 1", "429, soon, 1", "429, 0, 1" })
	void aStreamThatIsRefusedForNowIsAskedForWhenTheServerSays(int status, String retryAfter, long seconds) {
		this.server.on("GET",
				(request, response) -> (this.server.requests("GET").size() == 1)
						? response.status(status).header("Retry-After", retryAfter).send()
						: ScriptedHttpServer.sse(response, Flux.never()));
		try (HttpTransportClient client = client().initialize()) {
			awaitGets(1);
			this.time.awaitPending(1);
			this.time.advance(Duration.ofSeconds(seconds).minusMillis(1));
			assertThat(this.server.requests("GET")).hasSize(1);
			this.time.advance(Duration.ofMillis(252));
			awaitGets(2);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void aPageInPlaceOfAStreamIsNoReasonToGiveUp() {
		this.server.on("GET",
				(request, response) -> (this.server.requests("GET").size() == 1)
						? ScriptedHttpServer.raw(response, "text/html", "<html>".repeat(10_000))
						: ScriptedHttpServer.sse(response, Flux.never()));
		try (HttpTransportClient client = client().initialize()) {
			awaitGets(1);
			this.time.awaitPending(1);
			advance(2);
			awaitGets(2);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void whatMayHaveBeenMissedIsToldWhenTheStreamIsOpenAgain() {
		AtomicInteger gaps = new AtomicInteger();
		this.server.on("GET", (request, response) -> switch (this.server.requests("GET").size()) {
			case 1, 3 -> ScriptedHttpServer.sse(response, ":\n\n");
			case 2 -> response.status(503).send();
			default -> ScriptedHttpServer.sse(response, Flux.just(":\n\n").concatWith(Flux.never()));
		});
		try (HttpTransportClient client = client()) {
			client.transport().onGap(gaps::incrementAndGet);
			client.initialize();
			int[] expected = { 0, 0, 1 };
			for (int gets = 1; gets <= 3; gets++) {
				awaitGets(gets);
				this.time.awaitPending(1);
				assertThat(gaps).hasValue(expected[gets - 1]);
				advance(1 << (gets - 1));
			}
			awaitGets(4);
			Awaitility.await().until(() -> gaps.get() == 2);
		}
	}

	@Test
	void aStreamThatOpensLateMayHaveMissedSomething() {
		AtomicInteger gaps = new AtomicInteger();
		this.server.on("GET",
				(request, response) -> (this.server.requests("GET").size() == 1) ? response.status(409).send()
						: ScriptedHttpServer.sse(response, Flux.just(":\n\n").concatWith(Flux.never())));
		try (HttpTransportClient client = client()) {
			client.transport().onGap(gaps::incrementAndGet);
			client.initialize();
			awaitGets(1);
			this.time.awaitPending(1);
			advance(1);
			Awaitility.await().until(() -> gaps.get() == 1);
		}
	}

	@Test
	void aStreamThatCannotBeContinuedBeginsAnew() {
		this.server.on("ping", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		this.server.on("GET", (request, response) -> switch (this.server.requests("GET").size()) {
			case 1 -> ScriptedHttpServer.sse(response,
					ScriptedHttpServer.event("e1", "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}"));
			case 2 -> response.status(400).sendString(Mono.just("Invalid event ID")).then();
			default -> ScriptedHttpServer.sse(response, Flux.never());
		});
		try (HttpTransportClient client = client().initialize()) {
			for (int gets = 1; gets <= 2; gets++) {
				awaitGets(gets);
				this.time.awaitPending(1);
				advance(gets);
			}
			awaitGets(3);
			assertThat(this.server.requests("GET")).extracting((get) -> get.header("Last-Event-ID"))
				.containsExactly(null, "e1", null);
			assertThat(client.termination()).isNotDone();
		}
	}

	private void assertThatThereIsNoStream() {
		try (HttpTransportClient client = client().initialize()) {
			awaitGets(1);
			assertThat(client.call("1", "echo").error()).isNull();
			this.time.advance(Duration.ofHours(1));
			assertThat(client.call("2", "echo").error()).isNull();
			assertThat(this.server.requests("GET")).hasSize(1);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aStreamThatEndsIsOpenedAgainWithGrowingPauses() {
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response, Flux.empty()));
		try (HttpTransportClient client = client().initialize()) {
			awaitGets(1);
			int gets = 1;
			for (int seconds : new int[] { 1, 2, 4, 8, 16, 30, 30, 30 }) {
				this.time.awaitPending(1);
				this.time.advance(Duration.ofSeconds(seconds).minusMillis(1));
				assertThat(this.server.requests("GET")).hasSize(gets);
				this.time.advance(Duration.ofMillis(seconds * 250 + 1));
				gets++;
				awaitGets(gets);
			}
			assertThat(client.termination()).isNotDone();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 500, 502, 503, 429 })
	void troubleThatWillPassIsWaitedFor(int status) {
		AtomicInteger attempts = new AtomicInteger();
		this.server.on("GET", (request, response) -> (attempts.incrementAndGet() < 3) ? response.status(status).send()
				: ScriptedHttpServer.sse(response, Flux.never()));
		try (HttpTransportClient client = client().initialize()) {
			awaitGets(1);
			this.time.awaitPending(1);
			advance(1);
			awaitGets(2);
			this.time.awaitPending(1);
			advance(2);
			awaitGets(3);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void itNeverRunsHotWhateverTheServerAsksFor() {
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response,
				"retry: 0\nid: " + this.server.requests().size() + "\ndata:\n\n"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Awaitility.await().until(() -> !this.server.requests("GET").isEmpty());
			long begin = System.nanoTime();
			int before = this.server.requests("GET").size();
			Awaitility.await().until(() -> this.server.requests("GET").size() >= before + 8);
			// on a machine that is slow there is more time between them
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(500));
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void itContinuesWhereTheStreamStoodAfterTheTimeThatTheServerAsksFor() {
		this.server.on("GET",
				(request, response) -> ScriptedHttpServer.sse(response, "retry: 3000\n", ScriptedHttpServer
					.event("e" + this.server.requests("GET").size(), "{\"jsonrpc\": \"2.0\", \"method\": \"note\"}")));
		try (HttpTransportClient client = client().initialize()) {
			for (int gets = 1; gets <= 5; gets++) {
				awaitGets(gets);
				int messages = gets + 1;
				Awaitility.await().until(() -> client.messages().size() == messages);
				this.time.awaitPending(1);
				this.time.advance(Duration.ofMillis(2999));
				assertThat(this.server.requests("GET")).hasSize(gets);
				this.time.advance(Duration.ofMillis(1));
			}
			awaitGets(6);
			assertThat(this.server.requests("GET")).extracting((get) -> get.header("Last-Event-ID"))
				.containsExactly(null, "e1", "e2", "e3", "e4", "e5");
		}
	}

	@Test
	void aStreamThatLivedForAWhileStartsWithAShortPauseAgain() {
		this.server.on("GET", (request, response) -> (this.server.requests("GET").size() == 3)
				? ScriptedHttpServer.sse(response, Flux.never()) : ScriptedHttpServer.sse(response, Flux.empty()));
		try (HttpTransportClient client = client().initialize()) {
			awaitGets(1);
			this.time.awaitPending(1);
			advance(1);
			awaitGets(2);
			this.time.awaitPending(1);
			advance(2);
			awaitGets(3);
			Awaitility.await().until(() -> this.server.connections() > 0);
			// the client, too, must have seen that the stream is open
			client.notify("note").block(HttpTransportClient.TIMEOUT);
			this.time.advance(Duration.ofSeconds(31));
			this.server.closeConnections();
			this.time.awaitPending(1);
			advance(1);
			awaitGets(4);
		}
	}

	@Test
	@Fault(value = FaultKind.HALF_OPEN, over = Transport.STREAMABLE_HTTP)
	void aStreamThatIsSilentForTooLongIsOpenedAgain() {
		this.server.on("GET", (request, response) -> (this.server.requests("GET").size() == 1)
				? ScriptedHttpServer.sse(response, Flux.never())
				: ScriptedHttpServer.sse(response, Flux.interval(Duration.ofMillis(20)).map((tick) -> ":\n\n")));
		try (HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), (definition) -> definition.sseReadTimeout(Duration.ofMillis(700)))
			.initialize()) {
			awaitGets(2);
			// comments are signs of life, though a busy machine may delay them once
			Mono.delay(Duration.ofSeconds(2)).block();
			assertThat(this.server.requests("GET")).hasSizeLessThanOrEqualTo(3);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void silenceIsNoReasonForGrowingPauses() {
		this.server.on("GET",
				(request, response) -> ScriptedHttpServer.sse(response, Flux.just(":\n\n").concatWith(Flux.never())));
		try (HttpTransportClient client = silentClient().initialize()) {
			for (int gets = 1; gets < 6; gets++) {
				awaitGets(gets);
				this.time.advance(Duration.ofSeconds(5));
				this.time.awaitPending(1);
				advance(1);
			}
			awaitGets(6);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	@Fault(value = FaultKind.HALF_OPEN, over = Transport.STREAMABLE_HTTP)
	void aRequestForAStreamThatIsNotAnsweredIsMadeAgain() {
		this.server.on("GET", (request, response) -> Mono.never());
		try (HttpTransportClient client = silentClient().initialize()) {
			awaitGets(1);
			this.time.awaitPending(1);
			this.time.advance(Duration.ofSeconds(5));
			Awaitility.await().until(() -> this.server.aborted() == 1);
			advance(1);
			awaitGets(2);
			assertThat(client.termination()).isNotDone();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 404, 400 })
	void aStreamThatIsNotThereAnyMoreIsAReasonToAskForTheSession(int status) {
		this.server.on("GET", (request, response) -> (this.server.requests("GET").size() == 1)
				? ScriptedHttpServer.sse(response, ":\n\n") : response.status(status).send());
		this.server.on("ping", (request, response) -> response.status(404).send());
		try (HttpTransportClient client = client().initialize()) {
			awaitGets(1);
			this.time.awaitPending(1);
			advance(1);
			assertThat(client.termination()).failsWithin(HttpTransportClient.TIMEOUT)
				.withThrowableThat()
				.havingCause()
				.withMessage("The server no longer knows the session (HTTP 404)");
		}
	}

	@Test
	void aStreamThatIsNotThereForAWhileIsOpenedAgainWhereTheSessionLives() {
		this.server.on("GET",
				(request, response) -> (this.server.requests("GET").size() == 2) ? response.status(404).send()
						: ScriptedHttpServer.sse(response,
								(this.server.requests("GET").size() == 1) ? Flux.just(":\n\n") : Flux.never()));
		this.server.on("ping", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		try (HttpTransportClient client = client().initialize()) {
			awaitGets(1);
			this.time.awaitPending(1);
			advance(1);
			Awaitility.await().until(() -> !this.server.requests("ping").isEmpty());
			this.time.awaitPending(1);
			advance(2);
			awaitGets(3);
			assertThat(this.server.requests("ping")).hasSize(1);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void anEventOverTheLimitIsNotAskedForAgain() {
		this.server
			.on("GET",
					(request,
							response) -> (this.server.requests("GET").size() == 1)
									? ScriptedHttpServer.sse(response,
											ScriptedHttpServer.event("1",
													"{\"jsonrpc\": \"2.0\", \"method\": \"note\"}"),
											ScriptedHttpServer.event("2", "x".repeat(2000)))
									: ScriptedHttpServer.sse(response, Flux.never()));
		DataSize size = DataSize.ofBytes(1000);
		try (HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), this.time,
					(definition) -> definition.limits(new McpServerDefinition.Limits(size, size, 1, null)))
			.initialize()) {
			awaitGets(1);
			Awaitility.await().until(() -> client.messages().size() == 2);
			this.time.awaitPending(1);
			advance(1);
			awaitGets(2);
			assertThat(this.server.requests("GET").get(1).header("Last-Event-ID")).isNull();
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void aServerThatIsGoneEndsTheTransport() throws IOException {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			while (true) {
				String request = connection.read();
				if (request.startsWith("GET")) {
					connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
							+ "data: {\"jsonrpc\": \"2.0\", \"method\": \"note\"}\n\n");
					connection.awaitClose();
				}
				else if (request.contains("\"initialize\"")) {
					connection.answer("200 OK", "Content-Type: application/json\r\n",
							"{\"jsonrpc\": \"2.0\", \"id\": \"init\", \"result\": {}}");
				}
				else {
					connection.answer("202 Accepted", "", "");
				}
			}
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url(), this.time, (definition) -> {
		}).initialize();
		// a request without any answer is made again at once by the HTTP client
		Awaitility.await().until(() -> client.messages().size() == 2);
		raw.close();
		this.time.awaitPending(1);
		assertThat(client.termination()).isNotDone();
		advance(1);
		assertThat(client.termination()).failsWithin(HttpTransportClient.TIMEOUT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(TransportException.class)
			.withMessageStartingWith("Connection refused: localhost/127.0.0.1:");
		client.close();
	}

	@Test
	void nothingIsOpenedAgainAfterClose() {
		this.server.on("GET", (request, response) -> ScriptedHttpServer.sse(response, Flux.empty()));
		HttpTransportClient client = client().initialize();
		awaitGets(1);
		this.time.awaitPending(1);
		client.close();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.requests("GET")).hasSize(1);
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	private HttpTransportClient client() {
		return HttpTransportClient.to(this.server.url(), this.time, (definition) -> {
		});
	}

	private HttpTransportClient silentClient() {
		return HttpTransportClient.to(this.server.url(), this.time,
				(definition) -> definition.sseReadTimeout(Duration.ofSeconds(5)));
	}

	/**
	 * Advance by a delay that may have been prolonged by a quarter, and no further: an
	 * answer may come before the time has advanced.
	 */
	private void advance(int seconds) {
		this.time.advance(Duration.ofMillis(seconds * 1250));
	}

	private void awaitGets(int count) {
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> this.server.requests("GET").size() == count);
	}

}
