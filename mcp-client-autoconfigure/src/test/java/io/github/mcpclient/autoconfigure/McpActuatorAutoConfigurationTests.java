package io.github.mcpclient.autoconfigure;

import java.util.List;
import java.util.Set;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.actuate.FakeMcpServerRegistry;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.actuate.McpEndpointWebExtension;
import io.github.mcpclient.actuate.McpHealthContributor;
import io.github.mcpclient.actuate.McpInfoContributor;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.management.McpServerManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpEndpointAutoConfiguration},
 * {@link McpHealthContributorAutoConfiguration} and
 * {@link McpInfoContributorAutoConfiguration}.
 */
class McpActuatorAutoConfigurationTests {

	private final ApplicationContextRunner withoutRegistry = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("management.endpoints.web.exposure.include=mcp");

	private final ApplicationContextRunner runner = this.withoutRegistry
		.withBean("registry", McpServerRegistry.class, FakeMcpServerRegistry::new)
		.withBean(McpServerManager.class, () -> new FakeMcpServerRegistry().manager());

	@Test
	void areRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null).getCandidates()).contains(
				McpEndpointAutoConfiguration.class.getName(), McpHealthContributorAutoConfiguration.class.getName(),
				McpInfoContributorAutoConfiguration.class.getName());
	}

	@Test
	void allIsThereBesideARegistry() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(McpEndpoint.class)
			.hasSingleBean(McpEndpointWebExtension.class)
			.hasBean("mcpHealthContributor")
			.hasSingleBean(McpHealthContributor.class)
			.hasSingleBean(McpInfoContributor.class));
	}

	@Test
	void nothingIsThereWithoutARegistry() {
		this.withoutRegistry.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(McpEndpoint.class)
			.doesNotHaveBean(McpEndpointWebExtension.class)
			.doesNotHaveBean(McpHealthContributor.class)
			.doesNotHaveBean(McpInfoContributor.class));
	}

	@Test
	void nothingIsThereWithoutActuator() {
		this.runner
			.withClassLoader(
					new FilteredClassLoader("org.springframework.boot.actuate", "org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("mcpEndpoint")
				.doesNotHaveBean("mcpEndpointWebExtension")
				.doesNotHaveBean("mcpHealthContributor")
				.doesNotHaveBean("mcpInfoContributor"));
	}

	@Test
	void onlyHealthIsMissingWithoutHealth() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("mcpHealthContributor")
				.hasBean("mcpEndpoint")
				.hasBean("mcpInfoContributor"));
	}

	@Test
	void theEndpointIsNotThereUnlessItIsExposed() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).doesNotHaveBean(McpEndpoint.class)
				.doesNotHaveBean(McpEndpointWebExtension.class));
	}

	@Test
	void theExtensionIsNotThereUnlessTheEndpointIsExposedToTheWeb() {
		this.runner
			.withPropertyValues("management.endpoints.web.exposure.include=health",
					"management.endpoints.jmx.exposure.include=mcp", "spring.jmx.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(McpEndpoint.class)
				.doesNotHaveBean(McpEndpointWebExtension.class));
	}

	@Test
	void theEndpointIsNotThereWithoutAccess() {
		this.runner.withPropertyValues("management.endpoint.mcp.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(McpEndpoint.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mcp", "defaults" })
	void healthAndInfoCanBeSwitchedOff(String which) {
		this.runner
			.withPropertyValues("management.health." + which + ".enabled=false",
					"management.info." + which + ".enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(McpHealthContributor.class)
				.doesNotHaveBean(McpInfoContributor.class));
	}

	@Test
	void whatWasWarnedOfIsShown() {
		MockEnvironment environment = new MockEnvironment().withProperty("mcp.servers.a.package", "npm:name");
		McpServersConfig config = new McpServersConfig(environment, List.of(), null, Set.of());
		config.servers(List.of(Set.of("stdio")));
		this.runner.withBean(McpServersConfig.class, () -> config)
			.run((context) -> assertThat(context.getBean(McpEndpoint.class).servers().warnings()).singleElement()
				.asString()
				.startsWith("mcp.servers.a.package has no version"));
	}

	@Test
	void beansOfTheApplicationComeFirst() {
		McpEndpoint endpoint = new McpEndpoint(new FakeMcpServerRegistry().manager(), Schedulers.parallel(), true,
				List::of, List::of, () -> null);
		McpEndpointWebExtension extension = new McpEndpointWebExtension(endpoint);
		McpInfoContributor info = new McpInfoContributor(new FakeMcpServerRegistry());
		HealthIndicator health = () -> Health.up().build();
		this.runner.withBean("endpoint", McpEndpoint.class, () -> endpoint)
			.withBean("extension", McpEndpointWebExtension.class, () -> extension)
			.withBean("info", McpInfoContributor.class, () -> info)
			.withBean("mcpHealthIndicator", HealthIndicator.class, () -> health)
			.run((context) -> {
				assertThat(context).getBean(McpEndpoint.class).isSameAs(endpoint);
				assertThat(context).getBean(McpEndpointWebExtension.class).isSameAs(extension);
				assertThat(context).getBean(McpInfoContributor.class).isSameAs(info);
				assertThat(context).doesNotHaveBean(McpHealthContributor.class);
			});
	}

	// imports by name, as Spring Boot does: conditions are read before a class is loaded
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ McpEndpointAutoConfiguration.class, McpHealthContributorAutoConfiguration.class,
			McpInfoContributorAutoConfiguration.class })
	static class Application {

	}

}
