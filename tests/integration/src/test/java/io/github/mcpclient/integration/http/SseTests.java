package io.github.mcpclient.integration.http;

import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.SpringSseServer;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The client with servers of the older transport that others wrote.
 */
class SseTests {

	@ParameterizedTest
	@ValueSource(strings = { "mcp.servers.spring.type=sse", "mcp.servers.spring.enabled=true" })
	void springsServer(String typeOrNone) {
		Leaks leaks = new Leaks();
		try (SpringSseServer server = SpringSseServer.start(0);
				ClientApplication application = ClientApplication.start("mcp.servers.spring.url=" + server.url(),
						typeOrNone)) {
			McpServerStatus status = application.registry().server("spring").status();
			assertThat(status.lastError()).isNull();
			assertThat(status.state()).isEqualTo(McpServerState.READY);
			assertThat(status.type()).isEqualTo("sse");
			List<CompletableFuture<McpToolResult>> calls = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				calls.add(application.tools().get("spring_echo").callAsync(Map.of("message", i)).toFuture());
			}
			for (int i = 0; i < 50; i++) {
				assertThat(calls.get(i).join().text()).isEqualTo("echo " + i);
			}
			server.addTool("added");
			await().until(() -> application.tools().find("spring_added").isPresent());
			assertThat(application.text("spring_added", Map.of("message", "x"))).isEqualTo("added x");
		}
		leaks.assertNone();
	}

	@Test
	@Fault(value = FaultKind.RESET, over = Transport.SSE)
	void aServerThatIsKilledWithinACall() {
		Peers.Running server = Peers.everything("sse");
		ClientApplication application = ClientApplication.start(
				"mcp.servers.every.url=http://localhost:" + server.port() + "/sse", "mcp.servers.every.type=sse",
				"mcp.servers.every.reconnect.enabled=false");
		CompletableFuture<McpToolResult> call = application.tools()
			.get("every_trigger-long-running-operation")
			.callAsync(Map.of("duration", 60, "steps", 600))
			.toFuture();
		// it is under way once another one is answered
		assertThat(application.text("every_echo", Map.of("message", "x"))).isEqualTo("Echo: x");
		server.process().destroyForcibly();
		assertThat(call).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(McpConnectionException.class);
		await().until(() -> application.state("every") == McpServerState.UNAVAILABLE);
		// in words, whichever of its connections was the first to break
		assertThat(application.registry().server("every").status().lastError())
			.containsAnyOf("The server's event stream broke: ", "The connection broke: ",
					"The server closed the connection", "Connection refused")
			.doesNotContain("(..)");
	}

	@Test
	void aUrlThatIsNothingOfTheKindTellsBothAttempts() {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ClientApplication application = ClientApplication.start("mcp.servers.a.url=" + server.url() + "/wrong",
				"mcp.servers.a.reconnect.enabled=false");
		assertThat(application.registry().server("a").status().lastError())
			.isEqualTo("The server supports neither streamable HTTP (HTTP 404 Not Found) nor SSE"
					+ " (HTTP 404 Not Found). Check that mcp.servers.a.url is an MCP endpoint.");
	}

	@Test
	@Fault(value = FaultKind.START_RACES_STOP, over = Transport.SSE)
	void closingDoesNotWaitForAServerThatSaysNothing() throws Exception {
		ServerSocket silent = closing(new ServerSocket(0));
		ClientApplication application = ClientApplication.start("mcp.startup.wait=0s", "mcp.servers.a.type=sse",
				"mcp.servers.a.url=http://localhost:" + silent.getLocalPort() + "/sse",
				"mcp.servers.a.initialization-timeout=1h");
		application.close();
	}

}
