package io.github.mcpclient.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.mcpclient.config.McpProperties;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what {@code /actuator/configprops} tells of {@link McpProperties}.
 */
class McpConfigPropsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(McpPropertiesConfiguration.class)
		.withConfiguration(AutoConfigurations.of(ConfigurationPropertiesReportEndpointAutoConfiguration.class))
		.withInitializer((context) -> {
			Map<String, Object> file = new LinkedHashMap<>();
			file.put("mcp.defaults.headers.X-Key", "s3cr3t");
			file.put("mcp.servers.zeta.url", "https://u:s3cr3t@zeta.example/mcp?key=s3cr3t");
			file.put("mcp.servers.my-server.command", "s3cr3t");
			file.put("mcp.servers.my-server.env.TOKEN", "s3cr3t");
			context.getEnvironment().getPropertySources().addLast(new MapPropertySource("file", file));
		})
		.withPropertyValues("management.endpoints.web.exposure.include=*", "mcp.servers.myserver.required=true",
				"management.endpoints.jmx.exposure.include=*", "spring.jmx.enabled=true");

	@Test
	void showsServersWithoutValues() {
		this.runner.run((context) -> {
			JsonNode properties = properties(context.getBean(ConfigurationPropertiesReportEndpoint.class));
			assertThat(properties.path("servers").propertyNames()).containsExactly("zeta", "my-server");
			assertThat(properties.path("servers").path("my-server").path("required").asString()).isEqualTo("******");
			assertThat(properties.path("startup").propertyNames()).contains("mode", "wait");
			assertThat(properties.toString()).doesNotContain("s3cr3t");
		});
	}

	@Test
	void showsValuesWhenAsked() {
		this.runner.withPropertyValues("management.endpoint.configprops.show-values=always").run((context) -> {
			JsonNode properties = properties(context.getBean(ConfigurationPropertiesReportEndpoint.class));
			assertThat(properties.path("servers").path("my-server").path("command").asString()).isEqualTo("s3cr3t");
			assertThat(properties.path("servers").path("my-server").path("required").asBoolean()).isTrue();
			assertThat(properties.path("defaults").path("headers").path("X-Key").asString()).isEqualTo("s3cr3t");
		});
	}

	private static JsonNode properties(ConfigurationPropertiesReportEndpoint endpoint) {
		JsonNode report = JsonMapper.shared().valueToTree(endpoint.configurationProperties());
		assertThat(report.findValue("mcpProperties").path("prefix").asString()).isEqualTo("mcp");
		return report.findValue("mcpProperties").path("properties");
	}

}
