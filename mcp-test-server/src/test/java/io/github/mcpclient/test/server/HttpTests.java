package io.github.mcpclient.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for what {@link McpTestServer} does over HTTP, byte by byte.
 */
@Timeout(60)
class HttpTests {

	private final McpTestServer server = McpTestServer.create().timeout(Duration.ofSeconds(20)).tools("echo").start();

	private final HttpClient client = HttpClient.newHttpClient();

	private @Nullable String session;

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void beginsAndEndsSessions() throws Exception {
		assertThat(post("tools/list").statusCode()).isEqualTo(404);
		HttpResponse<String> response = initialize();
		assertThat(response.body()).contains("\"protocolVersion\":\"2025-11-25\"", "\"tools\":{\"listChanged\":true}");
		assertThat(this.server.sessions()).containsExactly(this.session);
		assertThat(post("tools/list").body()).contains("\"echo\"");
		assertThat(send(request().DELETE()).statusCode()).isEqualTo(200);
		assertThat(this.server.sessions()).isEmpty();
		this.server.unknownSession(McpTestReply.error(-32000, "No valid session ID provided").withStatus(400));
		assertThat(post("tools/list").statusCode()).isEqualTo(400);
	}

	@Test
	void acceptsNoMessagesAtTheUrlOfTheOlderTransport() throws Exception {
		assertThat(send(HttpRequest.newBuilder(URI.create(this.server.sseUrl()))
			.POST(HttpRequest.BodyPublishers.ofString("{}"))).statusCode()).isEqualTo(405);
	}

	@Test
	void worksWithoutSessions() throws Exception {
		this.server.withoutSessions();
		initialize();
		assertThat(this.session).isNull();
		assertThat(post("tools/list").statusCode()).isEqualTo(200);
		CompletableFuture<Stream<String>> stream = listen();
		this.server.awaitListeners(1).notifyToolsListChanged();
		assertThat(stream.join().skip(3).findFirst())
			.hasValueSatisfying((data) -> assertThat(data).contains("list_changed"));
	}

	@Test
	void remembersTheNewestRequests() throws Exception {
		initialize();
		this.server.recordAtMost(2);
		post("ping");
		post("tools/list");
		post("prompts/list");
		assertThat(this.server.requests()).extracting(McpTestRequest::method)
			.containsExactly("tools/list", "prompts/list");
	}

	@Test
	void scriptOnceARequestArrivedIsForTheNextOne() throws Exception {
		initialize();
		for (int i = 1; i <= 100; i++) {
			CompletableFuture<HttpResponse<String>> first = this.client.sendAsync(request("ping").build(),
					BodyHandlers.ofString());
			this.server.awaitRequests("ping", 2 * i - 1);
			this.server.onNext("ping", McpTestReply.status(503));
			assertThat(first.get().statusCode()).isEqualTo(200);
			assertThat(post("ping").statusCode()).isEqualTo(503);
		}
	}

	@Test
	void recordsHeaders() throws Exception {
		initialize();
		send(request("tools/list").header("Authorization", "Bearer t0ken"));
		assertThat(this.server).hasReceived("tools/list")
			.hasHeader("authorization", "Bearer t0ken")
			.hasHeader("Mcp-Session-Id", this.session)
			.doesNotHaveHeader("X-Other");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.server).hasReceived("tools/list").hasHeader("X-Other", "1"))
			.withMessageContaining("t0ken");
	}

	@Test
	void failsWithStatusHeadersAndBody() throws Exception {
		this.server.onNext("POST", McpTestReply.status(503).retryAfter(Duration.ofSeconds(7)),
				McpTestReply.status(401).withHeader("WWW-Authenticate", "Bearer").body("text/plain", "who?"),
				McpTestReply.raw("{nonsense"));
		assertThat(post("tools/list")).satisfies((response) -> {
			assertThat(response.statusCode()).isEqualTo(503);
			assertThat(response.headers().firstValue("Retry-After")).hasValue("7");
		});
		assertThat(post("tools/list").body()).isEqualTo("who?");
		assertThat(post("tools/list").body()).isEqualTo("{nonsense");
		assertThat(post("tools/list").statusCode()).isEqualTo(404);
	}

	@Test
	void forgetsSessionsInACall() throws Exception {
		initialize();
		this.server.on("tools/call", (request) -> {
			this.server.forgetSessions();
			return McpTestReply.error(-32000, "gone").withStatus(400);
		});
		assertThat(post("tools/call").statusCode()).isEqualTo(400);
		assertThat(post("tools/call").statusCode()).isEqualTo(404);
	}

	@Test
	void answersWithAStreamAndOtherMessages() throws Exception {
		initialize();
		this.server.on("ping", McpTestReply.standard().precededBy("{nonsense", Map.of("a", 1)).followedBy("\"late\""));
		assertThat(post("ping").body())
			.isEqualTo("event: message\ndata: {nonsense\n\nevent: message\ndata: {\"a\":1}\n\n"
					+ "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\nevent: message\ndata: \"late\"\n\n");
		this.server.on("ping", McpTestReply.events());
		assertThat(post("ping").body()).isEmpty();
	}

	@Test
	void answersOnTheListeningStream() throws Exception {
		initialize();
		CompletableFuture<Stream<String>> stream = listen();
		this.server.awaitListeners(1).on("ping", McpTestReply.standard().onListeningStream());
		assertThat(post("ping").statusCode()).isEqualTo(202);
		assertThat(stream.join().skip(3).findFirst()).hasValue("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
		this.server.closeStreams();
		this.server.awaitListeners(0);
	}

	@Test
	void answersOnTheResumedStream() throws Exception {
		initialize();
		this.server.on("ping", McpTestReply.standard().onResumption());
		String beginning = post("ping").body();
		assertThat(beginning).startsWith("id: ").endsWith("\nretry: 10\ndata: \n\n");
		String id = beginning.lines().findFirst().orElseThrow().substring(4);
		assertThat(send(request().GET().header("Last-Event-ID", id)).body()).contains("\"result\":{}");
	}

	@Test
	void closesConnectionsBeforeAndInTheMiddleOfAnswers() throws Exception {
		initialize();
		this.server.onNext("ping", McpTestReply.cut(), McpTestReply.raw("{\"json").thenCut(),
				McpTestReply.events("data: {\n").thenCut());
		assertThatIOException().isThrownBy(() -> post("ping"));
		assertThatIOException().isThrownBy(() -> post("ping"));
		assertThatIOException().isThrownBy(() -> post("ping"));
		CompletableFuture<Stream<String>> stream = listen();
		this.server.awaitListeners(1).closeConnections().awaitListeners(0);
		assertThat(stream).succeedsWithin(Duration.ofSeconds(20));
		assertThat(post("ping").statusCode()).isEqualTo(200);
	}

	@Test
	void noticesWhenTheClientGivesUp() throws Exception {
		initialize();
		this.server.onNext("ping", McpTestReply.never(), McpTestReply.never().precededBy("1"),
				McpTestReply.events("data: 1\n\n").thenHang());
		for (int i = 1; i <= 3; i++) {
			CompletableFuture<HttpResponse<String>> call = this.client.sendAsync(request("ping").build(),
					BodyHandlers.ofString());
			this.server.awaitPending("ping", 1);
			call.cancel(true);
			this.server.awaitPending("ping", 0);
			assertThat(this.server.abortedRequests()).isEqualTo(i);
		}
	}

	@Test
	void floods() throws Exception {
		initialize();
		this.server.on("tools/call", McpTestReply.flood(1_000_000));
		assertThat(post("tools/call").body()).hasSizeBetween(1_000_000, 1_000_200).contains("xxx").endsWith("\"}]}}");
		this.server.on("tools/call", McpTestReply.endless());
		CompletableFuture<HttpResponse<InputStream>> call = this.client.sendAsync(request("tools/call").build(),
				BodyHandlers.ofInputStream());
		try (InputStream body = call.join().body()) {
			assertThat(body.readNBytes(2_000_000)).hasSize(2_000_000);
		}
		this.server.awaitPending("tools/call", 0);
	}

	@Test
	void keepsItsPort() throws Exception {
		String url = this.server.url();
		this.server.stop();
		assertThatIOException().isThrownBy(() -> post("ping"));
		this.server.start();
		assertThat(this.server.url()).isEqualTo(url);
		assertThat(initialize().statusCode()).isEqualTo(200);
	}

	@Test
	void answersWithAnErrorWhereTheHandlerFails() throws Exception {
		initialize();
		this.server.tool("broken", (request) -> {
			throw new IOException("not this way");
		});
		assertThat(send(request("tools/call", ",\"params\":{\"name\":\"broken\"}")).body()).contains("-32603",
				"not this way");
	}

	@Test
	void saysWhatItReceivedInstead() throws Exception {
		initialize();
		this.server.timeout(Duration.ofMillis(1));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.server.awaitRequests("tools/list", 2))
			.withMessageContaining("Expected 2 of tools/list")
			.withMessageContaining("\"method\":\"initialize\"");
	}

	@Test
	void speaksTheRevisionsItIsTold() throws Exception {
		this.server.protocolVersions("2024-11-05", "2025-06-18").instructions("Be kind").serverInfo("other", "2");
		assertThat(initialize().body()).contains("\"protocolVersion\":\"2025-06-18\"", "Be kind", "\"other\"");
		this.server.capability("logging", Map.of()).withoutCapability("tools");
		assertThat(initialize().body()).contains("\"capabilities\":{\"logging\":{}}");
	}

	private HttpResponse<String> initialize() throws Exception {
		this.session = null;
		HttpResponse<String> response = send(request("initialize", ",\"params\":{\"protocolVersion\":\"2025-11-25\"}"));
		this.session = response.headers().firstValue("Mcp-Session-Id").orElse(null);
		return response;
	}

	private HttpResponse<String> post(String method) throws IOException, InterruptedException {
		return send(request(method));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(request.build(), BodyHandlers.ofString());
	}

	private CompletableFuture<Stream<String>> listen() {
		return this.client.sendAsync(request().GET().build(), BodyHandlers.ofLines()).thenApply(HttpResponse::body);
	}

	private HttpRequest.Builder request(String method, String... more) {
		return request().POST(HttpRequest.BodyPublishers.ofString(
				"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"" + String.join("", List.of(more)) + "}"));
	}

	private HttpRequest.Builder request() {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.server.url()));
		return (this.session != null) ? request.header("Mcp-Session-Id", this.session) : request;
	}

}
