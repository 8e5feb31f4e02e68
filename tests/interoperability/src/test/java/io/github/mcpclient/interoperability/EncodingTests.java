package io.github.mcpclient.interoperability;

import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for servers that send what is no JSON in UTF-8. Requests time out after a minute:
 * what is tested fails, or is served, before.
 */
@Timeout(30)
class EncodingTests extends AbstractInteroperabilityTests {

	private static final Charset LATIN = StandardCharsets.ISO_8859_1;

	@ParameterizedTest(name = "{0}, {1}")
	@MethodSource
	void whatLosesNothingIsServed(Way way, String content, String expected) {
		McpServer server = way.connect(this);
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> way.reply(answer(request, content).getBytes(LATIN)));
		assertThat(outcome(echo)).isEqualTo(expected);
		assertDeviation(server, Kind.ENCODING);
	}

	static Stream<Arguments> whatLosesNothingIsServed() {
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(
					// Korean in CP949
					Arguments.of(way, "[\u00B0\u00A1]", "[\uFFFD\uFFFD]"), Arguments.of(way, "caf\u00E9", "caf\uFFFD"),
					// the half of an emoji, as JavaScript cuts it
					Arguments.of(way, "\u00ED\u00A0\u00BDx", "\uFFFDx"),
					Arguments.of(way, "a\tb\u0007c", "a\tb\u0007c"),
					Arguments.of(way, "end\",\"x\":[1,],\"y\":\"", "end")));
	}

	@ParameterizedTest
	@EnumSource
	void largeResultIsServed(Way way) {
		McpServer server = way.connect(this);
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call",
				(request) -> way.reply(answer(request, "\u00B0" + "x".repeat(300_000)).getBytes(LATIN)));
		assertThat(outcome(echo)).isEqualTo("\uFFFD" + "x".repeat(300_000));
		assertDeviation(server, Kind.ENCODING);
	}

	@ParameterizedTest
	@EnumSource
	void numbersThatJsonHasNotAreNull(Way way) {
		McpServer server = way.connect(this);
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> way.reply(("{\"jsonrpc\":\"2.0\",\"id\":" + request.id()
				+ ",\"result\":{\"content\":[],\"structuredContent\":{\"a\":NaN,\"b\":[-Infinity,1.5,Infinity]}}}")
			.getBytes(LATIN)));
		McpToolResult result = echo.call(Map.of());
		assertThat(result.structuredContent()).isEqualTo(nulls());
		assertDeviation(server, Kind.ENCODING);
	}

	private static Map<String, Object> nulls() {
		Map<String, Object> nulls = new HashMap<>();
		nulls.put("a", null);
		nulls.put("b", Arrays.asList(null, 1.5, null));
		return nulls;
	}

	@Test
	void linesOfPowerShellAreServed() {
		// the server ends a line with a line feed of one byte: the second one is the next
		// line's first
		McpServer server = connectToChild();
		McpTool echo = tool(server, "echo");
		for (String prefix : List.of("\uFEFF", "\0", "\0")) {
			this.peer.on("tools/call", (request) -> McpTestReply.raw(concat(prefix,
					(answer(request, "\u20AC \u00E9 \u65E5") + "\r").getBytes(StandardCharsets.UTF_16LE))));
			assertThat(outcome(echo)).isEqualTo("\u20AC \u00E9 \u65E5");
		}
		assertThat(assertDeviation(server, Kind.ENCODING).detail()).isEqualTo("text in UTF-16LE");
	}

	private static byte[] concat(String prefix, byte[] bytes) {
		byte[] mark = prefix.equals("\0") ? new byte[1] : prefix.getBytes(StandardCharsets.UTF_16LE);
		byte[] all = Arrays.copyOf(mark, mark.length + bytes.length);
		System.arraycopy(bytes, 0, all, mark.length, bytes.length);
		return all;
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 422, 500 })
	void errorWithAnErrorStatusIsRead(int status) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call",
				(request) -> McpTestReply
					.raw(("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32010,\"message\":\"Ung\u00FCltig\n"
							+ " im Lager\"}}")
						.getBytes(LATIN))
					.withStatus(status));
		assertThat(outcome(echo)).contains("-32010").contains("Ung\uFFFDltig im Lager").doesNotContain("jsonrpc");
	}

	@Test
	void byteOrderMarkAloneIsNoDeviation() {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> McpTestReply.raw("\uFEFF" + answer(request, "found")));
		assertThat(outcome(echo)).isEqualTo("found");
		assertNoDeviation(server);
		this.peer.on("tools/call", (request) -> McpTestReply.raw("\uFEFF" + answer(request, "found\t")));
		assertThat(outcome(echo)).isEqualTo("found\t");
		assertDeviation(server, Kind.ENCODING);
	}

	@ParameterizedTest
	@CsvSource({ "iso-8859-1", "windows-1252", "\"ISO-8859-15\"" })
	void charsetOfTheContentTypeIsHeeded(String charset) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> McpTestReply.raw(answer(request, "caf\u00E9").getBytes(LATIN))
			.withHeader("Content-Type", "application/json; charset=" + charset));
		assertThat(outcome(echo)).isEqualTo("caf\u00E9");
		assertDeviation(server, Kind.ENCODING);
	}

	@ParameterizedTest
	@CsvSource({ "UTF-16", "UTF-16LE", "UTF-16BE" })
	void otherEncodingsOfUnicodeAreRecognized(String charset) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call",
				(request) -> McpTestReply.raw(answer(request, "caf\u00E9 \u20AC").getBytes(Charset.forName(charset)))
					.withHeader("Content-Type", "application/json; charset=" + charset));
		assertThat(outcome(echo)).isEqualTo("caf\u00E9 \u20AC");
	}

	@ParameterizedTest
	@CsvSource({ "iso-8859-1", "no-such-charset", "utf-16" })
	void utf8IsReadAsSuchWhateverTheContentTypeSays(String charset) {
		McpServer server = connect();
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call",
				(request) -> McpTestReply.raw(answer(request, "caf\u00E9").getBytes(StandardCharsets.UTF_8))
					.withHeader("Content-Type", "application/json; charset=" + charset));
		assertThat(outcome(echo)).isEqualTo("caf\u00E9");
		assertNoDeviation(server);
	}

	@ParameterizedTest(name = "{0}, {1}")
	@MethodSource
	void whatCannotBeReadFailsItsCallAtOnceAndSaysWhere(Way way, String content) {
		McpServer server = way.connect(this);
		McpTool echo = tool(server, "echo");
		AtomicInteger position = new AtomicInteger();
		this.peer.on("tools/call", (request) -> {
			String answer = answer(request, content);
			position.set(answer.indexOf("HERE"));
			return way.reply(answer.getBytes(LATIN));
		});
		assertThat(outcome(echo)).contains("it is not JSON at character ")
			.contains(". It begins with: {\"jsonrpc\":\"2.0\"")
			.satisfies((text) -> assertThat(Integer.parseInt(text.replaceFirst("(?s).* at character (\\d+).*", "$1")))
				.isCloseTo(position.get(), within(2)));
		assertThat(echo.available()).isTrue();
		assertNoDeviation(server);
	}

	static Stream<Arguments> whatCannotBeReadFailsItsCallAtOnceAndSaysWhere() {
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(Arguments.of(way, "a quote \"HERE\""), Arguments.of(way, "C:\\HERE"),
					Arguments.of(way, "x".repeat(100_000) + "\"HERE"), Arguments.of(way, "a hole\",,HERE"),
					Arguments.of(way, "in Python\",\"b\":HERE")));
	}

	@ParameterizedTest
	@CsvSource({ "<!-- page -->, HTTP", "}, EVENTS", "; , SSE" })
	void textAfterAMessageFailsItsCallAtOnce(String text, Way way) {
		McpServer server = way.connect(this);
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> way.reply((answer(request, "found") + text).getBytes(LATIN)));
		assertThat(outcome(echo)).contains("it is not JSON at character ").contains("found");
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@EnumSource
	void excerptHasNoSecrets(Way way) {
		// with what ends a string in its middle
		String token = "s3cr3t-" + "t0ken".repeat(100) + "\"" + "t0ken".repeat(100);
		McpServer server = way.connect(this, token);
		McpTool echo = tool(server, "echo");
		for (String content : List.of(token, "\"x" + token, "\"" + token + token)) {
			this.peer.on("tools/call", (request) -> way.reply(answer(request, content).getBytes(LATIN)));
			assertThat(outcome(echo)).contains("it is not JSON").doesNotContain(token.substring(token.length() - 20));
		}
		assertThat(this.log.lines()).noneMatch((line) -> line.contains(token));
	}

	@ParameterizedTest
	@EnumSource(names = { "STDIO", "WEB_SOCKET" })
	void whatOnlyLooksLikeAnAnswerFailsNothing(Way way) {
		McpServer server = way.connect(this);
		McpTool echo = tool(server, "echo");
		this.peer.on("tools/call", (request) -> McpTestReply.standard()
			.precededBy("{\"level\":50,\"id\":" + request.id() + ",\"error\":\"C:\\path\"}"));
		assertThat(outcome(echo)).isEqualTo("hello");
		assertNoDeviation(server);
	}

	private static String answer(McpTestRequest request, String text) {
		return "{\"jsonrpc\":\"2.0\",\"id\":" + request.id()
				+ ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]}}";
	}

	/**
	 * How the server is reached.
	 */
	enum Way {

		HTTP, EVENTS, SSE, STDIO, WEB_SOCKET;

		McpServer connect(EncodingTests test) {
			return connect(test, "no-secret");
		}

		McpServer connect(EncodingTests test, String token) {
			return switch (this) {
				case HTTP, EVENTS -> test.connect((server) -> server.headers(Map.of("X-Token", token)));
				case SSE -> test.connect(McpServerDefinition.of(NAME, "sse")
					.url(URI.create(test.peer.sseUrl()))
					.headers(Map.of("X-Token", token))
					.build());
				case STDIO -> {
					List<String> command = test.peer.stdioCommand();
					yield test.connect(McpServerDefinition
						.stdio(NAME, command.get(0), command.subList(1, command.size()).toArray(String[]::new))
						.env(Map.of("TOKEN", token))
						.build());
				}
				case WEB_SOCKET -> test.connect(McpServerDefinition.of(NAME, "websocket")
					.url(URI.create(test.peer.webSocketUrl()))
					.headers(Map.of("X-Token", token))
					.build());
			};
		}

		/**
		 * Assert that there are no deviations but that a line of stdout is no message.
		 */
		McpTestReply reply(byte[] message) {
			McpTestReply reply = McpTestReply.raw(message);
			return (this == EVENTS) ? reply.asEvents() : reply;
		}

	}

}
