package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.github.mcpclient.internal.support.MemoryBudget;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.util.context.Context;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ResultCache}.
 */
class ResultCacheTests {

	private static final JsonMapper mapper = new JsonMapper();

	private static final String HOUR = "{\"ttlMs\": 3600000, \"cacheScope\": \"%s\"}";

	private final ResultCache server = new ResultCache();

	private final ResultCache anne = this.server.of((context) -> context.getOrDefault("caller", null));

	private final ResultCache ben = this.server.of((context) -> null);

	private long now;

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "0.5", "\"3600000\"", "null", "true", "[1]", "-1e999" })
	void isNotKeptWithoutATime(String ttl) {
		keep(this.anne, "a", "{\"ttlMs\": " + ttl + ", \"cacheScope\": \"public\"}");
		assertThat(has(this.anne, "a")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "3600000", "3600001", "9223372036854775807", "1e30", "1e999",
			"99999999999999999999999999999999999" })
	void isKeptForAnHourAtMost(String ttl) {
		keep(this.anne, "a", "{\"ttlMs\": " + ttl + "}");
		this.now += ResultCache.LONGEST.toNanos() - 1;
		assertThat(has(this.anne, "a")).isTrue();
		this.now++;
		assertThat(has(this.anne, "a")).isFalse();
	}

	@Test
	void isFreshAsLongAsTheServerSays() {
		this.now = Long.MAX_VALUE - Duration.ofMillis(5).toNanos();
		keep(this.anne, "a", "{\"ttlMs\": 10}");
		this.now += Duration.ofMillis(10).toNanos() - 1;
		assertThat(has(this.anne, "a")).isTrue();
		this.now++;
		assertThat(has(this.anne, "a")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "private", "", "PUBLIC", "shared" })
	void isPrivateUnlessItIsPublic(String scope) {
		keep(this.anne, "a", HOUR.formatted(scope));
		assertThat(has(this.anne, "a")).isTrue();
		assertThat(has(this.ben, "a")).isFalse();
		assertThat(has(this.anne, "a", "another caller")).isFalse();
		this.anne.close();
		assertThat(has(this.anne, "a")).isFalse();
	}

	@Test
	void whatBecomesPrivateIsNoLongerThatOfOthers() {
		keep(this.anne, "a", HOUR.formatted("public"));
		ResultCache.Place earlier = place(this.anne, "a", null);
		assertThat(has(this.ben, "a")).isTrue();
		earlier.keep(json("{}"), this.now);
		assertThat(has(this.ben, "a")).isFalse();
		ResultCache.Place pages = list(this.anne, Map.of());
		list(this.anne, Map.of("cursor", "1")).keep(json(HOUR.formatted("public")), this.now);
		pages.keep(json(HOUR.formatted("private")), this.now);
		assertThat(list(this.ben, Map.of("cursor", "1")).find(this.now)).isNull();
		assertThat(list(this.anne, Map.of()).find(this.now)).isNotNull();
	}

	@Test
	void anAnswerThatWasOvertakenByAChangeIsNotKept() {
		ResultCache.Place asked = place(this.anne, "a", null);
		this.ben.announced("notifications/resources/updated", Map.of("uri", "a/part"));
		asked.keep(json(HOUR.formatted("private")), this.now);
		assertThat(has(this.anne, "a")).isFalse();
	}

	@Test
	void theResultOfAnotherAuthorizationIsNotKept() {
		Object[] token = { "old" };
		ResultCache changing = this.server.of((context) -> token[0]);
		ResultCache.Place asked = place(changing, "a", null);
		token[0] = "new";
		asked.keep(json(HOUR.formatted("private")), this.now);
		assertThat(has(changing, "a")).isFalse();
		token[0] = "old";
		assertThat(has(changing, "a")).isFalse();
	}

	@Test
	void aChangeDropsWhatItIsAbout() {
		keep(this.anne, "a", HOUR.formatted("private"));
		keep(this.anne, "ab", HOUR.formatted("public"));
		keep(this.anne, "b", HOUR.formatted("public"));
		list(this.anne, Map.of()).keep(json(HOUR.formatted("private")), this.now);
		this.ben.announced("notifications/prompts/list_changed", Map.of());
		this.ben.announced("notifications/resources/list_changed", Map.of());
		this.ben.announced("notifications/resources/updated", Map.of("uri", "abc"));
		assertThat(has(this.anne, "a") || has(this.anne, "ab")).isFalse();
		assertThat(has(this.anne, "b")).isTrue();
		assertThat(list(this.anne, Map.of()).find(this.now)).isNotNull();
		this.ben.announced("notifications/tools/list_changed", Map.of());
		assertThat(list(this.anne, Map.of()).find(this.now)).isNull();
	}

	@Test
	void aRequestWithMoreThanAUriIsNotOneForOthers() {
		assertThat(
				this.anne.place("resources/read", new ReadResourceRequest("a", Map.of("tenant", 1)), Context.empty()))
			.isNull();
		assertThat(this.anne.place("tools/call", Map.of(), Context.empty())).isNull();
	}

	@Test
	void isBoundedInNumber() {
		keep(this.ben, "first", HOUR.formatted("private"));
		for (int i = 0; i < 10 * ResultCache.MAX_RESULTS; i++) {
			keep(this.anne, "a" + i, HOUR.formatted("private"));
			assertThat(has(this.ben, "first")).as("what is used stays").isTrue();
		}
		long kept = 0;
		for (int i = 0; i < 10 * ResultCache.MAX_RESULTS; i++) {
			kept += has(this.anne, "a" + i) ? 1 : 0;
		}
		assertThat(kept).isEqualTo(ResultCache.MAX_RESULTS - 1);
		keep(this.anne, "last", HOUR.formatted("private"));
		assertThat(has(this.anne, "last")).isTrue();
	}

	@Test
	void isBoundedInSize() {
		String text = "x".repeat((int) ResultCache.MAX_RESULT * 9 / 10);
		keep(this.anne, "larger", "{\"ttlMs\": 60000, \"text\": \"" + text + text + "\"}");
		assertThat(has(this.anne, "larger")).isFalse();
		for (int i = 0; i < 10; i++) {
			keep(this.anne, "a" + i, "{\"ttlMs\": 60000, \"text\": \"" + text + "\"}");
			// what is kept anew takes no more
			keep(this.anne, "a" + i, "{\"ttlMs\": 60000, \"text\": \"" + text + "\"}");
		}
		assertThat(has(this.anne, "a5")).isFalse();
		assertThat(has(this.anne, "a6") && has(this.anne, "a9")).isTrue();
		this.server.clear();
		assertThat(has(this.anne, "a9")).isFalse();
	}

	@Test
	void aLongUriCountsToo() {
		String uri = "x".repeat((int) ResultCache.MAX_RESULT);
		keep(this.anne, uri, HOUR.formatted("private"));
		assertThat(has(this.anne, uri)).isFalse();
	}

	@Test
	void takesNoMoreThanOtherServersLeave() {
		int size = 100_000;
		Map<MemoryBudget, Integer> others = new HashMap<>();
		for (int i = 0; i < 20; i++) {
			MemoryBudget other = MemoryBudget.ofCache();
			while (other.take(size)) {
				others.merge(other, size, Integer::sum);
			}
		}
		String text = "{\"ttlMs\": 60000, \"text\": \"" + "x".repeat(2 * size) + "\"}";
		keep(this.anne, "a", text);
		assertThat(has(this.anne, "a")).isFalse();
		MemoryBudget one = others.keySet().iterator().next();
		one.give(5 * size);
		others.merge(one, -5 * size, Integer::sum);
		for (int i = 0; i < 20; i++) {
			keep(this.anne, "a" + i, text);
			assertThat(has(this.anne, "a" + i)).as("others of the server give way").isTrue();
			keep(this.anne, "a" + i, text);
			if (i % 3 == 0) {
				this.server.clear();
			}
		}
		assertThat(has(this.anne, "a17")).isFalse();
		others.forEach(MemoryBudget::give);
	}

	private void keep(ResultCache connection, String uri, String result) {
		place(connection, uri, null).keep(json(result), this.now);
	}

	private boolean has(ResultCache connection, String uri) {
		return has(connection, uri, null);
	}

	private boolean has(ResultCache connection, String uri, String caller) {
		return place(connection, uri, caller).find(this.now) != null;
	}

	private static ResultCache.Place place(ResultCache connection, String uri, String caller) {
		return connection.place("resources/read", new ReadResourceRequest(uri, null),
				(caller != null) ? Context.of("caller", caller) : Context.empty());
	}

	private static ResultCache.Place list(ResultCache connection, Map<String, Object> params) {
		return connection.place("tools/list", params, Context.empty());
	}

	private static JsonNode json(String json) {
		return mapper.readTree(json);
	}

}
