package io.github.mcpclient.console;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.spi.McpMessageRecording;
import io.github.mcpclient.spi.McpToolClientMismatches;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of the console, a page that shows the MCP
 * servers of the application. It is mapped in the server that has Actuator.
 */
@AutoConfiguration(afterName = { "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnWebApplication
@ConditionalOnBean({ McpServerRegistry.class, McpServerManager.class })
@Conditional(McpConsoleAutoConfiguration.OnAccess.class)
@EnableConfigurationProperties(McpConsoleProperties.class)
@ImportRuntimeHints(ConsoleRuntimeHints.class)
public final class McpConsoleAutoConfiguration {

	/**
	 * The threads for a disabled client, of which the console shows no servers.
	 */
	@Bean(destroyMethod = "dispose")
	@ConditionalOnMissingBean
	ClientThreads mcpConsoleThreads() {
		return new ClientThreads();
	}

	@Bean(destroyMethod = "close")
	ServerFeed mcpConsoleFeed(McpServerManager manager, ClientThreads threads,
			@Qualifier("mcpConsoleFigures") ObjectProvider<Supplier<? extends Map<String, ?>>> figures,
			ObjectProvider<McpServerReloader> reloader) {
		return new ServerFeed(manager, threads.scheduler(), figures.getIfAvailable(),
				() -> reloader.stream()
					.flatMap((one) -> one.failure().stream())
					.findFirst()
					.map(McpReloadFailure::message)
					.orElse(null));
	}

	@Bean(destroyMethod = "close")
	ConsoleCalls mcpConsoleCalls(McpServerRegistry registry, ClientThreads threads, ServerFeed feed) {
		return new ConsoleCalls(registry, threads.scheduler(), feed.threads());
	}

	@Bean
	ConsoleServers mcpConsoleServers(McpServerManager manager, ServerFeed feed, ClientThreads threads,
			ObjectProvider<McpToolClientMismatches> clients, ObjectProvider<McpServerReloader> reloader) {
		return new ConsoleServers(manager, new McpEndpoint(manager, threads.scheduler(), true, List::of,
				clients.getIfAvailable(() -> List::of), reloader::getIfAvailable), feed);
	}

	@Bean
	McpMessageRecording mcpConsoleMessageRecording(McpConsoleProperties properties) {
		return new McpMessageRecording(properties.messages());
	}

	@Bean
	McpConsole mcpConsole(McpConsoleProperties properties, ConsoleServers servers, ServerFeed feed, ConsoleCalls calls,
			Environment environment) {
		return new McpConsole(new RequestGuard(properties),
				new ConsoleApi(properties, servers, feed, calls,
						environment.getProperty("spring.application.name", "application")),
				McpConsole.isBehindProxy(environment));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MetersConfiguration {

		@Bean
		Supplier<Map<String, ServerFigures.Figures>> mcpConsoleFigures(MeterRegistry meters, McpServerManager manager,
				ClientThreads threads) {
			return new ServerFigures(meters, manager, threads.scheduler())::figures;
		}

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
