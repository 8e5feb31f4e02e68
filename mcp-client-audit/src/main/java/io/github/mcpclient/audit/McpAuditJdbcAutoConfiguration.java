package io.github.mcpclient.audit;

import javax.sql.DataSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the audit in a database.
 */
@AutoConfiguration(before = McpAuditAutoConfiguration.class,
		afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnBooleanProperty("mcp.audit.jdbc.enabled")
@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
public final class McpAuditJdbcAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@DependsOnDatabaseInitialization
	JdbcMcpAuditSink mcpAuditJdbcSink(DataSource dataSource) {
		return new JdbcMcpAuditSink(dataSource);
	}

	/**
	 * Creates the table, unless another component does.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
	@Conditional(OnInitialization.class)
	@EnableConfigurationProperties(McpAuditProperties.class)
	static class SchemaConfiguration {

		@Bean
		AuditSchema mcpAuditSchema(DataSource dataSource, McpAuditProperties properties) {
			return new AuditSchema(dataSource, properties.jdbc().initializeSchema().name());
		}

	}

	/**
	 * Matches unless the schema is never initialized: an initializer has to detect the
	 * database even then.
	 */
	static class OnInitialization extends NoneNestedConditions {

		OnInitialization() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "mcp.audit.jdbc.initialize-schema", havingValue = "never")
		static class Never {

		}

	}

}
