package io.github.mcpclient.audit;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the audit in the log.
 */
@AutoConfiguration(before = McpAuditAutoConfiguration.class)
@ConditionalOnBooleanProperty("mcp.audit.log.enabled")
public final class McpAuditLogAutoConfiguration {

	@Bean
	LogAuditSink mcpAuditLogSink() {
		return new LogAuditSink();
	}

}
