package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.McpAgents;
import io.github.mcpclient.agent.McpModelTools;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what models get in place of many tools.
 */
class MetaToolTests extends TestTools {

	private final CatalogFixture fixture = new CatalogFixture(new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED,
			null, TestToolSettings.NONE, Map.of(), TestToolSettings.NO_CUSTOMIZERS), server("a"), server("b", ""));

	private final McpToolCatalog catalog = this.fixture.catalog;

	private final McpModelTools models = TestModels.of(this.catalog, 2);

	// with them for each view
	private final McpModelTools always = TestModels.of(this.catalog, 0);

	private final McpToolExecutor executor = this.models.executor();

	@Test
	void manyToolsAreOfferedAsTwo() {
		McpModelTools selected = this.models.of(this.catalog.select("*read*"));
		this.fixture.list("a", "read_file", "write_file");
		assertThat(names(this.models.offered())).containsExactly("a_read_file", "a_write_file");
		this.fixture.list("a", "read_file", "read_mail", "write_file");
		List<McpTool> offered = this.models.offered();
		assertThat(names(offered)).containsExactly("call_tool", "search_tools");
		assertThat(names(selected.offered())).containsExactly("a_read_file", "a_read_mail");
		this.fixture.list("a", "read_file", "read_mail", "read_more", "write_file");
		assertThat(this.models.offered()).isSameAs(offered);
		assertThat(names(selected.offered())).containsExactly("call_tool", "search_tools");
		assertThat(this.catalog.all()).hasSize(4);
		assertThat(selected.offered().get(0)).isNotSameAs(offered.get(0));
		assertThat(selected.offered()).isSameAs(selected.offered());
	}

	@Test
	void definitionsAreFoundAndCalled() {
		this.fixture.list("a", tool("read_file", "Reads a file", null), tool("write_file"), tool("remove"));
		answer("a", "the content");
		McpModelTools selected = this.always.of(this.catalog.select("*_file"));
		McpTool search = builtIn(selected, "search_tools");
		assertThat(search.call(Map.of("query", "read a file")).orThrow().text()).isEqualTo("""
				[{"name":"a_read_file","description":"Reads a file","inputSchema":{"type":"object"}},
				{"name":"a_write_file","description":"does write_file","inputSchema":{"type":"object"}}]""");
		assertThat(search.call("{\"query\": \"weather\"}").text())
			.isEqualTo("No tool matches. Search again in other words.");
		McpTool call = builtIn(selected, "call_tool");
		assertThat(call.call(called("a_read_file", Map.of())).toolName()).isEqualTo("a_read_file");
		assertThat(call.callAsync(called("a_read_file", "{\"x\": 1}")).block().text())
			.isEqualTo("the content of read_file {x=1}");
		assertThat(this.executor.canExecute("call_tool")).isTrue();
		assertThat(this.executor.execute("call_tool", called("a_remove", Map.of("x", 1))).text())
			.isEqualTo("the content of remove {x=1}");
		assertThat(this.executor.execute("search_tools", Map.of("query", "remove")).text()).contains("a_remove");
	}

	@Test
	void onlyToolsOfTheViewAreCalled() {
		this.fixture.list("a", "read_file", "write_file", "remove");
		answer("a", "the content");
		McpTool call = builtIn(this.always.of(this.catalog.select("*_file")), "call_tool");
		assertError(call, called("a_remove", Map.of()), "No MCP tool 'a_remove'.");
		assertError(call, called("call_tool", Map.of()), "No MCP tool 'call_tool'.");
		assertError(call, called("a_read_fil", Map.of()), "No MCP tool 'a_read_fil'. Did you mean a_read_file");
		assertError(call, called("", Map.of()), "call_tool needs the argument 'name'");
		assertError(call, Map.of("name", 5), "call_tool needs the argument 'name'");
		assertError(call, called("a_read_file", List.of(1)),
				"The arguments of MCP tool 'a_read_file' must be a single JSON object");
		assertError(builtIn(this.always, "search_tools"), Map.of("query", " "),
				"search_tools needs the argument 'query'");
		this.fixture.connections.get("a").ready = false;
		this.fixture.status("a", McpServerState.UNAVAILABLE, "Connection refused.");
		assertThat(this.executor.execute("call_tool", called("a_away", Map.of())).text())
			.isEqualTo("MCP tool 'a_away' is not available now. Try again later.");
	}

	@Test
	void anExecutorOfAViewReachesNoOtherTools() {
		this.fixture.list("a", "read_file", "write_file", "remove");
		answer("a", "the content");
		McpModelTools selected = this.always.of(this.catalog.select("*_file"));
		McpToolExecutor ofView = this.executor.of(selected.catalog());
		for (McpToolResult refused : List.of(ofView.execute("call_tool", called("a_remove", Map.of())),
				ofView.execute("a_remove", Map.of()), this.executor.execute(builtIn(selected, "call_tool"),
						McpToolRequest.of(called("a_remove", Map.of()))))) {
			assertThat(refused.isError()).isTrue();
			assertThat(refused.text()).startsWith("No MCP tool 'a_remove'.");
		}
		assertThat(ofView.canExecute("a_remove")).isFalse();
		assertThat(ofView.execute("search_tools", Map.of("query", "remove")).text())
			.isEqualTo("No tool matches. Search again in other words.");
		assertThat(ofView.execute("call_tool", called("a_read_file", Map.of())).text())
			.isEqualTo("the content of read_file {}");
		assertThat(ofView.execute("a_read_file", Map.of()).isError()).isFalse();
	}

	@Test
	void aServerDoesNotTakeTheirNames() {
		VirtualTimeScheduler time = VirtualTimeScheduler.create();
		CatalogFixture servers = new CatalogFixture(
				new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED, null, TestToolSettings.NONE, Map.of(),
						new ListingCustomizers(List.of(new McpAgents(2)),
								new ServerThreads("test", new Limits(2, 10), Runnable::run, time), time)),
				server("b", ""));
		Tool[] tools = { tool("search_tools"), tool("call_tool"), tool("other"), tool("more"), tool("again") };
		servers.prepare("b", tools);
		servers.list("b", tools);
		assertThat(servers.excluded("b")).containsExactly("call_tool", "search_tools");
		assertThat(servers.reason("b", "call_tool"))
			.isEqualTo("mcp.tools.search.enabled is true, which has a tool of that name");
		assertThat(TestModels.of(servers.catalog, 2)
			.executor()
			.execute("search_tools", Map.of("query", "tool other"))
			.text()).contains("other").doesNotContain("call_tool");
		time.dispose();
	}

	@Test
	void aLargeDefinitionIsNotShown() {
		this.fixture.list("a", tool("one", "word ".repeat(10_000), null), tool("two"), tool("three"));
		assertThat(builtIn(this.always, "search_tools").call(Map.of("query", "one")).text())
			.isEqualTo("[{\"name\":\"a_one\",\"description\":\"(not shown: it has 50065 characters)\"}]");
	}

	@Test
	void theyAreToolsOfServersWhereNotConfigured() {
		CatalogFixture without = CatalogFixture.of(server("b", ""));
		without.list("b", "search_tools", "call_tool", "other");
		McpModelTools models = TestModels.of(without.catalog, Integer.MAX_VALUE);
		assertThat(names(models.offered())).containsExactly("call_tool", "other", "search_tools");
		assertThat(models.executor().canExecute("search_tools")).isTrue();
		assertThat(without.catalog.get("call_tool").serverName()).isEqualTo("b");
	}

	@Test
	void toolsOfAServerThatIsAwayForTooLongAreNotOffered() {
		Duration hour = Duration.ofHours(1);
		CatalogFixture fixture = CatalogFixture.of(server("a"), server("b", (b) -> b.hideWhenUnavailable(hour)));
		fixture.list("a", "x");
		fixture.list("b", "x", "y");
		McpModelTools models = TestModels.of(fixture.catalog, Integer.MAX_VALUE);
		McpModelTools selected = models.of(fixture.catalog.select("*_x"));
		assertThat(models.offered()).isSameAs(fixture.catalog.all());
		fixture.connections.get("a").awayFor = (duration) -> true;
		fixture.connections.get("b").awayFor = hour::equals;
		assertThat(names(models.offered())).containsExactly("a_x");
		assertThat(names(selected.offered())).containsExactly("a_x");
		assertThat(models.offered()).isSameAs(models.offered());
		assertThat(fixture.names()).containsExactly("a_x", "b_x", "b_y");
		assertThat(fixture.catalog.find("b_y")).isPresent();
		fixture.list("a", "z");
		assertThat(names(models.offered())).containsExactly("a_z");
		fixture.connections.get("b").awayFor = (duration) -> false;
		assertThat(models.offered()).isSameAs(fixture.catalog.all());
	}

	private void answer(String server, String text) {
		this.fixture.connections.get(server).calls = (call) -> {
			CallToolRequest sent = (CallToolRequest) call.params();
			return Mono.just(CallToolResult.builder()
				.addTextContent(text + " of " + sent.name() + " " + sent.arguments())
				.build());
		};
	}

	private static McpTool builtIn(McpModelTools models, String name) {
		return models.offered().stream().filter((tool) -> tool.name().equals(name)).findFirst().orElseThrow();
	}

	private static void assertError(McpTool tool, Map<String, Object> arguments, String text) {
		McpToolResult result = tool.call(arguments);
		assertThat(result.isError()).isTrue();
		assertThat(result.text()).startsWith(text);
	}

	private static Map<String, Object> called(String name, Object arguments) {
		Map<String, Object> called = new LinkedHashMap<>();
		called.put("name", name);
		called.put("arguments", arguments);
		return called;
	}

}
