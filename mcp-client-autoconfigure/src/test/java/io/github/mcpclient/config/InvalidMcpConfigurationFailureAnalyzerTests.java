package io.github.mcpclient.config;

import java.util.List;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link InvalidMcpConfigurationFailureAnalyzer}, in an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class InvalidMcpConfigurationFailureAnalyzerTests {

	@Test
	void startFailsWithAllMistakes(CapturedOutput output) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE);
		assertThatThrownBy(
				() -> application.run("--spring.config.name=invalid-mcp", "--mcp.servers.weather.max-result-size=much"))
			.hasRootCauseInstanceOf(InvalidMcpConfigurationException.class);
		assertThat(output.toString().lines().map(String::stripTrailing)).containsSequence(
				"""
						***************************
						APPLICATION FAILED TO START
						***************************

						Description:

						Invalid MCP server configuration (4 errors):

						    Property: mcp.servers.weather.max-result-size
						    Origin: "mcp.servers.weather.max-result-size" from property source "commandLineArgs"
						    Reason: 'much' is not a size. Write for instance 512KB or 16MB.

						    Property: mcp.servers.weather.headers.Authorization
						    Origin: class path resource [invalid-mcp.yml] - 6:24
						    Reason: Cannot resolve the placeholder ${WEATHER_TOKEN}. Set WEATHER_TOKEN, for example as an environment variable, or add a default: ${WEATHER_TOKEN:...}.

						    Property: mcp.servers.weather.url
						    Origin: class path resource [invalid-mcp.yml] - 4:12
						    Reason: The URL must begin with http:// or https://.

						    Property: mcp.servers.files
						    Origin: class path resource [invalid-mcp.yml] - 10:11
						    Reason: Neither 'url' (for a server over HTTP) nor 'command' (for a child process) is set.

						Action:

						Update your application's configuration. To disable a server, set its property 'enabled' to false."""
					.lines()
					.toList());
		assertThat(output).doesNotContain("s3cr3t");
	}

	static class Application {

		@Bean
		Object definitions(ConfigurableEnvironment environment) {
			return List.copyOf(ConfiguredDefinitions.of(environment, TestEnvironment.TYPES));
		}

	}

}
