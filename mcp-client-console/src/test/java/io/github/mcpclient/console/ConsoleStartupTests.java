package io.github.mcpclient.console;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for applications with the console that cannot start.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConsoleStartupTests {

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aMistakeInTheConfigurationIsReportedOnce(WebApplicationType type, CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> ConsoleApplication.run(type, new Class<?>[0], "mcp.servers.demo.url=nothing",
					ConsoleApplication.WITHOUT_SECURITY))
			.havingRootCause()
			.isInstanceOf(InvalidMcpConfigurationException.class);
		assertThat(output.getAll()).contains("APPLICATION FAILED TO START")
			.doesNotContain("Error starting Tomcat context");
	}

}
