package io.github.mcpclient.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what is true of every setting of a server that there is, those that are still to
 * come included.
 */
class McpServersConfigEverySettingTests {

	private static final List<String> OF_CONTAINERS = List.of("memory", "network");

	private static final String DEFAULTS = "mcp.defaults.";

	private static final List<String> OF_CHILD_PROCESSES = List.of("args", "env", "env-file", "inherit-environment",
			"working-directory", "encoding");

	@TempDir
	private static Path directory;

	static Stream<Setting> settings() throws IOException {
		try (InputStream metadata = new ClassPathResource("META-INF/spring-configuration-metadata.json")
			.getInputStream()) {
			List<Setting> settings = new ArrayList<>();
			for (JsonNode property : JsonMapper.shared().readTree(metadata).path("properties")) {
				String name = property.path("name").asString();
				// what the one does depends on the environment; the other is not replaced
				if (name.startsWith(DEFAULTS) && !name.endsWith("proxy.from-environment")
						&& !name.endsWith("tools.rules")) {
					settings.add(new Setting(name.substring(DEFAULTS.length()), property.path("type").asString(),
							property.path("defaultValue").asString("")));
				}
			}
			assertThat(settings).hasSizeGreaterThan(30);
			return settings.stream();
		}
	}

	@ParameterizedTest
	@MethodSource("settings")
	void placeholderThatNothingResolvesIsReported(Setting setting) {
		String property = setting.property();
		String message = "Cannot resolve the placeholder ${NOTHING}. Set NOTHING, for example as an environment "
				+ "variable, or add a default: ${NOTHING:...}.";
		String own = "mcp.servers." + setting.server() + "." + property;
		assertThat(environment(Map.of(own, "a ${NOTHING}")).mistakes()).containsExactly(own + ": " + message);
		assertThat(environment(Map.of(DEFAULTS + property, "${NOTHING}")).mistakes())
			.containsExactly(DEFAULTS + property + ": " + message);
	}

	@ParameterizedTest
	@MethodSource("settings")
	void defaultHoldsUnlessTheServerSaysOtherwise(Setting setting) throws IOException {
		String own = "mcp.servers." + setting.server() + "." + setting.property();
		String shared = DEFAULTS + setting.property();
		McpServerDefinition configured = definition(setting, Map.of(own, setting.value(0)));
		assertThat(configured).isNotEqualTo(definition(setting, Map.of()));
		assertThat(definition(setting, Map.of(shared, setting.value(0)))).isEqualTo(configured);
		assertThat(definition(setting, Map.of(own, setting.value(0), shared, setting.value(1)))).isEqualTo(configured);
	}

	private static McpServerDefinition definition(Setting setting, Map<String, Object> properties) {
		return environment(properties).definition(setting.server());
	}

	private static TestEnvironment environment(Map<String, Object> properties) {
		Map<String, Object> arguments = new LinkedHashMap<>(properties);
		arguments.put("mcp.servers.http.url", "https://a.example/mcp");
		arguments.put("mcp.servers.child.command", "a");
		arguments.put("mcp.servers.boxed.package", "oci:a:1");
		arguments.putIfAbsent(DEFAULTS + "proxy.host", "proxy.example");
		arguments.putIfAbsent(DEFAULTS + "proxy.port", "3128");
		if (properties.keySet().stream().noneMatch((name) -> name.endsWith("auth.type"))) {
			arguments.put(DEFAULTS + "auth.type", "none");
			arguments.put("mcp.servers.http.auth.type", "none");
		}
		return new TestEnvironment().arguments(arguments);
	}

	record Setting(String name, String type, String builtIn) {

		String server() {
			if (OF_CONTAINERS.contains(this.name)) {
				return "boxed";
			}
			return OF_CHILD_PROCESSES.contains(this.name) ? "child" : "http";
		}

		String property() {
			if (this.type.startsWith("java.util.Map")) {
				return this.name + ".x";
			}
			return this.name + (this.type.startsWith("java.util.List") ? "[0]" : "");
		}

		/**
		 * Return one of two values other than the built-in one.
		 */
		String value(int index) throws IOException {
			return switch (this.type) {
				case "java.lang.Boolean" -> String.valueOf((index == 1) == Boolean.parseBoolean(this.builtIn));
				case "java.time.Duration" -> (index + 7) + "s";
				case "org.springframework.util.unit.DataSize" -> (index + 7) + "KB";
				case "java.lang.Integer" -> String.valueOf(index + (this.name.endsWith("max-text") ? 1007 : 7));
				case "java.lang.Double" ->
					this.name.endsWith("jitter") ? "0." + (index + 7) : String.valueOf(index + 7);
				case "java.nio.charset.Charset" -> List.of("UTF-16", "ISO-8859-1").get(index);
				case "io.modelcontextprotocol.spec.McpSchema$LoggingLevel" -> List.of("debug", "Warning").get(index);
				case "io.github.mcpclient.definition.McpToolAccess" -> List.of("read-only", "no-write").get(index);
				case "io.github.mcpclient.definition.McpToolPinning" -> List.of("warn", "block").get(index);
				default -> switch (this.name) {
					case "auth.type" -> List.of("oauth2", "bearer").get(index);
					case "auth.oauth2.client-authentication-method" -> List.of("none", "private-key-jwt").get(index);
					case "auth.oauth2.grant-type" -> List.of("authorization-code", "token-exchange").get(index);
					case "auth.oauth2.listing" -> List.of("user", "client-credentials").get(index);
					case "type" -> List.of("sse", "http").get(index);
					case "protocol" -> List.of("legacy", "2026-07-28").get(index);
					case "proxy.non-proxy-hosts" -> List.of("a.example", "b.example").get(index);
					case "env-file" -> Files.writeString(directory.resolve(index + ".env"), "A=" + index).toString();
					default -> "value" + index;
				};
			};
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
