package io.github.mcpclient.internal.transport.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.internal.transport.ResultLimit.ExceededException;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableGetStream}.
 */
class StreamableGetStreamTests {

	private static final String NOTE = "data: {\"jsonrpc\": \"2.0\", \"method\": \"note\"}\n\n";

	private static final McpTestReply OPEN = McpTestReply.events(":\n\n").thenHang();

	private final McpTestServer server = McpTestServer.create().on("GET", OPEN).start();

	private final VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);

	// how often the stream was asked for
	private int gets = 1;

	@RegisterExtension
	private final CapturedLog log = new CapturedLog(StreamableGetStream.class);

	@AfterEach
	void close() {
		this.server.close();
		this.time.awaitPending(0);
	}

	@Test
	void opensAfterTheServerWasToldThatTheSessionIsInitialized() {
		try (HttpTransportClient client = client()) {
			client.send("1", "initialize").block(LIMIT);
			client.notify("notifications/other").block(LIMIT);
			assertThat(this.server.requests("GET")).isEmpty();
			client.notify("notifications/initialized").block(LIMIT);
			awaitGets(1);
			McpTestRequest get = this.server.awaitRequest("GET");
			assertThat(get.sessionId()).isNotNull();
			assertThat(get.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
			client.notify("notifications/initialized").block(LIMIT);
			assertThat(this.server.requests("GET")).hasSize(1);
		}
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void opensThoughThatIsRefused() {
		this.server.on("notifications/initialized", McpTestReply.status(500));
		HttpTransportClient client = client();
		client.send("1", "initialize").block(LIMIT);
		HttpTransportClient.failure(client.notify("notifications/initialized"));
		assertThat(this.server.awaitRequests("GET", 1)).hasSize(1);
	}

	@Test
	void deliversWhatTheServerSays() {
		this.server.on("GET", McpTestReply.standard());
		HttpTransportClient client = client().initialize();
		this.server.sendToClients("").sendToClients("{bad").notifyToolsListChanged();
		Awaitility.await().until(() -> client.messages().size() == 2);
		assertThat(client.messages().get(1)).isInstanceOf(JSONRPCNotification.class);
		this.server.request("ping", Map.of());
		Awaitility.await().until(() -> client.messages().size() == 3);
		assertThat(client.messages().get(2)).isInstanceOf(JSONRPCRequest.class);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callsThatAreAnsweredOnItGiveTheirConnectionsBack(boolean head) {
		answerOnIt("echo", "{}", head ? OPEN : McpTestReply.never());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		this.server.awaitListeners(1);
		int calls = McpHttpClients.MAX_CONNECTIONS + 44;
		Flux.range(0, calls).flatMap((i) -> client.send(i, "echo"), 8).blockLast(LIMIT);
		assertThat(client.messages()).hasSize(1 + calls);
		Awaitility.await().until(() -> client.transport().pending() == 0);
	}

	@Test
	void anAnswerOnItThatIsTooLargeFailsTheCall() {
		answerOnIt("tools/call", "{\"x\": \"" + "x".repeat(2048) + "\"}", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(),
					(definition) -> definition.maxMessageSize(DataSize.ofMegabytes(1))
						.maxResultSize(DataSize.ofKilobytes(1)))
			.initialize();
		this.server.awaitListeners(1);
		assertThat(client.failure(1, "tools/call")).isInstanceOf(ExceededException.class);
		assertThat(client.messages()).hasSize(1);
	}

	@Test
	void anAnswerOnItThatIsBeyondABoundFailsTheCall() {
		answerOnIt("tools/call", "[".repeat(600) + "]".repeat(600), McpTestReply.never());
		HttpTransportClient client = client().initialize();
		this.server.awaitListeners(1);
		assertThat(client.failure(1, "tools/call")).isInstanceOf(UnreadMessageException.class);
		assertThat(client.termination()).isNotDone();
	}

	private void answerOnIt(String method, String result, McpTestReply reply) {
		this.server.on("GET", McpTestReply.standard()).on(method, (request) -> {
			this.server
				.sendToClients("{\"jsonrpc\": \"2.0\", \"id\": " + request.id() + ", \"result\": " + result + "}");
			return reply;
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 405, 404, 501 })
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aServerThatHasNoStreamIsLeftAlone(int status) {
		this.server.on("GET", McpTestReply.status(status));
		HttpTransportClient client = client().initialize();
		awaitGets(1);
		assertThat(client.call("1", "ping").error()).isNull();
		this.time.advance(Duration.ofHours(1));
		assertThat(client.call("2", "ping").error()).isNull();
		assertThat(this.server.requests("GET")).hasSize(1);
		assertThat(client.termination()).isNotDone();
	}

	@ParameterizedTest
	@ValueSource(ints = { 409, 401, 403, 400, 406, 410, 302, 204 })
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aStreamThatIsRefusedIsAskedForAgainLessAndLess(int status) {
		this.server.on("GET", McpTestReply.status(status));
		HttpTransportClient client = client().initialize();
		awaitGetsAfter(1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300);
		awaitWait();
		this.time.advance(Duration.ofMinutes(5).minusMillis(1));
		assertThat(this.server.requests("GET")).hasSize(13);
		this.server.on("GET", OPEN);
		this.time.advance(Duration.ofMinutes(2));
		awaitGets(14);
		this.time.awaitPending(0);
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.requests("GET")).hasSize(14);
		assertThat(client.termination()).isNotDone();
		assertThat(this.log.lines(Level.WARN)).hasSize(List.of(401, 403, 409).contains(status) ? 1 : 0);
	}

	@ParameterizedTest
	@CsvSource({ "429, 90, 90", "503, 90, 90", "429, 86400, 300", "500, 90, 1", "429, soon, 1", "429, 0, 1" })
	void aStreamThatIsRefusedForNowIsAskedForWhenTheServerSays(int status, String retryAfter, long seconds) {
		this.server.onNext("GET", McpTestReply.status(status).withHeader("Retry-After", retryAfter));
		HttpTransportClient client = client().initialize();
		awaitGets(1);
		awaitWait();
		this.time.advance(Duration.ofSeconds(seconds).minusMillis(1));
		assertThat(this.server.requests("GET")).hasSize(1);
		this.time.advance(Duration.ofMillis(250 * seconds + 2));
		awaitGets(2);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void streamsThatAreRefusedTogetherAreNotAskedForTogether() {
		assertThat(IntStream.range(0, 10).mapToObj((i) -> new SseReconnect().nextDelay(Duration.ofSeconds(90))))
			.allMatch((delay) -> delay >= 90_000 && delay <= 112_500)
			.satisfies((delays) -> assertThat(Set.copyOf(delays)).hasSizeGreaterThan(5));
	}

	@Test
	void aPageInPlaceOfAStreamIsNoReasonToGiveUp() {
		this.server.onNext("GET", McpTestReply.status(200).body("text/html", "<html>".repeat(10_000)));
		HttpTransportClient client = client().initialize();
		awaitGetsAfter(2);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void whatMayHaveBeenMissedIsToldWhenTheStreamIsOpenAgain() {
		AtomicInteger gaps = new AtomicInteger();
		McpTestReply ending = McpTestReply.events(":\n\n");
		this.server.onNext("GET", ending, McpTestReply.status(503), ending);
		HttpTransportClient client = client();
		client.transport().onMissedNotifications(gaps::incrementAndGet);
		client.initialize();
		for (int expected : new int[] { 0, 0, 1 }) {
			awaitGets(this.gets);
			awaitWait();
			assertThat(gaps).hasValue(expected);
			awaitGetsAfter(1 << (this.gets - 1));
		}
		Awaitility.await().until(() -> gaps.get() == 2);
	}

	@Test
	void aStreamThatOpensLateMayHaveMissedSomething() {
		AtomicInteger gaps = new AtomicInteger();
		this.server.onNext("GET", McpTestReply.status(409));
		HttpTransportClient client = client();
		client.transport().onMissedNotifications(gaps::incrementAndGet);
		client.initialize();
		awaitGetsAfter(1);
		Awaitility.await().until(() -> gaps.get() == 1);
	}

	@Test
	void aStreamThatCannotBeContinuedBeginsAnew() {
		this.server.onNext("GET", McpTestReply.events("id: e1\n" + NOTE),
				McpTestReply.status(400).body("text/plain", "Invalid event ID"));
		HttpTransportClient client = client().initialize();
		awaitGetsAfter(1, 2);
		assertThat(lastEventIds()).containsExactly(null, "e1", null);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void aStreamThatEndsIsOpenedAgainWithGrowingPauses() {
		this.server.on("GET", McpTestReply.events());
		HttpTransportClient client = client().initialize();
		awaitGets(1);
		int gets = 1;
		for (int seconds : new int[] { 1, 2, 4, 8, 16, 30, 30, 30 }) {
			awaitWait();
			this.time.advance(Duration.ofSeconds(seconds).minusMillis(1));
			assertThat(this.server.requests("GET")).hasSize(gets);
			this.time.advance(Duration.ofMillis(seconds * 250 + 1));
			gets++;
			awaitGets(gets);
		}
		assertThat(client.termination()).isNotDone();
	}

	@ParameterizedTest
	@ValueSource(ints = { 500, 502, 503, 429 })
	void troubleThatWillPassIsWaitedFor(int status) {
		this.server.onNext("GET", McpTestReply.status(status), McpTestReply.status(status));
		HttpTransportClient client = client().initialize();
		awaitGetsAfter(1, 2);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	void itNeverRunsHotWhateverTheServerAsksFor() {
		this.server.on("GET",
				(request) -> McpTestReply.events("retry: 0\nid: " + this.server.requests().size() + "\ndata:\n\n"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		this.server.awaitRequest("GET");
		long begin = System.nanoTime();
		this.server.awaitRequests("GET", this.server.requests("GET").size() + 8);
		// on a machine that is slow there is more time between them
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(500));
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void itContinuesWhereTheStreamStoodAfterTheTimeAskedFor() {
		this.server.on("GET", (request) -> McpTestReply.events("retry: 3000\n",
				"id: e" + this.server.requests("GET").size() + "\n" + NOTE));
		HttpTransportClient client = client().initialize();
		for (int gets = 1; gets <= 5; gets++) {
			awaitGets(gets);
			int messages = gets + 1;
			Awaitility.await().until(() -> client.messages().size() == messages);
			awaitWait();
			this.time.advance(Duration.ofMillis(2999));
			assertThat(this.server.requests("GET")).hasSize(gets);
			this.time.advance(Duration.ofMillis(1));
		}
		awaitGets(6);
		assertThat(lastEventIds()).containsExactly(null, "e1", "e2", "e3", "e4", "e5");
	}

	@Test
	void aStreamThatLivedForAWhileStartsWithAShortPauseAgain() {
		this.server.onNext("GET", McpTestReply.events(), McpTestReply.events());
		HttpTransportClient client = client().initialize();
		awaitGetsAfter(1, 2);
		Awaitility.await().until(() -> this.server.connections() > 0);
		// the client, too, must have seen that the stream is open
		client.notify("note").block(LIMIT);
		this.time.advance(Duration.ofSeconds(31));
		this.server.closeConnections();
		awaitGetsAfter(1);
	}

	@Test
	@Fault(value = FaultKind.HALF_OPEN, over = Transport.STREAMABLE_HTTP)
	void aStreamThatIsSilentForTooLongIsOpenedAgain() {
		this.server.on("GET", McpTestReply.events(Flux.interval(Duration.ofMillis(20)).map((tick) -> ":\n\n")))
			.onNext("GET", McpTestReply.events(Flux.never()));
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), (definition) -> definition.sseReadTimeout(Duration.ofMillis(700)))
			.initialize();
		awaitGets(2);
		// comments are signs of life, though a busy machine may delay them once
		Mono.delay(Duration.ofSeconds(2)).block();
		assertThat(this.server.requests("GET")).hasSizeLessThanOrEqualTo(3);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void silenceIsNoReasonForGrowingPauses() {
		HttpTransportClient client = silentClient().initialize();
		for (int i = 0; i < 5; i++) {
			awaitGets(this.gets);
			this.time.awaitTimer(SseStream.class);
			this.time.advance(Duration.ofSeconds(5));
			awaitGetsAfter(1);
		}
		assertThat(client.termination()).isNotDone();
	}

	@Test
	@Fault(value = FaultKind.HALF_OPEN, over = Transport.STREAMABLE_HTTP)
	void aRequestForAStreamThatIsNotAnsweredIsMadeAgain() {
		this.server.on("GET", McpTestReply.never());
		HttpTransportClient client = silentClient().initialize();
		awaitGets(1);
		awaitWait();
		this.time.advance(Duration.ofSeconds(5));
		Awaitility.await().until(() -> this.server.abortedRequests() == 1);
		advance(1);
		awaitGets(2);
		assertThat(client.termination()).isNotDone();
	}

	@ParameterizedTest
	@ValueSource(ints = { 404, 400 })
	void aStreamThatIsNotThereAnyMoreIsAReasonToAskForTheSession(int status) {
		this.server.on("GET", McpTestReply.status(status)).onNext("GET", McpTestReply.events(":\n\n"));
		this.server.on("ping", McpTestReply.status(404));
		HttpTransportClient client = client().initialize();
		awaitGetsAfter(1);
		assertThat(client.death()).hasMessage("The server no longer knows the session (HTTP 404)");
	}

	@ParameterizedTest
	@ValueSource(ints = { 405, 501 })
	void aStreamThatWasThereIsAskedForAgainSlowly(int status) {
		this.server.on("GET", McpTestReply.status(status)).onNext("GET", McpTestReply.events(":\n\n"));
		HttpTransportClient client = client().initialize();
		awaitGetsAfter(1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void aStreamThatIsAwayForAWhileIsOpenedAgainInItsSession() {
		this.server.onNext("GET", McpTestReply.events(":\n\n"), McpTestReply.status(404));
		HttpTransportClient client = client().initialize();
		awaitGetsAfter(1);
		this.server.awaitRequest("ping");
		awaitGetsAfter(2);
		assertThat(this.server.requests("ping")).hasSize(1);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void anEventOverTheLimitIsNotAskedForAgain() {
		this.server.onNext("GET", McpTestReply.events("id: 1\n" + NOTE, "id: 2\ndata: " + "x".repeat(2000) + "\n\n"));
		DataSize size = DataSize.ofBytes(1000);
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), this.time, (definition) -> definition.maxMessageSize(size).maxResultSize(size))
			.initialize();
		Awaitility.await().until(() -> client.messages().size() == 2);
		awaitGetsAfter(1);
		assertThat(lastEventIds()).containsExactly(null, null);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void aServerThatIsGoneEndsTheTransport() throws IOException {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			while (true) {
				String request = connection.read();
				if (request.startsWith("GET")) {
					connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + NOTE);
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
		awaitWait();
		assertThat(client.termination()).isNotDone();
		advance(1);
		assertThat(client.death()).isInstanceOf(TransportException.class)
			.hasMessageStartingWith("Connection refused: localhost/127.0.0.1:");
		client.close();
	}

	@Test
	void nothingIsOpenedAgainAfterClose() {
		this.server.on("GET", McpTestReply.events());
		HttpTransportClient client = client().initialize();
		awaitGets(1);
		awaitWait();
		client.close();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.requests("GET")).hasSize(1);
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	private HttpTransportClient client() {
		return HttpTransportClient.to(this.server.url(), this.time);
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

	/**
	 * Wait until the stream waits to be opened again, or for an answer. There may be
	 * other timers, such as that which bounds the time of a refusal.
	 */
	private void awaitWait() {
		this.time.awaitTimer(StreamableGetStream.class);
	}

	/**
	 * Wait until the stream was asked for once more after each of these pauses.
	 */
	private void awaitGetsAfter(int... seconds) {
		for (int pause : seconds) {
			awaitGets(this.gets);
			awaitWait();
			advance(pause);
			this.gets++;
			awaitGets(this.gets);
		}
	}

	private Stream<String> lastEventIds() {
		return this.server.requests("GET").stream().map((get) -> get.header("Last-Event-ID"));
	}

	private void awaitGets(int count) {
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> this.server.requests("GET").size() == count);
	}

}
