package io.github.mcpclient.reload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.cloud.autoconfigure.ConfigurationPropertiesRebinderAutoConfiguration;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link McpReloadAutoConfiguration}.
 */
class McpReloadAutoConfigurationTests {

	@TempDir
	private Path directory;

	@Test
	void filesAreReadAgainByHandWithoutAWatcher() throws IOException {
		Path file = Files.writeString(this.directory.resolve("servers.yml"), server("a"));
		ConfigurableApplicationContext context = start("spring.config.import=" + file.toUri()).context();
		assertThat(context.getBeanNamesForType(ConfigurationWatcher.class)).isEmpty();
		assertThat(context.getBeanNamesForType(EnvironmentChangeListener.class)).isEmpty();
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("mcp-watching"));
		Files.writeString(file, server("a") + server("b"));
		assertThat(context.getBean(McpServerReloader.class).reload().added()).containsExactly("b");
	}

	@Test
	void environmentThatSpringCloudHasChangedIsBound() throws IOException {
		Path file = Files.writeString(this.directory.resolve("servers.yml"), server("a"));
		ClientApplication application = ClientApplication.start(RefreshedConfiguration.class,
				"spring.config.import=" + file.toUri(), "mcp.reload.enabled=true", "mcp.reload.interval=1h");
		ConfigurableApplicationContext context = application.context();
		assertThat(context.getBean(ConfigurationWatcher.class).isRunning()).isTrue();
		Files.writeString(file, server("a") + server("b"));
		context.getBean(ContextRefresher.class).refresh();
		await().until(() -> names(application).equals(List.of("a", "b")));
		// what others set has no file
		Files.writeString(file, server("b") + server("c"));
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("manager",
					Map.of("mcp.servers.d.url", "http://localhost:1/mcp", "mcp.servers.d.enabled", "false")));
		context.publishEvent(new EnvironmentChangeEvent(context, Set.of("mcp.servers.d.url")));
		await().until(() -> names(application).containsAll(List.of("b", "c", "d")));
		assertThat(names(application)).hasSize(3);
	}

	private static List<String> names(ClientApplication application) {
		return application.registry().servers().stream().map(McpServer::name).toList();
	}

	private static ClientApplication start(String... properties) {
		return ClientApplication.start(properties);
	}

	private static String server(String name) {
		return "mcp.servers." + name + ": { url: 'http://localhost:1/mcp', enabled: false }\n";
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RefreshAutoConfiguration.class, ConfigurationPropertiesRebinderAutoConfiguration.class })
	static class RefreshedConfiguration {

		/**
		 * As that of the audit, which records who asks for a reload.
		 */
		@Bean
		static BeanDefinitionRegistryPostProcessor reloaderBefore() {
			return (registry) -> {
				RootBeanDefinition primary = new RootBeanDefinition(McpServerReloader.class,
						() -> mock(McpServerReloader.class, (call) -> {
							throw new AssertionError("Nobody has asked for a reload");
						}));
				primary.setPrimary(true);
				registry.registerBeanDefinition("before", primary);
			};
		}

	}

}
