package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableProtocol} and {@link SseProtocol} where the type is
 * inferred.
 */
@Timeout(180)
class InferredHttpTransportTests {

	private static final Duration TIMEOUT = SseTransportClient.TIMEOUT;

	/**
	 * Speaks the older transport, and refuses a POST to the url of its stream.
	 */
	private final ScriptedSseServer server = ScriptedSseServer.start();

	@AfterEach
	void close() {
		this.server.close();
	}

	private void refuse(int status, String body) {
		refuse((request, response) -> response.status(status).sendString(Mono.just(body)));
	}

	private void refuse(ScriptedHttpServer.Script refusal) {
		this.server.on("initialize", (request, response) -> {
			if (request.uri().equals("/sse")) {
				return refusal.handle(request, response);
			}
			this.server.answer(request, "{\"protocolVersion\": \"2024-11-05\"}");
			return response.status(202).send();
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 405 })
	void theOlderTransportIsTriedWhereStreamableHttpIsNotKnown(int status) {
		refuse(status, "");
		try (SseTransportClient client = SseTransportClient.inferred(this.server.url()).initialize()) {
			assertThat(client.call("1", "echo").error()).isNull();
			assertThat(client.messages()).hasSize(2);
			assertThat(client.transport().type()).isEqualTo("sse");
			assertThat(this.server.streams()).isEqualTo(1);
			assertThat(this.server.http().requests()).extracting(ScriptedHttpServer.Request::method)
				.containsExactly("POST", "GET", "POST", "POST", "POST");
			assertThat(client.termination()).isNotDone();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 405 })
	void anErrorOfJsonRpcIsAReasonTooAndIsNotTakenForTheAnswer(int status) {
		refuse((request, response) -> ScriptedHttpServer.raw(response.status(status), "application/json",
				"{\"jsonrpc\": \"2.0\", \"id\": " + request.id()
						+ ", \"error\": {\"code\": -32000, \"message\": \"no\"}}"));
		try (SseTransportClient client = SseTransportClient.inferred(this.server.url()).initialize()) {
			assertThat(client.messages()).hasSize(1);
			assertThat(client.answer("init").error()).isNull();
		}
	}

	@Test
	void anErrorThatNamesTheRevisionsOfTheServerIsTheAnswer() {
		refuse((request, response) -> ScriptedHttpServer.raw(response.status(400), "application/json",
				"{\"jsonrpc\": \"2.0\", \"id\": " + request.id() + ", \"error\": {\"code\": -32022,"
						+ " \"message\": \"no\", \"data\": {\"supported\": [\"2026-07-28\"]}}}"));
		try (SseTransportClient client = SseTransportClient.inferred(this.server.url()).connect()) {
			assertThat(client.call("1", "initialize").error().code()).isEqualTo(-32022);
			assertThat(this.server.streams()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 406, 429, 500, 501, 503 })
	void anyOtherStatusIsNoReason(int status) {
		refuse(status, "");
		try (SseTransportClient client = SseTransportClient.inferred(this.server.url()).connect()) {
			assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class)
				.hasMessageStartingWith("HTTP " + status);
			assertThat(this.server.streams()).isZero();
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void aTypeThatIsGivenIsTheOnlyOneTried() {
		refuse(405, "");
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url())) {
			assertThat(client.failure("1", "initialize")).hasMessageStartingWith("HTTP 405");
		}
		assertThat(this.server.streams()).isZero();
	}

	@Test
	void onlyTheRequestToInitializeIsAReason() {
		this.server.on("echo", (request, response) -> response.status(405).send());
		this.server.on("initialize", (request, response) -> ScriptedHttpServer.json(response, request,
				"{\"protocolVersion\": \"2025-11-25\"}"));
		this.server.on("GET", (request, response) -> response.status(405).send());
		try (SseTransportClient client = SseTransportClient.inferred(this.server.url()).initialize()) {
			assertThat(client.failure("1", "echo")).hasMessageStartingWith("HTTP 405");
			assertThat(client.transport().type()).isNull();
		}
	}

	@Test
	void whenBothFailBothAreTold() {
		refuse(405, "use another");
		this.server.on("GET", (request, response) -> response.status(404).send());
		SseTransportClient client = SseTransportClient.inferred(this.server.url()).connect();
		String message = "The server speaks neither streamable HTTP (HTTP 405 Method Not Allowed: use another)"
				+ " nor the older SSE (HTTP 404 Not Found)";
		assertThat(client.failure("1", "initialize")).isInstanceOfSatisfying(HttpStatusException.class, (ex) -> {
			assertThat(ex).hasMessage(message);
			assertThat(ex.getStatus()).isEqualTo(405);
			assertThat(ex.getNextStep()).isEqualTo("Check that mcp.servers.test.url is an MCP endpoint.");
		});
		assertThat(client.death()).hasMessage(message);
		// once
		assertThat(client.failure("2", "initialize")).isInstanceOf(TransportException.class);
		assertThat(this.server.http().requests("GET")).hasSize(1);
		client.close();
	}

	@Test
	void whenTheOlderTransportWantsCredentialsThatIsTheNextStep() {
		refuse(404, "");
		this.server.on("GET", (request, response) -> response.status(401).send());
		try (SseTransportClient client = SseTransportClient.inferred(this.server.url()).connect()) {
			assertThat(client.failure("1", "initialize")).isInstanceOfSatisfying(TransportException.class,
					(ex) -> assertThat(ex.getNextStep()).contains("credentials"));
		}
	}

	@Test
	void theLossOfTheStreamIsToldAsItIs() {
		refuse(404, "");
		this.server.ignore("wait");
		SseTransportClient client = SseTransportClient.inferred(this.server.url()).initialize();
		CompletableFuture<Void> call = client.send("1", "wait").toFuture();
		Awaitility.await().until(() -> this.server.http().requests("wait").size() == 1);
		assertThat(client.transport().hasEnded()).isFalse();
		this.server.endStream();
		assertThat(client.death()).hasMessage("The server closed the stream of events");
		assertThat(client.transport().hasEnded()).isTrue();
		assertThat(call).failsWithin(Duration.ofSeconds(20));
		client.close();
	}

	@Test
	void theDeathOfStreamableHttpIsToldAsItIs() {
		this.server.on("initialize", (request, response) -> ScriptedHttpServer
			.json(response.header("Mcp-Session-Id", "x"), request, "{\"protocolVersion\": \"2025-11-25\"}"));
		this.server.on("GET", (request, response) -> response.status(405).send());
		SseTransportClient client = SseTransportClient.inferred(this.server.url()).initialize();
		this.server.on("echo", (request, response) -> response.status(404).send());
		client.failure("1", "echo");
		assertThat(client.death()).hasMessageContaining("no longer knows the session");
		client.close();
	}

	@Test
	void closeEndsTheSessionOfStreamableHttp() {
		this.server.on("initialize", (request, response) -> ScriptedHttpServer
			.json(response.header("Mcp-Session-Id", "x"), request, "{\"protocolVersion\": \"2025-11-25\"}"));
		SseTransportClient client = SseTransportClient.inferred(this.server.url()).initialize();
		client.close();
		assertThat(client.termination()).succeedsWithin(TIMEOUT);
		assertThat(this.server.http().requests("DELETE")).hasSize(1);
	}

	@Test
	void closeWithinTheAttemptEndsIt() {
		refuse(404, "");
		this.server.on("GET", (request, response) -> Mono.never());
		SseTransportClient client = SseTransportClient.inferred(this.server.url()).connect();
		CompletableFuture<Void> initialize = client.send("1", "initialize").toFuture();
		Awaitility.await().until(() -> this.server.http().requests("GET").size() == 1);
		client.close();
		assertThat(client.termination()).succeedsWithin(TIMEOUT);
		assertThat(initialize).failsWithin(TIMEOUT);
		Awaitility.await().until(() -> this.server.http().connections() == 0);
	}

	@Test
	void worksUnderTheSdksOwnClient() {
		refuse((request, response) -> response.status(405).send());
		this.server.on("tools/list", (request, response) -> {
			this.server.answer(request, "{\"tools\": []}");
			return response.status(202).send();
		});
		SseTransportClient client = SseTransportClient.inferred(this.server.url());
		this.server.on("initialize", (request, response) -> {
			if (request.uri().equals("/sse")) {
				return response.status(405).send();
			}
			this.server.answer(request, """
					{"protocolVersion": "2024-11-05", "capabilities": {"tools": {}},
					"serverInfo": {"name": "old", "version": "1"}}""");
			return response.status(202).send();
		});
		McpAsyncClient sdk = McpClient.async(client.transport()).build();
		assertThat(sdk.initialize().block(TIMEOUT).serverInfo().name()).isEqualTo("old");
		assertThat(sdk.listTools().block(TIMEOUT).tools()).isEmpty();
		sdk.closeGracefully().block(TIMEOUT);
	}

}
