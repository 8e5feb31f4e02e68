package io.github.mcpclient.config;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link McpServersConfig} with all that Boot does to an environment: profiles,
 * several documents, variables and arguments.
 */
class McpServersConfigApplicationTests {

	@Test
	void profilesVariablesAndArgumentsMoveNothing() {
		Map<String, Object> variables = Map.of("MCP_SERVERS_MYSERVER_URL", "https://variable.example/mcp",
				"MCP_SERVERS_EXTRA_COMMAND", "extra", "MINE_KEY", "k");
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class).environment(environment)
			.web(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run("--spring.config.name=mcp-order",
				"--spring.profiles.active=dev", "--mcp.servers.zeta.required=true")) {
			List<McpServerDefinition> definitions = ConfiguredDefinitions.of(context.getEnvironment(),
					TestEnvironment.TYPES);
			assertThat(definitions).extracting(McpServerDefinition::name)
				.containsExactly("zeta", "my-server", "alpha", "only-dev", "last", "extra");
			assertThat(definitions.get(0).required()).isTrue();
			assertThat(definitions.get(1).http().url()).hasToString("https://variable.example/mcp");
			assertThat(definitions.get(1).http().headers()).isEqualTo(Map.of("X-Api-Key", "k"));
			assertThat(definitions.get(1).timeouts().request()).hasSeconds(3);
			assertThat(definitions.get(2).stdio().args()).containsExactly("from-dev");
		}
	}

	static class Application {

	}

}
