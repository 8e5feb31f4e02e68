package io.github.mcpclient.agent;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolCatalog;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of the tools of models, for any registry,
 * and of the executor for agent loops.
 */
@AutoConfiguration(afterName = "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration")
@ConditionalOnBean(McpServerRegistry.class)
public final class McpAgentsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpAgents mcpAgents(Environment environment) {
		boolean search = environment.getProperty("mcp.tools.search.enabled", Boolean.class, false);
		return new McpAgents(
				search ? environment.getProperty("mcp.tools.search.threshold", Integer.class, 30) : Integer.MAX_VALUE);
	}

	@Bean
	@ConditionalOnMissingBean
	McpModelTools mcpModelTools(McpAgents agents, McpServerRegistry registry, McpToolCatalog catalog) {
		return agents.modelTools(registry).withCatalog(catalog);
	}

	@Bean
	@ConditionalOnMissingBean
	McpToolExecutor mcpToolExecutor(McpModelTools tools) {
		return tools.executor();
	}

}
