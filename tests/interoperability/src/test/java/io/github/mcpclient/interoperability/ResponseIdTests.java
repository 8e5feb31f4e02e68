package io.github.mcpclient.interoperability;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for servers and gateways that answer a request under an id that is not its own.
 * Requests time out after a minute: what is tested fails, or is served, before.
 */
@Timeout(30)
class ResponseIdTests extends AbstractInteroperabilityTests {

	private static final String RESULT = "{\"jsonrpc\":\"2.0\",%s\"result\":{\"content\":"
			+ "[{\"type\":\"text\",\"text\":\"secret of somebody\"}]}}";

	private static final String ERROR = "{\"jsonrpc\":\"2.0\",%s\"error\":{\"code\":-32010,\"message\":\"Quota exceeded\"}}";

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			"7f0c5d0e-1b1b-4c8e-9d4e-0d9ed5e2b8a1" | false
			"server-error"                         | false
			-1                                     | false
			0                                      | false
			"7f0c5d0e-1b1b-4c8e-9d4e-0d9ed5e2b8a1" | true
			-1                                     | true""")
	void errorUnderAnotherIdFailsTheCallAtOnce(String id, boolean events) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		McpTestReply reply = McpTestReply.raw(ERROR.formatted("\"id\":" + id + ","));
		this.peer.on("tools/call", events ? reply.asEvents() : reply);
		assertThat(outcome(echo)).contains("-32010").contains("Quota exceeded");
		assertThat(assertDeviation(server, Kind.RESPONSE_ID).detail()).contains(id.replace("\"", ""));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			'"id":null,' | false
			''           | false
			'"id":null,' | true""")
	void errorWithoutAnIdFailsTheCallAtOnce(String id, boolean events) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		McpTestReply reply = McpTestReply.raw(ERROR.formatted(id));
		this.peer.on("tools/call", events ? reply.asEvents() : reply);
		assertThat(outcome(echo)).contains("-32010").contains("Quota exceeded");
		// JSON-RPC wants it so where the request was not understood
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"id\":null,", "" })
	void resultWithoutAnIdBesideOthersIsNotTaken(String id) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", McpTestReply.text("mine").precededBy(RESULT.formatted(id)));
		assertThat(outcome(echo)).isEqualTo("mine");
		this.peer.on("tools/call", McpTestReply.raw("[" + RESULT.formatted(id) + "," + RESULT.formatted(id) + "]"));
		assertThat(outcome(echo)).contains("returned a malformed tool result");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"id\":null,", "" })
	void resultWithoutAnIdIsThatOfTheOnlyRequest(String id) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", McpTestReply.raw(RESULT.formatted(id)));
		assertThat(outcome(echo)).isEqualTo("secret of somebody");
		assertDeviation(server, Kind.RESPONSE_ID);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"%s\"", "%s.0", "%s" })
	void otherSpellingsOfAnIdAreNoDeviation(String spelling) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call",
				(request) -> McpTestReply.raw(RESULT.formatted("\"id\":" + spelling.formatted(request.id()) + ",")));
		assertThat(outcome(echo)).isEqualTo("secret of somebody");
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@CsvSource({ "\"7f0c5d0e\", false", "1, false", "\"7f0c5d0e\", true" })
	void resultUnderAnotherIdIsNotTakenAsItMayBeOfAnotherClient(String id, boolean events) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		McpTestReply reply = McpTestReply.raw(RESULT.formatted("\"id\":" + id + ","));
		this.peer.on("tools/call", events ? reply.asEvents() : reply);
		assertThat(outcome(echo)).contains("responded with the ID of another request")
			.contains(id.replace("\"", ""))
			.doesNotContain("somebody");
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@ValueSource(strings = { RESULT, ERROR })
	void responseToAnotherRequestIsNeverTakenForTheAnswer(String response) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		CompletableFuture<Void> gate = new CompletableFuture<>();
		this.peer.onNext("tools/call", McpTestReply.standard().after(gate));
		CompletableFuture<McpToolResult> other = echo.callAsync(Map.of()).toFuture();
		String id = this.peer.awaitRequest("tools/call").id();
		this.peer.onNext("tools/call", McpTestReply.raw(response.formatted("\"id\":" + id + ",")));
		assertThat(outcome(echo)).contains("responded with the ID of another request")
			.doesNotContain("somebody")
			.doesNotContain("Quota");
		gate.complete(null);
		assertThat(other.join().text()).isEqualTo("hello");
		assertNoDeviation(server);
	}

	@Test
	void errorsOfSeveralRequestsAreNotTakenForTheAnswer() {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call",
				McpTestReply.raw(ERROR.formatted("\"id\":\"b\",")).precededBy(ERROR.formatted("\"id\":\"a\",")));
		assertThat(outcome(echo)).contains("responded with the ID of another request").doesNotContain("Quota");
		assertNoDeviation(server);
	}

	@Test
	void answerAfterOneOfAnotherClientIsTaken() {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", McpTestReply.standard().precededBy(ERROR.formatted("\"id\":\"a\",")));
		assertThat(outcome(echo)).isEqualTo("hello");
		assertNoDeviation(server);
	}

}
