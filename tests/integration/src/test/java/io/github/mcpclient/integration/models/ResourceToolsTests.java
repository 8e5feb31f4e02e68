package io.github.mcpclient.integration.models;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.service.tool.AiServiceTool;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.github.mcpclient.management.ManagedMcpServer.RecentCall;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.AgentLoops;
import io.github.mcpclient.testsupport.AgentLoops.Turn;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the tools that stand for the resources of a server.
 */
class ResourceToolsTests {

	private static final String TEMPLATE = "demo://resource/dynamic/text/{resourceId}";

	@ParameterizedTest
	@EnumSource
	void aModelFindsAndReadsResources(AgentLoops loop) {
		McpTestServer server = closing(McpTestServer.create()
			.withoutCapability("tools")
			.resource("demo://resource/static/document/features.md", "# Features")
			.resourceTemplate(Map.of("uriTemplate", TEMPLATE, "name", "Dynamic Text Resource"),
					(request) -> resource(Map.of("uri", request.params().get("uri"), "text",
							"This is resource " + request.params().get("uri"))))
			.start());
		ClientApplication application = ClientApplication.start("mcp.defaults.resources.as-tools=true",
				"mcp.defaults.tools.access=read-only", "mcp.servers.http.url=" + server.url(),
				"mcp.servers.stdio.command=node",
				"mcp.servers.stdio.args=" + Peers.script("server-everything") + ",stdio");
		assertThat(loop.tools(application.context())).contains("http_list_resources", "http_read_resource",
				"stdio_list_resources", "stdio_read_resource");
		for (String name : List.of("http", "stdio")) {
			List<String> read = loop.run(application, Turn.call(name + "_list_resources", "{}"),
					Turn.call(name + "_list_resources", "{\"contains\": \"FEATURES\"}"),
					Turn.call(name + "_read_resource", "{\"uri\": \"demo://resource/static/document/features.md\"}"),
					Turn.call(name + "_read_resource",
							"{\"uri\": \"" + TEMPLATE + "\", \"arguments\": {\"resourceId\": 7}}"),
					Turn.call(name + "_read_resource", "{\"uri\": \"" + TEMPLATE + "\"}"),
					Turn.call(name + "_read_resource", "{}"),
					Turn.call(name + "_read_resource", "{\"uri\": \"demo://nowhere\"}"),
					Turn.call(name + "_read_resource", "{\"uri\": \"" + TEMPLATE
							+ "\", \"arguments\": {\"resourceId\": \"" + "7".repeat(10_000) + "\"}}"));
			assertThat(read.get(0)).startsWith("Resources 1 to ")
				.contains("\n- " + TEMPLATE + " | template of resourceId | Dynamic Text Resource")
				.contains("\n- demo://resource/static/document/features.md | ");
			assertThat(read.get(1)).startsWith("Resources 1 to 1 of 1:\n- demo://resource/static/document/features.md");
			assertThat(read.get(2)).contains("# ").contains("eatures");
			assertThat(read.get(3)).contains("resource").contains("7");
			assertThat(read.get(4)).isEqualTo("Error: '" + TEMPLATE
					+ "' is a template: read_resource needs the argument " + "'arguments' with values of resourceId");
			assertThat(read.get(5)).startsWith("Error: read_resource needs the argument 'uri'");
			assertThat(read.get(6)).startsWith("Error: MCP tool '" + name + "_read_resource' responded with error -32");
			assertThat(read.get(7)).isEqualTo("Error: With these values, the uri would have more than 8192 characters");
			assertThat(application.manager().server(name).recentCalls()).extracting(RecentCall::tool)
				.containsOnly(name + "_list_resources", name + "_read_resource");
		}
		assertThat(server.requests("resources/read")).extracting((request) -> request.params().get("uri"))
			.containsExactly("demo://resource/static/document/features.md", "demo://resource/dynamic/text/7",
					"demo://nowhere");
		assertThat(server.requests("tools/call")).isEmpty();
		server.stop();
		Awaitility.await().until(() -> application.state("http") == McpServerState.UNAVAILABLE);
		assertThat(loop.run(application, Turn.call("http_read_resource", "{\"uri\": \"x:1\"}")).get(0))
			.endsWith("is not available now. Try again later.");
	}

	@Test
	void theServerAndTheRulesForItsToolsDecideWhichThereAre() {
		McpTestServer own = closing(McpTestServer.create()
			.tool("read_resource", McpTestReply.text("its own"))
			.resource("x:1", "one")
			.start());
		McpTestServer none = closing(McpTestServer.create().tools("echo").withoutCapability("resources").start());
		McpTestServer some = closing(McpTestServer.create().resource("x:1", "one").start());
		ClientApplication application = ClientApplication.start("mcp.defaults.resources.as-tools=true",
				"mcp.servers.own.url=" + own.url(), "mcp.servers.none.url=" + none.url(),
				"mcp.servers.filtered.url=" + some.url(), "mcp.servers.filtered.tools.filter=!list_*",
				"mcp.servers.off.url=" + some.url(), "mcp.servers.off.resources.enabled=false",
				"mcp.servers.plain.url=" + some.url(), "mcp.servers.plain.resources.as-tools=false",
				"mcp.servers.closed.url=" + some.url(), "mcp.servers.closed.tools.allow-open-world=false");
		assertThat(application.tools().all()).extracting(McpTool::name)
			.containsExactly("filtered_read_resource", "none_echo", "own_list_resources", "own_read_resource");
		assertThat(application.text("own_read_resource", Map.of())).isEqualTo("its own");
		assertThat(application.manager().server("own").excludedTools()).containsExactly(
				new ExcludedTool("read_resource", "resources.as-tools adds none of this name: the server has one"));
		assertThat(application.manager().server("closed").excludedTools()).extracting(ExcludedTool::originalName)
			.containsExactly("list_resources", "read_resource");
		assertThat(own.calls("read_resource")).hasSize(1);
		// it comes when the server gives up its own
		own.awaitListeners(1);
		own.removeTools("read_resource").tools("other").notifyToolsListChanged();
		Awaitility.await()
			.ignoreExceptions()
			.until(() -> application.text("own_read_resource", Map.of("uri", "x:1")).equals("one"));
		assertThat(application.manager().server("own").excludedTools()).isEmpty();
	}

	@Test
	void manyAndHostileResourcesAreListedInPages() {
		List<Map<String, Object>> resources = IntStream.range(0, 2000)
			.mapToObj((i) -> Map.<String, Object>of("uri", "x:" + i, "name", "a\u001B[31m\u0000\n- x:evil\u202E" + i,
					"description", "d".repeat(1000)))
			.toList();
		McpTestServer server = closing(McpTestServer.create()
			.capability("resources", Map.of())
			.on("resources/list", (request) -> McpTestReply.result(Map.of("resources", resources)))
			.on("resources/read", McpTestReply.never())
			.start());
		ClientApplication application = ClientApplication.start("mcp.servers.a.resources.as-tools=true",
				"mcp.servers.a.resources.max=2000", "mcp.servers.a.url=" + server.url(),
				"mcp.servers.few.resources.as-tools=true", "mcp.servers.few.url=" + server.url());
		String first = application.text("a_list_resources", Map.of());
		assertThat(first.lines()).hasSize(101).allMatch((line) -> line.length() < 600);
		assertThat(first).startsWith("Resources 1 to 100 of 2,000 (continue with offset 100):\n- x:0 | a - x:evil0 | d")
			.doesNotContainPattern("[\\p{Cf}\\p{Cc}&&[^\n]]");
		assertThat(application.text("a_list_resources", Map.of("offset", 1900)))
			.startsWith("Resources 1,901 to 2,000 of 2,000:\n")
			.contains("\n- x:1999 | ");
		assertThat(application.text("a_list_resources", Map.of("offset", 2000)))
			.isEqualTo("There are no more resources.");
		assertThat(application.text("a_list_resources", Map.of("contains", "x:77", "offset", 2)))
			.startsWith("Resources 3 to 11 of 11:");
		assertThat(AgentLoops.SPRING_AI.run(application, Turn.call("few_list_resources", "{}")).get(0))
			.startsWith("Error: ");
		assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> application.tools()
			.get("a_read_resource")
			.call(McpToolRequest.of(Map.of("uri", "x:1")).withTimeout(Duration.ofMillis(300))));
		server.awaitRequest("notifications/cancelled");
	}

	@Test
	void binaryResourcesAreMedia() {
		McpTestServer server = closing(McpTestServer.create()
			.resource(Map.of("uri", "x:cat", "name", "A cat"),
					(request) -> resource(Map.of("uri", "x:cat", "mimeType", "image/png", "blob", "AQID")))
			.start());
		ClientApplication application = ClientApplication.start("mcp.servers.a.resources.as-tools=true",
				"mcp.servers.a.url=" + server.url());
		assertThat(application.text("a_read_resource", Map.of("uri", "x:cat"))).isEqualTo("[resource x:cat, 3 bytes]");
		McpCatalogToolProvider tools = application.context()
			.getBean(McpCatalogToolProvider.class)
			.withMedia(ContentType.IMAGE);
		AiServiceTool read = tools.provideTools(null)
			.aiServiceTools()
			.stream()
			.filter((tool) -> tool.toolSpecification().name().equals("a_read_resource"))
			.findFirst()
			.orElseThrow();
		ToolExecutionRequest request = ToolExecutionRequest.builder()
			.name("a_read_resource")
			.arguments("{\"uri\": \"x:cat\"}")
			.build();
		assertThat(read.toolExecutor().executeWithContext(request, null).resultContents())
			.contains(ImageContent.from("AQID", "image/png"));
	}

	private static McpTestReply resource(Map<String, Object> contents) {
		return McpTestReply.result(Map.of("contents", List.of(contents)));
	}

}
