package io.github.mcpclient.integration.tools;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tools as an application sees them: catalog, beans, calls.
 */
class ToolsTests {

	private final McpTestServer server = McpTestServer.create().tools("search", "write", "users").start();

	private final ClientApplication application = ClientApplication.start(Beans.class,
			"mcp.servers.a.url=" + this.server.url());

	@Test
	void catalogProviderAndBeansAgreeBeforeAndAfterAChange() {
		assertThat(names()).containsExactly("a_search", "a_users", "a_write");
		Controller controller = this.application.context().getBean(Controller.class);
		assertThat(controller.search.call(Map.of("message", "1")).text()).isEqualTo("search 1");
		this.server.awaitListeners(1);
		this.server.tools("write", "added").notifyToolsListChanged();
		Events events = this.application.context().getBean(Events.class);
		await().until(() -> events.toolsChanged.size() == 2);
		assertThat(names()).containsExactly("a_added", "a_write");
		McpToolsChangedEvent change = events.toolsChanged.get(1);
		assertThat(change.serverName()).isEqualTo("a");
		assertThat(change.added()).containsExactly("a_added");
		assertThat(change.removed()).containsExactlyInAnyOrder("a_search", "a_users");
		assertThat(controller.destroyed).isFalse();
		assertThat(this.application.context().getBean(Controller.class)).isSameAs(controller);
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> controller.search.call(Map.of()));
		this.server.tools("search").notifyToolsListChanged();
		await().untilAsserted(() -> assertThat(names()).containsExactly("a_search"));
		assertThat(controller.search.call(Map.of("message", "2")).text()).isEqualTo("search 2");
	}

	@Test
	void aListWithoutToolsIsAFailureAndTheToolsStay() {
		this.server.on("tools/list", (request) -> McpTestReply.result(Map.of("tools", 5)));
		ManagedMcpServer server = this.application.manager().server("a");
		assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> server.refresh())
			.withMessageContaining("The server's response to tools/list has no list of tools");
		assertThat(server.status().state()).isEqualTo(McpServerState.READY);
		assertThat(names()).containsExactly("a_search", "a_users", "a_write");
	}

	@Test
	void aCallSendsTheOriginalName() {
		assertThat(this.application.text("a_search", Map.of("message", "spring"))).isEqualTo("search spring");
		assertThat(this.server.calls()).extracting(McpTestRequest::name).containsExactly("search");
		assertThat(this.application.tools().get("a_search").call("{\"message\": \"json\"}").text())
			.isEqualTo("search json");
		assertThat(this.application.tools().get("a_search").call("").text()).isEqualTo("search ");
	}

	@Test
	void anErrorOfTheToolIsAResult() {
		this.server.on("tools/call", (request) -> McpTestReply
			.result(Map.of("isError", true, "content", List.of(Map.of("type", "text", "text", "no such file")))));
		McpToolResult result = this.application.registry().callTool("a_search", Map.of());
		assertThat(result.isError()).isTrue();
		assertThatExceptionOfType(McpToolException.class).isThrownBy(result::orThrow)
			.withMessage("MCP tool 'a_search' failed: no such file");
	}

	@Test
	void anEmptyResultIsAnEmptyResult() {
		this.server.on("tools/call", (request) -> McpTestReply.result(Map.of("content", List.of())));
		McpToolResult result = this.application.registry().callTool("a_search", Map.of());
		assertThat(result.isError()).isFalse();
		assertThat(result.content()).isEmpty();
		assertThat(result.text()).isEmpty();
		this.server.on("tools/call", (request) -> McpTestReply.result(Map.of()));
		assertThat(this.application.registry().callTool("a_search", Map.of()).content()).isEmpty();
	}

	@Test
	void eachKindOfContentIsKept() {
		this.server.on("tools/call",
				(request) -> McpTestReply.result(Map.of("structuredContent", Map.of("n", 1), "content",
						List.of(Map.of("type", "text", "text", "hello"),
								Map.of("type", "image", "data", "AAAA", "mimeType", "image/png"),
								Map.of("type", "audio", "data", "AAA=", "mimeType", "audio/wav"),
								Map.of("type", "resource_link", "uri", "file:///a", "name", "a"),
								Map.of("type", "resource", "resource", Map.of("uri", "file:///b", "text", "inside")),
								Map.of("type", "resource", "resource", Map.of("uri", "file:///c", "blob", "AA==")),
								Map.of("type", "hologram", "beam", 7)))));
		McpToolResult result = this.application.registry().callTool("a_search", Map.of());
		assertThat(result.structuredContent()).isEqualTo(Map.of("n", 1));
		assertThat(result.content()).hasSize(7);
		assertThat(result.content().get(6))
			.isEqualTo(new McpToolResult.UnknownContent("hologram", Map.of("type", "hologram", "beam", 7)));
		assertThat(result.text()).isEqualTo("""
				hello
				[image/png image, 3 bytes]
				[audio/wav audio, 2 bytes]
				[resource link file:///a]
				inside
				[resource file:///c, 1 bytes]
				[hologram content]""");
	}

	@Test
	void theExecutorNeverThrows() {
		McpToolExecutor executor = this.application.context().getBean(McpToolExecutor.class);
		assertThat(executor.canExecute("a_search")).isTrue();
		assertThat(executor.canExecute("a_nothing")).isFalse();
		assertThat(executor.execute("a_search", Map.of("message", "x")).text()).isEqualTo("search x");
		McpToolResult unknown = executor.execute("a_nothing", Map.of());
		assertThat(unknown.isError()).isTrue();
		assertThat(unknown.text()).startsWith("No MCP tool 'a_nothing'");
		this.server.close();
		McpToolResult lost = executor.execute("a_write", Map.of());
		assertThat(lost.isError()).isTrue();
		assertThat(lost.text()).startsWith("MCP tool 'a_write' ").doesNotContain("http", "mcp.servers");
	}

	@Test
	void toolsOfALostServerStayListed() {
		McpTool tool = this.application.tools().get("a_write");
		assertThat(tool.available()).isTrue();
		this.server.close();
		await().until(() -> {
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> tool.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(2))));
			return !tool.available();
		});
		assertThat(names()).containsExactly("a_search", "a_users", "a_write");
		assertThat(tool.description()).isEqualTo("The tool write");
	}

	private Set<String> names() {
		ObjectProvider<McpTool> provider = this.application.context().getBeanProvider(McpTool.class);
		Set<String> names = new TreeSet<>(provider.stream().map(McpTool::name).toList());
		assertThat(this.application.context().getBeansOfType(McpTool.class).keySet())
			.containsExactlyInAnyOrderElementsOf(names);
		assertThat(this.application.tools().asMap().keySet()).containsExactlyElementsOf(names);
		assertThat(this.application.tools().all()).extracting(McpTool::name).containsExactlyElementsOf(names);
		assertThat(this.application.registry().server("a").tools()).extracting(McpTool::name)
			.containsExactlyElementsOf(names);
		return names;
	}

	static class Beans {

		@Bean
		Events events() {
			return new Events();
		}

		@Bean
		Controller controller(@Lazy @Qualifier("a_search") McpTool search) {
			return new Controller(search);
		}

	}

	static class Events {

		final List<McpToolsChangedEvent> toolsChanged = new CopyOnWriteArrayList<>();

		@EventListener
		void on(McpToolsChangedEvent event) {
			this.toolsChanged.add(event);
		}

	}

	static class Controller implements DisposableBean {

		final McpTool search;

		volatile boolean destroyed;

		Controller(McpTool search) {
			this.search = search;
		}

		@Override
		public void destroy() {
			this.destroyed = true;
		}

	}

}
