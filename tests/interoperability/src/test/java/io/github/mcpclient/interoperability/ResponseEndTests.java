package io.github.mcpclient.interoperability;

import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.test.server.McpTestReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for servers whose streams of events end, or are parted, in odd ways.
 */
@Timeout(30)
class ResponseEndTests extends AbstractInteroperabilityTests {

	private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":"
			+ "[{\"type\":\"text\",\"text\":\"found\"}]}}";

	@ParameterizedTest
	@ValueSource(strings = { "data: %s", "data: %s\n", "data:%s\r\n", "event: message\nid: 5\ndata: %s\r",
			": hi\n\ndata: %s\nid: 5" })
	void lastEventIsReadWithoutItsBlankLine(String stream) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> McpTestReply.events(stream.formatted(ANSWER.formatted(request.id()))));
		assertThat(outcome(echo)).isEqualTo("found");
		assertDeviation(server, Kind.RESPONSE_END);
	}

	@Test
	void lastEventIsReadHoweverLarge() {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		String text = "x".repeat(200_000);
		this.peer.on("tools/call",
				(request) -> McpTestReply.events("data: " + ANSWER.formatted(request.id()).replace("found", text)));
		assertThat(outcome(echo)).isEqualTo(text);
		assertDeviation(server, Kind.RESPONSE_END);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\n", "\r\n", "\r" })
	void jsonThatIsSplitBetweenLinesIsNoDeviation(String lineBreak) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call",
				(request) -> McpTestReply.events("data: " + ANSWER.formatted(request.id())
					.replace(",", "," + lineBreak + "data: ")
					.replace("{", "{" + lineBreak + "data:") + lineBreak + lineBreak));
		assertThat(outcome(echo)).isEqualTo("found");
		assertNoDeviation(server);
	}

	@Test
	void jsonThatIsSplitBetweenPacketsIsNoDeviation() {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> McpTestReply.events(Flux
			.fromStream(("data: " + ANSWER.formatted(request.id()) + "\n\n").chars().mapToObj(Character::toString))));
		assertThat(outcome(echo)).isEqualTo("found");
		assertNoDeviation(server);
	}

	@Test
	void eventThatIsCutOffIsNotTakenForOneThatLacksItsEnd() {
		AtomicReference<String> id = new AtomicReference<>();
		// the rest can be had
		this.peer.on("GET", (request) -> "1".equals(request.header("Last-Event-ID"))
				? McpTestReply.events("data: " + ANSWER.formatted(id.get()) + "\n\n") : McpTestReply.status(405));
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> {
			id.set(request.id());
			return McpTestReply.events("id: 1\nretry: 1\ndata: \n\n",
					"id: 2\ndata: " + ANSWER.formatted(request.id()).substring(0, 60));
		});
		assertThat(outcome(echo)).isEqualTo("found");
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@ValueSource(strings = { "data: upstream 4711 failed\n\n", "data: upstream 4711 failed",
			"event: message\ndata: {\"error\":\"upstream 4711 failed\"}\n\n" })
	void eventThatIsNoMessageSaysWhyThereIsNoAnswer(String stream) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", McpTestReply.events(stream));
		assertThat(outcome(echo)).contains("upstream 4711 failed");
		assertNoDeviation(server);
	}

	@Test
	void answerThatIsCutOffFailsTheCallWithItsEnd() {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> {
			String answer = ANSWER.formatted(request.id());
			// the stream has no end
			return McpTestReply.events(
					Flux.concat(Flux.just("data: " + answer.substring(0, answer.length() - 8) + "\n\n"), Flux.never()));
		});
		assertThat(outcome(echo)).contains("it ends too early").contains("\"text\":\"fo");
		assertNoDeviation(server);
	}

}
