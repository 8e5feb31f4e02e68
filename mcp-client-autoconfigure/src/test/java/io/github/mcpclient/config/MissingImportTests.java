package io.github.mcpclient.config;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link MissingImport}: the module that imports files is not on the class path
 * of these tests.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingImportTests {

	@ParameterizedTest
	@ValueSource(strings = { "mcp:/data/mcp.json", "mcp:mcp.json", "optional:mcp:mcp.json", "mcp:classpath:mcp.json",
			"optional:mcp:file:/data/mcp.json", "optional:mcp:servers.yaml", "optional:mcp:", "mcp:.cursor/",
			"optional:mcp:a.json;optional:mcp:b.json" })
	void startFailsWithTheDependencyToAdd(String location, CapturedOutput output) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(MissingImportTests.class)
			.web(WebApplicationType.NONE);
		assertThatThrownBy(() -> application.run("--spring.config.name=none", "--spring.config.import=" + location))
			.isInstanceOf(InvalidMcpConfigurationException.class);
		assertThat(output.toString().lines()).containsSequence("Description:", "",
				"Invalid MCP server configuration (1 error):", "", "    Property: spring.config.import",
				"    Reason: The import of '" + location + "' requires a module that is not on the classpath. "
						+ "Add the dependency io.github.mcpclient:mcp-client-import, or remove the import.");
	}

}
