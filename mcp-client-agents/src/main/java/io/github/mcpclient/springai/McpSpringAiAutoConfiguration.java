package io.github.mcpclient.springai;

import io.github.mcpclient.agent.McpAgentsAutoConfiguration;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;

import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the bridge to Spring AI.
 */
@AutoConfiguration(after = McpAgentsAutoConfiguration.class)
@ConditionalOnClass(ToolCallbackProvider.class)
@ConditionalOnBean({ McpModelTools.class, McpToolExecutor.class })
@ConditionalOnBooleanProperty(name = "mcp.spring-ai.enabled", matchIfMissing = true)
public final class McpSpringAiAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpToolCallbackProvider mcpToolCallbackProvider(McpModelTools tools, McpToolExecutor executor,
			ObjectProvider<McpToolContextConverter> converter, ListableBeanFactory beanFactory) {
		return new McpToolCallbackProvider(tools, executor, converter.getIfAvailable(),
				new LocalToolNames(beanFactory));
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
	ChatModelSamplingHandler mcpChatModelSamplingHandler(BeanFactory beanFactory) {
		return new ChatModelSamplingHandler(beanFactory);
	}

}
