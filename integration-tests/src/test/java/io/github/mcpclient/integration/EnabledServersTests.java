package io.github.mcpclient.integration;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistrar;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerSetting;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.WebApplicationType;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Servers that are disabled and enabled while the application runs.
 */
class EnabledServersTests {

	private final McpTestServer one = McpTestServer.create().tools("hello").start();

	private final McpTestServer two = McpTestServer.create().tools("hello").start();

	@Test
	void aServerIsDisabledAndEnabledByAnOperator() {
		ClientApplication application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[0],
				"mcp.servers.one.url=" + this.one.url(), "mcp.servers.one.required=true",
				"mcp.servers.two.url=" + this.two.url(), "management.endpoints.web.exposure.include=*",
				"management.endpoint.mcp.access=unrestricted", "management.endpoint.health.show-components=always");
		McpServerRegistry registry = application.registry();
		McpServer handle = registry.server("one");
		List<McpServer> servers = registry.servers();
		McpTool tool = registry.tools().get("one_hello");
		assertThat(application.post("/actuator/mcp/one", "{\"action\": \"disable\"}")).startsWith("200 ")
			.contains("\"state\":\"DISABLED\"", "\"tools\":0");
		assertThat(registry.servers()).isEqualTo(servers);
		assertThat(registry.server("one")).isSameAs(handle);
		assertThat(registry.tools()).extracting(McpTool::name).containsExactly("two_hello");
		assertThat(tool.available()).isFalse();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> tool.call(Map.of()))
			.withMessageContaining("is DISABLED: enabled is false.");
		this.one.awaitSessions(0);
		assertThat(application.get("/actuator/health").path("status").asString()).isEqualTo("UP");
		assertThat(application.get("/actuator/health/mcp/one").path("status").asString()).isEqualTo("UNKNOWN");
		assertThat(handle.reconnect().block(LIMIT)).isNotNull()
			.extracting(McpServerStatus::state)
			.isEqualTo(McpServerState.DISABLED);
		assertThat(handle.recentStates()).first().satisfies((change) -> {
			assertThat(change.state()).isEqualTo(McpServerState.CLOSED);
			assertThat(change.reason()).isEqualTo("It was disabled.");
		});
		await().until(() -> !beans(application).contains("one_hello"));
		// those that nobody has disabled are untouched
		assertThat(this.two.requests("initialize")).hasSize(1);
		assertThat(application.post("/actuator/mcp/one", "{\"action\": \"enable\"}")).startsWith("200 ")
			.contains("\"state\":\"READY\"", "\"tools\":1");
		assertThat(registry.server("one")).isSameAs(handle);
		assertThat(tool.call(Map.of("message", "1")).text()).isEqualTo("hello 1");
		await().until(() -> beans(application).contains("one_hello"));
		assertThat(application.post("/actuator/mcp/one", "{\"action\": \"enable\"}")).startsWith("200 ");
		assertThat(this.one.requests("initialize")).hasSize(2);
	}

	@Test
	void pendingCallsFailAtOnce() {
		this.one.on("tools/call", McpTestReply.never());
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url());
		CompletableFuture<McpToolResult> call = application.tools().get("one_hello").callAsync(Map.of()).toFuture();
		this.one.awaitRequest("tools/call");
		application.registrar().disable("one");
		assertThat(call).failsWithin(LIMIT)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(McpServerUnavailableException.class)
			.withMessage("MCP server 'one' (" + this.one.url() + ") is CLOSED: It was disabled.");
		assertThatExceptionOfType(NoSuchMcpServerException.class)
			.isThrownBy(() -> application.registrar().enable("None"));
	}

	@Test
	void noTwoChildrenOfOneServerRunAtATime() {
		ClientApplication application = ClientApplication.start(ClientApplication.mini("child"));
		McpServerRegistrar registrar = application.registrar();
		for (int i = 0; i < 3; i++) {
			List<ProcessHandle> before = ProcessHandle.current().children().toList();
			registrar.disable("child");
			assertThat(registrar.enable("child").block(LIMIT)).isNotNull()
				.extracting(McpServerStatus::state)
				.isEqualTo(McpServerState.READY);
			assertThat(before).as("what ran before").noneMatch(ProcessHandle::isAlive);
		}
	}

	@Test
	void manyChangesAtATimeComeToOneConnection() {
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url());
		McpServerRegistrar registrar = application.registrar();
		McpServer server = application.registry().server("one");
		List<CompletableFuture<?>> changes = IntStream.range(0, 40)
			.<CompletableFuture<?>>mapToObj((i) -> CompletableFuture.supplyAsync(() -> switch (i % 4) {
				case 0 -> registrar.disable("one");
				case 1 -> registrar.enable("one");
				case 2 -> registrar.replace(server.definition().mutate().toolPrefix("p" + i).build());
				default -> server.reconnect();
			}).thenCompose(Mono::toFuture))
			.toList();
		assertThat(changes).allSatisfy((change) -> assertThat(change).succeedsWithin(LIMIT));
		registrar.enable("one").block(LIMIT);
		await().untilAsserted(() -> assertThat(server.status().state()).isEqualTo(McpServerState.READY));
		assertThat(server.tools()).singleElement()
			.satisfies((tool) -> assertThat(tool.call(Map.of("message", "1")).text()).isEqualTo("hello 1"));
		// a server keeps the session of an initialization that was aborted, but no stream
		await().until(() -> this.one.listeners() == 1);
		registrar.disable("one").block(LIMIT);
		await().until(() -> this.one.listeners() == 0);
	}

	@Test
	void changesDuringAPauseHoldAfterIt() {
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url(),
				"mcp.servers.two.url=" + this.two.url(), "mcp.servers.two.enabled=false");
		application.context().stop();
		application.registrar().disable("one").block(LIMIT);
		application.registrar().enable("two").block(LIMIT);
		assertThat(this.two.requests("initialize")).isEmpty();
		application.context().start();
		McpServer two = application.registry().server("two");
		assertThat(two.settings()).extracting(McpServerSetting::name)
			.contains("mcp.servers.two.enabled", "mcp.servers.two.url");
		application.registrar().replace(two.definition().mutate().toolPrefix("two").build());
		assertThat(two.settings()).as("not those that it was configured with").isEmpty();
		assertThat(application.state("one")).isEqualTo(McpServerState.DISABLED);
		assertThat(application.text("two_hello", Map.of("message", "1"))).isEqualTo("hello 1");
		assertThat(this.one.requests("initialize")).hasSize(1);
	}

	@Test
	void lazyServersConnectAtTheirFirstUse() {
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url(),
				"mcp.servers.one.enabled=false", "mcp.startup.mode=lazy");
		assertThat(application.registrar().enable("one").block(LIMIT)).isNotNull()
			.extracting(McpServerStatus::state)
			.isEqualTo(McpServerState.IDLE);
		assertThat(application.text("one_hello", Map.of("message", "1"))).isEqualTo("hello 1");
	}

	@Test
	void aRequiredServerThatIsDisabledDoesNotHoldUpTheStart() {
		this.one.on("initialize", McpTestReply.never());
		Early.silent = this.one;
		ClientApplication application = ClientApplication.start(Early.class, "mcp.servers.one.url=" + this.one.url(),
				"mcp.servers.one.required=true", "mcp.servers.two.url=" + this.two.url(),
				"mcp.servers.two.enabled=false");
		assertThat(application.state("one")).isEqualTo(McpServerState.DISABLED);
		assertThat(application.state("two")).as("was enabled before the start").isEqualTo(McpServerState.READY);
	}

	private static List<String> beans(ClientApplication application) {
		return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(application.context(), McpTool.class));
	}

	/**
	 * Changes servers before and while they start.
	 */
	static class Early implements SmartInitializingSingleton {

		private static McpTestServer silent;

		private final McpServerRegistrar registrar;

		Early(McpServerRegistrar registrar) {
			this.registrar = registrar;
		}

		@Override
		public void afterSingletonsInstantiated() {
			this.registrar.enable("two").block(LIMIT);
			CompletableFuture.runAsync(() -> {
				silent.awaitRequest("initialize");
				this.registrar.disable("one");
			});
		}

	}

}
