package io.github.mcpclient.springai;

import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import tools.jackson.databind.json.JsonMapper;

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
@AutoConfiguration(after = McpClientAutoConfiguration.class)
@ConditionalOnClass(ToolCallbackProvider.class)
@ConditionalOnBean({ McpToolCatalog.class, McpToolExecutor.class })
@ConditionalOnBooleanProperty(name = "mcp.spring-ai.enabled", matchIfMissing = true)
public final class McpSpringAiAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpToolCallbackProvider mcpToolCallbackProvider(McpToolCatalog catalog, McpToolExecutor executor,
			ObjectProvider<McpToolContextConverter> converter, ListableBeanFactory beanFactory) {
		return new McpToolCallbackProvider(catalog.forCaller(), executor,
				new JacksonMcpJsonMapper(JsonMapper.builder().build()), converter.getIfAvailable(),
				new LocalToolNames(beanFactory));
	}

	@Bean
	ChatModelSamplingHandler mcpChatModelSamplingHandler(BeanFactory beanFactory) {
		return new ChatModelSamplingHandler(beanFactory);
	}

}
