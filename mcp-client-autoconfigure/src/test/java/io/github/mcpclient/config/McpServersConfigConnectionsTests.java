package io.github.mcpclient.config;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.validation.McpServerDefinitions.ServerNames;
import io.github.mcpclient.service.McpServerConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link McpServersConfig} with {@link McpServerConnectionDetails}.
 */
class McpServersConfigConnectionsTests {

	private final Map<String, Object> properties = new LinkedHashMap<>();

	@Test
	void theUrlComesBeforeTheConfiguredOneAndTheRestStays() {
		this.properties.put("mcp.servers.my-server.url", "https://production.example/api/mcp?key=1");
		this.properties.put("mcp.servers.my-server.headers.X-Key", "value");
		this.properties.put("mcp.servers.other.command", "other");
		List<McpServerDefinition> definitions = definitions(connection("MyServer", "http://localhost:81/x"));
		assertThat(definitions).extracting(McpServerDefinition::name).containsExactly("my-server", "other");
		assertThat(definitions.get(0).http()).satisfies((http) -> {
			assertThat(http.url()).hasToString("http://localhost:81/x");
			assertThat(http.headers()).containsEntry("X-Key", "value");
		});
	}

	@Test
	void aServerThatIsNotConfiguredIsAddedWithTheDefaults() {
		this.properties.put("mcp.servers.other.command", "other");
		this.properties.put("mcp.defaults.headers.X-Key", "value");
		List<McpServerDefinition> definitions = definitions(connection("new", "http://localhost:81"));
		assertThat(definitions).extracting(McpServerDefinition::name).containsExactly("other", "new");
		assertThat(definitions.get(1).type()).isEqualTo(McpServerDefinition.STREAMABLE_HTTP);
		assertThat(definitions.get(1).http()).satisfies((http) -> {
			assertThat(http.url()).hasToString("http://localhost:81/mcp");
			assertThat(http.headers()).containsEntry("X-Key", "value");
		});
	}

	@ParameterizedTest
	@CsvSource({ "http://localhost:81, https://production.example/api?key=1, http://localhost:81/api",
			"http://localhost:81, https://production.example, http://localhost:81/mcp",
			"http://localhost:81/, https://production.example/api, http://localhost:81/",
			"https://[::1]:81, not a url, https://[::1]:81/mcp",
			"http://localhost:81, wss://production.example/api, ws://localhost:81/api",
			"https://localhost:81/x, ws://production.example, wss://localhost:81/x" })
	void aUrlWithoutPathGetsTheConfiguredOne(String url, String configured, String expected) {
		this.properties.put("mcp.servers.test.url", configured);
		assertThat(definitions(connection("test", url)).get(0).http().url()).hasToString(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "command=weather-server", "package=npm:@example/weather@1.0.0",
			"package=oci:example/weather:1.0.0" })
	void aChildProcessIsReplaced(String target) {
		this.properties.put("mcp.servers.test." + target.split("=")[0], target.split("=")[1]);
		this.properties.put("mcp.servers.test.args", List.of("--verbose"));
		this.properties.put("mcp.servers.test.env.KEY", "value");
		this.properties.put("mcp.servers.test.env-file", "absent.env");
		this.properties.put("mcp.servers.test.type", "STDIO");
		this.properties.put("mcp.servers.test.request-timeout", "7s");
		McpServerDefinition definition = definitions(connection("test", "http://localhost:81")).get(0);
		assertThat(definition.type()).isEqualTo(McpServerDefinition.STREAMABLE_HTTP);
		assertThat(definition.http().url()).hasToString("http://localhost:81/mcp");
		assertThat(definition.stdio()).isNull();
		assertThat(definition.timeouts().request()).hasSeconds(7);
	}

	@Test
	void theTypeAndHeadersComeBeforeTheConfiguredOnes() {
		this.properties.put("mcp.servers.test.url", "https://production.example/api");
		this.properties.put("mcp.servers.test.type", "sse");
		this.properties.put("mcp.servers.test.headers.X-Key", "configured");
		this.properties.put("mcp.servers.test.headers.X-Other", "stays");
		McpServerDefinition definition = definitions(connection("test", "http://localhost:81", null, "websocket",
				Map.of("X-Key", "a${literal}", "X.Dotted", "b")))
			.get(0);
		assertThat(definition.type()).isEqualTo(McpServerDefinition.WEBSOCKET);
		assertThat(definition.http().url()).hasToString("ws://localhost:81/api");
		assertThat(definition.http().headers()).containsOnly(Map.entry("X-Key", "a${literal}"),
				Map.entry("X.Dotted", "b"), Map.entry("X-Other", "stays"));
		assertThat(definition.toString()).doesNotContain("literal");
	}

	@Test
	void settingsOfAChildProcessBesideAUrlAreAMistakeStill() {
		this.properties.put("mcp.servers.test.url", "https://production.example");
		this.properties.put("mcp.servers.test.args", "x");
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> definitions(connection("test", "http://localhost:81")))
			.withMessageContaining("mcp.servers.test.args");
	}

	@Test
	void aNameThatIsNoneIsAMistake() {
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> definitions(connection("mcp/weather", "http://localhost:81")))
			.withMessageContaining("mcp.servers[mcp/weather]")
			.withMessageContaining(ServerNames.invalid("server"));
	}

	@Test
	void twoForOneServerAreRefused() {
		assertThatIllegalStateException().isThrownBy(
				() -> definitions(connection("a-b", "http://localhost:81"), connection("aB", "http://localhost:82")))
			.withMessage("There is more than one McpServerConnectionDetails for MCP server 'aB'");
	}

	@Test
	void bundlesAreKnownByTheNameOfTheServer() {
		this.properties.put("mcp.servers.my-server.required", true);
		SslBundle bundle = SslBundle.systemDefault();
		McpServersConfig config = config(connection("MyServer", "https://localhost:81", bundle, null, Map.of()),
				connection("other", "http://localhost:81"));
		assertThat(config.sslBundles()).containsOnly(Map.entry("my-server", bundle));
	}

	private List<McpServerDefinition> definitions(McpServerConnectionDetails... connections) {
		return ConfiguredDefinitions.of(config(connections), TestEnvironment.TYPES);
	}

	private McpServersConfig config(McpServerConnectionDetails... connections) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", this.properties));
		return new McpServersConfig(environment, List.of(connections), null, Set.of());
	}

	private static McpServerConnectionDetails connection(String name, String url) {
		return connection(name, url, null, null, Map.of());
	}

	private static McpServerConnectionDetails connection(String name, String url, @Nullable SslBundle bundle,
			@Nullable String type, Map<String, String> headers) {
		return new McpServerConnectionDetails() {

			@Override
			public String getName() {
				return name;
			}

			@Override
			public URI getUrl() {
				return URI.create(url);
			}

			@Override
			public @Nullable SslBundle getSslBundle() {
				return bundle;
			}

			@Override
			public @Nullable String getType() {
				return type;
			}

			@Override
			public Map<String, String> getHeaders() {
				return headers;
			}

		};
	}

}
