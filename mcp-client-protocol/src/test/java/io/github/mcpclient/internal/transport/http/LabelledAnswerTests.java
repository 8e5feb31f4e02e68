package io.github.mcpclient.internal.transport.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LabelledAnswer}.
 */
class LabelledAnswerTests {

	private final List<String> made = new ArrayList<>();

	private final List<String> seen = new ArrayList<>();

	private final List<String> deviations = new ArrayList<>();

	@ParameterizedTest
	@CsvSource({ "text/plain, {}, application/json", "'', data: x, text/event-stream", "text/html, <html>, text/html" })
	void bodyOfAnotherTypeMayComeLate(String label, String text, String type) {
		LabelledAnswer answer = answer(label);
		// that of an error ends after a moment
		assertThat(this.made).isEmpty();
		answer.data(buffer("\r\n"));
		assertThat(this.made).isEmpty();
		answer.data(buffer(text));
		answer.data(buffer("more"));
		answer.end(null);
		answer.release();
		assertThat(this.made).containsExactly(type);
		assertThat(this.seen).containsExactly(text, "more", "end", "released");
		assertThat(this.deviations).hasSize(type.equals(label) ? 0 : 1);
	}

	@Test
	void bodyThatIsEmptyIsOfTheLabel() {
		LabelledAnswer answer = answer("text/plain");
		answer.end(null);
		assertThat(this.made).containsExactly("text/plain");
		assertThat(this.seen).containsExactly("end");
	}

	@Test
	void bodyThatBeginsAfterTheReleaseIsReleased() {
		LabelledAnswer answer = answer("text/plain");
		answer.release();
		answer.data(buffer("{"));
		assertThat(this.seen).containsExactly("released", "{");
	}

	@Test
	void bodyOfTheLabelIsReleasedForThatOfTheContent() {
		LabelledAnswer answer = answer("application/json");
		assertThat(this.made).containsExactly("application/json");
		answer.data(buffer("data: x"));
		assertThat(this.made).containsExactly("application/json", "text/event-stream");
		assertThat(this.seen).containsExactly("released", "data: x");
	}

	private LabelledAnswer answer(String label) {
		return new LabelledAnswer(label, (type) -> {
			this.made.add(type);
			return new HttpBody() {

				@Override
				public void data(ByteBuf chunk) {
					LabelledAnswerTests.this.seen.add(chunk.toString(StandardCharsets.UTF_8));
				}

				@Override
				public void end(Throwable failure) {
					LabelledAnswerTests.this.seen.add("end");
				}

				@Override
				public void release() {
					LabelledAnswerTests.this.seen.add("released");
				}

			};
		}, this.deviations::add);
	}

	private static ByteBuf buffer(String text) {
		return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
	}

}
