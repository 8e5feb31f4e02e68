package io.github.mcpclient.guard;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.guard.CacheInterceptor.Key;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.MemoryBudget.Cache.Kept;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what {@link CacheInterceptor} keeps.
 */
class CallCacheTests {

	private static final McpToolResult RESULT = McpToolResult.error("a", "b");

	private final MemoryBudget.Cache<Key, McpToolResult> cache = CacheInterceptor.cache(MemoryBudget.ofCache());

	@Test
	void keepsThoseThatWereUsedLast() {
		IntStream.range(0, CacheInterceptor.MAX_RESULTS).forEach((key) -> keep(key, 1));
		assertThat(find(0)).isTrue();
		keep("more", 1);
		assertThat(find(0)).isTrue();
		assertThat(find(1)).isFalse();
		assertThat(find("more")).isTrue();
	}

	@Test
	void keepsNoMoreThanItsSize() {
		keep("too large", CacheInterceptor.MAX_RESULT + 1);
		assertThat(find("too large")).isFalse();
		IntStream.range(0, 4).forEach((key) -> keep(key, CacheInterceptor.MAX_RESULT));
		// in place of itself
		keep(0, CacheInterceptor.MAX_RESULT);
		assertThat(find(1)).isTrue();
		keep("more", 1);
		assertThat(find(2)).isFalse();
		assertThat(find(3)).isTrue();
	}

	@Test
	void keepsNothingThatExpiredOrIsOfBefore() {
		keep("a", 1);
		assertThat(this.cache.find(key("a"), 9)).isNotNull();
		assertThat(this.cache.find(key("a"), 10)).isNull();
		long before = this.cache.changes();
		this.cache.drop((key) -> true);
		assertThat(find("a")).isFalse();
		this.cache.keep(key("a"), new Kept<>(RESULT, 1, 10), 0, before);
		assertThat(find("a")).isFalse();
	}

	@Test
	void whatIsDroppedOrDisplacedIsFreeAgain() {
		for (int i = 0; i < 1000; i++) {
			IntStream.range(0, 5).forEach((key) -> keep(key, CacheInterceptor.MAX_RESULT));
			this.cache.drop((key) -> true);
		}
		keep("last", CacheInterceptor.MAX_RESULT);
		assertThat(find("last")).isTrue();
	}

	@Test
	void takesNoMoreThanOthersLeave() {
		int size = 64 * 1024;
		Map<MemoryBudget, Integer> others = new HashMap<>();
		for (int i = 0; i < 20; i++) {
			MemoryBudget other = MemoryBudget.ofCache();
			while (other.take(size)) {
				others.merge(other, size, Integer::sum);
			}
		}
		keep("a", 2 * size);
		assertThat(find("a")).isFalse();
		MemoryBudget one = others.keySet().iterator().next();
		one.give(4 * size);
		others.merge(one, -4 * size, Integer::sum);
		keep("a", size);
		keep("b", size);
		assertThat(find("a") && find("b")).isTrue();
		keep("c", 2 * size);
		assertThat(find("a") || find("b")).as("others of the server give way").isFalse();
		assertThat(find("c")).isTrue();
		others.forEach(MemoryBudget::give);
	}

	private Key key(Object arguments) {
		return new Key("a", "", arguments.toString());
	}

	private void keep(Object key, long size) {
		this.cache.keep(key(key), new Kept<>(RESULT, size, 10), 0, this.cache.changes());
	}

	private boolean find(Object key) {
		return this.cache.find(key(key), 0) != null;
	}

}
