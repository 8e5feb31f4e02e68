package io.github.mcpclient.config;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what {@link McpServersConfig} makes of {@code config}.
 */
class McpServersConfigCapabilitiesTests {

	@Test
	void isThatOfTheFile() {
		assertThat(capabilities(TestEnvironment.yaml("""
				mcp.servers.a:
				  command: a
				  config:
				    "[example.com/feature]":
				      maxItems: 3
				      ratio: 0.5
				      enabled: true
				      name: ${NAME}
				      items: [ 1, two, { three: 3 } ]
				      nested: { "[a.b]": c }
				    plain: {}
				""").variable("NAME", "resolved"))).isEqualTo(
				Map.of("example.com/feature",
						Map.of("maxItems", 3, "ratio", 0.5, "enabled", true, "name", "resolved", "items",
								List.of(1, "two", Map.of("three", 3)), "nested", Map.of("a.b", "c")),
						"plain", Map.of()));
	}

	@Test
	void defaultsAreReplacedOneByOne() {
		assertThat(capabilities(TestEnvironment.yaml("""
				mcp.defaults.config: { one: { a: 1, b: 2 }, two: { c: 3 } }
				mcp.servers.a: { command: a, config: { one: { a: 4 } } }
				"""))).isEqualTo(Map.of("one", Map.of("a", 4), "two", Map.of("c", 3)));
	}

	@Test
	void variablesOverrideAndAdd() {
		assertThat(
				capabilities(TestEnvironment.yaml("mcp.servers.a: { command: a, config: { my-one: { maxItems: 1 } } }")
					.variable("MCP_SERVERS_A_CONFIG_MYONE_MAXITEMS", "2")
					.variable("MCP_SERVERS_A_CONFIG_OTHER_KEY", "x")))
			.isEqualTo(Map.of("my-one", Map.of("maxItems", "2"), "other", Map.of("key", "x")));
	}

	@Test
	void isEmptyByDefault() {
		assertThat(capabilities(TestEnvironment.yaml("mcp.servers.a.command: a"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "s3cr3t", "1", "[ s3cr3t ]" })
	void capabilityIsAnObject(String value) {
		assertThat(TestEnvironment.yaml("mcp.servers.a: { command: a, config: { key: " + value + " } }").problems())
			.singleElement()
			.satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("mcp.servers.a.config.key");
				assertThat(problem.message()).startsWith("This is not an object.").doesNotContain("s3cr3t");
			});
	}

	@Test
	void isNoSingleValue() {
		assertThat(TestEnvironment.yaml("mcp.servers.a: { command: a, config: s3cr3t }").problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.property()).isEqualTo("mcp.servers.a.config"));
	}

	private static Map<String, Object> capabilities(TestEnvironment environment) {
		return environment.definition("a").experimentalCapabilities();
	}

}
