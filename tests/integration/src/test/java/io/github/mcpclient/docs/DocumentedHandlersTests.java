package io.github.mcpclient.docs;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpUrlElicitationRequiredException;
import io.github.mcpclient.handler.McpElicitation;
import io.github.mcpclient.handler.McpHandlerContext;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.ai.mcp.annotation.McpToolListChanged;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code of {@code docs/handlers.md}.
 */
class DocumentedHandlersTests {

	@Test
	void handlersAnswer() {
		List<?> messages = List.of(Map.of("role", "user", "content", Map.of("type", "text", "text", "Hello")));
		Map<String, Object> schema = Map.of("type", "object", "properties", Map.of("city", Map.of("type", "string")));
		McpTestServer server = closing(
				McpTestServer.create()
					.tool("sample",
							(request) -> McpTestReply.text(request
								.request("sampling/createMessage", Map.of("messages", messages, "maxTokens", 5))
								.get()
								.toString()))
					.tool("elicit",
							(request) -> McpTestReply.text(request
								.request("elicitation/create", Map.of("message", "Where?", "requestedSchema", schema))
								.get()
								.toString()))
					.tool("login",
							McpTestReply.error(-32042, "Log in",
									Map.of("elicitations",
											List.of(Map.of("mode", "url", "elicitationId", "1", "message", "Log in",
													"url", "https://login.example/")))))
					.start());
		ClientApplication application = ClientApplication.start(WebApplicationType.NONE,
				new Class<?>[] { Sampling.class, Forms.class, Names.class }, "mcp.servers.travel.url=" + server.url());
		Names all = application.context().getBean(Names.class);
		Awaitility.await()
			.untilAsserted(() -> assertThat(all.names).containsExactlyInAnyOrder("sample", "elicit", "login"));
		assertThat(application.text("travel_sample", Map.of())).contains("text=an answer to Hello");
		assertThat(application.text("travel_elicit", Map.of())).contains("action=accept", "city=Bern");
		String shown = "";
		try {
			application.registry().callTool("travel_login", Map.of());
		}
		catch (McpUrlElicitationRequiredException ex) {
			for (ElicitUrlRequest page : ex.getElicitations()) {
				shown += page.message() + ": " + page.url();
			}
		}
		assertThat(shown).isEqualTo("Log in: https://login.example/");
	}

	@Configuration(proxyBeanMethods = false)
	static class Sampling {

		private final Model model = (systemPrompt, messages) -> "an answer to "
				+ ((TextContent) messages.get(0).content()).text();

		@Bean
		McpSamplingHandler sampling() {
			return (request, context) -> {
				if (!isAllowed(context.serverName(), request.messages())) {
					throw McpError.builder(-1).message("User rejected sampling request").build();
				}
				String text = this.model.generate(request.systemPrompt(), request.messages());
				return CreateMessageResult.builder(Role.ASSISTANT, text, "my-model").build();
			};
		}

		private static boolean isAllowed(String server, List<SamplingMessage> messages) {
			return server.equals("travel") && messages.size() == 1;
		}

	}

	@Component
	static class Forms {

		@McpElicitation(clients = "travel")
		ElicitResult fill(ElicitFormRequest form, McpHandlerContext context) {
			Map<String, Object> content = show(context.serverName(), form.message(), form.requestedSchema());
			return ElicitResult.builder(ElicitResult.Action.ACCEPT).content(content).build();
		}

		private static Map<String, Object> show(String server, String message, Map<String, Object> schema) {
			return Map.of("city", "Bern");
		}

	}

	static class Names {

		private volatile List<String> names = List.of();

		@McpToolListChanged(clients = "travel")
		void changed(List<Tool> tools) {
			this.names = tools.stream().map(Tool::name).toList();
		}

	}

	interface Model {

		String generate(@Nullable String systemPrompt, List<SamplingMessage> messages);

	}

}
