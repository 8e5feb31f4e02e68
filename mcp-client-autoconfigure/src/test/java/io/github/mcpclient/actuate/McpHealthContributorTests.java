package io.github.mcpclient.actuate;

import java.time.Instant;

import io.github.mcpclient.McpServerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.health.contributor.Health;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpHealthContributor}.
 */
class McpHealthContributorTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			# state,     optional,    required
			DISABLED,    UNKNOWN,     UNKNOWN
			IDLE,        UNKNOWN,     DOWN
			CONNECTING,  UNKNOWN,     DOWN
			READY,       UP,          UP
			UNAVAILABLE, UNAVAILABLE, DOWN
			CLOSED,      UNKNOWN,     DOWN
			""")
	void mapsTheStateToAStatus(McpServerState state, String optional, String required) {
		assertThat(health(state, false).getStatus().getCode()).isEqualTo(optional);
		assertThat(health(state, true).getStatus().getCode()).isEqualTo(required);
	}

	@Test
	void tellsWhyAndWhenNext() {
		assertThat(health(McpServerState.UNAVAILABLE, false).getDetails())
			.containsOnlyKeys("state", "target", "error", "nextRetry")
			.containsEntry("state", McpServerState.UNAVAILABLE)
			.containsEntry("target", "http://localhost:9999/mcp")
			.containsEntry("error", "Connection refused: localhost:9999")
			.containsEntry("nextRetry", Instant.parse("2026-11-21T10:00:08.123Z"));
	}

	@Test
	void saysNothingOfErrorsWhereAllIsWell() {
		assertThat(health(McpServerState.READY, true).getDetails()).containsOnlyKeys("state", "target");
	}

	private static Health health(McpServerState state, boolean required) {
		return McpHealthContributor.health(FakeMcpServerRegistry.status("server", state, required));
	}

}
