package io.github.mcpclient.transport.stdio;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.github.mcpclient.McpServerDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChildText}.
 */
class ChildTextTests {

	private final ChildText text = text(Map.of("TOKEN", "s3cr3t", "LONGER", "s3cr3t-and-more", "LEVEL", "debug", "NO",
			"no", "KEY", "-----BEGIN-----\nMIIEvQIBADAN\n-----END-----\n"));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			plain text                     | plain text
			token s3cr3t!                  | token ******!
			s3cr3t s3cr3t-and-more         | ****** ******
			level debug, no problem        | level debug, no problem
			MIIEvQIBADAN                   | ******
			'\u001B[31mred\u001B[0m text' | red text
			'a\u001B]0;title\u0007b' | ab
			's3c\u001B[1mr3t' | ******
			'\u001B[31' | ''
			'\u001B' | ''
			'a\tb\u0000c\u0008d\u009Be' | a b c d e
			'a\u202Eb\u2028c\u2066d' | a b c d
			grüße                          | grüße
			""")
	void makesTextPresentable(String raw, String clean) {
		assertThat(clean(this.text, raw, 100)).isEqualTo(clean);
	}

	@Test
	void cutsLongText() {
		assertThat(clean(this.text, "x".repeat(11), 10)).isEqualTo("x".repeat(10) + "...");
		assertThat(clean(this.text, "x".repeat(10), 10)).isEqualTo("x".repeat(10));
		assertThat(clean(this.text, "x".repeat(9) + "\uD83D\uDE00", 10)).isEqualTo("x".repeat(9) + "...");
	}

	@Test
	void masksStartOfSecretWhereTextWasCutOff() {
		byte[] bytes = "it is s3cr3t-and".getBytes(StandardCharsets.UTF_8);
		assertThat(this.text.clean(bytes, 0, bytes.length, true, 100)).isEqualTo("it is ******-and...");
		assertThat(this.text.clean(bytes, 0, bytes.length - 5, true, 100)).isEqualTo("it is ******...");
	}

	@Test
	void survivesBytesThatAreNoText() {
		byte[] bytes = { (byte) 0xFF, 'a', (byte) 0xC3 };
		assertThat(this.text.clean(bytes, 0, bytes.length, false, 100)).isEqualTo("\uFFFDa\uFFFD");
	}

	@Test
	void masksArgumentsThatLookLikeSecrets() {
		McpServerDefinition definition = McpServerDefinition
			.stdio("x", "server", "--api-key", "k3y-1234", "--token=t0k3n-1234", "/data")
			.build();
		ChildText text = ChildText.of(definition, definition.stdio());
		assertThat(clean(text, "unknown k3y-1234, t0k3n-1234 for /data", 100))
			.isEqualTo("unknown ******, ****** for /data");
	}

	private static ChildText text(Map<String, String> env) {
		McpServerDefinition definition = McpServerDefinition.stdio("x", "server").env(env).build();
		return ChildText.of(definition, definition.stdio());
	}

	private static String clean(ChildText text, String raw, int maxLength) {
		byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
		return text.clean(bytes, 0, bytes.length, false, maxLength);
	}

}
