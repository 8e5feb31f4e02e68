package io.github.mcpclient.internal.support;

import java.util.Arrays;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link JsonValues}.
 */
class JsonValuesTests {

	@Test
	void argumentsAreAnObject() {
		assertThat(JsonValues.arguments("t", "{\"a\": {\"b\": [1, null]}}"))
			.isEqualTo(Map.of("a", Map.of("b", Arrays.asList(1, null))));
		assertThat(JsonValues.arguments("t", " ")).isEmpty();
		assertThat(JsonValues.arguments("t", null)).isEmpty();
		assertThat(JsonValues.arguments("t", "{}")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "secret", "{\"secret\": ", "[\"secret\"]", "null", "\"secret\"", "{} secret" })
	void otherArgumentsAreRefusedWithoutQuotingThem(String json) {
		assertThatIllegalArgumentException().isThrownBy(() -> JsonValues.arguments("everything_echo", json))
			.withMessage("The arguments of MCP tool 'everything_echo' must be a single JSON object")
			.withNoCause();
	}

}
