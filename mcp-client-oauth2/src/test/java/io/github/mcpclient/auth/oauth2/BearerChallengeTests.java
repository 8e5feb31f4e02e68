package io.github.mcpclient.auth.oauth2;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BearerChallenge}.
 */
class BearerChallengeTests {

	@Test
	void readsParameters() {
		assertThat(parse("Bearer realm=\"a, \\\"b\\\"\", Error=insufficient_scope ,scope=\"x y\""))
			.isEqualTo(Map.of("realm", "a, \"b\"", "error", "insufficient_scope", "scope", "x y"));
		BearerChallenge challenge = BearerChallenge
			.parse(List.of("bearer error=\"insufficient_scope\", scope=\"a b\""));
		assertThat(challenge.demanded(403)).containsExactly("a", "b");
		assertThat(challenge.demanded(401)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Basic realm=\"Bearer scope=z\", Bearer scope=\"x\"", "Negotiate YWJj==, Bearer scope=x",
			"Bearer scope=x, DPoP scope=y", "DPoP scope=y, Bearer scope=x", "Negotiate,bearer scope = \"x\"",
			", ,Bearer scope=x,,", "Bearer scope=\"x\",scope=y" })
	void findsTheBearerChallengeAmongOthers(String value) {
		assertThat(parse(value)).isEqualTo(Map.of("scope", "x"));
	}

	@Test
	void completesItByTheDpopChallenge() {
		assertThat(parse("DPoP algs=\"ES256\", scope=y, Bearer scope=x"))
			.isEqualTo(Map.of("scope", "x", "algs", "ES256"));
		assertThat(parse("Basic realm=x", "dpop error=use_dpop_nonce")).isEqualTo(Map.of("error", "use_dpop_nonce"));
	}

	@Test
	void findsItInAnyValueOfTheHeader() {
		assertThat(parse("Basic realm=x", "Bearer scope=x")).isEqualTo(Map.of("scope", "x"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Bearer", "Bearer ", "Basic realm=x", "=", "\"", "Bearer =", "scope=x", "Bearer \"x" })
	void survivesWhatIsMalformed(String value) {
		assertThat(parse(value)).isEmpty();
	}

	@Test
	void takesAnUnterminatedStringToItsEnd() {
		assertThat(parse("Bearer scope=\"x y")).isEqualTo(Map.of("scope", "x y"));
	}

	@Test
	void readsLongStringsWithoutAStackOverflow() {
		assertThat(parse("Bearer scope=\"" + "\\x".repeat(100_000) + "\"")).containsEntry("scope", "x".repeat(100_000));
	}

	private static Map<String, String> parse(String... values) {
		return BearerChallenge.parse(List.of(values)).parameters();
	}

}
