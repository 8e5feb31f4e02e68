package io.github.mcpclient.config;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.env.PropertySourceInfo;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which servers {@link McpServersConfig} finds, by which names, and in which order.
 */
class McpServersConfigNamesTests {

	private static final String THREE = """
			mcp:
			  servers:
			    zeta:
			      url: https://zeta.example/mcp
			    my-server:
			      url: https://mine.example/mcp
			      headers:
			        X-Api-Key: one
			    alpha:
			      command: alpha
			""";

	@Test
	void aNameThatYamlReadsAsATruthValueIsToBeQuoted() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp.servers:
				  on: {url: 'https://a.example', request-timeout: 5s}
				  No: {command: java}
				  good: {command: java, env: {YES: 1}}
				mcp.defaults.headers: {off: x}
				mcp.selections: {yes: ['*']}
				""");
		String on = "YAML reads on, yes and true without quotes as the value true. Write the name in quotes.";
		String off = "YAML reads off, no and false without quotes as the value false. Write the name in quotes.";
		assertThat(environment.mistakes()).containsExactly("mcp.servers[true]: " + on, "mcp.servers[false]: " + off,
				"mcp.servers.good.env[true]: " + on, "mcp.defaults.headers[false]: " + off,
				"mcp.selections[true]: " + on);
		assertThat(environment.problems().get(0).origin()).hasToString("application.yml - 2:13");
	}

	@Test
	void aQuotedTruthValueIsAName() {
		assertThat(TestEnvironment.yaml("""
				mcp.servers:
				  'on': {command: java}
				  "true": {command: java, config: {x: true}}
				  "no": {command: java, env: {'YES': true}}
				""").names()).containsExactly("on", "true", "no");
	}

	@Test
	void serversAreInTheOrderOfDeclaration() {
		assertThat(TestEnvironment.yaml(THREE).names()).containsExactly("zeta", "my-server", "alpha");
	}

	@Test
	void withoutServersThereAreNone() {
		assertThat(new TestEnvironment().names()).isEmpty();
		assertThat(TestEnvironment.yaml("mcp:\n  servers: {}").names()).isEmpty();
		assertThat(TestEnvironment.yaml("mcp:\n  servers:").names()).isEmpty();
		assertThat(TestEnvironment.yaml("mcp:").names()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "MCP_SERVERS_MYSERVER_URL", "MCP_SERVERS_MY_SERVER_URL", "mcp_servers_my_server_url",
			"mcp.servers.my-server.url" })
	void variableOverridesAndMovesNothing(String variable) {
		TestEnvironment environment = TestEnvironment.yaml(THREE).variable(variable, "https://other.example/mcp");
		assertThat(environment.names()).containsExactly("zeta", "my-server", "alpha");
		assertThat(url(environment, "my-server")).isEqualTo("https://other.example/mcp");
	}

	@Test
	void variableOverridesServerOfTheArguments() {
		TestEnvironment environment = TestEnvironment.yaml(THREE)
			.arguments(Map.of("mcp.servers.late-one.command", "late"))
			.variable("MCP_SERVERS_LATE_ONE_ENABLED", "false");
		assertThat(environment.names()).containsExactly("zeta", "my-server", "alpha", "late-one");
		assertThat(environment.definition("late-one").enabled()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "my-server, myServer", "my-server, my_server", "myServer, my-server", "my_server, MY-SERVER",
			"myserver, my-server", "'[my-server]', my-server", "my-server, '[my-server]'", "'[a.b]', a-b",
			"a_b, '[a.b]'" })
	void spellingsOfOneNameAreOneServer(String spelling, String other) {
		String name = spelling.replace("[", "").replace("]", "");
		TestEnvironment environment = new TestEnvironment().file("application-dev.yml", """
				mcp:
				  servers:
				    new: { command: new }
				    "%s": { url: https://dev.example/mcp }
				""".formatted(other)).file("application.yml", """
				mcp:
				  servers:
				    "%s":
				      url: https://example/mcp
				      request-timeout: 5s
				    last: { command: last }
				""".formatted(spelling));
		assertThat(environment.names()).containsExactly(name, "last", "new");
		assertThat(url(environment, name)).isEqualTo("https://dev.example/mcp");
		assertThat(environment.definition(name).timeouts().request()).hasSeconds(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "my-server", "my_server", "myServer", "MyServer", "MYSERVER", "'[my.server]'",
			"'[my-server]'" })
	void variableFindsServerWhateverItsSpelling(String spelling) {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp: { servers: { %s: { command: a } } }".formatted(spelling))
			.variable("MCP_SERVERS_MYSERVER_COMMAND", "b");
		assertThat(environment.definitions()).singleElement()
			.extracting((definition) -> definition.stdio().command())
			.isEqualTo("b");
	}

	@Test
	void laterDocumentOverridesAndMovesNothing() {
		TestEnvironment environment = TestEnvironment.yaml(THREE + """
				---
				mcp:
				  servers:
				    alpha: { enabled: false }
				    added: { command: added }
				    zeta: { request-timeout: 1s }
				""");
		assertThat(environment.names()).containsExactly("zeta", "my-server", "alpha", "added");
		assertThat(environment.definition("alpha").enabled()).isFalse();
		assertThat(environment.definition("zeta").timeouts().request()).hasSeconds(1);
	}

	@Test
	void serversOfVariablesAloneAreLastAndByName() {
		TestEnvironment environment = TestEnvironment.yaml(THREE)
			.variable("MCP_SERVERS_WEATHER_URL", "https://weather.example/mcp")
			.variable("MCP_SERVERS_WEATHER_REQUEST_TIMEOUT", "7s")
			.variable("MCP_SERVERS_FILES_COMMAND", "files")
			.variable("MCP_SERVERS_FILES_ARGS_0", "-v")
			.variable("MCP_SERVERS_FILES_ARGS_1", "/data")
			.variable("MCP_SERVERS_FILES_RECONNECT_INITIAL_DELAY", "3s");
		assertThat(environment.names()).containsExactly("zeta", "my-server", "alpha", "files", "weather");
		assertThat(environment.definition("weather").timeouts().request()).hasSeconds(7);
		McpServerDefinition files = environment.definition("files");
		assertThat(files.stdio().args()).containsExactly("-v", "/data");
		assertThat(files.reconnect().initialDelay()).hasSeconds(3);
	}

	@Test
	void variablesOfKubernetesServicesAreNoServers() {
		TestEnvironment environment = TestEnvironment.yaml(THREE)
			.variable("MCP_SERVERS_SERVICE_HOST", "10.0.0.1")
			.variable("MCP_SERVERS_SERVICE_PORT", "80")
			.variable("MCP_SERVERS_SERVICE_PORT_HTTP", "80")
			.variable("MCP_SERVERS_PORT", "tcp://10.0.0.1:80")
			.variable("MCP_SERVERS_PORT_80_TCP", "tcp://10.0.0.1:80")
			.variable("MCP_SERVERS_PORT_80_TCP_PROTO", "tcp");
		assertThat(environment.names()).containsExactly("zeta", "my-server", "alpha");
	}

	@Test
	void variablesOfOneServerDoNotHideAnother() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp:
				  servers:
				    github: { command: a }
				    github-tools: { command: b }
				""").variable("MCP_SERVERS_GITHUB_TOOLS_MAX", "5").variable("MCP_SERVERS_GITHUB_TOOLS_COMMAND", "c");
		assertThat(environment.definition("github").limits().maxTools()).isEqualTo(5);
		assertThat(environment.definition("github-tools").stdio().command()).isEqualTo("c");
		assertThat(environment.definition("github-tools").limits().maxTools()).isEqualTo(1000);
	}

	@Test
	void argumentsWinOverVariablesAndFiles() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("mcp.servers.brandNew.command", "new");
		arguments.put("mcp.servers.alpha.command", "argument");
		TestEnvironment environment = TestEnvironment.yaml(THREE)
			.variable("MCP_SERVERS_ALPHA_COMMAND", "variable")
			.arguments(arguments);
		assertThat(environment.names()).containsExactly("zeta", "my-server", "alpha", "brandNew");
		assertThat(environment.definition("alpha").stdio().command()).isEqualTo("argument");
	}

	@Test
	void sourceThatCannotListIsAsked() {
		TestEnvironment environment = TestEnvironment.yaml(THREE).source(new PropertySource<>("vault", new Object()) {

			@Override
			public Object getProperty(String name) {
				return name.equals("mcp.servers.my-server.url") ? "https://vault.example/mcp" : null;
			}

		});
		assertThat(environment.names()).containsExactly("zeta", "my-server", "alpha");
		assertThat(url(environment, "my-server")).isEqualTo("https://vault.example/mcp");
	}

	@Test
	void nameWithDotIsWrittenInBrackets() {
		TestEnvironment environment = TestEnvironment.yaml("mcp: { servers: { '[a.b]': { command: x } } }")
			.variable("MCP_SERVERS_A_B_REQUIRED", "true");
		assertThat(environment.definitions()).singleElement().satisfies((definition) -> {
			assertThat(definition.name()).isEqualTo("a.b");
			assertThat(definition.required()).isTrue();
		});
	}

	@Test
	void propertiesShowTheSameServers() {
		TestEnvironment environment = TestEnvironment.yaml(THREE)
			.variable("MCP_SERVERS_MYSERVER_URL", "https://other.example/mcp");
		Map<String, McpServerProperties> servers = environment.config().properties().servers();
		assertThat(servers.keySet()).containsExactlyElementsOf(environment.names());
		assertThat(servers.get("my-server").url()).isEqualTo("https://other.example/mcp");
		assertThat(servers.get("my-server").headers()).isEqualTo(Map.of("X-Api-Key", "one"));
	}

	@Test
	void prefixOfVariablesIsRespected() {
		TestEnvironment environment = TestEnvironment.yaml(THREE)
			.source(new PrefixedVariables("my-app",
					Map.of("MY_APP_MCP_SERVERS_ALPHA_COMMAND", "right", "MCP_SERVERS_ZETA_URL", "https://wrong/")));
		assertThat(environment.definition("alpha").stdio().command()).isEqualTo("right");
		assertThat(url(environment, "zeta")).isEqualTo("https://zeta.example/mcp");
	}

	private static String url(TestEnvironment environment, String server) {
		return environment.definition(server).http().url().toString();
	}

	private static final class PrefixedVariables extends SystemEnvironmentPropertySource implements PropertySourceInfo {

		private final String prefix;

		PrefixedVariables(String prefix, Map<String, Object> variables) {
			super("prefixed-systemEnvironment", variables);
			this.prefix = prefix;
		}

		@Override
		public String getPrefix() {
			return this.prefix;
		}

	}

}
