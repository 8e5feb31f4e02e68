package io.github.mcpclient.support;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Latest}.
 */
class LatestTests {

	private final Latest<Integer> latest = new Latest<>();

	@Test
	void theLatestComesFirst() {
		assertThat(this.latest.list()).isEmpty();
		List.of(1, 2, 3).forEach(this.latest::add);
		assertThat(this.latest.list()).containsExactly(3, 2, 1);
	}

	@Test
	void theOldestGoes() {
		IntStream.range(0, 3 * Latest.MOST + 7).forEach(this.latest::add);
		assertThat(this.latest.list()).hasSize(Latest.MOST)
			.startsWith(3 * Latest.MOST + 6)
			.endsWith(2 * Latest.MOST + 7);
	}

}
