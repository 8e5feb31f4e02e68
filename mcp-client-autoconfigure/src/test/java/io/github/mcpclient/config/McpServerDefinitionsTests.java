package io.github.mcpclient.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.internal.validation.McpServerDefinitions.DefinedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link McpServerDefinitions}.
 */
class McpServerDefinitionsTests {

	private static final McpServerDefinitions.Configured NONE = new McpServerDefinitions.Configured(List.of(),
			List.of());

	private final McpServerDefinitions definitions = new McpServerDefinitions(TestEnvironment.TYPES, null, Set.of(),
			List.of(),
			Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
			(type) -> true, (definition) -> null);

	/**
	 * Definitions of code beside the same mistake in YAML.
	 */
	static Stream<Arguments> mistakes() {
		Duration second = Duration.ofSeconds(1);
		Reconnect reconnect = new Reconnect(true, second, 0.5, Duration.ofMillis(1), 2.0);
		return Stream.of(Arguments.of(http("ftp://host/s3cr3t"), "url: 'ftp://host/s3cr3t'"),
				Arguments.of(http("https://user:s3cr3t@/"), "url: 'https://user:s3cr3t@/'"),
				Arguments.of(http("https://a/#s3cr3t"), "url: 'https://a/#s3cr3t'"),
				Arguments.of(http("https://a:99999/"), "url: 'https://a:99999/'"),
				Arguments.of(McpServerDefinition.of("a", "streamable-http"), "type: http"),
				Arguments.of(McpServerDefinition.of("a", "stdio"), "type: stdio"),
				Arguments.of(McpServerDefinition.of("a", "htp"), "type: htp"),
				Arguments.of(stdio(" "), "{ type: stdio, command: ' ' }"),
				Arguments.of(stdio("a\0"), "{ command: \"a\\0\" }"),
				Arguments.of(stdio("a").args(List.of("b\0")), "{ command: a, args: [ \"b\\0\" ] }"),
				Arguments.of(stdio("a").url(URI.create("https://s3cr3t/")),
						"{ type: stdio, command: a, url: 'https://s3cr3t/' }"),
				Arguments.of(http("https://a/").command("b"), "{ type: http, url: 'https://a/', command: b }"),
				Arguments.of(http("https://a/").headers(Map.of("Host:", "s3cr3t")),
						"{ url: 'https://a/', headers: { 'Host:': s3cr3t } }"),
				Arguments.of(http("https://a/").headers(Map.of("X", "s3cr3t\n")),
						"{ url: 'https://a/', headers: { X: \"s3cr3t\\n\" } }"),
				Arguments.of(http("https://a/").headers(Map.of("a.b", "€")),
						"{ url: 'https://a/', headers: { '[a.b]': € } }"),
				Arguments.of(http("https://a/").sseReadTimeout(Duration.ZERO),
						"{ url: 'https://a/', sse-read-timeout: 0s }"),
				Arguments.of(stdio("a").env(Map.of("A=B", "s3cr3t")), "{ command: a, env: { 'A=B': s3cr3t } }"),
				Arguments.of(stdio("a").env(Map.of("A", "s3cr3t\0")), "{ command: a, env: { A: \"s3cr3t\\0\" } }"),
				Arguments.of(
						stdio("a").requestTimeout(Duration.ofHours(25))
							.initializationTimeout(second.negated())
							.firstStartTimeout(second.negated())
							.connectTimeout(Duration.ZERO)
							.keepAliveInterval(Duration.ZERO),
						"{ command: a, request-timeout: 25h, "
								+ "initialization-timeout: -1s, first-start-timeout: -1s, connect-timeout: 0s, keep-alive-interval: 0s }"),
				Arguments.of(
						stdio("a").maxMessageSize(DataSize.ofBytes(0))
							.maxResultSize(DataSize.ofGigabytes(2))
							.maxTools(0)
							.maxConcurrentCalls(0),
						"{ command: a, max-message-size: 0, max-result-size: 2GB, "
								+ "tools.max: 0, max-concurrent-calls: 0 }"),
				Arguments.of(stdio("a").reconnect(reconnect),
						"{ command: a, reconnect: { multiplier: 0.5, max-delay: 1ms, jitter: 2 } }"),
				Arguments.of(stdio("a").hideWhenUnavailable(Duration.ofHours(25)),
						"{ command: a, tools.hide-when-unavailable: 25h }"),
				Arguments.of(stdio("a").toolFilter(List.of("!")), "{ command: a, tools.filter: [ '!' ] }"));
	}

	private static McpServerDefinitionBuilder http(String url) {
		return McpServerDefinition.http("a", URI.create(url)).typeInferred(true);
	}

	private static McpServerDefinitionBuilder stdio(String command) {
		return McpServerDefinition.stdio("a", command).typeInferred(true);
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void mistakesAreThoseOfTheConfiguration(McpServerDefinitionBuilder builder, String yaml) {
		List<String> configured = TestEnvironment.yaml("mcp.servers.a:\n  " + yaml)
			.problems()
			.stream()
			.map((problem) -> problem.property().replace("mcp.servers.a.", "") + ": " + problem.message())
			.toList();
		assertThat(configured).isNotEmpty();
		assertThat(problems(builder).stream().map((problem) -> problem.property() + ": " + problem.message()))
			.map(McpServerDefinitionsTests::withoutInference)
			.containsExactlyInAnyOrderElementsOf(
					configured.stream().map(McpServerDefinitionsTests::withoutInference).toList())
			.noneMatch((problem) -> problem.contains("s3cr3t"));
		assertThat(problems(builder.enabled(false))).isEmpty();
	}

	private static String withoutInference(String text) {
		return text.replaceAll(" \\(inferred from its \\w+\\)", "");
	}

	private List<Problem> problems(McpServerDefinitionBuilder builder) {
		McpServerDefinition definition = builder.build();
		List<Problem> problems = new ArrayList<>();
		try {
			this.definitions.of(NONE, List.of(definition), List.of());
		}
		catch (InvalidMcpConfigurationException ex) {
			ex.getProblems()
				.forEach((problem) -> problems.add(new Problem(
						problem.property().replace("McpServerDefinition 'a': ", ""), problem.message(), null)));
		}
		if (!problems.isEmpty()) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.definitions.prepare(definition))
				.satisfies((ex) -> assertThat(ex.getMessage().lines()).hasSize(1 + problems.size()));
		}
		else {
			assertThat(this.definitions.prepare(definition)).isEqualTo(definition);
		}
		return problems;
	}

	@Test
	void allThatCanBeRightIs() {
		List<McpServerDefinition> right = List.of(
				McpServerDefinition.http("a", URI.create("HTTPS://user:pw@a.example:8443/mcp?k=v"))
					.headers(Map.of("X-Key", "v"))
					.sseReadTimeout(Duration.ofSeconds(1))
					.build(),
				McpServerDefinition.of("b", "ws").url(URI.create("wss://b/")).build(),
				McpServerDefinition.stdio("c", "npx", "-y", "x")
					.env(Map.of("A", "b"))
					.workingDirectory(Path.of("/tmp"))
					.build(),
				McpServerDefinition.of("d", "carrier-pigeon").build(),
				McpServerDefinition.of("e", "carrier-pigeon").url(URI.create("loft:3")).command("coo").build(),
				McpServerDefinition.of("f", "no-such-type").enabled(false).build());
		assertThat(this.definitions.of(NONE, right.subList(0, 3), List.of(() -> right.subList(3, 6))))
			.extracting(DefinedServer::definition)
			.isEqualTo(right);
	}

	@Test
	void mistakesOfAllBeansAndCustomizersAreReportedTogether() {
		McpServerDefinitions customized = new McpServerDefinitions(TestEnvironment.TYPES, null, Set.of(), List
			.of((name, builder) -> builder.headers(name.startsWith("x") ? Map.of("Accept", "s3cr3t") : Map.of())),
				Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
				(type) -> true, (definition) -> null);
		McpServerDefinitions.Configured configured = TestEnvironment
			.yaml("mcp.servers: { a: { url: 'https://a/', request-timeout: 0s }, x1: { url: 'htp' } }")
			.config()
			.servers(TestEnvironment.TYPES);
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> customized.of(configured,
					List.of(McpServerDefinition.http("x", URI.create("https://x/")).build(),
							McpServerDefinition.http("b/", URI.create("b")).build()),
					List.of(() -> List.of(McpServerDefinition.stdio("A", "a").build()))))
			.withMessage("Invalid configuration of MCP servers:\n"
					+ "- McpServerDefinition 'b/' of a bean: This is not a valid name for a server: use letters, digits, '.', "
					+ "'_' and '-' only, and begin with a letter or a digit.\n"
					+ "- McpServerDefinition 'A' of a bean: There is also 'a', which is the same name: case, '-', '_' "
					+ "and '.' do not count. Rename one of them.\n"
					+ "- mcp.servers.a.request-timeout: The duration must be longer than zero.\n"
					+ "- mcp.servers.x1.url: The URL must begin with http:// or https://.\n"
					+ "- McpServerCustomizer for 'x1': headers.Accept: This header is set by the MCP client itself. "
					+ "Remove it.\n"
					+ "- McpServerDefinition 'x': headers.Accept: This header is set by the MCP client itself. Remove "
					+ "it.\n- McpServerDefinition 'b/': url: The URL must begin with http:// or https://.");
	}

	@Test
	void whatNothingAppliesNamesTheModuleToAdd() {
		McpServerDefinitions without = new McpServerDefinitions(TestEnvironment.TYPES, null, Set.of(), List.of(),
				Set.of(), (type) -> true, (definition) -> null);
		McpServerDefinitions.Configured configured = TestEnvironment.yaml("""
				mcp.servers.a:
				  command: a
				  tools: { pinning: warn, rules: [ { tools: '*', timeout: 1s } ], max-text: 2000, keep-results: 5m }
				  resources.as-tools: true
				""").config().servers(TestEnvironment.TYPES);
		String add = ": This needs a module that is not on the class path. Add the dependency io.github.mcpclient:";
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> without.of(configured, List.of(), List.of()))
			.withMessage("Invalid configuration of MCP servers:\n- mcp.servers.a.tools.pinning" + add
					+ "mcp-client-guard.\n- mcp.servers.a.tools.rules" + add
					+ "mcp-client-guard.\n- mcp.servers.a.tools.max-text" + add
					+ "mcp-client-agents.\n- mcp.servers.a.tools.keep-results" + add
					+ "mcp-client-agents.\n- mcp.servers.a.resources.as-tools" + add + "mcp-client-agents.");
	}

}
