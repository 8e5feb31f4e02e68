package io.github.mcpclient.config;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

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

	@Test
	void capabilityCanBeAnyValue() {
		assertThat(capabilities(TestEnvironment.yaml("""
				mcp.servers.a: { command: a, config: { text: some, number: 1, list: [ one, { two: 2 } ], flag: true } }
				""")))
			.isEqualTo(Map.of("text", "some", "number", 1, "list", List.of("one", Map.of("two", 2)), "flag", true));
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
