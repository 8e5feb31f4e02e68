package io.github.mcpclient.internal.transport.http;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.internal.support.ProtocolVersions;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StreamableProtocol} and {@link SseProtocol} where the type is
 * inferred.
 */
class InferredHttpTransportTests {

	// speaks the older transport, and refuses a POST to the url of its stream
	private final McpTestServer server = McpTestServer.create()
		.on("echo", (request) -> McpTestReply.result(request.params()))
		.start();

	private void refuse(int status, String body) {
		refuse(McpTestReply.status(status).body("text/plain", body));
	}

	private void refuse(McpTestReply refusal) {
		this.server.on("POST", (request) -> request.path().equals("/sse") ? refusal : McpTestReply.standard());
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 405 })
	void theOlderTransportIsTriedWhereStreamableHttpIsNotKnown(int status) {
		refuse(status, "");
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).initialize();
		assertThat(client.call("1", "echo").error()).isNull();
		assertThat(client.messages()).hasSize(2);
		assertThat(client.transport().type()).isEqualTo("sse");
		assertThat(this.server.requests("GET")).hasSize(1);
		assertThat(this.server.requests()).extracting(McpTestRequest::httpMethod)
			.containsExactly("POST", "GET", "POST", "POST", "POST");
		assertThat(client.termination()).isNotDone();
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 405 })
	void anErrorOfJsonRpcIsAReasonTooAndIsNotTakenForTheAnswer(int status) {
		refuse(McpTestReply.error(-32000, "no").withStatus(status));
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).initialize();
		assertThat(client.messages()).hasSize(1);
		assertThat(client.answer("init").error()).isNull();
	}

	@Test
	void anErrorThatNamesTheRevisionsOfTheServerIsTheAnswer() {
		refuse(McpTestReply.error(-32022, "no", Map.of("supported", List.of("2026-07-28"))).withStatus(400));
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).connect();
		assertThat(client.call("1", "initialize").error().code()).isEqualTo(-32022);
		assertThat(this.server.requests("GET")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "400, -32020", "400, -32602", "400, -32022", "404, -32601" })
	void aRefusalByAServerOfAnotherEraIsTheAnswer(int status, int code) {
		refuse(McpTestReply.error(code, "no").withStatus(status));
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).connect();
		assertThat(client.call("1", "initialize").error().code()).isEqualTo(code);
		assertThat(this.server.requests("GET")).isEmpty();
	}

	@Test
	void aRefusalInWordsSaysThatItIsTheRevision() {
		refuse(400, "Bad Request: Unsupported protocol version (supported: 2026-07-28)");
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).connect();
		assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class)
			.hasFieldOrPropertyWithValue("nextStep", ProtocolVersions.Refusal.nextStep("auto"));
		assertThat(this.server.requests("GET")).isEmpty();
	}

	@Test
	void aRevisionThatIsRefusedIsNotSentBack() {
		this.server.on("initialize",
				McpTestReply.result(Map.of("protocolVersion", "2099-01-01")).withHeader("Mcp-Session-Id", "s1"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url())) {
			assertThat(client.call("1", "initialize").error()).isNull();
		}
		McpTestRequest delete = this.server.awaitRequest("DELETE");
		assertThat(delete.header("Mcp-Session-Id")).isEqualTo("s1");
		assertThat(delete.header("MCP-Protocol-Version")).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 406, 429, 500, 501, 503 })
	void anyOtherStatusIsNoReason(int status) {
		refuse(status, "");
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).connect();
		assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class)
			.hasMessageStartingWith("HTTP " + status);
		assertThat(this.server.requests("GET")).isEmpty();
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void aTypeThatIsGivenIsTheOnlyOneTried() {
		refuse(405, "");
		try (HttpTransportClient client = HttpTransportClient.to(this.server.sseUrl())) {
			assertThat(client.failure("1", "initialize")).hasMessageStartingWith("HTTP 405");
		}
		assertThat(this.server.requests("GET")).isEmpty();
	}

	@Test
	void onlyTheRequestToInitializeIsAReason() {
		this.server.on("echo", McpTestReply.status(405));
		this.server.on("GET", McpTestReply.status(405));
		HttpTransportClient client = HttpTransportClient.inferred(this.server.url()).initialize();
		assertThat(client.failure("1", "echo")).hasMessageStartingWith("HTTP 405");
		assertThat(client.transport().type()).isNull();
	}

	@Test
	void whenBothFailBothAreTold() {
		refuse(405, "use another");
		this.server.on("GET", McpTestReply.status(404));
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).connect();
		String message = "The server supports neither streamable HTTP (HTTP 405 Method Not Allowed: use another)"
				+ " nor SSE (HTTP 404 Not Found)";
		assertThat(client.failure("1", "initialize")).isInstanceOf(HttpStatusException.class)
			.hasMessage(message)
			.hasFieldOrPropertyWithValue("summary",
					"The server supports neither streamable HTTP (HTTP 405 Method Not Allowed")
			.hasFieldOrPropertyWithValue("status", 405)
			.hasFieldOrPropertyWithValue("nextStep", "Check that mcp.servers.test.url is an MCP endpoint.");
		assertThat(client.death()).hasMessage(message);
		// once
		assertThat(client.failure("2", "initialize")).isInstanceOf(TransportException.class);
		assertThat(this.server.requests("GET")).hasSize(1);
		client.close();
	}

	@Test
	void whenTheOlderTransportWantsCredentialsThatIsTheNextStep() {
		refuse(404, "");
		this.server.on("GET", McpTestReply.status(401));
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).connect();
		assertThat(client.failure("1", "initialize")).isInstanceOf(TransportException.class)
			.extracting("nextStep")
			.asString()
			.contains("credentials");
	}

	@Test
	void theLossOfTheStreamIsToldAsItIs() {
		refuse(404, "");
		this.server.on("wait", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).initialize();
		CompletableFuture<Void> call = client.send("1", "wait").toFuture();
		this.server.awaitRequest("wait");
		assertThat(client.transport().hasEnded()).isFalse();
		this.server.closeStreams();
		assertThat(client.death()).hasMessage("The server closed the event stream");
		assertThat(client.transport().hasEnded()).isTrue();
		assertThat(call).failsWithin(LIMIT);
		client.close();
	}

	@Test
	void theDeathOfStreamableHttpIsToldAsItIs() {
		this.server.on("GET", McpTestReply.status(405));
		HttpTransportClient client = HttpTransportClient.inferred(this.server.url()).initialize();
		this.server.on("echo", McpTestReply.status(404));
		client.failure("1", "echo");
		assertThat(client.death()).hasMessageContaining("no longer knows the session");
		client.close();
	}

	@Test
	void closeEndsTheSessionOfStreamableHttp() {
		HttpTransportClient client = HttpTransportClient.inferred(this.server.url()).initialize();
		client.close();
		assertThat(client.termination()).succeedsWithin(LIMIT);
		assertThat(this.server.requests("DELETE")).hasSize(1);
	}

	@Test
	void closeWithinTheAttemptEndsIt() {
		refuse(404, "");
		this.server.on("GET", McpTestReply.never());
		HttpTransportClient client = HttpTransportClient.inferred(this.server.sseUrl()).connect();
		CompletableFuture<Void> initialize = client.send("1", "initialize").toFuture();
		this.server.awaitRequest("GET");
		client.close();
		assertThat(client.termination()).succeedsWithin(LIMIT);
		assertThat(initialize).failsWithin(LIMIT);
		Awaitility.await().until(() -> this.server.connections() == 0);
	}

	@Test
	void worksUnderTheSdksOwnClient() {
		refuse(405, "");
		this.server.serverInfo("old", "1").protocolVersions("2024-11-05").tools();
		McpAsyncClient sdk = McpClient.async(HttpTransportClient.inferred(this.server.sseUrl()).transport()).build();
		assertThat(sdk.initialize().block(LIMIT).serverInfo().name()).isEqualTo("old");
		assertThat(sdk.listTools().block(LIMIT).tools()).isEmpty();
		sdk.closeGracefully().block(LIMIT);
	}

}
