package io.github.mcpclient.integration.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.management.McpServerOrigin;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * An application with the file of another client.
 */
@ExtendWith(OutputCaptureExtension.class)
class ImportedServersTests {

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void fileOfADesktopUserIsEnough() throws IOException {
		Path file = Files.createTempFile(Path.of("/tmp"), "notes", ".txt");
		// where the build has put the servers, so that npx has no need of a network
		String folder = "mcp.defaults.working-directory=" + Peers.folder();
		afterTest(() -> Files.delete(file));
		ClientApplication application = ClientApplication.start(folder, "mcp.defaults.env.npm_config_offline=true",
				"mcp.startup.wait=120s", "mcp.defaults.initialization-timeout=120s",
				"spring.config.import=mcp:classpath:mcp-json/desktop/claude_desktop_config.json");
		Files.writeString(file, "first line");
		assertThat(application.state("everything")).isEqualTo(McpServerState.READY);
		assertThat(application.state("filesystem")).isEqualTo(McpServerState.READY);
		assertThat(application.text("everything_echo", Map.of("message", "hello"))).isEqualTo("Echo: hello");
		assertThat(application.text("filesystem_read_text_file", Map.of("path", file.toString())))
			.isEqualTo("first line");
	}

	@Test
	void malformedFileFailsTheStart(@TempDir Path directory, CapturedOutput output) throws IOException {
		Path file = Files.writeString(directory.resolve("mcp.json"), """
				{
				  "mcpServers": {
				    "fs": {"command": "npx", "env": {"TOKEN": s3cr3t}}
				  }
				}
				""");
		assertThatThrownBy(() -> ClientApplication.start("spring.config.import=optional:mcp:" + file))
			.hasMessage("Cannot import MCP servers from 'optional:mcp:" + file
					+ "' (line 3, column 47): This is not JSON: names and strings are in double quotation marks, and "
					+ "commas between values.");
		assertThat(output.toString().lines().map(String::stripTrailing)).containsSequence("APPLICATION FAILED TO START",
				"***************************", "", "Description:", "",
				"The MCP servers of 'optional:mcp:" + file + "' cannot be imported:", "",
				"    File: file [" + file + "], line 3, column 47",
				"    Reason: This is not JSON: names and strings are in double quotation marks, and commas between values.",
				"", "Action:", "", "Update the file, or remove it from 'spring.config.import'.");
		assertThat(output).doesNotContain("s3cr3t");
	}

	@Test
	void missingOptionalFileMeansNoServers(@TempDir Path directory, CapturedOutput output) {
		try (ClientApplication application = ClientApplication
			.start("spring.config.import=optional:mcp:${MCP_CONFIG_PATH:" + directory.resolve("mcp.json") + "}")) {
			assertThat(application.registry().servers()).isEmpty();
		}
		assertThatThrownBy(() -> ClientApplication.start("spring.config.import=mcp:" + directory.resolve("mcp.json")))
			.isInstanceOf(ConfigDataResourceNotFoundException.class);
		assertThat(output).contains("Config data resource 'file [" + directory.resolve("mcp.json")
				+ "]' via location 'mcp:" + directory.resolve("mcp.json") + "' does not exist");
	}

	@Test
	void whatIsOddIsLogged(@TempDir Path directory, CapturedOutput output) throws IOException {
		Path file = Files.writeString(directory.resolve("mcp.json"), """
				{"mcpServers": {"off": {"url": "https://h/mcp", "disabled": true, "hue": "s3cr3t", "autoApprove": []},
				"none": null}, "numStartups": 7}""");
		try (ClientApplication application = ClientApplication.start("spring.config.import=mcp:" + file,
				"logging.level.io.github.mcpclient.internal.mcpjson=debug")) {
			assertThat(application.state("off")).isEqualTo(McpServerState.DISABLED);
			assertThat(application.manager().server("off").origin().kind()).isEqualTo(McpServerOrigin.Kind.IMPORTED);
			assertThat(application.manager().server("off").origin().location()).contains("mcp.json");
		}
		String log = output.toString();
		assertThat(log).contains("MCP server 'off' of file [" + file + "] (line 1): Not used: hue")
			.contains("MCP server 'none' of file [" + file + "] (line 2): It is ignored, since it is not an object.")
			.contains("Not used of file [" + file + "]: numStartups")
			.doesNotContain("s3cr3t");
	}

}
