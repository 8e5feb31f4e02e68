package io.github.mcpclient.internal.support;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryBudget#sizeOf}.
 */
class JsonSizeTests {

	private static final JsonMapper mapper = JsonMapper.builder().build();

	@Test
	void aValueTakesMoreThanItsText() {
		assertThat(sizeOf("[" + "{},".repeat(999) + "{}]")).isBetween(50_000L, 200_000L);
		assertThat(sizeOf("{\"a\": {\"b\": [1, true, null]}}")).isBetween(300L, 1000L);
	}

	@Test
	void aTextThatIsNotLatinTakesTwoBytesACharacter() {
		assertThat(sizeOf("\"" + "ü".repeat(10_000) + "\"")).isBetween(10_000L, 10_100L);
		assertThat(sizeOf("\"" + "中".repeat(10_000) + "\"")).isBetween(20_000L, 20_100L);
		assertThat(sizeOf("\"" + "x".repeat(9_999) + "中\"")).isBetween(20_000L, 20_100L);
		assertThat(sizeOf("{\"" + "中".repeat(10_000) + "\": 1}")).isBetween(20_000L, 20_500L);
	}

	@Test
	void aLongNumberTakesMoreThanAShortOne() {
		assertThat(sizeOf("1".repeat(1000))).isBetween(400L, 1200L);
		assertThat(sizeOf("0." + "1".repeat(900))).isBetween(8L, 1200L);
		assertThat(MemoryBudget.sizeOf(List.of(1, 2L, 3.0))).isBetween(50L, 300L);
		assertThat(MemoryBudget.sizeOf(Map.of())).isBetween(50L, 150L);
		assertThat(MemoryBudget.sizeOf(null)).isBetween(0L, 100L);
	}

	// at least, of a tree and of values
	private static long sizeOf(String json) {
		return Math.min(MemoryBudget.sizeOf(mapper.readTree(json)),
				MemoryBudget.sizeOf(mapper.readValue(json, Object.class)));
	}

}
