package io.github.mcpclient.integration.servers;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpElicitation;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What is said to somebody who does what newcomers do.
 */
@ExtendWith(OutputCaptureExtension.class)
class HelpfulMessagesTests {

	private static final McpTestServer SERVER = McpTestServer.create().tools("echo", "sum").start();

	@Test
	void theNameThatTheServerGivesToAToolLeadsToItsOwn() {
		ClientApplication application = start();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> application.tools().get("echo"))
			.withMessage("No MCP tool 'echo'. Did you mean everything_echo?");
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> application.tools().forCaller().get("echo"))
			.withMessage("No MCP tool 'echo'. Did you mean everything_echo?");
		assertThat(application.context().getBean(McpToolExecutor.class).execute("sum", Map.of("message", "x")).text())
			.isEqualTo("No MCP tool 'sum'. Did you mean everything_sum?");
	}

	@Test
	void aToolOfAServerThatWasRemovedIsKnownAsThat() {
		ClientApplication application = start();
		McpServerDefinition weather = server("weather", SERVER.url());
		application.manager().add(weather);
		McpTool echo = application.tools().get("weather_echo");
		application.manager().remove("weather");
		String message = "No MCP tool 'weather_echo': its server 'weather' was removed";
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> application.tools().get("weather_echo"))
			.withMessage(message);
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> echo.call(Map.of()))
			.withMessage(message);
		application.manager().add(weather);
		assertThat(application.tools().get("weather_echo").available()).isTrue();
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> application.tools().get("weather_ecko"))
			.withMessage("No MCP tool 'weather_ecko'. Did you mean weather_echo or weather_sum?");
	}

	@Test
	void aServerOfCodeIsNotLookedForInTheProperties() {
		String nobody = "http://localhost:" + Peers.freePort() + "/mcp";
		ClientApplication application = start("mcp.servers.configured.url=" + nobody);
		McpServerStatus status = application.manager().add(server("own", nobody));
		assertThat(status.state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(status.lastError()).contains("'url' of its definition is right.").doesNotContain("mcp.servers");
		status = application.manager().add(McpServerDefinition.stdio("child", "no-such-executable").build());
		assertThat(status.lastError()).contains("Install it, or set 'command' of its definition to its full path.");
		assertThat(application.registry().server("configured").status().lastError())
			.contains("that mcp.servers.configured.url is right");
	}

	@Test
	void aCallOfAConstructorIsTooEarly() {
		ClientApplication application = ClientApplication.start(Hasty.class,
				"mcp.servers.everything.url=" + SERVER.url());
		Hasty hasty = application.context().getBean(Hasty.class);
		assertThat(hasty.lookup).isInstanceOf(NoSuchMcpToolException.class)
			.hasMessageStartingWith("No MCP tool 'everything_echo': the application is still starting")
			.hasMessageContaining("ApplicationRunner");
		assertThat(hasty.call).hasMessage(hasty.lookup.getMessage());
		assertThat(application.text("everything_echo", Map.of("message", "x"))).isEqualTo("echo x");
	}

	@Test
	void aHandlerOfAServerThatThereIsNotIsWarnedOf(CapturedOutput output) {
		ClientApplication.start(Questions.class, "mcp.servers.everything.url=" + SERVER.url()).close();
		assertThat(output).contains("names MCP server 'everythin', which does not exist. Did you mean everything?")
			.doesNotContain("names MCP server 'everything'");
	}

	@ParameterizedTest
	@CsvSource({ "'', 404", "management.endpoint.health.show-components=always, 200",
			"management.endpoint.health.show-details=always, 200" })
	void theHealthOfServersIsShownWhereDetailsAre(String property, int status) {
		ClientApplication application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[0],
				"mcp.servers.everything.url=" + SERVER.url(), "server.port=0",
				property.isEmpty() ? "management.endpoint.health.show-details=never" : property);
		HttpResponse<String> answer = application.exchange("/actuator/health/mcp");
		assertThat(answer.statusCode()).isEqualTo(status);
		assertThat(answer.body().isEmpty()).isEqualTo(status == 404);
		assertThat(application.exchange("/actuator/health").statusCode()).isEqualTo(200);
	}

	private static ClientApplication start(String... properties) {
		return ClientApplication.start(properties, "mcp.servers.everything.url=" + SERVER.url(),
				"mcp.defaults.reconnect.initial-delay=20s");
	}

	private static McpServerDefinition server(String name, String url) {
		return McpServerDefinition.http(name, URI.create(url)).requestTimeout(Duration.ofSeconds(20)).build();
	}

	static class Hasty {

		private final Throwable lookup;

		private final Throwable call;

		Hasty(McpToolCatalog tools, @Qualifier("everything_echo") McpTool echo) {
			this.lookup = catchThrowable(() -> tools.get("everything_echo"));
			this.call = catchThrowable(() -> echo.call(Map.of("message", "x")));
		}

	}

	static class Questions {

		@McpElicitation(clients = { "everythin", "everything" })
		ElicitResult ask(ElicitRequest request) {
			return ElicitResult.builder(ElicitResult.Action.DECLINE).build();
		}

	}

}
