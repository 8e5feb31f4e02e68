package io.github.mcpclient.integration.servers;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerSetting;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.WebApplicationType;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
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
		ManagedMcpServer handle = application.manager().server("one");
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
		assertThat(handle.reconnect()).isNotNull()
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
		application.manager().disableAsync("one").subscribe();
		assertThat(call).failsWithin(LIMIT)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(McpServerUnavailableException.class)
			.withMessage("MCP server 'one' (" + this.one.url() + ") is CLOSED: It was disabled.");
		assertThatExceptionOfType(NoSuchMcpServerException.class)
			.isThrownBy(() -> application.manager().enable("None"));
	}

	@Test
	void noTwoChildrenOfOneServerRunAtATime() {
		ClientApplication application = ClientApplication.start(ClientApplication.mini("child"));
		McpServerManager manager = application.manager();
		for (int i = 0; i < 3; i++) {
			List<ProcessHandle> before = ProcessHandle.current().children().toList();
			manager.disableAsync("child").subscribe();
			assertThat(manager.enable("child")).isNotNull()
				.extracting(McpServerStatus::state)
				.isEqualTo(McpServerState.READY);
			assertThat(before).as("what ran before").noneMatch(ProcessHandle::isAlive);
		}
	}

	@Test
	void manyChangesAtATimeComeToOneConnection() {
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url());
		McpServerManager manager = application.manager();
		ManagedMcpServer server = application.manager().server("one");
		List<CompletableFuture<?>> changes = IntStream.range(0, 40)
			.<CompletableFuture<?>>mapToObj((i) -> CompletableFuture.supplyAsync(() -> switch (i % 4) {
				case 0 -> manager.disable("one");
				case 1 -> manager.enable("one");
				case 2 -> manager.replace(server.definition().mutate().toolPrefix("p" + i).build());
				default -> server.reconnect();
			}))
			.toList();
		assertThat(changes).allSatisfy((change) -> assertThat(change).succeedsWithin(LIMIT));
		manager.enable("one");
		await().untilAsserted(() -> assertThat(server.status().state()).isEqualTo(McpServerState.READY));
		assertThat(server.tools()).singleElement()
			.satisfies((tool) -> assertThat(tool.call(Map.of("message", "1")).text()).isEqualTo("hello 1"));
		// a server keeps the session of an initialization that was aborted, but no stream
		await().until(() -> this.one.listeners() == 1);
		manager.disable("one");
		await().until(() -> this.one.listeners() == 0);
	}

	@Test
	void changesDuringAPauseHoldAfterIt() {
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url(),
				"mcp.servers.two.url=" + this.two.url(), "mcp.servers.two.enabled=false");
		application.context().stop();
		application.manager().disable("one");
		application.manager().enable("two");
		assertThat(this.two.requests("initialize")).isEmpty();
		application.context().start();
		ManagedMcpServer two = application.manager().server("two");
		assertThat(two.settings()).extracting(McpServerSetting::name)
			.contains("mcp.servers.two.enabled", "mcp.servers.two.url");
		application.manager().replaceAsync(two.definition().mutate().toolPrefix("two").build()).subscribe();
		assertThat(two.settings()).as("not those that it was configured with").isEmpty();
		assertThat(application.state("one")).isEqualTo(McpServerState.DISABLED);
		assertThat(application.text("two_hello", Map.of("message", "1"))).isEqualTo("hello 1");
		assertThat(this.one.requests("initialize")).hasSize(1);
	}

	@Test
	void aServerThatIsConfiguredDisabledHasAllOfItsSettings(@TempDir Path directory) throws Exception {
		Files.writeString(directory.resolve("a.env"), "ONE=1\n");
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url(),
				"mcp.servers.one.enabled=false", "mcp.servers.child.command=/bin/cat",
				"mcp.servers.child.env-file=" + directory.resolve("a.env"), "mcp.servers.child.enabled=false",
				"mcp.defaults.tools.rules[0].tools=hello", "mcp.defaults.tools.rules[0].title=Good morning");
		application.manager().enable("one");
		assertThat(application.tools().get("one_hello").title()).isEqualTo("Good morning");
		assertThat(application.registry().server("child").definition().stdio()).isNotNull()
			.satisfies((child) -> assertThat(child.env()).containsEntry("ONE", "1"));
	}

	@Test
	void noProgramOfAnImportedFileIsRunByEnablingIt(@TempDir Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve("mcp.json"),
				"{\"mcpServers\": {\"child\": {\"command\": \"/bin/cat\"}}}");
		ClientApplication application = ClientApplication.start("spring.config.import=mcp:" + file,
				"mcp.import.allow-stdio=false", "mcp.servers.child.enabled=false");
		assertThatIllegalArgumentException().isThrownBy(() -> application.manager().enable("child"))
			.withMessageContaining("mcp.import.allow-stdio is false");
		assertThat(application.state("child")).isEqualTo(McpServerState.DISABLED);
	}

	@Test
	void aServerThatIsNotConfiguredWellIsNotEnabled() {
		String off = "mcp.servers.off.";
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url(),
				off + "enabled=false", off + "url=" + this.one.url(), off + "headers.X=${NO_SUCH_TOKEN}",
				off + "request-timeout=-5s", off + "tools.filter[0]= ", "mcp.servers.none.enabled=false");
		McpServerManager manager = application.manager();
		assertThatIllegalArgumentException().isThrownBy(() -> manager.enable("off"))
			.withMessageStartingWith("Invalid definition of MCP server 'off':")
			.withMessageContaining("mcp.servers.off.headers.X")
			.withMessageContaining("Cannot resolve the placeholder ${NO_SUCH_TOKEN}.")
			.withMessageContaining("tools.filter")
			.withMessageContaining("request-timeout: The duration must be longer than zero.");
		assertThatIllegalArgumentException().isThrownBy(() -> manager.enable("none"))
			.withMessageContaining("Neither 'url'");
		assertThat(application.state("off")).isEqualTo(McpServerState.DISABLED);
		assertThat(this.one.requests("initialize")).hasSize(1);
		manager.replaceAsync(McpServerDefinition.http("off", URI.create(this.two.url())).enabled(false).build())
			.subscribe();
		assertThat(manager.enable("off")).isNotNull()
			.extracting(McpServerStatus::state)
			.isEqualTo(McpServerState.READY);
	}

	@Test
	void lazyServersConnectAtTheirFirstUse() {
		ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + this.one.url(),
				"mcp.servers.one.enabled=false", "mcp.startup.mode=lazy");
		assertThat(application.manager().enable("one")).isNotNull()
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

		private final McpServerManager manager;

		Early(McpServerManager manager) {
			this.manager = manager;
		}

		@Override
		public void afterSingletonsInstantiated() {
			this.manager.enable("two");
			CompletableFuture.runAsync(() -> {
				silent.awaitRequest("initialize");
				this.manager.disableAsync("one").subscribe();
			});
		}

	}

}
