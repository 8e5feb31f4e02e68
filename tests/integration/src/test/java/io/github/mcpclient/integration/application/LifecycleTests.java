package io.github.mcpclient.integration.application;

import java.net.ServerSocket;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * That nothing is left when an application stops, pauses, or fails to start.
 */
class LifecycleTests {

	private final Leaks leaks = new Leaks();

	private final McpTestServer server = McpTestServer.create().tools("hello").start();

	@Test
	void closingEndsSessionsAndChildren() {
		try (ClientApplication application = start()) {
			assertThat(application.state("http")).isEqualTo(McpServerState.READY);
			assertThat(application.state("child")).isEqualTo(McpServerState.READY);
			assertThat(this.server.sessions()).hasSize(1);
		}
		awaitNoSession();
		this.leaks.assertNone();
	}

	@Test
	void pauseAndRestartBeginWithFreshConnectionsUnderTheSameBeans() {
		try (ClientApplication application = start()) {
			McpTool hello = application.tools().get("http_hello");
			String pid = application.text("child_pid", Map.of());
			application.context().stop();
			assertThat(application.state("http")).isEqualTo(McpServerState.CLOSED);
			awaitNoSession();
			assertThat(hello.available()).isFalse();
			application.context().start();
			assertThat(application.registry().server("http").status().lastError()).isNull();
			assertThat(application.state("http")).isEqualTo(McpServerState.READY);
			assertThat(hello.call(Map.of("message", "again")).text()).isEqualTo("hello again");
			assertThat(application.context().getBean("http_hello")).isEqualTo(hello);
			assertThat(application.text("child_pid", Map.of())).isNotEqualTo(pid);
			assertThat(this.server.sessions()).hasSize(1);
		}
		this.leaks.assertNone();
	}

	@Test
	void aStartThatFailsAfterSomeServersConnectedLeavesNothing() {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> start("mcp.servers.needed.url=http://localhost:" + Peers.freePort() + "/mcp",
					"mcp.servers.needed.required=true", "mcp.servers.needed.initialization-timeout=2s"));
		assertThat(this.server.requests("initialize")).hasSize(1);
		awaitNoSession();
		this.leaks.assertNone();
	}

	@Test
	@Fault(value = FaultKind.START_RACES_STOP, over = Transport.STREAMABLE_HTTP)
	void aSilentServerDoesNotHoldTheShutdown() throws Exception {
		try (ServerSocket silent = new ServerSocket(0)) {
			ClientApplication application = start("mcp.startup.wait=0s",
					"mcp.servers.silent.url=http://localhost:" + silent.getLocalPort() + "/mcp",
					"mcp.servers.silent.initialization-timeout=1h");
			application.close();
		}
		this.leaks.assertNone();
	}

	private void awaitNoSession() {
		await().untilAsserted(
				() -> assertThat(this.server.sessions()).as("sessions that were not ended with DELETE").isEmpty());
	}

	private ClientApplication start(String... more) {
		String[] child = ClientApplication.mini("child", "GRANDCHILD=yes");
		return ClientApplication.start(StringUtils.concatenateStringArrays(child, more),
				"mcp.servers.http.url=" + this.server.url());
	}

}
