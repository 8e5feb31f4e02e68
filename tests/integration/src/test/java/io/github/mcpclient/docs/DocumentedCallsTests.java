package io.github.mcpclient.docs;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.agent.McpToolMatch;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.docs.guide.GuideApplication;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest.CompleteArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The code of the README, {@code docs/calling-tools.md} and
 * {@code docs/dynamic-servers.md}, with the server that they use.
 */
@ExtendWith(OutputCaptureExtension.class)
class DocumentedCallsTests {

	private static String[] everything() {
		return new String[] { "mcp.servers.everything.command=node",
				"mcp.servers.everything.args=" + Peers.script("server-everything") + ",stdio",
				"mcp.selections.librarian=everything_get-*" };
	}

	private static ClientApplication start() {
		return ClientApplication.start(Beans.class, everything());
	}

	@Test
	void theGuide(CapturedOutput output) {
		String[] args = List
			.of("--mcp.servers.everything.command=node",
					"--mcp.servers.everything.args=" + Peers.script("server-everything") + ",stdio",
					"--mcp.servers.everything.required=true", "--spring.main.web-application-type=none")
			.toArray(String[]::new);
		try (ConfigurableApplicationContext context = SpringApplication.run(GuideApplication.class, args)) {
			assertThat(context.isRunning()).isTrue();
			assertThat(output).contains("13 tools");
			assertThat(output.toString().lines().filter((line) -> line.startsWith("everything_"))).hasSize(13);
			assertThat(output).contains("everything_get-sum")
				.contains("\nEcho: hello\nThe sum of 2 and 3 is 5.\nLight rain / drizzle\n");
		}
	}

	@Test
	void calls(CapturedOutput output) {
		ClientApplication application = start();
		results(application.tools(), application.registry());
		assertThatExceptionOfType(McpToolException.class)
			.isThrownBy(() -> application.tools().get("everything_get-sum").call(Map.of("a", "x")).orThrow())
			.withMessageContaining("Input validation error");
		assertThat(output).contains(" INFO ", "MCP tool 'everything_get-sum' returned an error: MCP error -32602");
		McpModelTools modelTools = application.context().getBean(McpModelTools.class);
		agentLoop(modelTools, application.tools(), application.tools().get("everything_get-sum"));
		search(modelTools);
		assertThat(output).containsPattern("(?m)^everything_get-sum \\d");
		types(application.tools());
		states(application.registry());
		assertThat(output).contains("everything is READY\n");
		progress(application.tools());
		assertThat(output).contains("2.0 of 2.0");
		assertThat(application.context().getBean(EchoService.class).echo("bean")).isEqualTo("Echo: bean");
		assertThat(output).contains("everything: IDLE -> CONNECTING\n", "everything: 13 tools added, 0 removed\n",
				"everything: CONNECTING -> READY\n");
		McpToolExecutor executor = application.context().getBean(McpToolExecutor.class);
		assertThat(executor.execute("everything_ecko", Map.of()).text())
			.startsWith("No MCP tool 'everything_ecko'. Did you mean everything_echo?");
		McpToolResult result = executor.execute("everything_echo", Map.of("message", "hello"));
		assertThat(result.text()).isEqualTo("Echo: hello");
		ofSelection(executor, application.tools());
		promptsAndResources(application.registry());
		addReplaceAndRemove(application.context().getBean(McpServerManager.class), application.registry(), "first",
				"second");
	}

	private void ofSelection(McpToolExecutor executor, McpToolCatalog tools) {
		// @formatter:off
		McpToolExecutor librarian = executor.withCatalog(tools.selection("librarian"));
		// @formatter:on
		assertThat(librarian.canExecute("everything_get-sum")).isTrue();
		assertThat(librarian.canExecute("everything_echo")).isFalse();
	}

	@Test
	void anOutcomeThatIsNotKnown() {
		McpTestServer server = closing(McpTestServer.create().tool("buy", McpTestReply.cut()).start());
		ClientApplication application = ClientApplication.start("mcp.servers.shop.url=" + server.url());
		assertThat(outcome(application.tools().get("shop_buy"))).startsWith("It may have been done.");
		server.tool("buy", McpTestReply.error(-32602, "Sold out"));
		assertThatExceptionOfType(McpProtocolException.class)
			.isThrownBy(() -> outcome(application.tools().get("shop_buy")));
	}

	private static String outcome(McpTool tool) {
		try {
			return tool.call(Map.of()).orThrow().text();
		}
		catch (McpException ex) {
			if (!ex.isOutcomeKnown()) {
				return "It may have been done. Look before you try again.";
			}
			throw ex;
		}
	}

	@Test
	void aTransportOfTheApplication() {
		ClientApplication application = ClientApplication.start(Transports.class, "mcp.servers.memory.type=in-memory");
		assertThat(application.text("memory_hello", Map.of("message", "spring"))).isEqualTo("hello spring");
	}

	private void results(McpToolCatalog tools, McpServerRegistry registry) {
		// @formatter:off
		String sum = tools.get("everything_get-sum").call(Map.of("a", 2, "b", 3)).orThrow().text();

		McpToolResult result = tools.get("everything_get-tiny-image").call(Map.of());
		result.isError();             // whether the tool reports an error
		result.orThrow();             // this result, or McpToolException if it is an error
		result.text();                // all text; other items as "[image/png image, 4033 bytes]"
		result.content();             // the items, typed
		result.structuredContent();   // the structured result, or null

		tools.get("everything_echo").callAsync(Map.of("message", "later")).map(McpToolResult::orThrow);   // Mono<McpToolResult>

		tools.select("everything_get-*", "!*-env");   // a live view of some of them
		tools.selection("librarian");                 // the same, with the patterns of mcp.selections.librarian

		registry.callTool("everything_echo", Map.of("message", "hello"));     // McpServerRegistry: by name
		// @formatter:on
		assertThat(sum).isEqualTo("The sum of 2 and 3 is 5.");
		assertThat(result.text()).contains("[image/png image, 4033 bytes]");
		assertThat(tools.select("everything_get-*", "!*-env").all()).isNotEmpty()
			.isSubsetOf(tools.selection("librarian").all());
	}

	private void types(McpToolCatalog tools) {
		// @formatter:off
		record Place(String location) {
		}

		record Weather(double temperature, String conditions) {
		}

		Weather weather = tools.get("everything_get-structured-content")
			.call(new Place("Chicago"))
			.structuredContent(Weather.class);
		// @formatter:on
		assertThat(weather).isEqualTo(new Weather(36, "Light rain / drizzle"));
	}

	private void agentLoop(McpModelTools modelTools, McpToolCatalog tools, McpTool tool) {
		// @formatter:off
		McpModelTools librarian = modelTools.withCatalog(tools.selection("librarian"));

		librarian.offered();                       // the tools to offer to a model now: List<McpTool>
		librarian.inputSchema(tool);               // the schema of one for a model
		librarian.executor();                      // calls them: the McpToolExecutor of this selection
		librarian.search("add two numbers", 5);    // the best of them for a task: List<McpToolMatch>
		librarian.instructions();                  // those of the servers, for a system prompt
		// @formatter:on
		assertThat(librarian.offered()).contains(tool);
		assertThat(librarian.executor().canExecute(tool.name())).isTrue();
	}

	private void search(McpModelTools modelTools) {
		for (McpToolMatch match : modelTools.search("add two numbers", 5)) {
			System.out.println(match.tool().name() + " " + match.score());
		}
	}

	private void states(McpServerRegistry registry) {
		for (McpServer server : registry.servers()) {
			System.out.println(server.name() + " is " + server.status().state());
		}
	}

	private void progress(McpToolCatalog tools) {
		McpToolRequest request = McpToolRequest.of(Map.of("duration", 2, "steps", 2))
			.withTimeout(Duration.ofSeconds(30))
			.withProgress((progress) -> System.out.println(progress.progress() + " of " + progress.total()));
		tools.get("everything_trigger-long-running-operation").call(request);
	}

	private void promptsAndResources(McpServerRegistry registry) {
		// @formatter:off
		McpServer server = registry.server("everything");

		server.prompts();                                           // List<Prompt>
		server.getPrompt("args-prompt", Map.of("city", "Paris"));   // GetPromptResult, with messages

		server.resources();                                         // List<Resource>
		server.resourceTemplates();                                 // List<ResourceTemplate>
		server.readResource("demo://resource/dynamic/text/1");      // ReadResourceResult, with text or bytes

		server.complete(CompleteRequest.builder(PromptReference.builder("completable-prompt").build(),
				new CompleteArgument("department", "E")).build());  // CompleteResult, with "Engineering"

		server.readResourceAsync("demo://resource/dynamic/text/1"); // each method has a non-blocking form
		// @formatter:on
		assertThat(server.features().prompts()).hasSize(4);
	}

	private void addReplaceAndRemove(McpServerManager manager, McpServerRegistry registry, String token,
			String otherToken) {
		// @formatter:off
		McpServerDefinition weather = McpServerDefinition.http("weather", URI.create("http://localhost:8091/mcp"))
			.headers(Map.of("Authorization", "Bearer " + token))
			.build();
		McpServerStatus status = manager.add(weather);   // READY, or UNAVAILABLE with the last error: it is retried
		manager.replace(weather.mutate().headers(Map.of("Authorization", "Bearer " + otherToken)).build());
		manager.remove("weather");
		// @formatter:on
		assertThat(status.state()).isIn(McpServerState.READY, McpServerState.UNAVAILABLE);
		assertThat(registry.find("weather")).isEmpty();
		manager.addAsync(weather).subscribe();
		// @formatter:off
		manager.disable("weather");   // DISABLED
		manager.enable("weather");    // READY, or UNAVAILABLE with the last error: it is retried
		// @formatter:on
		manager.remove("weather");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(EchoService.class)
	static class Beans {

		@EventListener
		void stateChanged(McpServerStateChangedEvent event) {
			System.out.println(event.status().name() + ": " + event.previousState() + " -> " + event.status().state());
		}

		@EventListener
		void toolsChanged(McpToolsChangedEvent event) {
			System.out.println(event.serverName() + ": " + event.added().size() + " tools added, "
					+ event.removed().size() + " removed");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Transports {

		@Bean
		McpTestServer scriptedServer() {
			return McpTestServer.create().tools("hello").start();
		}

		@Bean
		McpTransportFactory inMemoryTransports(McpTestServer server) {
			return new McpTransportFactory() {

				@Override
				public Set<String> types() {
					return Set.of("in-memory");
				}

				@Override
				public McpClientTransport create(McpServerDefinition definition) {
					return server.transport();
				}

			};
		}

	}

	/**
	 * Not run: there is no such image.
	 */
	@SpringBootTest
	@Testcontainers
	class WeatherTests {

		@Container
		@ServiceConnection("weather")
		static GenericContainer<?> weather = new GenericContainer<>("example/weather-mcp:1.0").withExposedPorts(8080);

	}

}
