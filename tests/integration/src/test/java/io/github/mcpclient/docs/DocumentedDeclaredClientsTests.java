package io.github.mcpclient.docs;

import java.net.URI;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.declared.ImportMcpToolClients;
import io.github.mcpclient.declared.McpToolClient;
import io.github.mcpclient.declared.McpToolClientFactory;
import io.github.mcpclient.declared.McpToolClientMismatchException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.docs.Weather.Forecast;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

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

	@AfterEach
	void reset() {
		SERVER.reset();
	}

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
	void aServerThatDiffers(CapturedOutput output) {
		SERVER.removeTools("forecast").tools("forecasts", "get-alerts");
		ClientApplication.start(Differing.class, "mcp.servers.weather.url=" + SERVER.url());
		await().atMost(LIMIT)
			.untilAsserted(() -> assertThat(output)
				.contains(
						"Declared MCP client " + Weather.class.getName()
								+ " does not match MCP server 'weather'. Calls will fail:",
						"    forecast: the server has no tool 'forecast'. Did you mean forecasts?")
				.contains(Weather.class.getName() + " forecast: the server has no tool 'forecast'"));
	}

	@Test
	void aRequiredClient() {
		SERVER.removeTools("forecast");
		String url = "mcp.servers.weather.url=" + SERVER.url();
		assertThatExceptionOfType(ApplicationContextException.class)
			.isThrownBy(() -> ClientApplication.start(Requiring.class, url))
			.withRootCauseInstanceOf(McpToolClientMismatchException.class);
	}

	@Test
	void withoutSpringBoot() {
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(McpServerDefinition.http("weather", URI.create(SERVER.url())).build())
			.startupWait(LIMIT)
			.build()) {
			// @formatter:off
			McpToolClientFactory factory = new McpToolClientFactory(client.registry());
			Weather weather = factory.create(Weather.class);
			// @formatter:on
			assertThat(weather.forecast("Rome", 1).city()).isEqualTo("Rome");
			assertThat(factory.mismatches()).isEmpty();
			SERVER.removeTools("forecast");
			client.manager().server("weather").refresh();
			assertThat(factory.mismatches()).singleElement()
				.hasToString("McpToolClientMismatchEvent[serverName=weather, client=" + Weather.class.getName()
						+ ", mismatches=[forecast: the server has no tool 'forecast']]");
		}
	}

	@Configuration
	@ImportMcpToolClients(Weather.class)
	static class Differing {

		@EventListener
		void compared(McpToolClientMismatchEvent event) {
			event.mismatches().forEach((mismatch) -> System.out.println(event.client() + " " + mismatch));
		}

	}

	@Configuration
	@ImportMcpToolClients(RequiredWeather.class)
	static class Requiring {

	}

	@McpToolClient(value = "weather", required = true)
	interface RequiredWeather {

		Forecast forecast(String city);

	}

}
