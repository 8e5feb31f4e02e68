package io.github.mcpclient.langchain4j;

import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.search.ToolSearchStrategy;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the bridge to LangChain4j.
 */
@AutoConfiguration(after = McpClientAutoConfiguration.class)
@ConditionalOnClass(ToolProvider.class)
@ConditionalOnBean({ McpToolCatalog.class, McpToolExecutor.class })
@ConditionalOnBooleanProperty(name = "mcp.langchain4j.enabled", matchIfMissing = true)
public final class McpLangChain4jAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpCatalogToolProvider mcpCatalogToolProvider(McpToolCatalog catalog, McpToolExecutor executor) {
		return new McpCatalogToolProvider(catalog.forCaller(), executor,
				new JacksonMcpJsonMapper(JsonMapper.builder().build()));
	}

	@Bean
	@ConditionalOnMissingBean(ToolSearchStrategy.class)
	McpToolSearchStrategy mcpToolSearchStrategy(McpCatalogToolProvider tools) {
		return tools.toolSearchStrategy();
	}

}
