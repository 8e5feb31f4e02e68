package io.github.mcpclient.internal.naming;

import java.util.Random;

import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolNamer}.
 */
class ToolNamerTests {

	@ParameterizedTest
	@CsvSource({ "weather, forecast, weather_forecast", "my.server, get/forecast, my-server_get-forecast",
			"a-b, c_d, a-b_c_d", "s, wetter-für-köln, s_wetter-f-r-k-ln", "s, 'a b', s_a-b", "s, '', s_",
			"'', forecast, forecast", "'', a/b, a-b", "s, ___, s____", "s, _, s__" })
	void namesHoldOnlyWhatModelProvidersAllow(String prefix, String original, String expected) {
		assertThat(name(prefix, original)).isEqualTo(expected);
	}

	@Test
	void aCharacterBeyondTheBasicPlaneCountsOnce() {
		assertThat(name("s", "a\uD83D\uDE00b")).isEqualTo("s_a-b");
	}

	@Test
	void aNameOf64CharactersStays() {
		String original = "x".repeat(62);
		assertThat(name("s", original)).isEqualTo("s_" + original);
	}

	@Test
	void aLongNameKeepsItsHeadAndEndsInAStableHash() {
		String name = name("server", "x".repeat(100));
		assertThat(name).hasSize(64).startsWith("server_xxxx").isEqualTo("server_" + "x".repeat(48) + "_ddc404a6");
	}

	@Test
	void longNamesThatDifferAtTheirEndStayApart() {
		String first = name("server", "x".repeat(100) + "1");
		String second = name("server", "x".repeat(100) + "2");
		assertThat(first).isNotEqualTo(second);
	}

	@Test
	void namesInAnotherScriptStayApart() {
		String tokyo = name("s", "\u6771\u4EAC");
		String kyoto = name("s", "\u4EAC\u90FD");
		assertThat(tokyo).isEqualTo("s_--_b19434d3");
		assertThat(kyoto).startsWith("s_--_").isNotEqualTo(tokyo);
	}

	@Test
	void anyNameIsPortableAndStable() {
		Random random = new Random(42);
		for (int i = 0; i < 3_000; i++) {
			String prefix = hostile(random, 80);
			String original = hostile(random, 200);
			String name = name(prefix, original);
			if (prefix.isEmpty() && original.isEmpty()) {
				continue;
			}
			assertThat(name).as("'%s' and '%s'", prefix, original)
				.matches("[A-Za-z0-9_-]{1,64}")
				.isEqualTo(name(prefix, original));
			assertThat(ToolNamer.isPortable(name)).isTrue();
			String head = ToolNamer.prefix(McpServerDefinition.stdio("server", "x").toolPrefix(prefix).build());
			assertThat(name).startsWith(head.substring(0, Math.min(head.length(), 55)));
		}
	}

	@Test
	void portableNamesAreNotChanged() {
		assertThat(ToolNamer.isPortable("x".repeat(65))).isFalse();
		assertThat(ToolNamer.isPortable("a b")).isFalse();
		assertThat(ToolNamer.isPortable("a.b")).isFalse();
		assertThat(ToolNamer.isPortable("\u00E4")).isFalse();
		assertThat(ToolNamer.isPortable("Az09_-")).isTrue();
	}

	private static String name(String prefix, String original) {
		return ToolNamer.defaultName(prefix, original, false);
	}

	private static String hostile(Random random, int length) {
		StringBuilder text = new StringBuilder();
		for (int n = random.nextInt(length); n > 0; n--) {
			// lone surrogates and control characters included
			text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(65536)));
		}
		return text.toString();
	}

}
