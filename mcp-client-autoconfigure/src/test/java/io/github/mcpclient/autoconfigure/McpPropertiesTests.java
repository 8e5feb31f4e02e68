package io.github.mcpclient.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.config.ConfiguredDefinitions;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpProperties.Startup.Mode;
import io.github.mcpclient.config.McpServerProperties;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpToolAccess;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link McpProperties} and its configuration.
 */
class McpPropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(McpPropertiesConfiguration.class);

	@Test
	void defaults() {
		this.runner.run((context) -> {
			McpProperties properties = context.getBean(McpProperties.class);
			assertThat(properties.enabled()).isTrue();
			assertThat(properties.startup().mode()).isEqualTo(Mode.EAGER);
			assertThat(properties.startup().firstAttempts()).isEqualTo(Duration.ofSeconds(5));
			assertThat(properties.defaults().requestTimeout()).isNull();
			assertThat(properties.servers()).isEmpty();
		});
	}

	@Test
	void values() {
		this.runner
			.withPropertyValues("mcp.enabled=false", "mcp.startup.mode=lazy", "mcp.startup.wait=1m",
					"mcp.defaults.request-timeout=3s", "mcp.defaults.headers.X-Team=blue", "mcp.tools.filter=a,!b",
					"mcp.tools.access=read-only")
			.run((context) -> {
				McpProperties properties = context.getBean(McpProperties.class);
				assertThat(properties.enabled()).isFalse();
				assertThat(properties.startup().mode()).isEqualTo(Mode.LAZY);
				assertThat(properties.startup().firstAttempts()).isEqualTo(Duration.ofMinutes(1));
				assertThat(properties.tools().filter()).containsExactly("a", "!b");
				assertThat(properties.tools().access()).isEqualTo(McpToolAccess.READ_ONLY);
				assertThat(properties.defaults().requestTimeout()).isEqualTo(Duration.ofSeconds(3));
				assertThat(properties.defaults().headers()).isEqualTo(Map.of("X-Team", "blue"));
			});
	}

	@Test
	void serversAreThoseOfTheDefinitions() {
		Map<String, Object> lower = new LinkedHashMap<>();
		lower.put("mcp.servers.zeta.command", "zeta");
		lower.put("mcp.servers.my-server.url", "https://mine.example/mcp");
		lower.put("mcp.servers.alpha.command", "alpha");
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addLast(new MapPropertySource("file", lower)))
			.withPropertyValues("mcp.servers.myServer.request-timeout=3s")
			.run((context) -> {
				Map<String, McpServerProperties> servers = context.getBean(McpProperties.class).servers();
				assertThat(servers.keySet()).containsExactly("zeta", "my-server", "alpha");
				assertThat(servers.get("my-server").requestTimeout()).isEqualTo(Duration.ofSeconds(3));
				assertThat(servers).isEqualTo(context.getBean(McpServersConfig.class).properties().servers());
			});
	}

	@Test
	void mistakesAreLeftToTheDefinitions() {
		this.runner
			.withPropertyValues("mcp.servers.a.request-timeout=soon", "mcp.startup.wait=abc", "mcp.startup.mode=never",
					"mcp.defaults.tools.max=many")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				McpServersConfig config = context.getBean(McpServersConfig.class);
				assertThatExceptionOfType(InvalidMcpConfigurationException.class)
					.isThrownBy(() -> ConfiguredDefinitions.of(config, List.of()))
					.satisfies((ex) -> assertThat(ex.getProblems()).extracting(Problem::property)
						.containsExactly("mcp.startup.mode", "mcp.startup.wait", "mcp.defaults.tools.max",
								"mcp.servers.a.request-timeout", "mcp.servers.a"));
			});
	}

	@Test
	void otherPropertiesOfTheSamePrefixAreBound() {
		this.runner.withUserConfiguration(OtherConfiguration.class)
			.withPropertyValues("mcp.servers.mine=yes", "mcp.defaults=some", "mcp.startup.wait=long")
			.run((context) -> {
				OtherProperties properties = context.getBean(OtherProperties.class);
				assertThat(properties.getServers()).isEqualTo(Map.of("mine", "yes"));
				assertThat(properties.getDefaults()).isEqualTo("some");
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(OtherProperties.class)
	static class OtherConfiguration {

	}

	@ConfigurationProperties("mcp")
	static class OtherProperties {

		private Map<String, String> servers = new LinkedHashMap<>();

		private String defaults = "";

		Map<String, String> getServers() {
			return this.servers;
		}

		void setServers(Map<String, String> servers) {
			this.servers = servers;
		}

		String getDefaults() {
			return this.defaults;
		}

		void setDefaults(String defaults) {
			this.defaults = defaults;
		}

	}

}
