package io.github.mcpclient.console;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.support.ClientThreads;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of the console, a page that shows the MCP
 * servers of the application. It is mapped in the server that has Actuator.
 */
@AutoConfiguration(afterName = "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration")
@ConditionalOnWebApplication
@ConditionalOnBean({ McpServerRegistry.class, ClientThreads.class })
@Conditional(McpConsoleAutoConfiguration.OnAccess.class)
@EnableConfigurationProperties(McpConsoleProperties.class)
public final class McpConsoleAutoConfiguration {

	@Bean(destroyMethod = "close")
	ServerFeed mcpConsoleFeed(McpServerRegistry registry, ClientThreads threads) {
		return new ServerFeed(registry, threads.scheduler());
	}

	@Bean(destroyMethod = "close")
	ConsoleCalls mcpConsoleCalls(McpServerRegistry registry, ClientThreads threads, ServerFeed feed) {
		return new ConsoleCalls(registry, threads.scheduler(), feed.threads());
	}

	@Bean
	ConsoleApi mcpConsoleApi(McpConsoleProperties properties, McpServerRegistry registry, ServerFeed feed,
			ConsoleCalls calls, ApplicationContext context) {
		return new ConsoleApi(properties, registry, feed, calls, context.getBean(ClientThreads.class).scheduler(),
				context.getEnvironment().getProperty("spring.application.name", "application"));
	}

	@Bean
	McpConsole mcpConsole(McpConsoleProperties properties, ConsoleApi api, Environment environment) {
		return new McpConsole(properties, api, McpConsole.isBehindProxy(environment));
	}

	static final class OnAccess extends NoneNestedConditions {

		OnAccess() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "mcp.console.access", havingValue = "none")
		static class None {

		}

		@ConditionalOnManagementPort(ManagementPortType.DISABLED)
		static class NoPort {

		}

	}

}
