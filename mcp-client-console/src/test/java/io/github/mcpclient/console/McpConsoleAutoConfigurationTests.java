package io.github.mcpclient.console;

import java.util.Set;

import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.spi.McpMessageRecording;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.servlet.autoconfigure.actuate.web.ServletManagementContextAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link McpConsoleAutoConfiguration}.
 */
class McpConsoleAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(McpClientAutoConfiguration.class,
			McpConsoleAutoConfiguration.class, EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
			ServletManagementContextAutoConfiguration.class, ManagementContextAutoConfiguration.class);

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS);

	@Test
	void isAServletOfTheApplication() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(McpConsole.class);
			assertThat(context.getBean("mcpConsoleServlet")).extracting("urlMappings")
				.isEqualTo(Set.of("/mcp-console/*"));
			assertThat(context.getBean(McpMessageRecording.class).messages()).isZero();
		});
	}

	@Test
	void isThereWhereTheClientIsDisabled() {
		this.runner.withPropertyValues("mcp.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(McpConsole.class).hasBean("mcpConsoleThreads"));
		this.runner.run((context) -> assertThat(context).doesNotHaveBean("mcpConsoleThreads"));
	}

	@Test
	void isNotThereWithoutAccess() {
		this.runner.withPropertyValues("mcp.console.access=none")
			.run((context) -> assertThat(context).doesNotHaveBean(McpConsole.class)
				.doesNotHaveBean("mcpConsoleServlet")
				.doesNotHaveBean(McpMessageRecording.class));
	}

	@Test
	void isNotThereWhereActuatorHasNoPort() {
		this.runner.withPropertyValues("management.server.port=-1")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(McpConsole.class));
	}

	@Test
	void isNotThereWithoutAWebServer() {
		new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(McpConsole.class));
	}

	@Test
	void refusesMoreMessagesThanAreKept() {
		this.runner.withPropertyValues("mcp.console.messages=10001")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("mcp.console.messages must be from 0 to 10000"));
	}

	@Test
	void knowsItsSettingsAndNoOthers() {
		this.runner.withPropertyValues("mcp.console.allowed-hosts=console.example", "mcp.console.remote=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThatThrownBy(() -> ConsoleApplication.run(WebApplicationType.SERVLET, new Class<?>[0],
				"mcp.console.acces=unrestricted", ConsoleApplication.WITHOUT_SECURITY))
			.hasRootCauseInstanceOf(InvalidMcpConfigurationException.class)
			.rootCause()
			.hasMessageContaining("mcp.console.acces")
			.hasMessageContaining("Did you mean access?");
	}

	@Test
	void hasHintsForItsFiles() {
		RuntimeHints hints = new RuntimeHints();
		new ConsoleRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.resource().forResource(ConsoleFiles.LOCATION + ConsoleFiles.PAGE))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(ServerRow.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(ConsoleCalls.Request.class)).accepts(hints);
	}

}
