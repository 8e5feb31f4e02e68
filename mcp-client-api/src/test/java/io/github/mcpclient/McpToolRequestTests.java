package io.github.mcpclient;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class McpToolRequestTests {

	@Test
	void mapsOfAnyTypeAreTakenAsTheyAreAtTheTime() {
		Map<String, String> texts = new HashMap<>(Map.of("city", "Oslo"));
		Map<String, Object> any = new HashMap<>(texts);
		any.put("days", null);
		McpToolRequest request = McpToolRequest.of(any).withMeta(texts);
		McpToolRequest other = request.withArguments(texts);
		texts.clear();
		any.clear();
		assertThat(request.arguments()).containsEntry("days", null).hasSize(2);
		assertThat(request.meta()).containsEntry("city", "Oslo");
		assertThat(other.arguments()).containsEntry("city", "Oslo").hasSize(1);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(other.arguments()::clear);
	}

}
