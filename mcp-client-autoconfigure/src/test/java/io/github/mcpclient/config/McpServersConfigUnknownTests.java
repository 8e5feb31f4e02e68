package io.github.mcpclient.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what {@link McpServersConfig} says of properties that do not exist, and of those
 * that are hardly meant as they are written.
 */
@ExtendWith(OutputCaptureExtension.class)
class McpServersConfigUnknownTests {

	private static final String IGNORED = "Ignored, since there are no such properties: ";

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			servers.a.tools.acess: read-only | mcp.servers.a.tools.acess | access
			servers.a.requird: true          | mcp.servers.a.requird     | required
			servers.a.tools.fliter: [ a ]    | mcp.servers.a.tools.fliter[0] | filter
			servers.a.comand: b              | mcp.servers.a.comand      | command
			servers.a.request_timout: 5s     | mcp.servers.a.request_timout | request-timeout
			defaults.reconect.jitter: 1      | mcp.defaults.reconect.jitter | reconnect
			startup.mod: lazy                | mcp.startup.mod           | mode
			startup.wiat: 5s                 | mcp.startup.wiat          | wait
			tools.acces: all                 | mcp.tools.acces           | access
			import.allow-stdoi: false        | mcp.import.allow-stdoi    | allow-stdio
			observations.max-name: 9         | mcp.observations.max-name | max-names
			servers.a.timeout: 60            | mcp.servers.a.timeout     | request-timeout
			servers.a.disabled: true         | mcp.servers.a.disabled    | enabled (the other way round)
			servers.a.transport: http        | mcp.servers.a.transport   | type
			servers.a.filter: x              | mcp.servers.a.filter      | tools.filter
			servers.a.auth.token: x          | mcp.servers.a.auth.token  | auth.bearer.token
			servers.a.tools.include: x       | mcp.servers.a.tools.include | tools.filter
			'servers.a.tools.exclude: [x]'   | mcp.servers.a.tools.exclude[0] | tools.filter
			'servers.a.tools.rules: [ { tools: x, timeuot: 1s } ]' | mcp.servers.a.tools.rules[0].timeuot | timeout
			servers.a.oauth.clientId: x      | mcp.servers.a.oauth.clientId | auth.oauth2
			defaults.timeout: 60             | mcp.defaults.timeout      | request-timeout
			""")
	void inFileIsMistakeWithNearestName(String yaml, String property, String nearest) {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a.command: a\nmcp:\n  " + yaml);
		assertThat(environment.problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo(property);
			assertThat(problem.message()).isEqualTo("There is no such property. Did you mean " + nearest + "?");
			assertThat(problem.origin().toString()).startsWith("application.yml - 3:");
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			server.name: mine                | mcp.server.name           | mcp.servers
			observation.max-names: 9         | mcp.observation.max-names | mcp.observations
			server.b.url: https://b/         | mcp.server.b.url          | mcp.servers
			default.request-timeout: 5s      | mcp.default.request-timeout | mcp.defaults
			startup-wait: 5s                 | mcp.startup-wait          | mcp.startup.wait
			startupMode: lazy                | mcp.startupMode           | mcp.startup.mode
			timeout: 5s                      | mcp.timeout               | mcp.defaults.request-timeout
			request-timeout: 5s              | mcp.request-timeout       | mcp.defaults.request-timeout
			reconnect.enabled: false         | mcp.reconnect.enabled     | mcp.defaults.reconnect.enabled
			""")
	void besideOurSectionsMayBeOfTheApplication(String yaml, String property, String nearest, CapturedOutput output) {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a.command: a\nmcp:\n  " + yaml);
		assertThat(environment.definitions()).hasSize(1);
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.endsWith(IGNORED + property + " (did you mean " + nearest + "?)");
	}

	@Test
	void ofTheConsoleNeedsItsModule(CapturedOutput output) {
		assertThat(TestEnvironment.yaml("mcp.servers.a.command: a\nmcp.console.access: unrestricted").problems())
			.isEmpty();
		assertThat(output.getOut()).contains("Add the dependency io.github.mcpclient:mcp-client-console");
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio.connections.a.command: a", "sse.connections.a.url: https://a",
			"streamableHttp.connections.a.url: https://a" })
	void ofSpringAiNeedItsClientWhereNoneOfOursIs(String connection, CapturedOutput output) {
		String yaml = "spring.ai.mcp.client:\n  " + connection;
		assertThat(TestEnvironment.yaml(yaml).definitions()).isEmpty();
		assertThat(warnings(output)).singleElement().asString().contains("spring.ai.mcp.client", "docs/migration.md");
		assertThat(TestEnvironment.yaml(yaml + "\nmcp.servers.a.command: a").definitions()).hasSize(1);
		assertThat(TestEnvironment.yaml("spring.ai.mcp.client.name: a").definitions()).isEmpty();
		assertThat(warnings(output)).hasSize(1);
	}

	@Test
	void ofSpringAiMayBeVariables(CapturedOutput output) {
		assertThat(new TestEnvironment()
			.variable("SPRING_AI_MCP_CLIENT_STREAMABLE_HTTP_CONNECTIONS_A_URL", "https://s3cr3t")
			.definitions()).isEmpty();
		assertThat(warnings(output)).singleElement().asString().contains("docs/migration.md").doesNotContain("s3cr3t");
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("WARN")).toList();
	}

	@Test
	void onCommandLineIsMistake() {
		assertThat(new TestEnvironment()
			.arguments(Map.of("mcp.servers.a.command", "a", "mcp.servers.a.frobnicate", "s3cr3t"))
			.mistakes()).containsExactly("mcp.servers.a.frobnicate: There is no such property.");
	}

	@Test
	void isReportedTogetherWithOtherMistakes() {
		assertThat(TestEnvironment.yaml("mcp.servers: { a: { comand: a }, b: { url: 'ftp://b/', requird: true } }")
			.problems()).extracting(Problem::property)
			.containsExactly("mcp.servers.a.comand", "mcp.servers.a", "mcp.servers.b.requird", "mcp.servers.b.url");
	}

	@ParameterizedTest
	@ValueSource(strings = { "url: https://a/", "command: a" })
	void targetOfAllServersIsMistake(String target) {
		assertThat(TestEnvironment.yaml("mcp.servers.b.command: b\nmcp.defaults:\n  " + target).problems())
			.singleElement()
			.satisfies((problem) -> assertThat(problem.property())
				.isEqualTo("mcp.defaults." + target.substring(0, target.indexOf(':'))));
	}

	@Test
	void elsewhereIsOneWarning(CapturedOutput output) {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp.servers: { a: { command: a }, spare: { enabled: false, comand: a } }")
			.variable("MCP_SERVERS_A_TOOLS_ACESS", "s3cr3t")
			.variable("MCP_SERVERS_B_COMAND", "s3cr3t")
			.variable("MCP_DEFAULTS_TIMEOUT", "s3cr3t")
			.source(new MapPropertySource("vault", Map.of("mcp.servers.a.acess", "s3cr3t")));
		assertThat(environment.definitions()).hasSize(2);
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains(IGNORED, "MCP_SERVERS_A_TOOLS_ACESS", "MCP_SERVERS_B_COMAND", "MCP_DEFAULTS_TIMEOUT",
					"mcp.servers.a.acess", "mcp.servers.spare.comand (did you mean command?)")
			.doesNotContain("s3cr3t");
	}

	@Test
	void manyAreOneShortWarning(CapturedOutput output) {
		TestEnvironment environment = new TestEnvironment();
		for (int i = 0; i < 100; i++) {
			environment.variable("MCP_DEFAULTS_X" + i, "x");
		}
		assertThat(environment.definitions()).isEmpty();
		assertThat(output).contains(IGNORED).contains(" and 90 more").doesNotContain("X99");
	}

	@Test
	void whatKubernetesSetsForServicesIsNeverMentioned(CapturedOutput output) {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.x.command: a");
		for (String service : List.of("MCP_SERVERS", "MCP_SERVER", "MCP_SERVERS_X", "MCP_DEFAULTS", "MCP_STARTUP")) {
			for (String suffix : List.of("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_80_TCP",
					"PORT_80_TCP_PROTO", "PORT_80_TCP_PORT", "PORT_80_TCP_ADDR")) {
				environment.variable(service + "_" + suffix, "10.0.0.1");
			}
		}
		assertThat(environment.names()).containsExactly("x");
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void whatIsOfTheApplicationIsNotMentionedUnlessItIsOneEditAway(CapturedOutput output) {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp: { mine: { url: x }, inputs.a: b, spring-ai.enabled: true }");
		assertThat(environment.definitions()).isEmpty();
		assertThat(output).doesNotContain("WARN");
		environment.variable("MCP_TIMEOUT", "5s").variable("MCP_STARTUP_WAIT", "1s");
		environment.source(new MapPropertySource("vault", Map.of("mcp.server.a.url", "https://a/")));
		assertThat(environment.definitions()).isEmpty();
		assertThat(output).contains(IGNORED + "mcp.server.a.url (did you mean mcp.servers?)");
	}

	@Test
	void freeNamesAndRelaxedSpellingsAreKnown(CapturedOutput output) {
		TestEnvironment environment = TestEnvironment
			.yaml("""
					mcp.servers.a: { URL: 'https://a/', headers: { X-Any: x }, config: { any: { x: y } }, options: { any: x },
					  requestTimeout: 5s, SSE_READ_TIMEOUT: 6s, tools: { AllowOpenWorld: true } }
					""")
			.variable("MCP_SERVERS_A_HEADERS_ANY", "x")
			.variable("MCP_SERVERS_A_SSE_READ_TIMEOUT", "5s")
			.variable("MCP_SERVERS_A_TOOLS_HIDEWHENUNAVAILABLE", "5s");
		assertThat(environment.definition("a").timeouts().request()).hasSeconds(5);
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void clientThatIsSwitchedOffWarns(CapturedOutput output) {
		McpServersConfig.warnOfUnknown(new MockEnvironment().withProperty("mcp.servers.a.comand", "x"));
		assertThat(output).contains(IGNORED + "mcp.servers.a.comand (did you mean command?)");
	}

	@Test
	void nothingConfiguredIsTold(CapturedOutput output) {
		new TestEnvironment().definitions();
		assertThat(output).contains("No MCP servers are configured: set mcp.servers.<name>.url or ");
	}

	@Test
	void listOfServersIsMistakeThatShowsTheMap() {
		assertThat(TestEnvironment.yaml("""
				mcp:
				  servers:
				    - name: github
				      url: https://github.example/mcp
				    - name: other
				      command: s3cr3t
				""").problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("mcp.servers");
			assertThat(problem.message()).contains("servers: { github: { url: ... } }").doesNotContain("s3cr3t");
			assertThat(problem.origin().toString()).startsWith("application.yml - ");
		});
	}

	@Test
	void numberWithoutUnitThatIsHardlyMeantIsWarnedOf(CapturedOutput output) {
		TestEnvironment environment = TestEnvironment.yaml(
				"mcp.servers.a: { command: a, request-timeout: 60, connect-timeout: 300, initialization-timeout: 60ms }");
		assertThat(environment.definition("a").timeouts().request()).hasMillis(60);
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.endsWith("mcp.servers.a.request-timeout is 60 milliseconds, since a number without a unit "
					+ "is in milliseconds. Write 60s for seconds.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			'"-y, @scope/server s3cr3t"' | true
			'"-y,@scope/server"'         | false
			'"-y, @scope/server"'        | false
			'"one text"'                 | true
			'[ "-y", "two words" ]'      | false
			""")
	void argumentsAsOneTextAreWarnedOf(String args, boolean warned, CapturedOutput output) {
		assertThat(TestEnvironment.yaml("mcp.servers.a: { command: a, args: " + args + " }").definitions()).hasSize(1);
		assertThat(output.toString().contains("mcp.servers.a.args is a single string")).isEqualTo(warned);
		assertThat(output).doesNotContain("s3cr3t");
	}

	@ParameterizedTest
	@ValueSource(strings = { "-y @scope/server s3cr3t", " --yes\t@scope/server", "-y @scope/server, s3cr3t" })
	void optionsAsOneTextAreAMistake(String args) {
		TestEnvironment environment = new TestEnvironment()
			.arguments(Map.of("mcp.servers.a.command", "npx", "mcp.servers.a.args", args));
		assertThat(environment.mistakes()).containsExactly("mcp.servers.a.args: This is a single argument that begins "
				+ "with an option: it is not split at spaces. Write a list, with one argument per item.");
	}

	@Test
	void placeholdersThatMultiplyAreBounded() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("mcp.servers.a.command", "${x0}");
		for (int i = 0; i < 37; i++) {
			arguments.put("x" + i, "${x" + (i + 1) + "}${x" + (i + 1) + "}");
		}
		arguments.put("x37", "s3cr3t");
		arguments.put("mcp.servers.b.command", "${x".repeat(5000) + "}".repeat(5000));
		arguments.put("mcp.servers.c.command", "${x28}");
		arguments.put("mcp.servers.d.command", "${".repeat(50_000));
		TestEnvironment environment = new TestEnvironment().arguments(arguments);
		String message = ": The value has more than 1000 placeholders, including nested ones.";
		assertThat(environment.mistakes()).containsExactly("mcp.servers.a.command" + message,
				"mcp.servers.b.command" + message, "mcp.servers.c.command" + message,
				"mcp.servers.d.command" + message);
	}

	@Test
	void longNamesAreRead() {
		String variable = "MCP_SERVERS_A_" + "X_".repeat(20_000);
		String name = "K.".repeat(20_000) + "K";
		TestEnvironment environment = new TestEnvironment().variable(variable, "x")
			.variable("X_".repeat(50_000), "x")
			.arguments(Map.of("mcp.servers.a.command", "x", "mcp.servers.a.env[" + name + "]", "y"));
		assertThat(environment.definition("a").stdio().env()).containsOnlyKeys(name);
	}

}
