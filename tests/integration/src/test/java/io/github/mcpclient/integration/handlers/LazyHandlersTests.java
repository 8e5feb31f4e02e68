package io.github.mcpclient.integration.handlers;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpHandlerContext;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first request to a server, which connects it, and what the server asks meanwhile.
 */
class LazyHandlersTests {

	private static McpTestServer server;

	@AfterEach
	void close() {
		SecurityContextHolder.clearContext();
		server.close();
	}

	@ParameterizedTest
	@CsvSource({ "who, alice", "login, in" })
	void firstRequestHasHandlers(String prompt, String answer) {
		AtomicBoolean refused = new AtomicBoolean();
		Map<String, Object> page = Map.of("mode", "url", "elicitationId", "1", "url", "https://login.example/",
				"message", "Log in");
		server = McpTestServer.create()
			.prompt(Map.of("name", "who"),
					(request) -> text(
							request.request("sampling/createMessage", Map.of("messages", List.of(), "maxTokens", 1))
								.get()
								.toString()))
			.prompt(Map.of("name", "login"),
					(request) -> refused.getAndSet(true) ? text("in")
							: McpTestReply.error(-32042, "Log in", Map.of("elicitations", List.of(page))))
			.start();
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "secret"));
		ClientApplication application = ClientApplication.start(Handlers.class, "mcp.servers.a.url=" + server.url(),
				"mcp.startup.mode=lazy");
		assertThat(application.registry().server("a").getPrompt(prompt, Map.of()).toString())
			.contains("text=" + answer);
	}

	private static McpTestReply text(String text) {
		return McpTestReply.result(
				Map.of("messages", List.of(Map.of("role", "user", "content", Map.of("type", "text", "text", text)))));
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		McpSamplingHandler samplingHandler() {
			return (request, context) -> CreateMessageResult
				.builder(Role.ASSISTANT, SecurityContextHolder.getContext().getAuthentication().getName(), "user")
				.build();
		}

		/**
		 * The user is done at once.
		 */
		@Bean
		McpElicitationHandler elicitationHandler() {
			return new McpElicitationHandler() {

				@Override
				public ElicitResult elicit(ElicitRequest request, McpHandlerContext context) {
					server.awaitListeners(1)
						.notifyClients("notifications/elicitation/complete", Map.of("elicitationId", "1"));
					return ElicitResult.builder(ElicitResult.Action.ACCEPT).build();
				}

				@Override
				public Set<Mode> modes() {
					return Set.of(Mode.URL);
				}

			};
		}

	}

}
