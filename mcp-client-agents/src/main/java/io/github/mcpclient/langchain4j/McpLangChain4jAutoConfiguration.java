package io.github.mcpclient.langchain4j;

import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.search.ToolSearchStrategy;
import io.github.mcpclient.agent.McpAgentsAutoConfiguration;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the bridge to LangChain4j.
 */
@AutoConfiguration(after = McpAgentsAutoConfiguration.class)
@ConditionalOnClass(ToolProvider.class)
@ConditionalOnBean({ McpModelTools.class, McpToolExecutor.class })
@ConditionalOnBooleanProperty(name = "mcp.langchain4j.enabled", matchIfMissing = true)
public final class McpLangChain4jAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpCatalogToolProvider mcpCatalogToolProvider(McpModelTools tools, McpToolExecutor executor) {
		return new McpCatalogToolProvider(tools, executor);
	}

	@Bean
	@ConditionalOnMissingBean(ToolSearchStrategy.class)
	McpToolSearchStrategy mcpToolSearchStrategy(McpCatalogToolProvider tools) {
		return tools.toolSearchStrategy();
	}

}
