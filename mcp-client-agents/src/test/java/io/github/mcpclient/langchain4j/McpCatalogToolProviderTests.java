package io.github.mcpclient.langchain4j;

import java.util.List;
import java.util.Map;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpCatalogToolProvider}, in an application.
 */
class McpCatalogToolProviderTests {

	private final McpTestServer server = McpTestServer.create().tools("read", "write").start();

	private final ClientApplication application = ClientApplication.start("mcp.servers.a.url=" + this.server.url());

	private final ToolProvider provider = this.application.context().getBean(ToolProvider.class);

	@Test
	void toolsAreLive() {
		assertThat(this.provider.isDynamic()).isTrue();
		assertThat(names(this.provider)).containsExactly("a_read", "a_write");
		this.server.awaitListeners(1);
		this.server.tools("read", "later").notifyToolsListChanged();
		Awaitility.await().untilAsserted(() -> assertThat(names(this.provider)).containsExactly("a_later", "a_read"));
	}

	@Test
	void aSpecificationIsComputedOnceForEachThatTheServerGives() {
		ToolSpecification first = tool("a_read").toolSpecification();
		assertThat(first.description()).isEqualTo("The tool read");
		assertThat(first.parameters().properties()).containsOnlyKeys("message");
		this.server.tools("read", "new");
		refresh();
		assertThat(tool("a_read").toolSpecification()).isSameAs(first);
		this.server.tools(List.of(Map.of("name", "read", "title", "Reads", "inputSchema", Map.of())));
		refresh();
		assertThat(tool("a_read").toolSpecification().description()).isEqualTo("Reads");
		assertThat(tool("a_read").toolSpecification().parameters().properties()).isEmpty();
	}

	@Test
	void theResultIsKeptBesideItsText() {
		this.server.on("tools/call",
				(request) -> McpTestReply.result(Map.of("content", List.of(), "structuredContent", Map.of("sum", 5))));
		ToolExecutionResult result = call("a_read", "{}");
		assertThat(result.isError()).isFalse();
		assertThat(result.resultText()).isEqualTo("{\"sum\":5}");
		assertThat(result.result()).isInstanceOfSatisfying(McpToolResult.class,
				(kept) -> assertThat(kept.structuredContent()).isEqualTo(Map.of("sum", 5)));
	}

	@Test
	void argumentsArriveAsTheModelWroteThem() {
		assertThat(call("a_read", "{\"message\": \"it\"}").resultText()).isEqualTo("read it");
		assertThat(call("a_read", null).resultText()).isEqualTo("read ");
		assertThat(tool("a_read").toolExecutor()
			.execute(ToolExecutionRequest.builder().name("a_read").arguments("{}").build(), "memory"))
			.isEqualTo("read ");
	}

	@Test
	void whateverGoesWrongIsAnAnswer() {
		assertError(call("a_read", "{\"message\": "),
				"Error: The arguments of MCP tool 'a_read' must be a single JSON object");
		this.server.on("tools/call", (request) -> McpTestReply
			.result(Map.of("content", List.of(Map.of("type", "text", "text", "no such file")), "isError", true)));
		assertError(call("a_read", "{}"), "Error: no such file");
		AiServiceTool read = tool("a_read");
		this.server.tools("write");
		refresh();
		assertError(call(read, "{}"), "No MCP tool 'a_read'");
		assertError(Mono.fromCallable(() -> call("a_write", "{}")).subscribeOn(Schedulers.parallel()).block(LIMIT),
				"could not be called");
		this.server.close();
		Awaitility.await().untilAsserted(() -> assertError(call("a_write", "{}"), "Try again later"));
	}

	@Test
	void aCallGoesToNoOtherServerWhereTheNameHasPassedToIt() {
		try (McpTestServer other = McpTestServer.create().tools("read").start();
				ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.server.url(),
						"mcp.servers.one.tools.prefix=", "mcp.servers.two.url=" + other.url(),
						"mcp.servers.two.tools.prefix=")) {
			AiServiceTool read = tools(application.context().getBean(McpCatalogToolProvider.class)).stream()
				.filter((tool) -> tool.name().equals("read"))
				.findFirst()
				.orElseThrow();
			assertThat(call(read, "{\"message\": \"it\"}").resultText()).isEqualTo("read it");
			String server = application.tools().get("read").serverName();
			application.manager().remove(server);
			Awaitility.await().until(() -> application.tools().find("read").isPresent());
			assertThat(application.tools().get("read").serverName()).isNotEqualTo(server);
			this.server.forgetRequests();
			other.forgetRequests();
			assertError(call(read, "{\"message\": \"secret\"}"), "No MCP tool 'read'.");
			assertThat(this.server.calls("read")).isEmpty();
			assertThat(other.calls("read")).isEmpty();
		}
	}

	@Test
	void aServiceGetsASelection() {
		McpCatalogToolProvider all = this.application.context().getBean(McpCatalogToolProvider.class);
		assertThat(names(all.select("*write"))).containsExactly("a_write");
		assertThat(all.select("*write").isDynamic()).isTrue();
	}

	@Test
	void aServiceGetsANamedSelectionWithoutWhatIsHidden() {
		ClientApplication application = ClientApplication.start("mcp.servers.b.url=" + this.server.url(),
				"mcp.servers.b.tools.hide-when-unavailable=1ms", "mcp.selections.writer=*_write");
		McpCatalogToolProvider some = application.context().getBean(McpCatalogToolProvider.class).selection("writer");
		assertThat(names(some)).containsExactly("b_write");
		this.server.close();
		Awaitility.await().untilAsserted(() -> assertThat(names(some)).isEmpty());
	}

	@Test
	void aModelThatSeesAndHearsGetsPicturesAndSound() {
		this.server.on("tools/call",
				(request) -> McpTestReply.result(Map.of("content",
						List.of(Map.of("type", "image", "data", "AQID", "mimeType", "image/png"),
								Map.of("type", "text", "text", "a cat"),
								Map.of("type", "audio", "data", "BAU=", "mimeType", "audio/wav"),
								Map.of("type", "resource", "resource",
										Map.of("uri", "x:1", "blob", "BgcI", "mimeType", "application/pdf")),
								Map.of("type", "resource", "resource",
										Map.of("uri", "x:2", "blob", "CQ==", "mimeType", "application/zip"))))));
		McpCatalogToolProvider all = this.application.context().getBean(McpCatalogToolProvider.class);
		String text = """
				[image/png image, 3 bytes]
				a cat
				[audio/wav audio, 2 bytes]
				[resource x:1, 3 bytes]
				[resource x:2, 1 bytes]""";
		assertThat(call("a_read", "{}").resultText()).isEqualTo(text);
		assertThat(call(tools(all.withMedia(ContentType.IMAGE, ContentType.AUDIO, ContentType.PDF)).get(0), "{}")
			.resultContents()).containsExactly(TextContent.from(text), ImageContent.from("AQID", "image/png"),
					AudioContent.from("BAU=", "audio/wav"), PdfFileContent.from("BgcI", "application/pdf"));
		ToolExecutionResult seen = call(tools(all.withMedia(ContentType.IMAGE).select("a_read")).get(0), "{}");
		assertThat(seen.resultContents()).containsExactly(TextContent.from(text),
				ImageContent.from("AQID", "image/png"));
		assertThat(seen.result()).isInstanceOf(McpToolResult.class);
		assertThat(tools(all.withMedia(ContentType.IMAGE)).get(0)
			.toolExecutor()
			.execute(ToolExecutionRequest.builder().name("a_read").arguments("{}").build(), "memory")).isEqualTo(text);
		this.server.on("tools/call", (request) -> McpTestReply
			.result(Map.of("content", List.of(Map.of("type", "text", "text", "no picture")))));
		assertThat(call(tools(all.withMedia(ContentType.IMAGE)).get(0), "{}").resultText()).isEqualTo("no picture");
	}

	private static void assertError(ToolExecutionResult result, String text) {
		assertThat(result.isError()).isTrue();
		assertThat(result.resultText()).startsWith("Error: ").contains(text);
	}

	private void refresh() {
		this.application.manager().server("a").refresh();
	}

	private ToolExecutionResult call(String name, String arguments) {
		return call(tool(name), arguments);
	}

	private static ToolExecutionResult call(AiServiceTool tool, String arguments) {
		return tool.toolExecutor()
			.executeWithContext(ToolExecutionRequest.builder().name(tool.name()).arguments(arguments).build(), null);
	}

	private AiServiceTool tool(String name) {
		return tools(this.provider).stream().filter((tool) -> tool.name().equals(name)).findFirst().orElseThrow();
	}

	private static List<String> names(ToolProvider provider) {
		return tools(provider).stream().map(AiServiceTool::name).toList();
	}

	private static List<AiServiceTool> tools(ToolProvider provider) {
		return provider.provideTools(new ToolProviderRequest("memory", UserMessage.from("hello"))).aiServiceTools();
	}

}
