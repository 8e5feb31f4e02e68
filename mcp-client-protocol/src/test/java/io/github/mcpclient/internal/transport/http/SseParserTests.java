package io.github.mcpclient.internal.transport.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SseParser}.
 */
class SseParserTests {

	private final List<String> messages = new ArrayList<>();

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void messages(String what, String text, List<String> expected) {
		feed(parser(1000), text.getBytes(StandardCharsets.UTF_8));
		assertThat(this.messages).isEqualTo(expected);
	}

	static Stream<Arguments> messages() {
		return Stream.of(Arguments.of("one line", "data: a\n\n", List.of("a")),
				Arguments.of("with its type", "event: message\ndata: a\n\n", List.of("a")),
				Arguments.of("an empty type", "event:\ndata: a\n\n", List.of("a")),
				Arguments.of("a type without a colon", "event\ndata: a\n\n", List.of("a")),
				Arguments.of("another type", "event: ping\ndata: a\n\ndata: b\n\n", List.of("b")),
				Arguments.of("a type that begins alike", "event: messages\ndata: a\n\n", List.of()),
				Arguments.of("a very long type", "event: " + "x".repeat(5000) + "\ndata: a\n\ndata: b\n\n",
						List.of("b")),
				Arguments.of("the last type counts", "event: ping\nevent: message\ndata: a\n\n", List.of("a")),
				Arguments.of("the type after the data", "data: a\nevent: ping\n\n", List.of()),
				Arguments.of("no space", "data:a\n\n", List.of("a")),
				Arguments.of("two spaces", "data:  a \n\n", List.of(" a ")),
				Arguments.of("a tab is no space", "data:\ta\n\n", List.of("\ta")),
				Arguments.of("colons in data", "data: {\"a\":1}\n\n", List.of("{\"a\":1}")),
				Arguments.of("data that begins with a colon", "data::a\n\n", List.of(":a")),
				Arguments.of("several lines", "data: {\ndata: }\n\n", List.of("{\n}")),
				Arguments.of("an empty line among several", "data: a\ndata:\ndata: b\n\n", List.of("a\n\nb")),
				Arguments.of("a line without a colon among several", "data: a\ndata\ndata: b\n\n", List.of("a\n\nb")),
				Arguments.of("several events", "data: a\n\ndata: b\n\n\n\ndata: c\n\n", List.of("a", "b", "c")),
				Arguments.of("CRLF", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", List.of("a\nb", "c")),
				Arguments.of("CR", "data: a\rdata: b\r\rdata: c\r\r", List.of("a\nb", "c")),
				Arguments.of("mixed", "data: a\r\ndata: b\n\rdata: c\r\n\n", List.of("a\nb", "c")),
				Arguments.of("comments", ": hello\n:\n::\ndata: a\n: more\n\n: end\n\n", List.of("a")),
				Arguments.of("no data", "id: 1\n\n", List.of()),
				Arguments.of("empty data", "id: 1\ndata:\n\n", List.of()),
				Arguments.of("empty data with a space", "id: 1\ndata: \n\n", List.of()),
				Arguments.of("unknown fields",
						"foo: bar\ndat: x\ndatas: x\ndatabase: x\n: x\nData: x\n data: x\ndata: a\n\n", List.of("a")),
				Arguments.of("an unknown field without end of its name", "x".repeat(5000) + "\ndata: a\n\n",
						List.of("a")),
				Arguments.of("byte order mark", "\uFEFFdata: a\n\n", List.of("a")),
				Arguments.of("byte order mark before a comment", "\uFEFF: hi\ndata: a\n\n", List.of("a")),
				Arguments.of("byte order mark twice", "\uFEFF\uFEFFdata: a\n\ndata: b\n\n", List.of("b")),
				Arguments.of("byte order mark on a later line", "\n\uFEFFdata: a\n\ndata: b\n\n", List.of("b")),
				Arguments.of("a character that begins like the mark", "\uFEF0data: a\n\ndata: b\n\n", List.of("b")),
				Arguments.of("an event that is cut off", "data: a\n\ndata: b\n", List.of("a")),
				Arguments.of("a line that is cut off", "data: a\n\ndata: b", List.of("a")),
				Arguments.of("many bytes a character", "data: \u00fc\u20ac\ud83d\ude00\n\n",
						List.of("\u00fc\u20ac\ud83d\ude00")),
				Arguments.of("line separators of Unicode are data", "data: a\u2028b\u0085c\n\n",
						List.of("a\u2028b\u0085c")),
				Arguments.of("empty lines first", "\n\r\n\rdata: a\n\n", List.of("a")),
				Arguments.of("nothing", "", List.of()));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ids(String what, String text, String expected) {
		SseParser parser = new SseParser(1000, Integer.MAX_VALUE, "before", null);
		feed(parser, text.getBytes(StandardCharsets.ISO_8859_1));
		assertThat(parser.lastEventId()).isEqualTo(expected);
	}

	static Stream<Arguments> ids() {
		return Stream.of(Arguments.of("none", "data: a\n\n", "before"), Arguments.of("one", "id: 1\ndata: a\n\n", "1"),
				Arguments.of("without data", "id: 1\n\n", "1"),
				Arguments.of("of an unknown type", "event: x\nid: 1\n\n", "1"),
				Arguments.of("stays", "id: 1\n\ndata: a\n\n", "1"), Arguments.of("the last", "id: 1\n\nid: 2\n\n", "2"),
				Arguments.of("the last of an event", "id: 1\nid: 2\n\n", "2"),
				Arguments.of("of an event that is cut off", "id: 1\n\nid: 2\ndata: a\n", "1"),
				Arguments.of("empty: forgotten", "id: 1\n\nid:\n\n", null),
				Arguments.of("without a colon: forgotten", "id: 1\n\nid\n\n", null),
				Arguments.of("with NUL: ignored", "id: 1\n\nid: a\0b\n\n", "1"),
				Arguments.of("with another control character: ignored", "id: 1\n\nid: a\u0001b\n\n", "1"),
				Arguments.of("with spaces", "id:  a b \n\n", " a b "),
				Arguments.of("other bytes are kept as they are", "id: \u00c3\u00bc\n\n", "\u00c3\u00bc"),
				Arguments.of("as long as it may be", "id: " + "x".repeat(1024) + "\n\n", "x".repeat(1024)),
				Arguments.of("too long: ignored", "id: 1\n\nid: " + "x".repeat(1025) + "\n\n", "1"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	@Fault(value = FaultKind.STREAM_IN_PIECES, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	void retries(String what, String text, long expected) {
		SseParser parser = parser(1000);
		feed(parser, text.getBytes(StandardCharsets.UTF_8));
		assertThat(parser.retryMillis()).isEqualTo(expected);
	}

	static Stream<Arguments> retries() {
		return Stream.of(Arguments.of("none", "data: a\n\n", -1), Arguments.of("one", "retry: 500\n\n", 500),
				Arguments.of("before the end of its event", "retry: 500\n", 500),
				Arguments.of("the last", "retry: 500\nretry:0\n", 0),
				Arguments.of("empty", "retry: 500\nretry:\n", 500),
				Arguments.of("without a colon", "retry: 500\nretry\n", 500),
				Arguments.of("not a number", "retry: 500\nretry: 1s\nretry: -1\nretry: 1.5\nretry:  1\n", 500),
				Arguments.of("absurd", "retry: 99999999999999999999999999\n", Integer.MAX_VALUE),
				Arguments.of("too long", "retry: 1\nretry: " + "1".repeat(5000) + "\n", 1));
	}

	@Test
	@Fault(value = FaultKind.STREAM_IN_PIECES, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	void anySplitGivesTheSame() {
		byte[] document = ("\uFEFF: hi \u20ac\r\nretry: 250\r\n\r\nid: 1\ndata:\n\nevent: message\nid: 2\rdata: \u00fc\r\n"
				+ "data:\ud83d\ude00\n\nevent: other\ndata: no\n\ndata: {\"a\":\r\ndata: 1}\r\n\r\nid: 3\n\rdata: cut")
			.getBytes(StandardCharsets.UTF_8);
		List<String> expected = List.of("\u00fc\n\ud83d\ude00", "{\"a\":\n1}");
		for (int first = 0; first <= document.length; first++) {
			for (int second = first; second <= document.length; second++) {
				this.messages.clear();
				SseParser parser = parser(1000);
				feed(parser, Unpooled.wrappedBuffer(document, 0, first));
				feed(parser, Unpooled.wrappedBuffer(document, first, second - first));
				feed(parser, Unpooled.wrappedBuffer(document, second, document.length - second));
				assertThat(this.messages).as("split at %d and %d", first, second).isEqualTo(expected);
				assertThat(parser.lastEventId()).isEqualTo("3");
				assertThat(parser.retryMillis()).isEqualTo(250);
			}
		}
	}

	@Test
	@Fault(value = FaultKind.STREAM_IN_PIECES, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	void eachByteAlone() {
		SseParser parser = parser(1000);
		for (byte next : "id: 7\r\ndata: a\u20acb\r\n\r\n".getBytes(StandardCharsets.UTF_8)) {
			feed(parser, Unpooled.wrappedBuffer(new byte[] { next }));
		}
		assertThat(this.messages).containsExactly("a\u20acb");
		assertThat(parser.lastEventId()).isEqualTo("7");
	}

	@Test
	void noiseDoesNoHarm() {
		Random random = new Random(42);
		byte[] alphabet = "\r\n\n: daetivnr1\uFEFF\0{}".getBytes(StandardCharsets.UTF_8);
		for (int round = 0; round < 2000; round++) {
			byte[] noise = new byte[random.nextInt(200)];
			for (int i = 0; i < noise.length; i++) {
				noise[i] = alphabet[random.nextInt(alphabet.length)];
			}
			SseParser parser = parser(1000);
			this.messages.clear();
			feed(parser, noise);
			List<String> whole = List.copyOf(this.messages);
			SseParser split = parser(1000);
			this.messages.clear();
			int at = random.nextInt(noise.length + 1);
			feed(split, Unpooled.wrappedBuffer(noise, 0, at));
			feed(split, Unpooled.wrappedBuffer(noise, at, noise.length - at));
			assertThat(this.messages).isEqualTo(whole);
			assertThat(split.lastEventId()).isEqualTo(parser.lastEventId());
			feed(split, "\n\ndata: end\n\n".getBytes(StandardCharsets.UTF_8));
			assertThat(this.messages).endsWith("end");
		}
	}

	@Test
	void takesAllBytesOfAChunk() {
		ByteBuf chunk = Unpooled.copiedBuffer("data: a\n\ndata: b", StandardCharsets.UTF_8);
		feed(parser(1000), chunk);
		assertThat(chunk.isReadable()).isFalse();
	}

	@Test
	void dataAsLargeAsTheLimitIsTaken() {
		feed(parser(7), "data: 1234567\n\ndata: 123\ndata: 567\n\n".getBytes(StandardCharsets.UTF_8));
		assertThat(this.messages).containsExactly("1234567", "123\n567");
	}

	@ParameterizedTest
	@MethodSource("tooLargeData")
	void tooLargeDataIsRefused(String text) {
		SseParser parser = parser(7);
		assertThatExceptionOfType(HttpContentBuffer.TooLargeException.class)
			.isThrownBy(() -> feed(parser, text.getBytes(StandardCharsets.UTF_8)));
		assertThat(this.messages).isEmpty();
	}

	static Stream<String> tooLargeData() {
		return Stream.of("data: 12345678", "data: 1234567\ndata:", "data\n".repeat(9), "event: x\ndata: 12345678");
	}

	@Test
	void commentsAndUnknownFieldsAreNotKept() {
		SseParser parser = parser(7);
		byte[] noise = "x".repeat(64 * 1024).getBytes(StandardCharsets.UTF_8);
		feed(parser, ": ".getBytes(StandardCharsets.UTF_8));
		for (int i = 0; i < 100; i++) {
			feed(parser, noise);
		}
		feed(parser, "\nfoo: ".getBytes(StandardCharsets.UTF_8));
		for (int i = 0; i < 100; i++) {
			feed(parser, noise);
		}
		feed(parser, "\ndata: a\n\n".getBytes(StandardCharsets.UTF_8));
		assertThat(this.messages).containsExactly("a");
	}

	private SseParser parser(int maxEventSize) {
		return new SseParser(maxEventSize, Integer.MAX_VALUE, null, null);
	}

	private void feed(SseParser parser, byte[] bytes) {
		feed(parser, Unpooled.wrappedBuffer(bytes));
	}

	private void feed(SseParser parser, ByteBuf chunk) {
		while (parser.next(chunk) != null) {
			this.messages.add(new String(parser.data(), StandardCharsets.UTF_8));
		}
	}

}
