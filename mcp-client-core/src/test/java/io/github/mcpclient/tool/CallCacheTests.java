package io.github.mcpclient.tool;

import java.util.stream.IntStream;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.tool.CallCache.Kept;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallCache}.
 */
class CallCacheTests {

	private static final McpToolResult RESULT = McpToolResult.error("a", "b");

	private final CallCache cache = new CallCache();

	@Test
	void keepsThoseThatWereUsedLast() {
		IntStream.range(0, CallCache.MAX_RESULTS).forEach((key) -> keep(key, 1));
		assertThat(find(0)).isTrue();
		keep("more", 1);
		assertThat(find(0)).isTrue();
		assertThat(find(1)).isFalse();
		assertThat(find("more")).isTrue();
	}

	@Test
	void keepsNoMoreThanItsSize() {
		keep("too large", CallCache.MAX_RESULT + 1);
		assertThat(find("too large")).isFalse();
		IntStream.range(0, 4).forEach((key) -> keep(key, CallCache.MAX_RESULT));
		// in place of itself
		keep(0, CallCache.MAX_RESULT);
		assertThat(find(1)).isTrue();
		keep("more", 1);
		assertThat(find(2)).isFalse();
		assertThat(find(3)).isTrue();
	}

	@Test
	void keepsNothingThatExpiredOrIsOfBefore() {
		keep("a", 1);
		assertThat(this.cache.find("a", 9)).isNotNull();
		assertThat(this.cache.find("a", 10)).isNull();
		long before = this.cache.changes();
		this.cache.drop();
		assertThat(find("a")).isFalse();
		this.cache.keep("a", new Kept(RESULT, 1, 10), 0, before);
		assertThat(find("a")).isFalse();
	}

	private void keep(Object key, long size) {
		this.cache.keep(key, new Kept(RESULT, size, 10), 0, this.cache.changes());
	}

	private boolean find(Object key) {
		return this.cache.find(key, 0) != null;
	}

}
