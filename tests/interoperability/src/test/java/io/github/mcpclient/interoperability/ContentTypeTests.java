package io.github.mcpclient.interoperability;

import java.util.Map;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for servers and gateways that label a response with another content type than it
 * has.
 */
@Timeout(60)
class ContentTypeTests extends AbstractInteroperabilityTests {

	private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":"
			+ "[{\"type\":\"text\",\"text\":\"found\"}]}}";

	@ParameterizedTest
	@ValueSource(strings = { "text/plain;charset=utf-8", "application/octet-stream", "text/html",
			"application/json, application/json", "application/json; charset=utf-8, application/json", "",
			"text/event-stream", "application/vnd.api+json" })
	void jsonIsReadUnderAnyLabel(String contentType) {
		this.peer.deviates(McpTestDeviation.contentType(contentType));
		McpServer server = connect();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertThat(assertDeviation(server, Kind.CONTENT_TYPE).detail())
			.isEqualTo((contentType.isEmpty() ? "no content type" : contentType) + " instead of application/json");
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "text/plain", "", "text/event-stream, text/event-stream" })
	void eventsAreReadUnderAnyLabel(String contentType) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		// the stream has no end
		this.peer.on("tools/call",
				McpTestReply.standard().asEvents().withHeader("Content-Type", contentType).thenHang());
		assertThat(echo.call(Map.of()).text()).isEqualTo("hello");
		assertThat(assertDeviation(server, Kind.CONTENT_TYPE).detail()).endsWith(" instead of text/event-stream");
	}

	@Test
	void blanksBeforeTheContentTellNothing() {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> McpTestReply.status(200)
			.body("text/plain", Flux.just("\r\n", " ", "\uFEFF" + ANSWER.formatted(request.id()))));
		assertThat(echo.call(Map.of()).text()).isEqualTo("found");
		assertDeviation(server, Kind.CONTENT_TYPE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json; charset=utf-8", "Application/JSON ; charset=\"UTF-8\"; v=1" })
	void parametersAreNoDeviation(String contentType) {
		this.peer.deviates(McpTestDeviation.contentType(contentType));
		McpServer server = connect();
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/json", "application/x-other", "" })
	void textInPlaceOfAnAnswerIsShownAtOnce(String contentType) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call",
				McpTestReply.raw("error: backend overloaded, case 4711").withHeader("Content-Type", contentType));
		assertThat(outcome(echo)).contains("error: backend overloaded, case 4711");
		assertNoDeviation(server);
	}

	@Test
	void pageInPlaceOfAnAnswerIsNotShown() {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", McpTestReply.raw("<html>case 4711").withHeader("Content-Type", "text/html"));
		assertThat(outcome(echo)).contains("responded with text/html instead of JSON or an event stream")
			.doesNotContain("4711");
	}

}
