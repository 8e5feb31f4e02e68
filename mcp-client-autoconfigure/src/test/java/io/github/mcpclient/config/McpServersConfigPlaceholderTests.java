package io.github.mcpclient.config;

import java.util.Map;

import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how {@link McpServersConfig} resolves placeholders.
 */
class McpServersConfigPlaceholderTests {

	@Test
	void placeholdersAreResolvedEverywhere() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp:
				  servers:
				    http:
				      url: https://${HOST}/mcp
				      headers: { Authorization: "Bearer ${TOKEN}", X-Default: "${NOTHING:none}" }
				      request-timeout: ${TIMEOUT:7s}
				      enabled: ${ENABLED}
				      tools.max: ${MAX}
				    stdio:
				      command: ${HOST}-${NOTHING:${TOKEN}}
				      args: [ "--token=${TOKEN}", "${NOTHING:}", '\\${LITERAL}' ]
				      env: { TOKEN: "${TOKEN}" }
				""").variable("HOST", "example").variable("TOKEN", "t").variable("ENABLED", "yes").variable("MAX", "8");
		McpServerDefinition http = environment.definition("http");
		assertThat(http.http().url()).hasToString("https://example/mcp");
		assertThat(http.http().headers()).isEqualTo(Map.of("Authorization", "Bearer t", "X-Default", "none"));
		assertThat(http.timeouts().request()).hasSeconds(7);
		assertThat(http.limits().maxTools()).isEqualTo(8);
		McpServerDefinition stdio = environment.definition("stdio");
		assertThat(stdio.stdio().command()).isEqualTo("example-t");
		assertThat(stdio.stdio().args()).containsExactly("--token=t", "", "${LITERAL}");
		assertThat(stdio.stdio().env()).isEqualTo(Map.of("TOKEN", "t"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			url: https://${NOTHING}/mcp                                     | url
			{ url: 'https://a/', headers: { X-Key: 's3cr3t ${NOTHING}' } }  | headers.X-Key
			{ url: 'https://a/', headers: { X-Key: '${OTHER:${NOTHING}}' } }| headers.X-Key
			{ url: 'https://a/', headers: { '[a.b]': '${NOTHING}' } }       | headers[a.b]
			{ url: 'https://a/', request-timeout: '${NOTHING}' }            | request-timeout
			{ url: 'https://a/', enabled: '${NOTHING}' }                    | enabled
			{ url: 'https://a/', ssl: { bundle: '${NOTHING}' } }            | ssl.bundle
			command: ${NOTHING}                                             | command
			{ command: a, args: [ b, '--token=s3cr3t${NOTHING}' ] }         | args[1]
			{ command: a, args: 'b,${NOTHING}' }                            | args
			{ command: a, env: { API_KEY: '${NOTHING}' } }                  | env.API_KEY
			{ command: a, working-directory: '${NOTHING}/b' }               | working-directory
			{ command: a, type: '${NOTHING}' }                              | type
			""")
	void placeholderThatNothingResolvesIsReported(String settings, String property) {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a:\n  " + settings);
		assertThat(environment.problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("mcp.servers.a." + property);
			assertThat(problem.message()).isEqualTo("Cannot resolve the placeholder ${NOTHING}. Set NOTHING, for "
					+ "example as an environment variable, or add a default: ${NOTHING:...}.");
			assertThat(problem.origin().toString()).startsWith("application.yml - 2:");
		});
		assertThat(environment.variable("MCP_SERVERS_A_ENABLED", "false").problems()).isEmpty();
	}

	@Test
	void placeholderInValueThatIsOverriddenDoesNotMatter() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp.servers.a: { url: '${NOTHING}', headers: { X-Key: '${NOTHING}' }, request-timeout: '${NOTHING}' }
				""")
			.variable("MCP_SERVERS_A_URL", "https://a.example/mcp")
			.variable("MCP_SERVERS_A_REQUEST_TIMEOUT", "2s")
			.arguments(Map.of("mcp.servers.a.headers.x-key", "k"));
		assertThat(environment.definition("a").http().headers()).isEqualTo(Map.of("X-Key", "k"));
	}

	@Test
	void valueThatPlaceholderStandsForIsNotShown() {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp.servers.a: { command: a, request-timeout: '${TIMEOUT}', env: { A: '${SECRET}' } }")
			.variable("TIMEOUT", "s3cr3t")
			.variable("SECRET", "s3${s3cr3t}");
		assertThat(environment.mistakes()).containsExactly(
				"mcp.servers.a.request-timeout: '${TIMEOUT}' is not a duration. Write for instance 500ms, 30s or 5m.",
				"mcp.servers.a.env.A: The value of SECRET has a placeholder that cannot be resolved.");
	}

	@Test
	void valueThatPlaceholderStandsForCanHaveLiterals() {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a: { command: a, env: { A: '${SECRET}' } }")
			.variable("SECRET", "s3\\${s3cr3t}");
		assertThat(environment.definition("a").stdio().env()).isEqualTo(Map.of("A", "s3${s3cr3t}"));
	}

	@Test
	void placeholdersInCircleAreReported() {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a.command: ${A}")
			.variable("A", "${B}")
			.variable("B", "${A}");
		assertThat(environment.problems()).singleElement()
			.extracting(Problem::property)
			.isEqualTo("mcp.servers.a.command");
	}

	@Test
	void literalThatIsNotClosedIsNoPlaceholder() {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp.servers.a: { command: a, env: { A: 'x${y', B: '$C' } }");
		assertThat(environment.definition("a").stdio().env()).isEqualTo(Map.of("A", "x${y", "B", "$C"));
	}

}
