package io.github.mcpclient.internal.mcpjson;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the files of other clients give the servers that those clients have.
 */
@ExtendWith(OutputCaptureExtension.class)
class McpJsonFixturesTests {

	private static final URI URL = URI.create("https://h/mcp");

	private static final String PROJECT = ImportingEnvironment.fixture("04-vscode").toString();

	static Stream<Fixture> fixtures() {
		return Stream.of(
				new Fixture("01-claude-desktop/claude_desktop_config.json", stdio("fs", "npx", "-y", "srv", "/data")),
				new Fixture("02-claude-code/.mcp.json",
						http("api", "streamable-http", URL).headers(Map.of("Authorization", "Bearer t"))
							.requestTimeout(seconds(60))),
				new Fixture("03-cursor/.cursor/mcp.json", http("c", "streamable-http", URL).typeInferred(true)
					.auth((auth) -> auth.oauth2((oauth2) -> oauth2.clientId("id").clientSecret("t").scopes("a", "b")))),
				new Fixture("04-vscode/.vscode/mcp.json",
						stdio("v", "node", PROJECT + "/s.js").env(Map.of("F", "from the file", "K", "s", "N", "1"))
							.secrets(Set.of("s"))),
				new Fixture("05-windsurf/mcp_config.json",
						http("w", "sse", URI.create("https://h/sse")).enabled(false)
							.headers(Map.of("A", "${NOPE}"))
							.toolFilter(List.of("*", "!rm"))),
				new Fixture("06-opencode-v1/opencode.json",
						stdio("l", "bun", "x", "s").typeInferred(false)
							.enabled(false)
							.env(Map.of("A", "t"))
							.requestTimeout(seconds(5)),
						http("r", "streamable-http", URL).typeInferred(true)),
				new Fixture("07-opencode-v2/mcp.json",
						stdio("l", "s").typeInferred(false)
							.enabled(false)
							.requestTimeout(seconds(30))
							.initializationTimeout(seconds(9))),
				new Fixture("08-cline/mcp.json", http("k", "streamable-http", URL).requestTimeout(seconds(120))),
				new Fixture("09-roo/.roo/mcp.json",
						http("o", "sse", URI.create("https://h/x")).requestTimeout(seconds(60))
							.toolFilter(List.of("*", "!d\\*")))
					.tells("'o'",
							"(line 6): A timeout of 60000 is read as milliseconds, since it would be "
									+ "longer than an hour in seconds."),
				new Fixture("10-zed/settings.json", stdio("z", "z", "a").env(Map.of("E", "1"))),
				new Fixture("11-gemini/settings.json",
						http("g", "streamable-http", URL).headers(Map.of("X", "t"))
							.requestTimeout(seconds(30))
							.toolFilter(List.of("!*", "a", "b", "!b")),
						stdio("g2", "s").enabled(false)),
				new Fixture("12-copilot/mcp.json", stdio("p", "npx", "s").typeInferred(false).env(Map.of("K", "1"))),
				new Fixture("14-sep/mcp.json", http("s", "streamable-http", URL).headers(Map.of("H", "x")))
					.tells("'bad'", "(line 8): It is ignored, since it is not an object."));
	}

	@ParameterizedTest
	@MethodSource("fixtures")
	void fileGivesServers(Fixture fixture, CapturedOutput output) {
		assertThat(definitions(fixture.file)).containsExactlyElementsOf(fixture.definitions);
		List<String> warnings = output.toString().lines().filter((line) -> line.contains("WARN")).toList();
		if (fixture.warning != null) {
			assertThat(warnings).singleElement()
				.asString()
				.contains("MCP server " + fixture.subject + " of file [")
				.endsWith("] " + fixture.warning);
		}
		else {
			assertThat(warnings).isEmpty();
		}
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void windowsShellIsUnwrappedAndLiteralsStay(CapturedOutput output) {
		assertThat(definitions("13-windows/mcp.json")).containsExactly(
				stdio("my.srv-x", "npx", "s").env(Map.of("PW", "a$TOKEN", "D", "C:\\d\\${config:q}")).build());
		assertThat(output).contains("MCP server 'my.srv x' of file [")
			.contains("(line 3): Its name is 'my.srv-x' here.")
			.contains("(line 4): The command is run without 'cmd /c', since this is not Windows.")
			.contains("(line 8): env[D] has a ${...} of an unknown kind, which is unchanged.");
	}

	@Test
	void classpathAndFileUrlsAreImported() {
		String file = ImportingEnvironment.fixture("01-claude-desktop/claude_desktop_config.json").toUri().toString();
		for (String location : List.of("mcp:classpath:mcp-json/01-claude-desktop/claude_desktop_config.json",
				"mcp:" + file, "mcp:src/test/resources/mcp-json/01-claude-desktop/claude_desktop_config.json",
				"mcp:file:src/test/resources/mcp-json/01-claude-desktop/claude_desktop_config.json",
				"optional:mcp:classpath:mcp-json/01-claude-desktop/claude_desktop_config.json",
				"optional:mcp:${MCP_CONFIG_PATH:" + file + "}")) {
			assertThat(new ImportingEnvironment(location).definitions()).as(location)
				.containsExactly(stdio("fs", "npx", "-y", "srv", "/data").build());
		}
	}

	private static List<McpServerDefinition> definitions(String file) {
		return ImportingEnvironment.ofFixture(file)
			.variable("TOKEN", "t")
			.variable("COPILOT_MCP_K", "1")
			.variable("MCP_INPUTS_KEY", "s")
			.definitions();
	}

	private static McpServerDefinitionBuilder stdio(String name, String command, String... args) {
		return McpServerDefinition.stdio(name, command, args).typeInferred(true);
	}

	private static McpServerDefinitionBuilder http(String name, String type, URI url) {
		return McpServerDefinition.of(name, type).url(url);
	}

	private static Duration seconds(long seconds) {
		return Duration.ofSeconds(seconds);
	}

	/**
	 * A file and what it gives.
	 *
	 * @param warning the warning that is logged, or {@code null} for none
	 */
	record Fixture(String file, List<McpServerDefinition> definitions, String subject, String warning) {

		Fixture(String file, McpServerDefinitionBuilder... definitions) {
			this(file, Stream.of(definitions).map(McpServerDefinitionBuilder::build).toList(), null, null);
		}

		Fixture tells(String subject, String warning) {
			return new Fixture(this.file, this.definitions, subject, warning);
		}

		@Override
		public String toString() {
			return this.file;
		}

	}

}
