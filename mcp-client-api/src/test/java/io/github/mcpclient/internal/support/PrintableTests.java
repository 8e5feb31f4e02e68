package io.github.mcpclient.internal.support;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Printable}.
 */
class PrintableTests {

	@Test
	void harmlessTextIsLeftAlone() {
		assertThat(Printable.line("Gr\u00fc\u00dfe, \u4e16\u754c \ud83d\ude00", 100))
			.isEqualTo("Gr\u00fc\u00dfe, \u4e16\u754c \ud83d\ude00");
		assertThat(Printable.line("", 0)).isEmpty();
		assertThat(Printable.line(null, 10)).isEmpty();
	}

	@Test
	void whatEndsALineBecomesASpace() {
		assertThat(Printable.line("a\nb\rc\td\u2028e\u2029f\u0085g\u00a0h\u000bi", 100)).isEqualTo("a b c d e fg h i");
	}

	@Test
	void whatDeceivesAReaderIsTakenOut() {
		assertThat(Printable.line("a\u0000b\u001b[31mc\u202ed\u2066e\u200bf\ufeffg\ud83dh", 100)).isEqualTo("abcdefgh");
	}

	@Test
	void longTextIsCutBetweenCharacters() {
		assertThat(Printable.line("abcdef", 6)).isEqualTo("abcdef");
		assertThat(Printable.line("abcdef", 3)).isEqualTo("abc... (6 characters)");
		assertThat(Printable.line("ab\ud83d\ude00", 3)).isEqualTo("ab... (4 characters)");
		assertThat(Printable.line("\ud83d\ude00", 1)).isEqualTo("... (2 characters)");
	}

	@Test
	void linesStay() {
		assertThat(Printable.lines("a\tb\r\n\u202ec\n\nd", 100)).isEqualTo("a b\nc\n\nd");
		assertThat(Printable.lines("ab\ncdef", 5)).isEqualTo("ab\ncd");
	}

	@Test
	void namesThatDifferDoNotLookAlike() {
		assertThat(Printable.text("a\u202eb\nc")).isEqualTo("a?b?c");
		assertThat(Printable.text("x".repeat(200))).isEqualTo("x".repeat(128) + "...");
	}

}
