package io.github.mcpclient.declared;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RequiredClients}.
 */
class RequiredClientsTests {

	private static final McpTestServer server = McpTestServer.create().tools("forecast", "say").start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(McpDeclaredClientsAutoConfiguration.class,
				McpClientAutoConfiguration.class, SslAutoConfiguration.class))
		.withUserConfiguration(Required.class)
		.withPropertyValues("mcp.startup.wait=30s", "mcp.defaults.reconnect.initial-delay=10ms");

	@AfterAll
	static void stop() {
		server.close();
	}

	private static String url(McpTestServer server) {
		return "mcp.servers.weather.url=" + server.url();
	}

	@Test
	void theStartSucceedsWhereAllMatches() {
		this.runner.withPropertyValues(url(server)).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theStartFailsWhereAToolIsMissing() {
		try (McpTestServer other = McpTestServer.create().tools("forcast").start()) {
			this.runner.withPropertyValues(url(other)).run((context) -> {
				assertFailed(context, Kind.NO_TOOL);
				assertThat(analysis(context).getDescription()).contains(Weather.class.getName() + " (server 'weather')",
						"forecast: the server has no tool 'forecast'. Did you mean forcast?");
				assertThat(analysis(context).getAction()).contains("Update the interfaces", "remove 'required = true'")
					.doesNotContain("mcp.startup.wait");
			});
		}
	}

	@Test
	void theStartFailsWhereTheServerIsNotConfigured() {
		this.runner.run((context) -> {
			assertFailed(context, Kind.NO_SERVER);
			assertThat(analysis(context).getAction()).contains("Configure mcp.servers.<name>");
		});
	}

	@Test
	void theStartFailsWhereTheServerDoesNotListItsToolsInTime() {
		this.runner.withPropertyValues("mcp.servers.weather.url=http://localhost:1/mcp", "mcp.startup.wait=10ms")
			.run((context) -> {
				assertFailed(context, Kind.NOT_LISTED);
				assertThat(analysis(context).getAction()).contains("mcp.startup.wait",
						"mcp.servers.<name>.required=true");
			});
	}

	@Test
	void theStartFailsAtOnceWhereTheServerIsDisabled() {
		this.runner.withPropertyValues(url(server), "mcp.servers.weather.enabled=false", "mcp.startup.wait=1h")
			.run((context) -> {
				assertFailed(context, Kind.NOT_LISTED);
				assertThat(analysis(context).getDescription()).contains("the server is DISABLED");
			});
	}

	@Test
	void aServerIsWaitedForAfterItsFirstAttempt() {
		try (McpTestServer late = McpTestServer.create()
			.tools("forecast")
			.onNext("initialize", McpTestReply.status(503), McpTestReply.status(503))
			.start()) {
			this.runner.withPropertyValues(url(late)).run((context) -> assertThat(context).hasNotFailed());
			assertThat(late.requests("initialize")).hasSizeGreaterThan(2);
		}
	}

	@Test
	void aServerIsConnectedEvenIfOthersWaitForTheirFirstUse() {
		this.runner.withPropertyValues(url(server), "mcp.startup.mode=lazy", "mcp.servers.other.url=" + server.url())
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void itIsCreatedEvenIfOtherBeansWaitForTheirFirstUse() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertFailed(context, Kind.NO_SERVER));
	}

	@Test
	void aDisabledClientRequiresNothing() {
		this.runner.withPropertyValues("mcp.enabled=false").run((context) -> assertThat(context).hasNotFailed());
	}

	private static void assertFailed(AssertableApplicationContext context, Kind kind) {
		assertThat(context).getFailure()
			.rootCause()
			.asInstanceOf(InstanceOfAssertFactories.type(McpToolClientMismatchException.class))
			.extracting(McpToolClientMismatchException::getMismatches,
					InstanceOfAssertFactories.list(McpToolClientMismatchEvent.class))
			.singleElement()
			.extracting(McpToolClientMismatchEvent::mismatches, InstanceOfAssertFactories.list(Mismatch.class))
			.extracting(Mismatch::kind)
			.containsExactly(kind);
	}

	private static FailureAnalysis analysis(AssertableApplicationContext context) {
		FailureAnalysis analysis = new McpToolClientMismatchFailureAnalyzer().analyze(context.getStartupFailure());
		assertThat(analysis).isNotNull();
		return analysis;
	}

	@Configuration
	@ImportMcpToolClients({ Weather.class, Other.class })
	static class Required {

	}

	@McpToolClient(value = "weather", required = true)
	interface Weather {

		List<Map<String, Object>> forecast(String message);

	}

	/**
	 * Matches no server, and is not required.
	 */
	@McpToolClient("none")
	interface Other {

		String say(String message);

	}

}
