package io.github.mcpclient.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.testsupport.Endurance;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that whatever is configured ends in definitions or in a report of mistakes, and
 * never in another exception or with a secret in it.
 */
class McpServersConfigRandomTests {

	private static final int RUNS = Endurance.times(300);

	private static final String SECRET = "s3cr3t";

	private static final List<String> NAMES = List.of("a", "my-server", "myServer", "[a.b]", "[my server]", "b/c", "-",
			"", "[]", "[[x]]", "a]b", "[a", "12", "ü", "x y", "_", "a_b", "\u0000");

	private static final List<String> SETTINGS = List.of("url", "command", "type", "enabled", "required",
			"request-timeout", "requestTimeout", "headers.X-Key", "headers.X Y", "headers[a.b]", "headers",
			"headers[0]", "env.KEY", "env[K=V]", "env", "args", "args[0]", "args[1]", "args[7]", "args[x]",
			"ssl.bundle", "ssl", "reconnect", "reconnect.max-delay", "reconnect.initial-delay.x", "reconnect.jitter",
			"reconnect.multiplier", "max-message-size", "max-result-size", "tools.max", "tools", "tools.max.x",
			"encoding", "working-directory", "unknown", "unknown[a].b", "", ".", "..url", "[", "]", "url.x", "[url]",
			"keep-alive-interval", "terminate-on-close", "inherit-environment", "max-concurrent-calls");

	private static final List<Object> VALUES = List.of("https://a.example/mcp", "https://u:s3cr3t@a/?k=s3cr3t",
			"http://s3cr3t host/", "wss://a", "npx", "", " ", "${NOTHING}", "s3cr3t${NOTHING}", "${A:s3cr3t}", "${",
			"${}", "${:}", "${SELF}", "\\${A}", "true", "false", "no", 1, 0, -1, 1.5, true, "5s", "1h", "25h", "16MB",
			"-1KB", "stdio", "http", "sse", "UTF-8", "\u0000", "a\nb", "x".repeat(500), List.of("a"), Map.of("a", "b"),
			Double.NaN, Long.MAX_VALUE);

	private static final McpServerDefinitions DEFINITIONS = new McpServerDefinitions(TestEnvironment.TYPES, null,
			Set.of(), List.of(),
			Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
			(type) -> true, (definition) -> null);

	@Test
	void everyOutcomeIsDefinitionsOrReport() {
		long seed = 42;
		Random random = new Random(seed);
		int reports = 0;
		for (int run = 0; run < RUNS; run++) {
			McpServersConfig config = environment(random).config();
			try {
				check(ConfiguredDefinitions.of(config, TestEnvironment.TYPES, "oauth2"));
			}
			catch (InvalidMcpConfigurationException ex) {
				reports++;
				checkProblems(ex.getProblems());
			}
			catch (RuntimeException | AssertionError ex) {
				throw new AssertionError("Run " + run + " with seed " + seed + " failed", ex);
			}
		}
		assertThat(reports).as("seed " + seed).isBetween(RUNS / 10, RUNS - RUNS / 10);
	}

	private static void check(List<McpServerDefinition> definitions) {
		for (McpServerDefinition definition : definitions) {
			assertThat(definition.name()).matches("[A-Za-z0-9][A-Za-z0-9._-]*");
			assertThat(String.valueOf(definition.http())).doesNotContain(SECRET);
			assertThat(definition.enabled() && definition.http() == null && definition.stdio() == null).isFalse();
			assertThat(definition.enabled() && definition.http() != null && definition.stdio() != null).isFalse();
			// what is configured well is well defined, too
			assertThat(DEFINITIONS.prepare(definition)).isSameAs(definition);
		}
	}

	private static void checkProblems(List<Problem> problems) {
		for (Problem problem : problems) {
			assertThat(problem.property()).startsWith("mcp.");
			assertThat(problem.message()).matches("(?s).*[.?]");
			assertThat(problem.origin()).as(problem.property()).isNotNull();
			if (problem.property().matches(".*\\.(url|headers|env)([.\\[].*)?")) {
				assertThat(problem.message()).as(problem.property()).doesNotContain(SECRET);
			}
		}
	}

	private static TestEnvironment environment(Random random) {
		Map<String, Object> properties = new LinkedHashMap<>();
		TestEnvironment environment = new TestEnvironment().variable("SELF", "${SELF}");
		for (int i = 0; i <= random.nextInt(3); i++) {
			String name = (random.nextInt(4) == 0) ? pick(random, NAMES) : "server" + i;
			String server = "mcp.servers" + (name.startsWith("[") ? "" : ".") + name;
			properties.put(server + (random.nextBoolean() ? ".url" : ".command"), "https://a.example/mcp");
			for (int j = 0; j < random.nextInt(3); j++) {
				String setting = pick(random, SETTINGS);
				String property = ((random.nextInt(10) == 0) ? "mcp.defaults" : server)
						+ (setting.startsWith("[") ? "" : ".") + setting;
				if (random.nextInt(5) == 0) {
					environment.variable(property.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"),
							String.valueOf(pick(random, VALUES)));
				}
				else {
					properties.put(property, pick(random, VALUES));
				}
			}
		}
		return environment.arguments(properties);
	}

	private static <T> T pick(Random random, List<T> values) {
		return values.get(random.nextInt(values.size()));
	}

}
