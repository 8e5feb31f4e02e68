package io.github.mcpclient.declared;

import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.declared.example.Clients;
import io.github.mcpclient.declared.example.Echo;
import io.github.mcpclient.test.server.McpTestServer;
import jakarta.validation.ConstraintViolationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ImportMcpToolClients}.
 */
class ImportMcpToolClientsTests {

	private static final McpTestServer SERVER = McpTestServer.create().tools("echo").start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(McpDeclaredClientsAutoConfiguration.class, McpClientAutoConfiguration.class, SslAutoConfiguration.class));

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	private static String url() {
		return "mcp.servers.echo.url=" + SERVER.url();
	}

	@ParameterizedTest
	@ValueSource(classes = { Clients.class, OfTypes.class, OfPackages.class, OfPackageOfClass.class, Twice.class })
	void eachInterfaceIsOneBean(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration)
			.withPropertyValues("examples=io.github.mcpclient.declared.example")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Echo.class)
				.hasBean(Echo.class.getName()));
	}

	@Test
	void thoseOfAPackageIncludeNestedOnes() {
		this.runner.withUserConfiguration(Clients.class)
			.run((context) -> assertThat(context.getBeanNamesForType(Object.class))
				.filteredOn((name) -> name.startsWith("io.github.mcpclient.declared.example"))
				.containsExactlyInAnyOrder(Echo.class.getName(), Clients.class.getName() + "$Nested"));
	}

	@Test
	void aBeanIsInjectedByItsTypeAndCallsItsServer() {
		this.runner.withUserConfiguration(OfTypes.class, Caller.class)
			.withPropertyValues(url())
			.run((context) -> assertThat(context.getBean(Caller.class).echo.echo("hello")).isEqualTo("echo hello"));
	}

	@Test
	void noServerBlocksTheStart() {
		this.runner.withUserConfiguration(OfTypes.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatExceptionOfType(NoSuchMcpServerException.class)
				.isThrownBy(() -> context.getBean(Echo.class).echo("hello"));
		});
	}

	@Test
	void anApplicationMayHaveItsOwn() {
		this.runner.withUserConfiguration(OfTypes.class, Own.class, Caller.class)
			.run((context) -> assertThat(context.getBean(Caller.class).echo.echo("hello")).isEqualTo("own"));
	}

	@Test
	void aConditionSeesTheTypeOfABean() {
		this.runner.withUserConfiguration(OfTypes.class, Fallback.class)
			.run((context) -> assertThat(context).hasSingleBean(Echo.class));
	}

	@Test
	void argumentsAndResultsAreValidated() {
		this.runner.withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
			.withUserConfiguration(OfTypes.class)
			.withPropertyValues(url())
			.run((context) -> {
				Echo echo = context.getBean(Echo.class);
				assertThat(echo.echo("hello")).isEqualTo("echo hello");
				SERVER.forgetRequests();
				assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> echo.echo(" "))
					.withMessageContaining("echo.message");
				assertThat(SERVER.calls()).isEmpty();
				assertThatExceptionOfType(ConstraintViolationException.class)
					.isThrownBy(() -> echo.echo("a long message"))
					.withMessageContaining("echo.<return value>");
			});
	}

	@Test
	void aMistakeFailsTheStart() {
		this.runner.withUserConfiguration(Mistaken.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage(
						"java.lang.Runnable is not a declared MCP client: it must be an interface with @McpToolClient"));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportMcpToolClients(types = Echo.class)
	static class OfTypes {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportMcpToolClients(basePackages = "${examples}")
	static class OfPackages {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportMcpToolClients(basePackageClasses = Echo.class)
	static class OfPackageOfClass {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportMcpToolClients(Echo.class)
	@ImportMcpToolClients(basePackages = "io.github.mcpclient.declared.example")
	static class Twice {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportMcpToolClients(Runnable.class)
	static class Mistaken {

	}

	@Configuration(proxyBeanMethods = false)
	static class Own {

		@Bean
		@Primary
		Echo own() {
			return (message) -> "own";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Fallback {

		@Bean
		@ConditionalOnMissingBean
		Echo fallback() {
			return (message) -> "fallback";
		}

	}

	static class Caller {

		private final Echo echo;

		Caller(Echo echo) {
			this.echo = echo;
		}

	}

}
