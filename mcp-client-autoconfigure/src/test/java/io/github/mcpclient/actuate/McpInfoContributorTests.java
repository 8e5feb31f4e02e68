package io.github.mcpclient.actuate;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.testsupport.TestServerStatus;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.test.json.JsonCompareMode;

/**
 * Tests for {@link McpInfoContributor}.
 */
class McpInfoContributorTests {

	private final FakeMcpServerRegistry registry = FakeMcpServerRegistry.of(
			new TestServerStatus("files", McpServerState.READY, "stdio", "npx files", false, null, "2025-11-25", 13, 1,
					2, 3, FakeMcpServerRegistry.SINCE, 1, Duration.ofMillis(3), null, null, List.of("private")),
			FakeMcpServerRegistry.status("down", McpServerState.UNAVAILABLE, true));

	@Test
	void tellsNamesStatesAndCountsOnly() {
		ActuatorApplication application = ActuatorApplication.run(WebApplicationType.SERVLET, this.registry);
		application.get("/info").expectStatus().isOk().expectBody().json("""
				{"mcp": {"servers": {
				  "files": {"state": "READY", "tools": 13},
				  "down": {"state": "UNAVAILABLE", "tools": 0}}}}
				""", JsonCompareMode.STRICT);
	}

	@Test
	void canBeSwitchedOff() {
		ActuatorApplication application = ActuatorApplication.run(WebApplicationType.SERVLET, this.registry,
				"management.info.mcp.enabled=false");
		application.get("/info").expectStatus().isOk().expectBody().json("{}", JsonCompareMode.STRICT);
	}

}
