package io.github.mcpclient.internal.naming;

import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Glob}.
 */
class GlobTests {

	@ParameterizedTest
	@CsvSource({ "a, a, true", "a, b, false", "a, aa, false", "aa, a, false", "A, a, false", "*, '', true",
			"*, abc, true", "**, abc, true", "?, '', false", "?, a, true", "?, ab, false", "a*, a, true",
			"a*, abc, true", "a*, ba, false", "*c, abc, true", "*c, abcd, false", "*b*, abc, true", "a*c, abbc, true",
			"a*c, acb, false", "a?c, abc, true", "a?c, ac, false", "*?, '', false", "?*?, ab, true", "?*?, a, false",
			"a*b*c, aXbXbXc, true", "a*b*c, acb, false", "*ab, aab, true", "*aab, aaab, true",
			"weather_*, weather_x, true", "weather_*, weatherx, false", "a.c, abc, false", "a.c, a.c, true",
			"[ab], a, false", "'a|b', a, false", "'(a+)+', aa, false", "'\\d', 1, false", "a\\*, a*, true",
			"a\\*, ab, false", "a\\?, a?, true", "a\\?, ab, false", "\\!a, !a, true", "a\\\\*, 'a\\b', true",
			"a\\\\, 'a\\', true", "a\\, 'a\\', true", "a\\b, 'a\\b', true", "x?z, x\uD83D\uDE00z, true",
			"x??z, x\uD83D\uDE00z, false", "*?, \uD83D\uDE00, true", "*??, \uD83D\uDE00, false" })
	void matchesTheWholeName(String pattern, String name, boolean expected) {
		assertThat(new Glob(pattern).matches(name)).isEqualTo(expected);
	}

	@Test
	void agreesWithTheDefinition() {
		long seed = 42;
		Random random = new Random(seed);
		int matches = 0;
		for (int i = 0; i < 20_000; i++) {
			String pattern = text(random, "ab*?", 10);
			String name = text(random, "ab", 12);
			boolean expected = matches(pattern, name);
			assertThat(new Glob(pattern).matches(name)).as("'%s' and '%s', seed %d", pattern, name, seed)
				.isEqualTo(expected);
			matches += expected ? 1 : 0;
		}
		assertThat(matches).isBetween(1_000, 19_000);
	}

	@Test
	void wildcardsAreNotPlain() {
		assertThat(new Glob("a_b-c.d").isPlain()).isTrue();
		assertThat(new Glob("a*").isPlain()).isFalse();
		assertThat(new Glob("a?").isPlain()).isFalse();
		assertThat(new Glob("a\\*").isPlain()).isTrue();
	}

	@Test
	@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
	void hostilePatternsAndNamesCostLittle() {
		String name = "a".repeat(ToolNamer.MAX_ORIGINAL_NAME);
		String[] patterns = { "*a".repeat(127) + "*b", "*".repeat(255) + "b", "a*".repeat(127) + "b",
				"*" + "a".repeat(250) + "b", "*?".repeat(127) + "b", "*" + "?".repeat(200) + "b",
				("*" + "a".repeat(24) + "b").repeat(9) };
		for (String pattern : patterns) {
			Glob glob = new Glob(pattern);
			// as often as there may be tools
			for (int i = 0; i < 1000; i++) {
				assertThat(glob.matches(name)).isFalse();
			}
		}
	}

	private static String text(Random random, String characters, int length) {
		StringBuilder text = new StringBuilder();
		int end = random.nextInt(length);
		for (int i = 0; i < end; i++) {
			text.append(characters.charAt(random.nextInt(characters.length())));
		}
		return text.toString();
	}

	/**
	 * What a pattern means, without regard to cost.
	 */
	private static boolean matches(String pattern, String name) {
		if (pattern.isEmpty()) {
			return name.isEmpty();
		}
		char first = pattern.charAt(0);
		if (first == '*') {
			return matches(pattern.substring(1), name) || (!name.isEmpty() && matches(pattern, name.substring(1)));
		}
		return !name.isEmpty() && (first == '?' || first == name.charAt(0))
				&& matches(pattern.substring(1), name.substring(1));
	}

}
