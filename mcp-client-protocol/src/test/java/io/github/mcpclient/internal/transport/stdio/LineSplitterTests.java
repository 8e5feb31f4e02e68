package io.github.mcpclient.internal.transport.stdio;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LineSplitter}.
 */
class LineSplitterTests {

	private final List<String> lines = new ArrayList<>();

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7, 1000 })
	void splitsWhateverTheChunks(int chunk) {
		LineSplitter splitter = new LineSplitter(100, 0, false, this::add);
		accept(splitter, "one\ntwo\r\n\nth\rree\n\r\nlast é", chunk);
		splitter.end();
		splitter.end();
		assertThat(this.lines).containsExactly("one", "two", "", "th\rree", "", "last é");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 1000 })
	void carriageReturnsEndLinesWhereAskedTo(int chunk) {
		accept(new LineSplitter(100, 0, true, this::add), "10%\r20%\r\ndone\n", chunk);
		assertThat(this.lines).containsExactly("10%", "20%", "", "done");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4, 5, 6, 1000 })
	void keepsStartOfLongLine(int chunk) {
		accept(new LineSplitter(5, 0, false, this::add), "12345\n123456\nabc\n" + "x".repeat(50) + "\nend\n", chunk);
		assertThat(this.lines).containsExactly("12345", "12345+", "abc", "xxxxx+", "end");
	}

	@Test
	void tellsThatLineIsTooLongBeforeItEnds() {
		List<String> known = new ArrayList<>();
		LineSplitter splitter = new LineSplitter(5, 0, false, new LineSplitter.Consumer() {

			@Override
			public void line(byte[] buffer, int offset, int length, boolean truncated) {
			}

			@Override
			public void overflow(byte[] buffer, int length) {
				known.add(new String(buffer, 0, length, StandardCharsets.UTF_8));
			}

		});
		accept(splitter, "12345", 5);
		assertThat(known).isEmpty();
		accept(splitter, "678", 1);
		assertThat(known).containsExactly("12345");
		accept(splitter, "\n123456", 2);
		assertThat(known).containsExactly("12345", "12345");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 7, 8, 9, 13, 1000 })
	void keepsEndOfLongLineWhereAskedTo(int chunk) {
		LineSplitter splitter = new LineSplitter(8, 3, false, this::add);
		accept(splitter, "12345678\n123456789\nabc\nhead!" + "x".repeat(50) + "end\n", chunk);
		assertThat(this.lines).containsExactly("12345678", "12345789+", "abc", "head!end+");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{'a':1}                                | {'a':1}#
			^[32m{'a':1}^[0m                       | ^[32m{'a':1}#^[0m
			{'a':1},{'b':2} ; {'c':3}              | {'a':1}#,{'b':2}# ; {'c':3}#
			[{'a':1}{'b':2}                        | [{'a':1}#{'b':2}#
			Loading {'a':1} done                   | Loading {'a':1}# done
			it's {x} {'a':1}                       | it's {x}# {'a':1}#
			{'a':{'b':'}\\'}{'}}{}                  | {'a':{'b':'}\\'}{'}}#{}#
			{'a':'\\\\'}{'b':{ }}                  | {'a':'\\\\'}#{'b':{ }}#
			{'a': {'b':1}#{'c':1}                  | {'a': {'b':1}#{'c':1}#
			{'a': '#{'c':1}                        | {'a': '#{'c':1}#
			{'a': '\\#{'':1}                       | {'a': '\\#{'':1}#
			config {#{'a':1}                       | config {#{'a':1}#
			10% }#{'a':'}'}                        | 10% }#{'a':'}'}#
			""")
	void objectsEndLinesWhereAskedTo(String text, String lines) {
		for (int chunk : new int[] { 1, 2, 5, 1000 }) {
			this.lines.clear();
			LineSplitter splitter = new LineSplitter(100, 0, false, this::add);
			splitter.splitObjects(true);
			accept(splitter, json(text) + "\n", chunk);
			assertThat(String.join("\n", this.lines)).isEqualTo(json(lines));
		}
	}

	private static String json(String text) {
		return text.replace('\'', '"').replace('#', '\n').replace('^', '\u001B');
	}

	@Test
	void objectEndsALineBeforeMoreComes() {
		LineSplitter splitter = new LineSplitter(100, 0, false, this::add);
		splitter.splitObjects(true);
		accept(splitter, "Length: 7\r\n\r\n{\"a\":{}}", 4);
		assertThat(this.lines).containsExactly("Length: 7", "", "{\"a\":{}}");
		accept(splitter, "\0{\"b\":\"}", 1);
		assertThat(this.lines).hasSize(3);
		accept(splitter, "\"}", 1);
		assertThat(this.lines).hasSize(4).endsWith("\0{\"b\":\"}\"}");
	}

	@Test
	void longLinePassesAfterMany() {
		LineSplitter splitter = new LineSplitter(1 << 20, 0, false, this::add);
		String line = "y".repeat(1 << 20);
		accept(splitter, line + "\nshort\n" + line + "\n", 10_000);
		assertThat(this.lines).containsExactly(line, "short", line);
	}

	private void accept(LineSplitter splitter, String text, int chunk) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		byte[] buffer = new byte[chunk];
		for (int i = 0; i < bytes.length; i += chunk) {
			int count = Math.min(chunk, bytes.length - i);
			System.arraycopy(bytes, i, buffer, 0, count);
			splitter.accept(buffer, count);
			// the splitter must not keep what is not its own
			Arrays.fill(buffer, (byte) '#');
		}
	}

	private void add(byte[] buffer, int offset, int length, boolean truncated) {
		this.lines.add(new String(buffer, offset, length, StandardCharsets.UTF_8) + (truncated ? "+" : ""));
	}

}
