package io.github.mcpclient.tool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolNaming}.
 */
class ToolNamingTests {

	@ParameterizedTest
	@CsvSource({ "weather, forecast, weather_forecast", "my.server, get/forecast, my-server_get-forecast",
			"a-b, c_d, a-b_c_d", "s, wetter-für-köln, s_wetter-f-r-k-ln", "s, 'a b', s_a-b", "s, '', s_" })
	void namesHoldOnlyWhatModelProvidersAllow(String prefix, String original, String expected) {
		assertThat(ToolNaming.prefixedName(prefix, original)).isEqualTo(expected);
	}

	@Test
	void aCharacterBeyondTheBasicPlaneCountsOnce() {
		assertThat(ToolNaming.prefixedName("s", "a\uD83D\uDE00b")).isEqualTo("s_a-b");
	}

	@Test
	void aNameOf64CharactersStays() {
		String original = "x".repeat(62);
		assertThat(ToolNaming.prefixedName("s", original)).isEqualTo("s_" + original);
	}

	@Test
	void aLongNameKeepsItsHeadAndEndsInAStableHash() {
		String name = ToolNaming.prefixedName("server", "x".repeat(100));
		assertThat(name).hasSize(64).startsWith("server_xxxx").isEqualTo("server_" + "x".repeat(48) + "_ddc404a6");
	}

	@Test
	void longNamesThatDifferAtTheirEndStayApart() {
		String first = ToolNaming.prefixedName("server", "x".repeat(100) + "1");
		String second = ToolNaming.prefixedName("server", "x".repeat(100) + "2");
		assertThat(first).isNotEqualTo(second);
	}

}
