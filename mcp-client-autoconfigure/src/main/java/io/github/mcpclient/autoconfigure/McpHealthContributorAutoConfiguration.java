package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.actuate.McpHealthContributor;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link McpHealthContributor}.
 */
@AutoConfiguration(before = HealthContributorAutoConfiguration.class, after = McpClientAutoConfiguration.class)
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(McpServerRegistry.class)
@ConditionalOnEnabledHealthIndicator("mcp")
public final class McpHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "mcpHealthIndicator", "mcpHealthContributor" })
	McpHealthContributor mcpHealthContributor(McpServerRegistry registry) {
		return new McpHealthContributor(registry);
	}

}
