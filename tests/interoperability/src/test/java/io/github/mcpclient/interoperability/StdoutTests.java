package io.github.mcpclient.interoperability;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestReply;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for processes that write something else to their stdout than one message a line.
 */
class StdoutTests extends AbstractInteroperabilityTests {

	private static final String LOG = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
			+ "\"params\":{\"level\":\"info\",\"data\":\"x\"}}";

	static Stream<Named<UnaryOperator<String>>> framings() {
		return Stream.of(framing("title", (message) -> "\u001B]0;npm exec\u0007" + message + "\n"),
				framing("cursor", (message) -> "\r\u001B[2K\u001B[1G" + message + "\r\n"),
				framing("NUL", (message) -> message + "\0"), framing("carriage return", (message) -> message + "\r"),
				framing("nothing", (message) -> message), framing("Content-Length", StdoutTests::contentLength),
				framing("event", (message) -> "event: message\ndata: " + message + "\n\n"),
				framing("three", (message) -> LOG + ", " + message + LOG + ";\n"),
				framing("odd batch", (message) -> "[" + LOG + " " + message + "\n"));
	}

	private static Named<UnaryOperator<String>> framing(String name, UnaryOperator<String> framing) {
		return Named.of(name, framing);
	}

	private static String contentLength(String message) {
		return "Content-Length: " + message.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + message;
	}

	private static String pretty(String message) {
		JsonMapper mapper = JsonMapper.builder().build();
		return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(mapper.readTree(message));
	}

	@ParameterizedTest
	@MethodSource("framings")
	void framesAndEscapeSequencesAreTakenOff(UnaryOperator<String> framing) {
		this.peer.deviates(McpTestDeviation.stdout(framing));
		McpServer server = connectToChild();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.STDOUT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Loading\u2026 %s\n", "\u280B it's {here} \"%s done\n", "[INFO] %s to you {\n",
			"Loading\u2026 %s" })
	void responsesFollowTextWhereAllDo(String line) {
		this.peer.deviates(McpTestDeviation.stdout(line::formatted));
		McpServer server = connectToChild();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.STDOUT);
	}

	@Test
	void firstMessageMayFollowText() {
		AtomicBoolean first = new AtomicBoolean(true);
		this.peer.deviates(McpTestDeviation
			.stdout((message) -> (first.getAndSet(false) ? "Loading\u2026 " : "") + message + "\n"));
		McpServer server = connectToChild();
		assertReady(server);
		assertThat(assertDeviation(server, Kind.STDOUT).detail()).isEqualTo("'Loading\u2026' next to a message");
	}

	@Test
	void textMayFollowAMessage() {
		McpServer server = connectToChild();
		this.peer.deviates(McpTestDeviation.stdout((message) -> message + " done\n"));
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.STDOUT);
	}

	@Test
	void logThatQuotesAResponseAnswersNothing() {
		McpServer server = connectToChild();
		for (String lines : List.of("DEBUG sending %1$s\n%2$s\n", "%2$s\nDEBUG sent %1$s\n",
				"DEBUG sending %1$s\nDEBUG sending %1$s\n%2$s\n", "sending {\"a\": %1$s}\n%2$s\n",
				"{\"level\":\"debug\",\"message\":%1$s}\n%2$s\n", "sending %1$s\n\u001B[0m%2$s\n",
				"%2$s sends %1$s to you, and so does the next line\n%2$s\n")) {
			this.peer.deviates(McpTestDeviation.stdout((message) -> message.contains("hello")
					? lines.formatted(message.replace("hello", "other"), message) : message + "\n"));
			for (int i = 0; i < 3; i++) {
				assertThat(tool(server, "echo").call(Map.of()).text()).as(lines).isEqualTo("hello");
			}
		}
		assertDeviation(server, Kind.STDOUT);
	}

	@Test
	void logThatQuotesARequestOrANotificationIsNotActedOn() {
		this.peer.tool("quote", (request) -> {
			McpTestReply reply = McpTestReply.text("done");
			this.peer.processes()
				.get(0)
				.print("received {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
				.print("sent {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n");
			return reply;
		});
		McpServer server = connectToChild();
		this.peer.forgetRequests();
		assertThat(tool(server, "quote").call(Map.of()).text()).isEqualTo("done");
		assertThat(tool(server, "quote").call(Map.of()).text()).isEqualTo("done");
		assertThat(this.peer.requests()).allMatch((request) -> request.method().equals("tools/call"));
		assertDeviation(server, Kind.STDOUT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sending %1$s\nsending %2$s\n", "Loading\u2026 %2$s\n", "%3$s\n", "no more memory\n" })
	void callThatIsNotAnsweredNamesWhatIsOnStdout(String lines) {
		this.peer.deviates(McpTestDeviation.stdout((message) -> message.contains("hello")
				? lines.formatted(message.replace("hello", "one"), message, pretty(message)) : message + "\n"));
		McpServer server = connectToChild((child) -> child.requestTimeout(Duration.ofMillis(900)));
		// again where the machine was too busy to read that in time
		Awaitility.await()
			.untilAsserted(() -> assertThatExceptionOfType(McpRequestTimeoutException.class)
				.isThrownBy(() -> tool(server, "echo").call(Map.of()))
				.withMessageContaining("(during this time, the server " + Kind.STDOUT.summary()));
		assertReady(server);
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "The child is a shell")
	void handshakeThatIsNotAnsweredNamesWhatIsOnStdout() {
		McpServer server = connect(
				McpServerDefinition.stdio(NAME, "sh", "-c", "echo Listening on port 3000; cat > /dev/null")
					.initializationTimeout(Duration.ofMillis(900))
					.build());
		Awaitility.await().until(() -> server.status().state() == McpServerState.UNAVAILABLE);
		assertThat(server.status().lastError()).contains(Kind.STDOUT.summary()).contains("'Listening on port 3000'");
	}

}
