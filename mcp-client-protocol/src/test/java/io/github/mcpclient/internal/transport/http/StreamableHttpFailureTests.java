package io.github.mcpclient.internal.transport.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.Unchecked;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.unit.DataSize;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableProtocol} and what goes wrong.
 */
class StreamableHttpFailureTests {

	private static final String MUST_ANSWER = "It must respond to requests with JSON or an event stream: "
			+ "check its log.";

	private static final String CHECK_URL = "Check that mcp.servers.test.url is an MCP endpoint.";

	private static final String CHECK_SERVER = "Check that the server is running and that mcp.servers.test.url is right.";

	private static final String CHECK_HEADERS = "Set the credentials in mcp.servers.test.headers, or correct them.";

	private final McpTestServer server = McpTestServer.create().on("GET", McpTestReply.status(405)).start();

	private final VirtualScheduler time = new VirtualScheduler(McpHttpClients.EVICTION_INTERVAL);

	/**
	 * Let the time pass that others have to be answered, once the session is lost.
	 */
	private void settle(CompletableFuture<?> other) {
		assertThat(other).isNotDone();
		Awaitility.await().until(() -> {
			this.time.advance(Duration.ofSeconds(5));
			return other.isDone();
		});
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	@Fault(value = FaultKind.REFUSAL, over = Transport.STREAMABLE_HTTP)
	void statuses(int status, Map<String, String> headers, String body, String message, String nextStep,
			boolean processed) {
		McpTestReply reply = McpTestReply.status(status);
		if (!body.isEmpty()) {
			reply = reply.body("text/plain", body);
		}
		for (Map.Entry<String, String> header : headers.entrySet()) {
			reply = reply.withHeader(header.getKey(), header.getValue());
		}
		this.server.on("initialize", reply);
		HttpTransportClient client = HttpTransportClient.to(this.server.url());
		assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class)
			.hasMessage(message)
			.hasFieldOrPropertyWithValue("status", status)
			.hasFieldOrPropertyWithValue("nextStep", nextStep)
			.hasFieldOrPropertyWithValue("possiblyProcessed", processed);
		assertThat(client.termination()).isNotDone();
		assertThat(client.messages()).isEmpty();
	}

	static Stream<Arguments> statuses() {
		Map<String, String> none = Map.of();
		Map<String, String> html = Map.of("Content-Type", "text/html; charset=utf-8");
		return Stream.of(
				Arguments.of(400, none, "what?\r\n\tno\u0000\u001b[31m\u0085\u009b idea",
						"HTTP 400 Bad Request: what? no idea", CHECK_URL, true),
				Arguments.of(401,
						Map.of("WWW-Authenticate",
								"Bearer realm=\"r\", error=\"invalid_token\", error_description=\"abc123 expired\""),
						"", "HTTP 401 Unauthorized (Bearer, invalid_token)", "Set mcp.servers.test.auth.bearer.token.",
						false),
				Arguments.of(401,
						Map.of("WWW-Authenticate", "Bearer resource_metadata=\"https://mcp.example/metadata\""), "",
						"HTTP 401 Unauthorized (Bearer)",
						"The server requires OAuth 2.0: set mcp.servers.test.auth.oauth2.client-id and "
								+ "client-secret, or other credentials below mcp.servers.test.auth.oauth2.",
						false),
				Arguments.of(401, Map.of("WWW-Authenticate", "Negotiate"), "", "HTTP 401 Unauthorized (Negotiate)",
						CHECK_HEADERS, false),
				Arguments.of(401, Map.of("WWW-Authenticate", "Basic realm=x"), "no",
						"HTTP 401 Unauthorized (Basic): no", "Set mcp.servers.test.auth.basic.username and password.",
						false),
				Arguments.of(403, none, "", "HTTP 403 Forbidden", CHECK_HEADERS, false),
				Arguments.of(404, html, "<html>not here</html>", "HTTP 404 Not Found", CHECK_URL, true),
				Arguments.of(404, none, "x".repeat(300), "HTTP 404 Not Found: " + "x".repeat(200) + "...", CHECK_URL,
						true),
				Arguments.of(404, none,
						"{\"error\": {\"code\": -32001, \"message\": \"Session not found\"}, \"id\": null}",
						"HTTP 404 Not Found: Session not found", CHECK_URL, true),
				Arguments.of(405, none,
						"{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32000, \"message\": \"Not allowed\"}, "
								+ "\"id\": null}",
						"HTTP 405 Method Not Allowed: Not allowed", CHECK_URL, false),
				Arguments.of(406, none, "", "HTTP 406 Not Acceptable", CHECK_URL, false),
				Arguments.of(415, none, "", "HTTP 415 Unsupported Media Type", CHECK_URL, false),
				Arguments.of(418, none, "teapot", "HTTP 418: teapot", null, true),
				Arguments.of(429, Map.of("Retry-After", "7"), "slow down",
						"HTTP 429 Too Many Requests, retry after 7 s: slow down",
						"Send fewer requests, or request a higher limit from the server's operators.", false),
				Arguments.of(500, none, "oops", "HTTP 500 Internal Server Error: oops", null, true),
				Arguments.of(502, html, "<html>nginx</html>", "HTTP 502 Bad Gateway", null, true),
				Arguments.of(503, Map.of("Retry-After", "soon"), "", "HTTP 503 Service Unavailable", null, true),
				Arguments.of(200, html, "<html>a page</html>",
						"The server responded with text/html instead of JSON or an event stream", CHECK_URL, true),
				Arguments.of(200, Map.of("Content-Type", "application/json-seq"), "x",
						"The server responded with application/json-seq instead of JSON or an event stream: x",
						CHECK_URL, true),
				Arguments.of(200, Map.of("Content-Type", "application/json"), "",
						"The server responded without a body (HTTP 200)", CHECK_URL, true),
				Arguments.of(202, none, "", "The server accepted the request (HTTP 202), but sent no response",
						MUST_ANSWER, true),
				Arguments.of(202, Map.of("Content-Type", "text/plain"), "",
						"The server accepted the request (HTTP 202), but sent no response", MUST_ANSWER, true),
				Arguments.of(204, none, "", "The server responded without a body (HTTP 204)", CHECK_URL, true));
	}

	@Test
	void connectionOfAServerThatIsShuttingDownIsNotUsedAgain() {
		this.server.on("work", McpTestReply.status(503).body("text/plain", "Server is shutting down"));
		this.server.on("other", McpTestReply.status(500));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		for (int i = 0; i < 5; i++) {
			client.failure("other" + i, "other");
		}
		int connections = this.server.acceptedConnections();
		assertThat(connections).as("init, GET, and a moment of both").isLessThanOrEqualTo(4);
		for (int i = 0; i < 8; i++) {
			client.failure("work" + i, "work");
		}
		assertThat(this.server.acceptedConnections()).as("one for each refusal, idle ones included")
			.isGreaterThanOrEqualTo(8);
	}

	@Test
	void whatTheServerSaysOfItsTroubleIsNoPartOfTheSummary() {
		this.server.on("echo",
				McpTestReply.status(503).retryAfter(Duration.ofSeconds(7)).body("text/plain", "request 4711"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(client.failure("1", "echo")).isInstanceOf(TransportException.class)
			.hasMessage("HTTP 503 Service Unavailable, retry after 7 s: request 4711")
			.hasFieldOrPropertyWithValue("summary", "HTTP 503 Service Unavailable");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{nonsense", "[]", "42", "{\"hello\": \"world\"}", "null", "[1, 2]" })
	@Fault(value = FaultKind.NOISE, over = Transport.STREAMABLE_HTTP)
	void anAnswerThatIsNotAMessageFailsTheCallAtOnce(String body) {
		this.server.on("echo", McpTestReply.raw(body));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(client.failure("1", "echo")).isInstanceOf(TransportException.class)
			.hasMessageStartingWith("The server sent something that is not a JSON-RPC message");
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void anAnswerThatIsNoMessageIsAnErrorThatTellsHowItBegins() {
		this.server.on("tools/call", McpTestReply.raw("<html>\n\u001b[31mBad gateway" + "!".repeat(100_000)));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		JSONRPCResponse answer = client.call("1", "tools/call");
		assertThat(answer.result()).asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsEntry("isError", true)
			.extractingByKey("content")
			.asString()
			.contains("returned a malformed tool result: it is not JSON at"
					+ " character 0. It begins with: <html> Bad gateway!!!")
			.hasSizeLessThan(2000);
		assertThat(client.termination()).isNotDone();
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 422, 500 })
	void anErrorOfJsonRpcWithAnErrorStatusIsAnAnswer(int status) {
		String error = "{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32602, \"message\": \"no such tool\", \"data\": 5}, \"id\": %s}";
		this.server.on("anonymous", McpTestReply.raw(error.formatted("null")).withStatus(status))
			.on("named", McpTestReply.error(-32602, "no").withStatus(status))
			.on("other", McpTestReply.raw(error.formatted("\"other\"")).withStatus(status));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		JSONRPCResponse answer = client.call("1", "anonymous");
		assertThat(answer.error().code()).isEqualTo(-32602);
		assertThat(answer.error().message()).isEqualTo("no such tool");
		assertThat(answer.error().data()).hasToString("5");
		assertThat(client.call("2", "named").error().message()).isEqualTo("no");
		assertThat(client.failure("3", "other")).isInstanceOf(HttpStatusException.class);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void anErrorBodyWithoutEndIsNotWaitedFor() {
		this.server.on("drip",
				McpTestReply.events(Flux.interval(Duration.ofMillis(20)).map((tick) -> "x")).withStatus(500));
		this.server.on("flood",
				McpTestReply.status(500).body("text/plain", Flux.range(0, 1_000_000).map((i) -> "x".repeat(1024))));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize()) {
			assertThat(client.failure("1", "flood")).hasMessageStartingWith("HTTP 500 Internal Server Error: xxx");
			Awaitility.await().until(() -> this.server.abortedRequests() == 1);
			this.time.awaitPending(0);
			CompletableFuture<Void> drip = client.send("2", "drip").toFuture();
			this.time.awaitTimer(HttpErrorBody.class);
			this.time.advance(Duration.ofSeconds(2));
			assertThat(drip).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.withMessage("HTTP 500 Internal Server Error");
			Awaitility.await().until(() -> this.server.abortedRequests() == 2);
		}
		this.time.awaitPending(0);
	}

	@Test
	void whatWeSentIsNotQuoted() {
		Map<String, String> headers = Map.of("Authorization", "Bearer s3cr3t-t0ken", "X-Key", "k3y-value");
		this.server.on("echo",
				(request) -> McpTestReply.status(400)
					.body("text/plain", "Bad: " + request.header("Authorization") + " " + request.header("X-Key") + " "
							+ request.header("Mcp-Session-Id") + " s3cr3t-t0ken"));
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(), (definition) -> definition.headers(headers))
			.initialize();
		assertThat(client.failure("1", "echo")).hasMessage("HTTP 400 Bad Request: Bad: ****** ****** ****** ******");
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource
	@Fault(value = FaultKind.SESSION_LOST, over = Transport.STREAMABLE_HTTP)
	void theSessionIsLost(int status, String body) {
		this.server.on("GET", McpTestReply.events(Flux.never()));
		this.server.on("hang", McpTestReply.never());
		McpTestReply refusal = McpTestReply.status(status).body("text/plain", body);
		this.server.on("echo", refusal).on("ping", refusal);
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize();
		CompletableFuture<Void> other = client.send("1", "hang").toFuture();
		this.server.awaitRequest("hang");
		this.server.awaitRequest("GET");
		assertThat(client.failure("2", "echo")).isInstanceOf(HttpStatusException.class)
			.hasMessageStartingWith("The server no longer knows the session (HTTP " + status + ")")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false);
		assertThat(client.death())
			.hasMessageStartingWith("The server no longer knows the session (HTTP " + status + ")")
			.hasFieldOrPropertyWithValue("possiblyProcessed", true);
		settle(other);
		assertThat(other).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.hasFieldOrPropertyWithValue("possiblyProcessed", true);
		assertThat(client.failure("3", "echo")).hasFieldOrPropertyWithValue("possiblyProcessed", false);
		Awaitility.await().until(() -> this.server.connections() == 0);
		client.close();
		// there is nothing to end
		assertThat(this.server.requests("DELETE")).isEmpty();
		assertThat(client.messages()).hasSize(1);
	}

	static Stream<Arguments> theSessionIsLost() {
		return Stream.of(Arguments.of(404, ""), Arguments.of(404, "<html>"),
				Arguments.of(404,
						"{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32001, \"message\": \"Session not found\"}, "
								+ "\"id\": null}"),
				Arguments.of(400,
						"{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32000, "
								+ "\"message\": \"Bad Request: No valid session ID provided\"}, \"id\": \"2\"}"),
				Arguments.of(400, "Unknown session"));
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32602, \"message\": \"no such training session\"}, \"id\": \"1\"}",
			"{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32000, \"message\": \"Unsupported version\"}, \"id\": null}",
			"nonsense" })
	void notEvery400MeansThatTheSessionIsLost(String body) {
		this.server.on("echo", McpTestReply.status(400).body("text/plain", body));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		client.send("1", "echo").onErrorComplete().block(LIMIT);
		assertThat(client.termination()).isNotDone();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Fault(value = FaultKind.SESSION_LOST_IN_200, over = Transport.STREAMABLE_HTTP)
	void anErrorThatSpeaksOfTheSessionIsAReasonToAskForIt(boolean stream) {
		McpTestReply error = McpTestReply.error(-32001, "Session not found");
		McpTestReply script = stream ? error.asEvents() : error;
		this.server.on("echo", script).on("ping", script).on("hang", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize();
		CompletableFuture<Void> other = client.send("1", "hang").toFuture();
		this.server.awaitRequest("hang");
		// the server did not look at it, so that it may be repeated in another
		// session
		assertThat(client.failure("2", "echo")).isInstanceOf(HttpStatusException.class)
			.hasMessage("The server no longer knows the session (HTTP 200): Session not found")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false);
		assertThat(client.termination()).failsWithin(LIMIT);
		settle(other);
		assertThat(other).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.hasFieldOrPropertyWithValue("possiblyProcessed", true);
		assertThat(client.messages()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Fault(value = FaultKind.SESSION_LOST_IN_200, over = Transport.STREAMABLE_HTTP)
	void anErrorThatSpeaksOfASessionThatIsThereIsAnAnswer(boolean stream) {
		McpTestReply error = McpTestReply.error(-32000, "No browser session");
		this.server.on("echo", stream ? error.asEvents() : error);
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(client.call("1", "echo").error().message()).isEqualTo("No browser session");
		assertThat(this.server.requests("ping")).hasSize(1);
		assertThat(client.termination()).isNotDone();
		assertThat(client.transport().pending()).isZero();
	}

	@Test
	void aNotificationTooFindsOutThatTheSessionIsLost() {
		this.server.on("note", McpTestReply.status(404));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(HttpTransportClient.failure(client.notify("note")))
			.hasMessage("The server no longer knows the session (HTTP 404)");
		assertThat(client.termination()).failsWithin(LIMIT);
		client.close();
	}

	@Test
	void onceTheSessionIsLostAllCallsFailAndTheTransportEndsOnce() {
		this.server.on("echo", McpTestReply.status(404));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		List<Throwable> failures = Flux.range(0, 64)
			.flatMap((i) -> Mono.fromCallable(() -> client.failure("c" + i, "echo"))
				.subscribeOn(Schedulers.boundedElastic()), 64)
			.collectList()
			.block(LIMIT);
		assertThat(failures).hasSize(64)
			.allSatisfy((ex) -> assertThat(ex).hasMessage("The server no longer knows the session (HTTP 404)"));
		assertThat(client.termination()).failsWithin(LIMIT);
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void whoMeetsTheEndKnowsThatItIsTheEndAndIsToldFirst() {
		this.server.on("hang", McpTestReply.never());
		this.server.on("echo", McpTestReply.status(404));
		List<String> told = new CopyOnWriteArrayList<>();
		HttpTransport transport = HttpTransportClient.to(this.server.url(), this.time).initialize().transport();
		transport.termination().subscribe(null, (ex) -> told.add("the end"));
		CompletableFuture<Void> other = transport.sendMessage(new JSONRPCRequest("2.0", "hang", "1", null))
			.doOnError((ex) -> told.add("the other, ended: " + transport.hasEnded()))
			.toFuture();
		this.server.awaitRequest("hang");
		assertThat(transport.hasEnded()).isFalse();
		transport.sendMessage(new JSONRPCRequest("2.0", "echo", "2", null))
			.subscribe(null, (ex) -> told.add("who met it, ended: " + transport.hasEnded()));
		Awaitility.await().until(() -> told.size() == 2);
		settle(other);
		// the other one may still be answered
		assertThat(told).containsExactly("who met it, ended: true", "the end", "the other, ended: true");
	}

	@Test
	@Fault(value = FaultKind.MANY_CALLS_MEET_A_LOSS, over = Transport.STREAMABLE_HTTP)
	void whatIsUnderWayWhenTheSessionIsLostMeetsItByItself() {
		CompletableFuture<Void> ended = new CompletableFuture<>();
		this.server.on("first", McpTestReply.status(404));
		this.server.on("later", McpTestReply.status(404).after(ended));
		this.server.on("answered", McpTestReply.result("{}").after(ended));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		List<CompletableFuture<Void>> later = IntStream.range(0, 19)
			.mapToObj((i) -> client.send("c" + i, "later").toFuture())
			.toList();
		CompletableFuture<Void> answered = client.send("answered", "answered").toFuture();
		Awaitility.await()
			.until(() -> this.server.requests("later").size() == 19 && !this.server.requests("answered").isEmpty());
		assertThat(client.failure("1", "first")).isInstanceOf(HttpStatusException.class);
		assertThat(client.termination()).failsWithin(LIMIT);
		ended.complete(null);
		assertThat(later).allSatisfy((call) -> assertThat(call).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(TransportException.class, (ex) -> assertThat(ex.isPossiblyProcessed()).isFalse()));
		assertThat(answered).succeedsWithin(LIMIT);
		assertThat(client.answer("answered").error()).isNull();
		client.transport().settled().block(LIMIT);
		Awaitility.await().until(() -> this.server.connections() == 0);
		client.close();
	}

	@Test
	void closingDoesNotWaitForWhatIsUnderWayWhenTheSessionIsLost() {
		this.server.on("hang", McpTestReply.never());
		this.server.on("echo", McpTestReply.status(404));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.time).initialize();
		CompletableFuture<Void> hanging = client.send("1", "hang").toFuture();
		this.server.awaitRequest("hang");
		assertThat(client.failure("2", "echo")).isInstanceOf(HttpStatusException.class);
		assertThat(hanging).isNotDone();
		client.close();
		assertThat(hanging).failsWithin(LIMIT);
	}

	@ParameterizedTest(name = "{0}: {1}")
	@CsvSource(delimiter = '|', value = { "404|-32000|Sold out", "404|-32602|Unknown session of the till",
			"400|-32000|The payment session crashed after the order", "400|-32001|Session limit reached" })
	void anAnswerThatDoesNotSayThatTheSessionIsUnknownIsAnAnswer(int status, int code, String text) {
		McpTestReply error = McpTestReply.error(code, text).withStatus(status);
		this.server.on("echo", error).on("ping", error);
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		boolean unknown = text.startsWith("Unknown session");
		assertThat(client.failure("1", "echo")).isInstanceOfSatisfying(HttpStatusException.class, (ex) -> {
			assertThat(ex.isPossiblyProcessed()).isEqualTo(!unknown);
			assertThat(ex.getAnswer()).satisfies((answer) -> {
				if (!unknown) {
					assertThat(answer.code()).isEqualTo(code);
					assertThat(answer.message()).isEqualTo(text);
				}
			});
		});
		// the session is lost in any case
		assertThat(client.termination()).failsWithin(LIMIT);
		client.close();
	}

	@ParameterizedTest
	@CsvSource({ "1, 1", "1.0, 1", "'\"1\"', 1", "1, 100000" })
	void anAnswerIsOneHoweverTheServerWritesItsIdAndHoweverLargeItIs(String id, int size) {
		this.server.on("echo", McpTestReply.status(404).body("application/json", """
				{"jsonrpc": "2.0", "error": {"code": 7, "message": "Sold out", "data": "%s"}, "id": %s}
				""".formatted("x".repeat(size), id)));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(client.failure("1", "echo")).isInstanceOfSatisfying(HttpStatusException.class, (ex) -> {
			assertThat(ex.isPossiblyProcessed()).isTrue();
			assertThat(ex.getAnswer()).isNotNull();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "Session not found", "session not found: ", "Bad Request: No valid session ID provided",
			"Not Found: Session not found", "Unknown session", "Invalid session ID", "Session has been terminated",
			"Session with ID  not found", "The session has expired", "Invalid or missing session ID",
			"Mcp-Session-Id header is missing", "Session does not exist", "No session", "Session ID missing" })
	void textsThatSayThatTheSessionIsUnknown(String text) {
		assertThat(HttpStatusException.saysSessionUnknown(text)).isTrue();
		assertThat(HttpStatusException.saysSessionUnknown("The order failed, since " + text)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "No browser session", "Session limit reached", "The session crashed", "",
			"Sessions are not found in nature", "Payment session not found" })
	void textsThatSaySomethingElseOfASession(String text) {
		assertThat(HttpStatusException.saysSessionUnknown(text)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"id\": null, ", "" })
	void anErrorWithoutAnIdAnswersTheOnlyRequestThatCanBeMeant(String id) {
		String error = "{\"jsonrpc\": \"2.0\", " + id
				+ "\"error\": {\"code\": -32600, \"message\": \"No such tenant\"}}";
		McpTestReply json = McpTestReply.raw(error);
		this.server.on("json", json).on("tools/call", json).on("sse", json.asEvents());
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		for (String method : List.of("json", "tools/call", "sse")) {
			JSONRPCResponse answer = client.call(method, method);
			assertThat(answer.error().code()).isEqualTo(-32600);
			assertThat(answer.error().message()).isEqualTo("No such tenant");
		}
		assertThat(client.termination()).isNotDone();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "429|7||7", "503| 0 ||0", "503|999999999||999999999", "503|soon||", "429|-1||", "500|7||",
					"503|Sat, 21 Nov 2026 10:00:30 GMT|Sat, 21 Nov 2026 10:00:00 GMT|30",
					"429|Sat, 21 Nov 2026 09:59:00 GMT|Sat, 21 Nov 2026 10:00:00 GMT|0",
					"503|Sun, 06 Nov 1994 08:49:37 GMT||0" })
	void theServerMayAskToWait(int status, String retryAfter, String date, Long seconds) {
		McpTestReply reply = McpTestReply.status(status).withHeader("Retry-After", retryAfter);
		this.server.on("echo", (date != null) ? reply.withHeader("Date", date) : reply);
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(client.failure("1", "echo")).isInstanceOf(HttpStatusException.class)
			.hasFieldOrPropertyWithValue("retryAfter", (seconds != null) ? Duration.ofSeconds(seconds) : null);
	}

	@Test
	void aRefusalUnderTheIdOfTheRequestIsAnAnswer() {
		this.server.on("named", McpTestReply.error(-32000, "no").withStatus(429));
		this.server.on("other", McpTestReply.status(429)
			.body("application/json",
					"{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32000, \"message\": \"no\"}, \"id\": null}"));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		assertThat(((TransportException) client.failure("1", "named")).isPossiblyProcessed()).isTrue();
		assertThat(((TransportException) client.failure("2", "other")).isPossiblyProcessed()).isFalse();
	}

	@Test
	void allWhoMeetTheEndAtOnceKnowThatItIsTheEnd() {
		this.server.on("echo", McpTestReply.status(404));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		List<Boolean> ended = Flux.range(0, 64)
			.flatMap((i) -> client.send("c" + i, "echo")
				.then(Mono.<Boolean>empty())
				.onErrorResume((ex) -> Mono.just(client.transport().hasEnded()))
				.subscribeOn(Schedulers.boundedElastic()), 64)
			.collectList()
			.block(LIMIT);
		assertThat(ended).hasSize(64).containsOnly(true);
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 307, 308 })
	void aRedirectToAnotherOriginIsRefused(int status) {
		McpTestServer other = closing(McpTestServer.create().start());
		this.server.on("initialize", McpTestReply.status(status).withHeader("Location", other.url() + "?token=abc"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(),
				(definition) -> definition.headers(Map.of("X-API-Key", "secret")))) {
			assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class)
				.hasMessage("The server redirects to http://localhost:" + other.port() + "/mcp (HTTP " + status
						+ "), which is not followed")
				.hasFieldOrPropertyWithValue("nextStep",
						"Set mcp.servers.test.url to it, if it is the MCP endpoint and you trust it. If it is a"
								+ " login page, configure the gateway in front of the server to allow the client.")
				.hasFieldOrPropertyWithValue("possiblyProcessed", false)
				.hasFieldOrPropertyWithValue("status", status);
		}
		assertThat(other.acceptedConnections()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/mcp/", "http://LOCALHOST:PORT/mcp/", "mcp/" })
	void aRedirectWithinTheOriginThatKeepsTheMethodIsFollowed(String location) {
		String target = location.replace("PORT", String.valueOf(this.server.port()));
		McpTestReply redirect = McpTestReply.status(307).withHeader("Location", target);
		this.server.on("POST", (request) -> request.path().equals("/mcp") ? redirect
				: (request.id() != null) ? McpTestReply.result("{}") : McpTestReply.status(202));
		HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize();
		this.server.awaitRequest("GET");
		client.close();
		assertThat(this.server.requests()).extracting(McpTestRequest::path)
			.containsExactly("/mcp", "/mcp/", "/mcp/", "/mcp/", "/mcp/");
		assertThat(this.server.requests("initialize")).extracting(McpTestRequest::body)
			.allMatch((body) -> body.contains("h\u00e9llo"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "301 /mcp/", "307 /mcp", "308 ", "307 ::bad::" })
	void otherRedirectsAreNot(String redirect) {
		this.server.on("POST", McpTestReply.status(Integer.parseInt(redirect.substring(0, 3)))
			.withHeader("Location", redirect.substring(4)));
		HttpTransportClient client = HttpTransportClient.to(this.server.url());
		assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class)
			.hasMessageStartingWith("The server redirects");
		assertThat(this.server.requests()).hasSizeLessThanOrEqualTo(2);
	}

	@Test
	@Fault(value = FaultKind.REFUSED, over = Transport.STREAMABLE_HTTP)
	void connectionRefusedEndsTheTransport() {
		int port = Peers.freePort();
		HttpTransportClient client = HttpTransportClient.to("http://localhost:" + port + "/mcp?k=secret");
		assertThat(client.failure("1", "initialize")).hasMessage("Connection refused: localhost/127.0.0.1:" + port)
			.hasFieldOrPropertyWithValue("nextStep", CHECK_SERVER)
			.hasFieldOrPropertyWithValue("possiblyProcessed", false);
		assertThat(client.death()).hasMessage("Connection refused: localhost/127.0.0.1:" + port);
		client.close();
	}

	@Test
	void anUnknownHost() {
		HttpTransportClient client = HttpTransportClient.to("http://does-not-exist.invalid/mcp");
		assertThat(client.failure("1", "initialize")).hasMessage("Unknown host: does-not-exist.invalid")
			.hasFieldOrPropertyWithValue("possiblyProcessed", false)
			.extracting("nextStep")
			.asString()
			.contains("mcp.servers.test.url");
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void noConnectionInTime() throws IOException {
		// a full backlog: the kernel drops what else wants to connect
		List<Socket> sockets = new ArrayList<>();
		try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			for (int i = 0; i < 4; i++) {
				Socket socket = new Socket();
				sockets.add(socket);
				try {
					socket.connect(full.getLocalSocketAddress(), 200);
				}
				catch (IOException ex) {
					break;
				}
			}
			try (HttpTransportClient client = HttpTransportClient.to("http://127.0.0.1:" + full.getLocalPort() + "/mcp",
					(definition) -> definition.requestTimeout(LIMIT)
						.initializationTimeout(LIMIT)
						.connectTimeout(Duration.ofMillis(300)))) {
				assertThat(client.failure("1", "initialize")).hasMessage("No connection within 300 ms")
					.hasFieldOrPropertyWithValue("nextStep", CHECK_SERVER)
					.hasFieldOrPropertyWithValue("possiblyProcessed", false);
				assertThat(client.termination()).isNotDone();
			}
		}
		finally {
			for (Socket socket : sockets) {
				socket.close();
			}
		}
	}

	@Test
	@DisplayName("A connection that is closed without an answer fails the call, which is not repeated")
	void aConnectionClosedWithoutAnAnswerFailsTheCallForGood() throws Exception {
		RawHttpServer raw = RawHttpServer.start(RawHttpServer.Connection::read);
		HttpTransportClient client = HttpTransportClient.to(raw.url());
		assertThat(client.failure("1", "echo")).hasMessage("The server closed the connection without a response")
			.hasFieldOrPropertyWithValue("possiblyProcessed", true);
		assertThat(raw.requests()).hasSize(1);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	@Fault(value = FaultKind.RESET, over = Transport.STREAMABLE_HTTP)
	void aConnectionThatIsResetFailsTheCallAndIsNotRepeated() throws Exception {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.reset();
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url());
		assertThat(client.failure("1", "echo")).hasFieldOrPropertyWithValue("possiblyProcessed", true);
		assertThat(raw.requests()).hasSize(1);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	@Fault(value = FaultKind.RESET, over = Transport.STREAMABLE_HTTP)
	@DisplayName("A pooled connection that is reset on use fails the call, which is not repeated")
	void aPooledConnectionThatIsResetOnUseFailsTheCallForGood() throws Exception {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.answer("200 OK", "Content-Type: application/json\r\n",
					"{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {}}");
			connection.read();
			connection.reset();
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url());
		client.call("1", "echo");
		awaitIdle(client);
		assertThat(client.failure("2", "echo")).hasFieldOrPropertyWithValue("possiblyProcessed", true);
		assertThat(raw.accepted()).isEqualTo(1);
		assertThat(raw.requests()).hasSize(2);
	}

	@Test
	void aPooledConnectionThatTheServerClosedMeanwhileHarmsNobody() throws Exception {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			String request = connection.read();
			String id = request.contains("\"c") ? request.replaceAll("(?s).*\"(c\\d+)\".*", "$1") : "1";
			connection.answer("200 OK", "Content-Type: application/json\r\n",
					"{\"jsonrpc\": \"2.0\", \"id\": \"" + id + "\", \"result\": {}}");
			// and closes
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url());
		for (int i = 0; i < 20; i++) {
			client.call("c" + i, "echo");
			int connections = i + 1;
			Awaitility.await().until(() -> raw.accepted() == connections && raw.open() == 0);
		}
	}

	@Test
	void anAnswerThatIsCutOffFailsTheCall() throws Exception {
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"json");
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url());
		assertThat(client.failure("1", "echo"))
			.hasMessage("The server closed the connection in the middle of its response")
			.hasFieldOrPropertyWithValue("possiblyProcessed", true);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			gzip     | The server sent something that is not a JSON-RPC message: it ends too early
			br       | The server responded with a body of the content encoding br, which was not requested
			gzip, br | The server responded with a body of the content encoding gzip, br, which was not requested""")
	void aBodyThatIsCutOffOrCompressedOtherwiseFailsTheCall(String encoding, String message) throws IOException {
		ByteArrayOutputStream gzip = new ByteArrayOutputStream();
		try (GZIPOutputStream body = new GZIPOutputStream(gzip)) {
			body.write("{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": \"".getBytes(StandardCharsets.UTF_8));
			new Random(1).ints(10_000, 'a', 'z').forEach((letter) -> Unchecked.run(() -> body.write(letter)));
		}
		byte[] half = Arrays.copyOf(gzip.toByteArray(), gzip.size() / 2);
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: " + encoding
					+ "\r\nContent-Length: " + half.length + "\r\n\r\n");
			connection.write(half);
			connection.awaitClose();
		});
		assertThat(HttpTransportClient.to(raw.url()).failure("1", "echo")).isInstanceOf(TransportException.class)
			.hasMessageStartingWith(message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "SSH-2.0-OpenSSH_9.6\r\n", "\u0000\u0001\u0002\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n" })
	void whatIsNotHttpFailsTheCallAndFillsNoLog(String text) throws Exception {
		CapturedLog log = new CapturedLog("reactor.netty").open();
		try (log; RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write(text);
			connection.awaitClose();
		}); HttpTransportClient client = HttpTransportClient.to(raw.url())) {
			assertThat(client.failure("1", "echo")).isInstanceOf(TransportException.class)
				.hasMessage("The server's response is not valid HTTP")
				.hasFieldOrPropertyWithValue("nextStep", CHECK_SERVER);
			Awaitility.await().until(() -> raw.open() == 0);
		}
		assertThat(log.events()).filteredOn((event) -> event.getLevel().isGreaterOrEqual(Level.INFO)).isEmpty();
	}

	@Test
	@Fault(value = FaultKind.NO_ANSWER, over = Transport.STREAMABLE_HTTP)
	void aServerThatNeverAnswersKeepsTheCallOpenUntilItIsCancelled() throws Exception {
		AtomicInteger closed = new AtomicInteger();
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.awaitClose();
			closed.incrementAndGet();
		});
		CompletableFuture<Void> call = HttpTransportClient.to(raw.url()).send("1", "echo").toFuture();
		Awaitility.await().until(() -> raw.requests().size() == 1);
		assertThat(call).isNotDone();
		call.cancel(true);
		Awaitility.await().until(() -> closed.get() == 1);
	}

	@Test
	@Fault(value = FaultKind.OVERSIZE, over = Transport.STREAMABLE_HTTP)
	void aBodyOfAHundredMegabytesIsCutOffEarly() throws Exception {
		AtomicInteger written = new AtomicInteger();
		RawHttpServer raw = RawHttpServer.start((connection) -> {
			connection.read();
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n");
			byte[] piece = "x".repeat(100_000).getBytes(StandardCharsets.UTF_8);
			while (written.addAndGet(piece.length) < 100_000_000) {
				connection.write(piece);
			}
		});
		HttpTransportClient client = HttpTransportClient.to(raw.url(),
				(definition) -> definition.maxMessageSize(DataSize.ofMegabytes(1))
					.maxResultSize(DataSize.ofMegabytes(1)));
		assertThat(client.failure("1", "echo")).hasMessageContaining("larger than");
		assertThat(written.get()).isLessThan(50_000_000);
	}

	/**
	 * Wait until the connection is back in the pool, which is just after the answer.
	 */
	private static void awaitIdle(HttpTransportClient client) {
		// in steps, so that a machine that stops for a moment does not use all of it
		Flux.interval(Duration.ofMillis(50)).take(8).blockLast();
		assertThat(client.termination()).isNotDone();
	}

}
