package io.github.mcpclient.integration.application;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.LoginRequiredException;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.Unchecked;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * How an application starts with servers of all kinds.
 */
class StartupTests {

	@Test
	@Fault(value = FaultKind.ONE_OF_MANY_DOWN, over = Transport.STREAMABLE_HTTP)
	void tenSlowServersOneThatRefusesAndOneThatIsSilent() throws IOException {
		List<String> properties = new ArrayList<>(
				List.of("mcp.startup.wait=2s", "management.endpoints.web.exposure.include=mcp"));
		CountDownLatch asked = new CountDownLatch(10);
		for (int i = 0; i < 10; i++) {
			McpTestServer server = closing(McpTestServer.create().tools("hello").start());
			// one after the other, they would wait for each other for ever
			server.on("tools/list", (request) -> {
				asked.countDown();
				Unchecked.run(() -> asked.await(30, TimeUnit.SECONDS));
				return McpTestReply.standard();
			});
			properties.add("mcp.servers.slow-" + i + ".url=" + server.url());
		}
		properties.add("mcp.servers.refusing.url=http://localhost:" + Peers.freePort() + "/mcp");
		ServerSocket silent = closing(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
		properties.add("mcp.servers.silent.url=http://localhost:" + silent.getLocalPort() + "/mcp");
		properties.add("mcp.servers.silent.initialization-timeout=1h");
		ClientApplication application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[0],
				properties.toArray(String[]::new));
		List<String> names = application.registry().servers().stream().map(McpServer::name).toList();
		assertThat(names).hasSize(12);
		for (int i = 0; i < 10; i++) {
			String name = "slow-" + i;
			await().until(() -> application.state(name) == McpServerState.READY);
			assertThat(application.text(name + "_hello", Map.of("message", "you"))).isEqualTo("hello you");
		}
		// the start did not wait for its attempt to end
		assertThat(application.state("silent")).isEqualTo(McpServerState.CONNECTING);
		await().untilAsserted(() -> assertThat(application.registry().server("refusing").status().lastError())
			.startsWith("Connection refused"));
		assertThat(application.state("refusing")).isIn(McpServerState.UNAVAILABLE, McpServerState.CONNECTING);
		JsonNode servers = application.get("/actuator/mcp").path("servers");
		assertThat(servers.propertyNames()).containsExactlyElementsOf(names);
		assertThat(servers.path("slow-3").path("state").asString()).isEqualTo("READY");
		assertThat(servers.path("slow-3").path("tools").asInt()).isEqualTo(1);
		assertThat(servers.path("refusing").path("lastError").asString()).startsWith("Connection refused");
		assertThat(servers.path("silent").path("state").asString()).isEqualTo("CONNECTING");
	}

	@Test
	void aWaitOfZeroDoesNotWait() throws IOException {
		CompletableFuture<Void> go = new CompletableFuture<>();
		McpTestServer server = closing(
				McpTestServer.create().tools("hello").on("POST", McpTestReply.standard().after(go)).start());
		ClientApplication application = ClientApplication.start("mcp.startup.wait=0s",
				"mcp.servers.slow.url=" + server.url());
		assertThat(application.state("slow")).isIn(McpServerState.IDLE, McpServerState.CONNECTING);
		go.complete(null);
		await().until(() -> application.state("slow") == McpServerState.READY);
		assertThat(application.tools().find("slow_hello")).isPresent();
	}

	@Test
	@Fault(value = FaultKind.DOWN_AT_START, over = Transport.STREAMABLE_HTTP)
	void aServerThatIsLateJoins() {
		McpTestServer server = closing(McpTestServer.create().tools("hello"));
		ClientApplication application = ClientApplication.start("mcp.servers.late.url=" + server.url(),
				"mcp.servers.late.reconnect.initial-delay=100ms");
		assertThat(application.tools().all()).isEmpty();
		server.start();
		await().until(() -> application.tools().find("late_hello").isPresent());
	}

	@Test
	void aRequiredServerThatComesInTimeIsWaitedFor() {
		McpTestServer server = closing(McpTestServer.create()
			.tools("hello")
			.onNext("POST", McpTestReply.status(503), McpTestReply.status(503))
			.start());
		ClientApplication application = ClientApplication.start("mcp.startup.wait=0s",
				"mcp.servers.needed.url=" + server.url(), "mcp.servers.needed.required=true",
				"mcp.servers.needed.reconnect.initial-delay=50ms");
		assertThat(application.state("needed")).isEqualTo(McpServerState.READY);
		assertThat(application.registry().server("needed").status().attempts()).isEqualTo(3);
	}

	@ParameterizedTest
	@Timeout(60)
	@ValueSource(strings = { "command=no-such-executable-here", "command=/no/such/file", "command=/",
			"command=java mcp.servers.needed.working-directory=/no/such/directory",
			"url=http://localhost:9/mcp mcp.servers.needed.reconnect.enabled=false" })
	void aRequiredServerThatNoWaitingBringsFailsTheStartAtOnce(String settings) {
		McpTestServer silent = closing(McpTestServer.create().on("POST", McpTestReply.never()).start());
		List<String> properties = new ArrayList<>(List.of(("mcp.servers.needed." + settings).split(" ")));
		properties.addAll(List.of("mcp.servers.needed.required=true", "mcp.servers.silent.url=" + silent.url(),
				"mcp.servers.silent.required=true", "mcp.startup.wait=10m", "mcp.defaults.initialization-timeout=10m"));
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> ClientApplication.start(properties.toArray(String[]::new)))
			.havingRootCause()
			.withMessage("Required MCP servers are not READY: needed");
	}

	@Test
	void aServerThatWaitsForItsUsersHidesNoOtherThatIsMissing() {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> ClientApplication.start(Login.class, "mcp.servers.login.type=login",
					"mcp.servers.login.required=true",
					"mcp.servers.needed.url=http://localhost:" + Peers.freePort() + "/mcp",
					"mcp.servers.needed.required=true", "mcp.servers.needed.initialization-timeout=1s"))
			.havingRootCause()
			.withMessage("Required MCP servers are not READY: needed");
	}

	@Test
	void aDisabledServerIsListedAndNeverContacted() {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ClientApplication application = ClientApplication.start("mcp.servers.off.url=" + server.url(),
				"mcp.servers.off.enabled=false", "mcp.servers.off.required=true");
		assertThat(application.registry().servers()).extracting(McpServer::status)
			.extracting(McpServerStatus::state)
			.containsExactly(McpServerState.DISABLED);
		assertThat(server.requests("initialize")).isEmpty();
	}

	@Test
	void allPagesAreListedAndAServerWithoutToolsIsFine() {
		McpTestServer paged = closing(McpTestServer.create().tools("a", "b", "c", "d", "e").pageSize(2).start());
		McpTestServer empty = closing(McpTestServer.create().tools().start());
		McpTestServer none = closing(
				McpTestServer.create().tools("hidden").withoutCapability("tools").prompt("p", "text").start());
		ClientApplication application = ClientApplication.start("mcp.servers.paged.url=" + paged.url(),
				"mcp.servers.empty.url=" + empty.url(), "mcp.servers.none.url=" + none.url());
		assertThat(application.registry().servers()).extracting(McpServer::status)
			.extracting(McpServerStatus::state)
			.containsOnly(McpServerState.READY);
		assertThat(application.tools().asMap().keySet()).containsExactly("paged_a", "paged_b", "paged_c", "paged_d",
				"paged_e");
	}

	static class Login implements McpTransportFactory {

		@Override
		public Set<String> types() {
			return Set.of("login");
		}

		@Override
		public McpClientTransport create(McpServerDefinition definition) {
			throw new LoginRequiredException("It needs a login", "Log in.");
		}

	}

}
