package io.github.mcpclient.internal.support;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecentItems}.
 */
class RecentItemsTests {

	private final RecentItems<Integer> latest = new RecentItems<>();

	@Test
	void theLatestComesFirst() {
		assertThat(this.latest.list()).isEmpty();
		List.of(1, 2, 3).forEach(this.latest::add);
		assertThat(this.latest.list()).containsExactly(3, 2, 1);
	}

	@Test
	void theOldestGoes() {
		IntStream.range(0, 3 * RecentItems.MOST + 7).forEach(this.latest::add);
		assertThat(this.latest.list()).hasSize(RecentItems.MOST)
			.startsWith(3 * RecentItems.MOST + 6)
			.endsWith(2 * RecentItems.MOST + 7);
	}

}
