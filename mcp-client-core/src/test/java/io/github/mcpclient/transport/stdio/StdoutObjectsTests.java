package io.github.mcpclient.transport.stdio;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StdoutObjects}.
 */
class StdoutObjectsTests {

	private final StdoutObjects objects = new StdoutObjects(1000);

	static Stream<Arguments> lines() {
		return Stream.of(Arguments.of("{'a':1}", List.of("{'a':1}"), false),
				Arguments.of("\u001B[32m{'a':1}\u001B[0m", List.of("{'a':1}"), false),
				Arguments.of("\u001E{'a':1}\0", List.of("{'a':1}"), false),
				Arguments.of("{'a':1},{'b':2} ; {'c':3}", List.of("{'a':1}", "{'b':2}", "{'c':3}"), false),
				Arguments.of("[{'a':1}{'b':2}", List.of("{'a':1}", "{'b':2}"), false),
				Arguments.of("{'a':1}content-length: 7", List.of("{'a':1}"), false),
				Arguments.of("data: {'a':1}", List.of("{'a':1}"), false),
				Arguments.of("Loading {'a':1}", List.of("{'a':1}"), true),
				Arguments.of("{'a':1} done", List.of("{'a':1}"), true),
				Arguments.of("Content-Length: 7 bytes {'a':1}", List.of("{'a':1}"), true),
				Arguments.of("it's ` { {x} {'a':1}", List.of("{'a':1}"), true),
				Arguments.of("x".repeat(999) + "{'a':1}", List.of("{'a':1}"), true),
				Arguments.of(" ".repeat(5000) + "x{'a':1}", List.of("{'a':1}"), true),
				Arguments.of("{'a':{'b':'}\\'}{'}}{}", List.of("{'a':{'b':'}\\'}{'}}", "{}"), false),
				Arguments.of("{'a':'\\\\'}{'b':{ }}", List.of("{'a':'\\\\'}", "{'b':{ }}"), false),
				Arguments.of("x {'a': {'b':1}", List.of(), true), Arguments.of("{'a': {'b':1}", List.of(), false));
	}

	@ParameterizedTest
	@MethodSource("lines")
	void findsObjectsAndWhatIsBesideThem(String line, List<String> objects, boolean text) {
		assertThat(take(line.replace('\'', '"'))).map((object) -> object.replace('"', '\''))
			.containsExactlyElementsOf(objects);
		assertThat(this.objects.isText()).isEqualTo(text);
		assertThat(this.objects.isOpen()).isFalse();
	}

	@Test
	void objectMayGoOnOnTheNextLines() {
		assertThat(take("\u001B[0m{\r")).isEmpty();
		assertThat(take("  \"a\": {")).isEmpty();
		assertThat(take("    \"b\": [\"}\",\t")).isEmpty();
		assertThat(this.objects.isOpen()).isTrue();
		assertThat(take("  1]}")).isEmpty();
		assertThat(take("} {\"c\":1} {\"d\":")).containsExactly("{\r  \"a\": {    \"b\": [\"}\",\t  1]}}", "{\"c\":1}");
		assertThat(take("2}")).containsExactly("{\"d\":2}");
		assertThat(this.objects.isText()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "config {", "{\"a\": \"", "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}",
			"[x] {" })
	void textAndWhatIsCutOffDoesNotGoOn(String line) {
		assertThat(take(line)).isEmpty();
		assertThat(this.objects.isOpen()).isFalse();
		assertThat(take("{\"a\":1}")).containsExactly("{\"a\":1}");
	}

	@Test
	void objectThatIsTooLargeIsForgotten() {
		assertThat(take("{\"a\": [")).isEmpty();
		for (int i = 0; i < 20; i++) {
			take("\"" + "x".repeat(50) + "\",");
		}
		assertThat(this.objects.isOpen()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'a':1}", "Length: 7\r\n\r\n{'a':1}\r", "{'a':1}{'b':2}", "{'a':1}\0", "\n{'a':{}}" })
	void seesThatALineEndsWithAnObject(String text) {
		assertThat(isComplete(text)).isTrue();
		String later = "{\"b\":\"}";
		assertThat(isComplete(later)).isFalse();
		assertThat(isComplete("\"")).isFalse();
		assertThat(isComplete("}")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'a':1}{'b'", "{'a':1}\n", "{'a':'}'", "10%", "{'a':1}\n10%", "\n", "}" })
	void seesThatALineDoesNot(String text) {
		assertThat(isComplete(text)).isFalse();
	}

	private boolean isComplete(String text) {
		byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
		return this.objects.isComplete(bytes, bytes.length);
	}

	@Test
	@Timeout(60)
	void eachByteIsLookedAtOnce() {
		StdoutObjects large = new StdoutObjects(100_000_000);
		for (String line : List.of("{\"".repeat(4_000_000), ("{" + " ".repeat(1000)).repeat(8_000),
				"[{},".repeat(1_000_000))) {
			byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
			large.take(bytes, 0, bytes.length);
		}
		byte[] chunk = "[{},".repeat(1000).getBytes(StandardCharsets.UTF_8);
		large.take("{\"a\":[".getBytes(StandardCharsets.UTF_8), 0, 6);
		large.isComplete("{".getBytes(StandardCharsets.UTF_8), 1);
		for (int i = 0; i < 5_000; i++) {
			large.take(chunk, 0, chunk.length);
			assertThat(large.isComplete(chunk, chunk.length)).isFalse();
		}
	}

	private List<String> take(String line) {
		byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
		return this.objects.take(bytes, 0, bytes.length)
			.stream()
			.map((object) -> new String(object, StandardCharsets.UTF_8))
			.toList();
	}

}
