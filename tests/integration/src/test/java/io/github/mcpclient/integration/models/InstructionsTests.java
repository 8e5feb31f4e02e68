package io.github.mcpclient.integration.models;

import java.util.concurrent.atomic.AtomicReference;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What servers say of themselves, on its way to operators and models.
 */
class InstructionsTests {

	@Test
	void instructionsReachOperatorsAndModels() {
		McpTestServer a = closing(McpTestServer.create().tools("one").instructions("Call {{one}} first.").start());
		McpTestServer b = closing(McpTestServer.create().tools("two").instructions("Be quick.").start());
		McpTestServer silent = closing(McpTestServer.create().tools("three").start());
		ClientApplication application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[0],
				"mcp.servers.b.url=" + b.url(), "mcp.servers.a.url=" + a.url(), "mcp.servers.c.url=" + silent.url(),
				"management.endpoints.web.exposure.include=mcp", "mcp.defaults.reconnect.initial-delay=20s");
		String all = "# MCP server a\n\n> Call {{one}} first.\n\n# MCP server b\n\n> Be quick.";
		assertThat(application.context().getBean(McpModelTools.class).instructions()).isEqualTo(all);
		assertThat(application.context()
			.getBean(McpModelTools.class)
			.withCatalog(application.tools().select("c_*"))
			.instructions()).isEmpty();
		assertThat(application.registry().server("b").instructions()).isEqualTo("Be quick.");
		assertThat(application.registry().server("c").instructions()).isNull();
		JsonNode server = application.get("/actuator/mcp/a");
		assertThat(server.at("/instructions").asString()).isEqualTo("Call {{one}} first.");
		assertThat(application.context().getBean(McpToolCallbackProvider.class).select("b_*").instructions())
			.isEqualTo("# MCP server b\n\n> Be quick.");
		assertThat(systemMessage(application.context().getBean(McpCatalogToolProvider.class)))
			.isEqualTo("You help.\n\n" + all.replace("{{one}}", "{ {one}}"));
		// as the tools of a server that is away stay listed
		a.stop();
		Awaitility.await().until(() -> application.state("a") == McpServerState.UNAVAILABLE);
		assertThat(application.context().getBean(McpModelTools.class).instructions()).isEqualTo(all);
	}

	private static String systemMessage(McpCatalogToolProvider tools) {
		AtomicReference<ChatRequest> asked = new AtomicReference<>();
		ChatModel model = new ChatModel() {

			@Override
			public ChatResponse doChat(ChatRequest request) {
				asked.set(request);
				return ChatResponse.builder().aiMessage(AiMessage.from("Done")).build();
			}

		};
		AiServices.builder(Assistant.class)
			.chatModel(model)
			.systemMessageProvider(tools.systemMessageProvider("You help."))
			.toolProvider(tools)
			.build()
			.ask("Help!");
		return ((dev.langchain4j.data.message.SystemMessage) asked.get().messages().get(0)).text();
	}

	interface Assistant {

		String ask(String question);

	}

}
