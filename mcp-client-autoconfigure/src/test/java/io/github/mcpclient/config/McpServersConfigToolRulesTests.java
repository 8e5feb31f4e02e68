package io.github.mcpclient.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the rules of single tools, as they are configured.
 */
class McpServersConfigToolRulesTests {

	@Test
	void rulesOfServerFollowDefaultOnes() {
		Tools tools = TestEnvironment.yaml("""
				mcp:
				  defaults.tools.rules:
				    - { tools: "*", timeout: 5s }
				  servers.a:
				    command: a
				    tools.rules:
				      - tools: [ "read_*", "!read_secret" ]
				        title: Reader
				        description: "Reads, at once"
				        annotations: { read-only-hint: true, title: Read }
				      - { tools: x, timeout: 7s }
				""").definition("a").tools();
		assertThat(tools.defaultRules()).extracting(McpToolRule::timeout).containsExactly(Duration.ofSeconds(5));
		assertThat(tools.rules()).hasSize(2);
		assertThat(tools.rules().get(0).tools()).containsExactly("read_*", "!read_secret");
		assertThat(tools.rules().get(0).title()).isEqualTo("Reader");
		assertThat(tools.rules().get(0).description()).isEqualTo("Reads, at once");
		assertThat(tools.rules().get(0).annotations())
			.isEqualTo(new ToolAnnotations("Read", true, null, null, null, null));
		assertThat(tools.rules().get(1).timeout()).isEqualTo(Duration.ofSeconds(7));
	}

	@Test
	void serverWithoutRulesHasDefaultOnesOnce() {
		Tools tools = TestEnvironment
			.yaml("mcp: { defaults.tools.rules: [ { tools: x, timeout: 5s } ], servers.a.command: a }")
			.definition("a")
			.tools();
		assertThat(tools.defaultRules()).hasSize(1);
		assertThat(tools.rules()).isEmpty();
	}

	@Test
	void rulesOfVariables() {
		Tools tools = TestEnvironment.yaml("mcp.servers.a: { command: a, tools.rules: [ { tools: x } ] }")
			.variable("MCP_SERVERS_A_TOOLS_RULES_0_TOOLS", "read_*,write_*")
			.variable("MCP_SERVERS_A_TOOLS_RULES_0_TIMEOUT", "5s")
			.variable("MCP_SERVERS_A_TOOLS_RULES_0_ANNOTATIONS_READONLYHINT", "true")
			.definition("a")
			.tools();
		assertThat(tools.rules()).singleElement().satisfies((rule) -> {
			assertThat(rule.tools()).containsExactly("read_*", "write_*");
			assertThat(rule.timeout()).isEqualTo(Duration.ofSeconds(5));
			assertThat(rule.annotations()).isEqualTo(new ToolAnnotations(null, true, null, null, null, null));
		});
	}

	@Test
	void argumentsAreAnyJson() {
		McpToolRule rule = TestEnvironment.yaml("""
				mcp.servers.a:
				  command: a
				  tools.rules:
				    - tools: x
				      arguments: { tenant: acme, "[a.b]": [ 1, two ], Filter: { deep: { x: true } } }
				      default-arguments.limit: 5
				""").definition("a").tools().rules().get(0);
		assertThat(rule.arguments())
			.isEqualTo(Map.of("tenant", "acme", "a.b", List.of(1, "two"), "Filter", Map.of("deep", Map.of("x", true))));
		assertThat(rule.defaultArguments()).isEqualTo(Map.of("limit", 5));
		assertThat(rule.toString()).doesNotContain("acme");
	}

	@Test
	void whatARuleNeedsOfTheApplicationMustBeThere() {
		McpServerDefinition server = TestEnvironment
			.yaml("""
					mcp.defaults.tools.rules: [ { tools: x, approval: destructive } ]
					mcp.servers.a: { command: a, tools.rules: [ { tools: x, approval: never }, { tools: x, rate-per-caller: 1/s } ] }
					""")
			.definition("a");
		McpServerDefinitions definitions = new McpServerDefinitions(TestEnvironment.TYPES, null, Set.of(), List.of(),
				Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
				(type) -> false, (definition) -> null);
		assertThatIllegalArgumentException().isThrownBy(() -> definitions.prepare(server))
			.withMessageContaining("tools.rules[0].approval: There is no bean of type McpToolApproval")
			.withMessageContaining("tools.rules[1].rate-per-caller: Callers cannot be identified.");
	}

	@Test
	void ratesNeedALimiter() {
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		Thread.currentThread().setContextClassLoader(new FilteredClassLoader("io.github.bucket4j"));
		try {
			assertThat(TestEnvironment.yaml("mcp.servers.a: { command: a, tools.rules: [ { tools: x, rate: 60/m } ] }")
				.mistakes())
				.containsExactly("mcp.servers.a.tools.rules[0].rate: A rate needs Bucket4j: add "
						+ "com.bucket4j:bucket4j_jdk17-core.");
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	@Test
	void mistakesOfDefaultRulesAreReportedThere() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp.defaults.tools.rules: [ { tools: "!" , timeout: 0s } ]
				mcp.servers.a: { command: a, tools.rules: [ { tools: x, timeout: 0s } ] }
				""");
		assertThat(environment.problems()).extracting(Problem::property)
			.isEqualTo(List.of("mcp.defaults.tools.rules[0].tools", "mcp.defaults.tools.rules[0].timeout",
					"mcp.servers.a.tools.rules[0].timeout"));
	}

}
