package io.github.mcpclient.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.config.ConfiguredDefinitions;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpServerProperties;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code spring-configuration-metadata.json} is complete, and tells the truth
 * about defaults.
 */
class ConfigurationMetadataTests {

	private static final Pattern OF_BOOT = Pattern.compile("management\\.(endpoint|health|info)\\.mcp\\..*");

	private static final Map<String, JsonNode> PROPERTIES = new TreeMap<>();

	private static final Map<String, JsonNode> HINTS = new TreeMap<>();

	@BeforeAll
	static void read() throws IOException {
		for (URL url : Collections
			.list(McpProperties.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream content = url.openStream()) {
				JsonNode metadata = JsonMapper.shared().readTree(content);
				metadata.path("properties").forEach((property) -> put(PROPERTIES, property));
				metadata.path("hints").forEach((hint) -> put(HINTS, hint));
			}
		}
	}

	@Test
	void everyPropertyHasDescriptionAndType() {
		assertThat(PROPERTIES).containsKeys("mcp.enabled", "mcp.servers", "mcp.startup.wait",
				"mcp.defaults.request-timeout", "mcp.defaults.reconnect.jitter", "management.endpoint.mcp.access",
				"management.health.mcp.enabled", "management.info.mcp.enabled");
		assertThat(PROPERTIES).allSatisfy((name, property) -> {
			assertThat(property.path("description").asString("")).as("description").endsWith(".");
			assertThat(property.path("type").asString("")).as("type").isNotEmpty();
		});
	}

	@Test
	void descriptionsAreThoseOfTheirOwnProperties() {
		assertThat(PROPERTIES.get("mcp.defaults.env").path("description").asString())
			.isEqualTo("Environment variables of the child process. Added to the default entries.");
		assertThat(PROPERTIES).allSatisfy((name, property) -> assertThat(property.path("description").asString())
			.doesNotMatch("(\\w+) \\1 .*|[a-z].*"));
	}

	@Test
	void urlAndCommandHaveNoDefault() {
		assertThat(PROPERTIES).doesNotContainKeys("mcp.defaults.url", "mcp.defaults.command", "mcp.defaults.package",
				"mcp.defaults.name");
	}

	@Test
	void defaultsOfServersAreThoseOfTheDefinition() {
		Map<String, Object> defaults = new LinkedHashMap<>();
		PROPERTIES.forEach((name, property) -> {
			if (name.startsWith("mcp.defaults.") && property.has("defaultValue")) {
				defaults.put(name, property.get("defaultValue").asString());
			}
		});
		assertThat(defaults).hasSize(49);
		assertThat(definitions(defaults)).isEqualTo(definitions(Map.of()));
		// and each default that there is stands in the metadata
		assertThat(PROPERTIES).allSatisfy((name, property) -> {
			if (name.startsWith("mcp.defaults.") && !property.has("defaultValue")) {
				assertThat(name.substring("mcp.defaults.".length())).isIn("args", "auth.basic.password",
						"auth.basic.username", "auth.bearer.token", "auth.oauth2.assertion-file",
						"auth.oauth2.authorization-uri", "auth.oauth2.client-authentication-method",
						"auth.oauth2.client-id", "auth.oauth2.client-metadata-uri", "auth.oauth2.client-secret",
						"auth.oauth2.dpop-key-bundle", "auth.oauth2.grant-type", "auth.oauth2.identity-provider",
						"auth.oauth2.issuer-uri", "auth.oauth2.listing", "auth.oauth2.private-key",
						"auth.oauth2.private-key-bundle", "auth.oauth2.private-key-id", "auth.oauth2.registration-id",
						"auth.oauth2.resource", "auth.oauth2.scopes", "auth.oauth2.signing-algorithm",
						"auth.oauth2.token-file", "auth.oauth2.token-uri", "config", "env", "env-file", "headers",
						"options", "keep-alive-interval", "logging-level", "max-concurrent-calls", "memory", "network",
						"progress-extends-timeout-to", "proxy.host", "proxy.non-proxy-hosts", "proxy.password",
						"proxy.port", "proxy.username", "roots.directories", "sampling.chat-model", "sse-read-timeout",
						"ssl.bundle", "tools.filter", "tools.hide-when-unavailable", "tools.keep-results",
						"tools.prefix", "tools.rules", "type", "working-directory");
			}
		});
	}

	@Test
	void defaultsOfStartupAreTold() {
		assertThat(PROPERTIES.get("mcp.startup.mode").path("defaultValue").asString()).isEqualTo("eager");
		assertThat(PROPERTIES.get("mcp.startup.wait").path("defaultValue").asString()).isEqualTo("5s");
		assertThat(new McpServersConfig(new StandardEnvironment(), List.of(), null, Set.of()).properties()
			.startup()
			.firstAttempts()).isEqualTo(Duration.ofSeconds(5));
		assertThat(PROPERTIES.get("mcp.enabled").path("defaultValue").asBoolean()).isTrue();
	}

	@Test
	void defaultsOfToolsAreTold() {
		assertThat(PROPERTIES.get("mcp.tools.access").path("defaultValue").asString()).isEqualTo("all");
		assertThat(PROPERTIES.get("mcp.tools.allow-destructive").path("defaultValue").asBoolean()).isTrue();
		assertThat(PROPERTIES.get("mcp.tools.allow-open-world").path("defaultValue").asBoolean()).isTrue();
		assertThat(PROPERTIES).containsKey("mcp.tools.filter");
	}

	@Test
	void valuesAreHinted() {
		assertThat(List.of("mcp.tools.access", "mcp.defaults.tools.access"))
			.allSatisfy((name) -> assertThat(HINTS.get(name).path("values"))
				.extracting((value) -> value.path("value").asString())
				.containsExactly("all", "no-write", "read-only"));
		assertThat(HINTS.get("mcp.startup.mode").path("values")).extracting((value) -> value.path("value").asString())
			.containsExactly("eager", "lazy");
		assertThat(HINTS.get("mcp.defaults.type").path("values")).extracting((value) -> value.path("value").asString())
			.containsExactly("streamable-http", "sse", "stdio", "websocket");
		assertThat(HINTS.get("mcp.defaults.auth.type").path("values"))
			.extracting((value) -> value.path("value").asString())
			.containsExactly("none", "bearer", "basic", "oauth2");
		assertThat(List.of("encoding", "env-file", "working-directory")).allSatisfy(
				(name) -> assertThat(HINTS.get("mcp.defaults." + name).path("providers").get(0).path("name").asString())
					.isEqualTo("handle-as"));
	}

	/**
	 * There are no metadata below the key of a map: editors look into the type of its
	 * values.
	 */
	@Test
	void settingsOfServersAreFoundByTheTypeOfTheMap() {
		assertThat(PROPERTIES.get("mcp.servers").path("type").asString())
			.isEqualTo("java.util.Map<java.lang.String," + McpServerProperties.class.getName() + ">");
		assertThat(Modifier.isPublic(McpServerProperties.class.getModifiers())).isTrue();
		assertThat(Stream.of(McpServerProperties.class.getRecordComponents()).map(RecordComponent::getName))
			.contains("url", "command", "headers", "tools");
		assertThat(HINTS).containsKey("mcp.servers.keys");
	}

	private static List<McpServerDefinition> definitions(Map<String, Object> defaults) {
		Map<String, Object> properties = new LinkedHashMap<>(defaults);
		properties.put("mcp.servers.a.url", "https://a.example/mcp");
		properties.put("mcp.servers.b.command", "b");
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
		return ConfiguredDefinitions.of(environment, List.of(Set.of("streamable-http"), Set.of("stdio")));
	}

	private static void put(Map<String, JsonNode> nodes, JsonNode node) {
		String name = node.path("name").asString();
		if (name.startsWith("mcp.") || OF_BOOT.matcher(name).matches()) {
			nodes.put(name, node);
		}
	}

}
