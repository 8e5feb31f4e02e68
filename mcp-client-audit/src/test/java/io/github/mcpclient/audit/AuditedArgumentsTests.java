package io.github.mcpclient.audit;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.mcpclient.audit.McpAuditProperties.Arguments;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AuditedArguments}.
 */
class AuditedArgumentsTests {

	private final AuditedArguments hashed = new AuditedArguments(Arguments.HASHED, List.of());

	private final AuditedArguments masked = new AuditedArguments(Arguments.MASKED, List.of("card-number", "iban"));

	@Test
	void theHashDoesNotDependOnTheOrderOfMembers() {
		Map<String, Object> one = new LinkedHashMap<>();
		one.put("b", 1);
		one.put("a", Map.of("x", List.of("y")));
		Map<String, Object> other = new LinkedHashMap<>();
		other.put("a", Map.of("x", List.of("y")));
		other.put("b", 1);
		// printf '{"a":{"x":["y"]},"b":1}' | sha256sum
		assertThat(this.hashed.hash(one)).isEqualTo(this.hashed.hash(other))
			.isEqualTo("e2ba8690ad6558ee2a9130f299d990e392888471b2fe65bc48499c11cca0deca");
		assertThat(this.hashed.hash(Map.of())).isNotEqualTo(this.hashed.hash(one)).hasSize(64);
		assertThat(this.hashed.masked(one)).isNull();
	}

	@Test
	void namedFieldsAreMaskedAtAnyDepth() {
		Map<String, Object> deep = Map.of("list", List.of(Map.of("cardNumber", 4111)));
		assertThat(this.masked.masked(Map.of("a", deep))).isEqualTo("{\"a\":{\"list\":[{\"cardNumber\":\"******\"}]}}");
		assertThat(this.masked.masked(Map.of("IBAN", Map.of("x", "y")))).isEqualTo("{\"IBAN\":\"******\"}");
		assertThat(this.masked.hash(deep)).isNull();
	}

	@Test
	void membersOfTypesOfTheApplicationAreMaskedToo() {
		assertThat(this.masked.masked(Map.of("payment", new Payment("DE89", 5))))
			.isEqualTo("{\"payment\":{\"amount\":5,\"iban\":\"******\"}}");
	}

	@Test
	void whatLooksLikeACredentialIsMaskedWhateverItsName() {
		assertThat(this.masked.masked(Map.of("password", "hunter2", "note", "Bearer abc123def456ghi789")))
			.isEqualTo("{\"note\":\"Bearer ******\",\"password\":\"******\"}");
	}

	@Test
	void whatACredentialHasIsMaskedAsAWhole() {
		assertThat(this.masked.masked(Map.of("token", List.of("abcd", "efgh")))).isEqualTo("{\"token\":\"******\"}");
		assertThat(this.masked.masked(Map.of("password", 123456))).isEqualTo("{\"password\":\"******\"}");
		assertThat(this.masked.masked(Map.of("credentials", Map.of("user", "me", "pin", "1234"))))
			.isEqualTo("{\"credentials\":\"******\"}");
	}

	@Test
	void administrationIsAsItIs() {
		assertThat(AuditedArguments.details(Map.of("get_token", "5f3a"))).isEqualTo("{\"get_token\":\"5f3a\"}");
	}

	@Test
	void argumentsAreBounded() {
		Map<String, Object> endless = new HashMap<>();
		endless.put("self", endless);
		assertThat(this.masked.masked(endless)).hasSizeLessThan(2048);
		assertThat(this.hashed.hash(endless)).isNull();
		Map<String, Object> large = IntStream.range(0, 5000)
			.boxed()
			.collect(Collectors.toMap((i) -> "name" + i, (i) -> "x".repeat(5000)));
		assertThat(this.masked.masked(large)).hasSizeLessThan(2048).startsWith("{\"name");
		Object[] wide = new Object[100_000];
		Arrays.fill(wide, "x");
		assertThat(this.masked.masked(Map.of("wide", Arrays.asList(wide)))).hasSizeLessThan(2048);
	}

	@Test
	void whatIsNoJsonIsLeftOut() {
		Map<String, Object> broken = Map.of("x", new Broken());
		assertThat(this.hashed.hash(broken)).isNull();
		assertThat(this.masked.masked(broken)).isNull();
	}

	record Payment(String iban, int amount) {
	}

	static final class Broken extends AbstractList<String> {

		@Override
		public String get(int index) {
			throw new IllegalStateException("broken");
		}

		@Override
		public int size() {
			return 1;
		}

	}

}
