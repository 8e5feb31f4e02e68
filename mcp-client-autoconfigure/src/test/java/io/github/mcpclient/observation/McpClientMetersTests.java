package io.github.mcpclient.observation;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpClientMeters}.
 */
class McpClientMetersTests {

	@ParameterizedTest
	@ValueSource(strings = { "{}", "[]", "\"h\u00e9\"", "[[],{},[1,2.5,true]]",
			"{\"content\":[{\"type\":\"text\",\"text\":\"\u20ac\"}],\"n\u00e4me\":{\"a\":{\"b\":[false,\"\"]}}}" })
	void sizeIsThatOfCompactJson(String json) {
		assertThat(McpClientMeters.size(JsonMapper.shared().readTree(json)))
			.isEqualTo(json.getBytes(StandardCharsets.UTF_8).length);
	}

}
