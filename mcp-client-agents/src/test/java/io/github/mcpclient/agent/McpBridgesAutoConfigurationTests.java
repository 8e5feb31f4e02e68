package io.github.mcpclient.agent;

import java.util.Set;

import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.langchain4j.McpLangChain4jAutoConfiguration;
import io.github.mcpclient.springai.McpSpringAiAutoConfiguration;
import io.github.mcpclient.springai.McpToolCallbackProvider;
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
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link McpAgentsAutoConfiguration}, {@link McpSpringAiAutoConfiguration} and
 * {@link McpLangChain4jAutoConfiguration}.
 */
class McpBridgesAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(Application.class);

	@Test
	void areRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null).getCandidates()).contains(
				McpAgentsAutoConfiguration.class.getName(), McpSpringAiAutoConfiguration.class.getName(),
				McpLangChain4jAutoConfiguration.class.getName());
	}

	@Test
	void toolsAndExecutorAreThereEnabledOrNot() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(McpModelTools.class)
			.hasSingleBean(McpToolExecutor.class));
		this.runner.withPropertyValues("mcp.enabled=false", "mcp.tools.search.enabled=true").run((context) -> {
			assertThat(context.getBean(McpModelTools.class).offered()).isEmpty();
			assertThat(context.getBean(McpToolExecutor.class).canExecute("a_b")).isFalse();
		});
	}

	@Test
	void aCatalogAndAnExecutorOfTheApplicationComeFirst() {
		McpToolCatalog own = mock();
		given(own.forCaller()).willReturn(own);
		this.runner.withBean("own", McpToolCatalog.class, () -> own).run((context) -> {
			assertThat(context.getBean(McpToolExecutor.class).canExecute("own_tool")).isFalse();
			then(own).should().find("own_tool");
		});
		McpToolExecutor executor = mock();
		this.runner.withBean("own", McpToolExecutor.class, () -> executor)
			.run((context) -> assertThat(context).getBean(McpToolExecutor.class).isSameAs(executor));
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
			assertThat(context).doesNotHaveBean(McpSamplingHandler.class);
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
	@ImportAutoConfiguration({ McpClientAutoConfiguration.class, McpAgentsAutoConfiguration.class,
			McpLangChain4jAutoConfiguration.class, McpSpringAiAutoConfiguration.class })
	static class Application {

	}

	static class OwnBridges {

		@Bean
		McpToolCallbackProvider own(McpModelTools tools, McpToolExecutor executor) {
			return new McpToolCallbackProvider(tools, executor, null, Set::of);
		}

		@Bean
		McpCatalogToolProvider ownTools(McpModelTools tools, McpToolExecutor executor) {
			return new McpCatalogToolProvider(tools, executor);
		}

	}

}
