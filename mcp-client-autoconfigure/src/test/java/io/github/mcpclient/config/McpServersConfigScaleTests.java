package io.github.mcpclient.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests of configurations that are very large. What is linear takes a second or two, and
 * what is quadratic minutes.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class McpServersConfigScaleTests {

	private static final int MANY = 3000;

	@Test
	void aliasesThatBecomeTensOfThousandsOfValuesAreAMistake() {
		String laughs = IntStream.range(1, 10)
			.mapToObj((i) -> "a%d: &a%d [*a%d, *a%d, *a%d]\n".formatted(i, i, i - 1, i - 1, i - 1))
			.collect(Collectors.joining("", "a0: &a0 [x, x, x]\n", ""));
		TestEnvironment environment = TestEnvironment.yaml(laughs + """
				mcp.servers:
				  a: {url: 'https://a.example', config: {x: *a9}}
				""");
		assertThat(environment.mistakes()).containsExactly("mcp.servers.a.config: There are more than 1000 values.");
	}

	@Test
	void asManyValuesAsAMapMayHaveAreRead() {
		assertThat(TestEnvironment
			.yaml("mcp.servers.a: {command: java, config: {x: ["
					+ IntStream.range(0, 1000).mapToObj(String::valueOf).collect(Collectors.joining(",")) + "]}}")
			.definition("a")
			.experimentalCapabilities()).extractingByKey("x")
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.hasSize(1000)
			.endsWith(999);
	}

	@Test
	void thousandsOfRulesAreRead() {
		String yaml = rules(MANY, "mcp.servers.a",
				"{tools: [t%d, x], timeout: 5s, arguments: {a: 5, b: {c: [d]}}, " + "default-arguments: {x: y}}")
				+ "  command: java\n";
		List<McpToolRule> rules = TestEnvironment.yaml(yaml).definition("a").tools().rules();
		assertThat(rules).hasSize(MANY);
		assertThat(rules.get(MANY - 1).tools()).containsExactly("t2999", "x");
		assertThat(rules.get(MANY - 1).arguments()).isEqualTo(Map.of("a", 5, "b", Map.of("c", List.of("d"))));
	}

	@Test
	void mistakesInThousandsOfRulesAreReported() {
		String yaml = rules(10_000, "mcp.servers.a", "{titel: t%d, arguments: {a: 5}}") + "  command: java\n";
		assertThat(TestEnvironment.yaml(yaml).mistakes()).hasSize(20_000)
			.contains("mcp.servers.a.tools.rules[9999].titel: There is no such property. Did you mean title?",
					"mcp.servers.a.tools.rules[9999]: The rule does not name the tools that it is for. Write '*' for all.");
	}

	@Test
	void mistakesInRulesOfAllServersAreReportedOnce() {
		TestEnvironment environment = TestEnvironment.yaml(rules(MANY, "mcp.defaults", "{tools: t%d, approval: always}")
				+ servers(MANY / 10, (i) -> "{command: java}"));
		McpServerDefinitions definitions = new McpServerDefinitions(TestEnvironment.TYPES, null, Set.of(), List.of(),
				Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
				(type) -> false, (definition) -> null);
		McpServerDefinitions.Configured configured = environment.config().servers(TestEnvironment.TYPES);
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> definitions.of(configured, List.of(), List.of()))
			.satisfies((failure) -> assertThat(failure.getProblems()).hasSize(MANY)
				.allMatch((problem) -> problem.property().startsWith("mcp.defaults.tools.rules[")));
	}

	@Test
	void theReportOfThousandsOfServersIsBounded() {
		String value = "v".repeat(100_000);
		String name = "n".repeat(1000);
		IntFunction<String> server = (i) -> "{url: 'https://a', protocol: " + ((i < 100) ? value : "x")
				+ ", headers: {'" + name + " ': x}}";
		InvalidMcpConfigurationException failure = catchThrowableOfType(InvalidMcpConfigurationException.class,
				() -> TestEnvironment.yaml(servers(MANY, server)).definitions());
		assertThat(failure.getProblems()).hasSize(2 * MANY);
		assertThat(failure).message().hasSizeLessThan(200_000).endsWith("\n- and 5900 more");
		String description = new InvalidMcpConfigurationFailureAnalyzer().analyze(failure, failure).getDescription();
		assertThat(description).hasSizeLessThan(250_000)
			.startsWith("Invalid MCP server configuration (6000 errors):")
			.endsWith("and 5900 more");
		assertThat(failure.getProblems()).extracting(Problem::property).contains("mcp.servers.s2999.protocol");
	}

	private static String rules(int count, String section, String rule) {
		return IntStream.range(0, count)
			.mapToObj((i) -> "    - " + rule.formatted(i) + "\n")
			.collect(Collectors.joining("", section + ":\n  tools.rules:\n", ""));
	}

	private static String servers(int count, IntFunction<String> settings) {
		return Stream.iterate(0, (i) -> i + 1)
			.limit(count)
			.map((i) -> "  s" + i + ": " + settings.apply(i) + "\n")
			.collect(Collectors.joining("", "mcp.servers:\n", ""));
	}

}
