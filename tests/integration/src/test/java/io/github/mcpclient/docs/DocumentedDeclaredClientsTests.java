package io.github.mcpclient.docs;

import java.net.URI;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.declared.McpToolClientFactory;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code of {@code docs/declared-clients.md}.
 */
@ExtendWith(OutputCaptureExtension.class)
class DocumentedDeclaredClientsTests {

	private static final McpTestServer SERVER = McpTestServer.create()
		.tool("forecast",
				(request) -> McpTestReply.result(Map.of("content", List.of(), "structuredContent",
						Map.of("city", request.arguments().get("city"), "degrees", List.of(20, 21)))))
		.tool("get-alerts", McpTestReply.text("[{\"text\": \"rain\"}]"))
		.start();

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	@Test
	void anApplication(CapturedOutput output) {
		ClientApplication application = ClientApplication.start(WeatherConfiguration.class,
				"mcp.servers.weather.url=" + SERVER.url());
		assertThat(output).contains("[20, 21]");
		assertThat(SERVER.awaitCall("forecast").arguments()).isEqualTo(Map.of("city", "Paris", "days", 3));
		Weather weather = application.context().getBean(Weather.class);
		assertThat(weather.alerts(new Weather.AlertRequest("west", null)).block(LIMIT))
			.containsExactly(new Weather.Alert("rain"));
		assertThat(SERVER.awaitCall("get-alerts").arguments()).isEqualTo(Map.of("region", "west"));
	}

	@Test
	void withoutSpringBoot() {
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(McpServerDefinition.http("weather", URI.create(SERVER.url())).build())
			.build()) {
			// @formatter:off
			Weather weather = new McpToolClientFactory(client.registry()).create(Weather.class);
			// @formatter:on
			assertThat(weather.forecast("Rome", 1).city()).isEqualTo("Rome");
		}
	}

}
