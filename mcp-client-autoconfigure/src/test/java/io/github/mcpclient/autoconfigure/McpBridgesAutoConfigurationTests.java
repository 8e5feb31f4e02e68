package io.github.mcpclient.autoconfigure;

import java.util.Set;

import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.langchain4j.McpLangChain4jAutoConfiguration;
import io.github.mcpclient.springai.McpSpringAiAutoConfiguration;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.modelcontextprotocol.json.McpJsonDefaults;
import org.junit.jupiter.api.Test;

import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link McpSpringAiAutoConfiguration} and
 * {@link McpLangChain4jAutoConfiguration}.
 */
class McpBridgesAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(Application.class);

	@Test
	void areRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null).getCandidates())
			.contains(McpSpringAiAutoConfiguration.class.getName(), McpLangChain4jAutoConfiguration.class.getName());
	}

	@Test
	void bothAreThere() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(ToolCallbackProvider.class)
			.hasSingleBean(ToolProvider.class)
			.getBean("mcpToolCallbackProvider")
			.isInstanceOf(McpToolCallbackProvider.class));
	}

	@Test
	void bothAreThereAndEmptyWhenTheClientIsDisabled() {
		this.runner.withPropertyValues("mcp.enabled=false").run((context) -> {
			assertThat(context.getBean(ToolCallbackProvider.class).getToolCallbacks()).isEmpty();
			assertThat(context.getBean(McpCatalogToolProvider.class).provideTools(mock()).aiServiceTools()).isEmpty();
		});
	}

	@Test
	void eachCanBeDisabled() {
		this.runner.withPropertyValues("mcp.spring-ai.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ToolCallbackProvider.class)
				.hasSingleBean(ToolProvider.class));
		this.runner.withPropertyValues("mcp.langchain4j.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ToolProvider.class)
				.hasSingleBean(ToolCallbackProvider.class));
	}

	@Test
	void whenSpringAiIsMissingThenThereIsNoToolCallbackProvider() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("mcpToolCallbackProvider")
				.hasSingleBean(McpToolCatalog.class)
				.hasSingleBean(ToolProvider.class));
	}

	@Test
	void whenLangChain4jIsMissingThenThereIsNoToolProvider() {
		this.runner.withClassLoader(new FilteredClassLoader("dev.langchain4j"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("mcpCatalogToolProvider")
				.hasSingleBean(McpToolCatalog.class)
				.hasSingleBean(ToolCallbackProvider.class));
	}

	@Test
	void otherProvidersOfTheApplicationAreLeftAlone() {
		this.runner.withBean("own", ToolCallbackProvider.class, () -> ToolCallbackProvider.from())
			.withBean("ownTools", ToolProvider.class, () -> (request) -> ToolProviderResult.builder().build())
			.run((context) -> {
				assertThat(context.getBeansOfType(ToolCallbackProvider.class)).containsOnlyKeys("own",
						"mcpToolCallbackProvider");
				assertThat(context.getBeansOfType(ToolProvider.class)).containsOnlyKeys("ownTools",
						"mcpCatalogToolProvider");
			});
	}

	@Test
	void bridgesOfTheApplicationComeFirst() {
		this.runner.withUserConfiguration(OwnBridges.class)
			.run((context) -> assertThat(context).hasSingleBean(McpToolCallbackProvider.class)
				.hasSingleBean(McpCatalogToolProvider.class)
				.hasBean("own")
				.hasBean("ownTools"));
	}

	// imports by name, as Spring Boot does: conditions are read before a class is loaded
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ McpClientAutoConfiguration.class, McpLangChain4jAutoConfiguration.class,
			McpSpringAiAutoConfiguration.class })
	static class Application {

	}

	static class OwnBridges {

		@Bean
		McpToolCallbackProvider own(McpToolCatalog catalog, McpToolExecutor executor) {
			return new McpToolCallbackProvider(catalog, executor, McpJsonDefaults.getMapper(), null, Set::of);
		}

		@Bean
		McpCatalogToolProvider ownTools(McpToolCatalog catalog, McpToolExecutor executor) {
			return new McpCatalogToolProvider(catalog, executor, McpJsonDefaults.getMapper());
		}

	}

}
