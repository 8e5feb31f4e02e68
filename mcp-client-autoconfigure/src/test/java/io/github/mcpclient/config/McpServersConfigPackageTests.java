package io.github.mcpclient.config;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for packages in {@link McpServersConfig}.
 */
@ExtendWith(OutputCaptureExtension.class)
class McpServersConfigPackageTests {

	private final Map<String, Object> properties = new LinkedHashMap<>();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			npm:@scope/name@1.0       | npx -y @scope/name@1.0 one two
			npm:name                  | npx -y name one two
			pypi:name@1.0             | uvx name@1.0 one two
			pypi:name==1.0            | uvx name@1.0 one two
			oci:ghcr.io/me/name:1.0   | docker run -i --rm --init ghcr.io/me/name:1.0 one two
			""")
	void aPackageIsACommand(String value, String command) {
		this.properties.put("mcp.servers.test.package", value);
		this.properties.put("mcp.servers.test.args", "one,two");
		assertThat(command()).isEqualTo(command);
	}

	@Test
	void containersHaveLimits() {
		this.properties.put("mcp.servers.test.package", "oci:image:1");
		this.properties.put("mcp.servers.test.memory", "1KB");
		this.properties.put("mcp.servers.test.network", "none");
		assertThat(command()).endsWith("--init --memory=1024b --network=none image:1");
	}

	@Test
	void runtimesHaveCommandsOfTheirOwn() {
		this.properties.put("mcp.runtimes.npm.command", "/opt/npx,--registry,http://mirror");
		this.properties.put("mcp.servers.test.package", "npm:name@1");
		assertThat(command()).isEqualTo("/opt/npx --registry http://mirror -y name@1");
	}

	@Test
	void aCommandOfARuntimeHasText() {
		this.properties.put("mcp.runtimes.npm.command", " ");
		this.properties.put("mcp.servers.test.package", "npm:name@1");
		assertThatExceptionOfType(InvalidMcpConfigurationException.class).isThrownBy(this::command)
			.withMessageContaining("mcp.runtimes.npm.command: The command is empty.")
			.withMessageNotContaining("A package consists of");
	}

	@ParameterizedTest
	@CsvSource({ "npm:name, true", "npm:@scope/name, true", "npm:name@latest, true", "npm:@scope/name@1.0, false",
			"pypi:name, true", "pypi:name==1, false", "oci:host:5000/name, true", "oci:name:latest, true",
			"oci:host:5000/name:1, false", "oci:name@sha256:0123, false" })
	void aPackageWithoutAVersionIsAWarning(String value, boolean warning, CapturedOutput output) {
		this.properties.put("mcp.servers.test.package", value);
		command();
		assertThat(output.toString().contains("mcp.servers.test.package has no version")).isEqualTo(warning);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					package=npm:a@1,command=a          | mcp.servers.test.package: Both 'package' and 'command' are set. Remove one of them.
					package=a@1,command=a              | mcp.servers.test.package: Both 'package' and 'command' are set. Remove one of them.
					package=npm:a@1,command=a,url=http | Both 'url' (for a server over HTTP) and 'command'
					package=npm:a@1,url=http://a       | Both 'url' (for a server over HTTP) and 'package'
					package=npm:a@1,url=ws://a,type=ws | mcp.servers.test.package: This is for child processes
					package=a@1                        | mcp.servers.test.package: A package consists of npm:, pypi: or oci:
					package=npm:-a,type=stdio          | mcp.servers.test.package: A package consists of npm:, pypi: or oci:
					package=                           | mcp.servers.test.package: The package is empty.
					package=npm:a@1,network=none       | mcp.servers.test.network: This property applies only to packages that begin with oci:.
					command=a,memory=1MB               | mcp.servers.test.memory: This property applies only to packages that begin with oci:.
					package=npm:a@1,headers.X=y        | the type is stdio (inferred from its package)
					""")
	void mistakes(String settings, String message) {
		for (String setting : settings.split(",")) {
			this.properties.put("mcp.servers.test." + setting.split("=", 2)[0], setting.split("=", 2)[1]);
		}
		assertThatExceptionOfType(InvalidMcpConfigurationException.class).isThrownBy(this::command)
			.withMessageContaining(message);
	}

	@Test
	void thereIsNoPackageForAllServersAndNoOtherRuntime(CapturedOutput output) {
		this.properties.put("mcp.servers.test.package", "oci:a:1");
		this.properties.put("mcp.runtimes.cargo.command", "cargo");
		this.properties.put("mcp.defaults.package", "npm:a@1");
		assertThat(command()).isEqualTo("docker run -i --rm --init a:1");
		assertThat(output).contains("mcp.runtimes.cargo").contains("mcp.defaults.package");
	}

	@Test
	void packageAndCommandOfAServerOverHttpAreMisplaced() {
		assertThat(
				TestEnvironment.yaml("mcp.servers.a: { type: http, url: 'https://a/', command: x, package: 'npm:y' }")
					.mistakes())
			.containsExactly("mcp.servers.a.command: This is for child processes, but the type is streamable-http.",
					"mcp.servers.a.package: This is for child processes, but the type is streamable-http.");
	}

	private String command() {
		MockEnvironment environment = new MockEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", this.properties));
		McpServerDefinition definition = ConfiguredDefinitions.of(environment, TestEnvironment.TYPES).get(0);
		assertThat(definition.type()).isEqualTo(McpServerDefinition.STDIO);
		assertThat(definition.stdio().packageName()).isEqualTo(this.properties.get("mcp.servers.test.package"));
		return definition.stdio().command() + " " + String.join(" ", definition.stdio().args());
	}

}
