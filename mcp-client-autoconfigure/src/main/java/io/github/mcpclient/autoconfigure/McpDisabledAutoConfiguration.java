package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.registry.DisabledMcpServerRegistry;
import io.github.mcpclient.registry.NamedTools;
import io.github.mcpclient.tool.ToolExecutor;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} of an MCP client that is switched off:
 * what applications inject is there, without servers and tools.
 */
@AutoConfiguration(before = McpClientAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "mcp.enabled", havingValue = false)
@Import(McpClientAutoConfiguration.Selections.class)
public final class McpDisabledAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(McpServerRegistry.class)
	static NamedTools mcpNamedTools() {
		return new NamedTools();
	}

	@Bean
	@ConditionalOnMissingBean(McpServerRegistry.class)
	DisabledMcpServerRegistry mcpServerRegistry() {
		return new DisabledMcpServerRegistry(new JacksonMcpJsonMapper(JsonMapper.builder().build()));
	}

	@Bean
	@ConditionalOnMissingBean
	McpToolCatalog mcpToolCatalog(McpServerRegistry registry) {
		return registry.tools();
	}

	@Bean
	@ConditionalOnMissingBean
	McpToolExecutor mcpToolExecutor(McpToolCatalog catalog) {
		return new ToolExecutor(catalog);
	}

}
