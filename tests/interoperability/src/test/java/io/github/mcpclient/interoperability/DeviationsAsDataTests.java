package io.github.mcpclient.interoperability;

import java.util.Map;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.test.server.McpTestReply;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a server that keeps to the protocol has no deviations, whatever the
 * transport.
 */
class DeviationsAsDataTests extends AbstractInteroperabilityTests {

	@Test
	void serverThatIsRightHasNone() {
		McpServer server = connect();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		this.peer.forgetSessions();
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertNoDeviation(server);
	}

	@Test
	void processThatIsRightHasNone() {
		McpServer server = connectToChild();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertNoDeviation(server);
	}

	@Test
	void endpointShowsThoseOfAServer() {
		this.peer.on("notifications/initialized", McpTestReply.status(500));
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "mcp.startup.wait=60s",
					"mcp.servers.peer.url=" + this.peer.url(), "management.endpoints.web.exposure.include=mcp")
			.run()) {
			JsonNode server = JsonMapper.shared().valueToTree(application.getBean(McpEndpoint.class).server(NAME));
			JsonNode deviation = server.path("deviations").path(0);
			assertThat(deviation.path("kind").asString()).isEqualTo("INITIALIZED");
			assertThat(deviation.path("detail").asString()).isEqualTo("HTTP 500 Internal Server Error");
			assertThat(deviation.path("summary").asString()).isEqualTo(Kind.INITIALIZED.summary());
			assertThat(deviation.path("handling").asString()).isEqualTo(Kind.INITIALIZED.handling());
			assertThat(deviation.path("count").asInt()).isEqualTo(1);
			assertThat(deviation.path("firstSeen").asString()).isNotEmpty();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
