package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.session.ModernServerTests.Transport;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of servers of revision 2026-07-28 behind gateways that answer in their place, and
 * of what looks as if the server had been replaced by one of another revision.
 */
@Execution(ExecutionMode.CONCURRENT)
class ModernGatewayTests {

	private static final McpTestReply NOT_FOUND = McpTestReply.status(404).body("text/html", "<h1>Not here</h1>");

	private static final Duration SOON = Duration.ofSeconds(30);

	private final CompletableFuture<Void> gate = new CompletableFuture<>();

	private final McpTestServer server = McpTestServer.create()
		.protocolVersions("2026-07-28")
		.capability("tools", Map.of("listChanged", true))
		.tool("add", McpTestReply.text("5"))
		.tool("slow", McpTestReply.text("done").after(this.gate))
		.tool("lost", NOT_FOUND);

	@AfterEach
	void stop() {
		this.gate.complete(null);
		this.server.close();
	}

	static Stream<McpTestReply> doubts() {
		return Stream.of(NOT_FOUND, McpTestReply.status(404),
				McpTestReply.error(-32022, "Unsupported protocol version").withStatus(400),
				McpTestReply.error(-32000, "Session not found").withStatus(404),
				McpTestReply.error(-32000, "Bad Request: Server not initialized").withStatus(400));
	}

	@ParameterizedTest
	@MethodSource("doubts")
	@Fault(value = FaultKind.REFUSAL, over = io.github.mcpclient.testsupport.faults.Transport.STREAMABLE_HTTP)
	void aCallThatRaisesADoubtCostsNobodyElse(McpTestReply doubt) {
		this.server.tool("lost", doubt);
		try (StandaloneMcpClient client = connected()) {
			McpServerStatus before = server(client).status();
			CompletableFuture<McpToolResult> slow = call(client, "slow");
			this.server.awaitPending("tools/call", 1);
			for (int calls = 1; calls <= 3; calls++) {
				assertThat(call(client, "lost")).failsWithin(SOON);
				assertThat(this.server.requests("server/discover")).hasSize(1 + calls);
				assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
			}
			assertThat(server(client).status()).isEqualTo(before);
			assertThat(slow).isNotDone();
			this.gate.complete(null);
			assertThat(slow).succeedsWithin(SOON);
		}
		assertThat(this.server.calls("lost")).hasSize(3);
	}

	@Test
	void theCallSaysWhatTheGatewayAnswered() {
		try (StandaloneMcpClient client = connected()) {
			assertThatExceptionOfType(McpException.class)
				.isThrownBy(() -> client.tools().get("calculator_lost").call(Map.of()))
				.withMessageContaining("HTTP 404 Not Found")
				.withMessageContaining("gateway")
				.withMessageNotContaining("is an MCP endpoint");
		}
	}

	@Test
	void callsThatAreInDoubtAtATimeAskOnce() {
		try (StandaloneMcpClient client = connected()) {
			this.server.on("server/discover", McpTestReply.standard().after(this.gate));
			List<CompletableFuture<McpToolResult>> calls = Stream.generate(() -> call(client, "lost"))
				.limit(20)
				.toList();
			this.server.awaitRequests("tools/call", 20);
			this.server.awaitPending("server/discover", 1);
			// in doubt like the others, and given up
			calls.get(0).cancel(true);
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
			this.gate.complete(null);
			calls.subList(1, 20).forEach((call) -> assertThat(call).failsWithin(SOON));
			// one more where an answer came after that of the check
			assertThat(this.server.requests("server/discover")).hasSizeBetween(2, 3);
		}
	}

	@Test
	void aCheckThatIsNotAnsweredProvesNothing() {
		try (StandaloneMcpClient client = connected((definition) -> definition.connectTimeout(Duration.ofSeconds(1)))) {
			McpServerStatus before = server(client).status();
			for (McpTestReply reply : List.of(McpTestReply.never(), McpTestReply.cut(), McpTestReply.status(502),
					McpTestReply.status(429))) {
				this.server.on("server/discover", reply);
				assertThat(call(client, "lost")).failsWithin(SOON);
				assertThat(server(client).status()).isEqualTo(before);
			}
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
		}
	}

	@ParameterizedTest
	@MethodSource("doubts")
	void aDoubtThatIsConfirmedEndsTheConnection(McpTestReply doubt) {
		try (StandaloneMcpClient client = connected()) {
			this.server.on("POST", doubt);
			assertThat(call(client, "add")).failsWithin(SOON);
			await().until(() -> server(client).status().state() != McpServerState.READY);
			this.server.on("POST", McpTestReply.standard());
			await().atMost(SOON).until(() -> server(client).status().state() == McpServerState.READY);
		}
	}

	@Test
	void aSubscriptionThatIsNotFoundCostsNoConnection() {
		this.server.onNext("subscriptions/listen", NOT_FOUND);
		try (StandaloneMcpClient client = connected()) {
			this.server.awaitListeners(1);
			assertThat(server(client).status().attempts()).isEqualTo(1);
			this.server.tool("subtract", McpTestReply.text("1")).notifyToolsListChanged();
			await().until(() -> client.tools().find("calculator_subtract").isPresent());
		}
		assertThat(this.server.requests("server/discover")).hasSize(2);
	}

	@Test
	void aKeepAliveThatIsNotFoundCostsNoConnection() {
		try (StandaloneMcpClient client = connected(
				(definition) -> definition.keepAliveInterval(Duration.ofSeconds(1)))) {
			McpServerStatus before = server(client).status();
			this.server.onNext("server/discover", NOT_FOUND);
			// that one, its check, and the next one
			this.server.awaitRequests("server/discover", 4);
			assertThat(server(client).status().since()).isEqualTo(before.since());
			assertThat(server(client).status().state()).isEqualTo(McpServerState.READY);
		}
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void anErrorThatSpeaksOfMetadataCostsNoSession(McpTestReply refusal) {
		this.server.protocolVersions("2025-11-25").tool("lost", refusal);
		try (StandaloneMcpClient client = connected()) {
			McpServerStatus before = server(client).status();
			assertThatExceptionOfType(McpException.class)
				.isThrownBy(() -> client.tools().get("calculator_lost").call(Map.of()))
				.withMessageContaining("of the order");
			assertThat(server(client).status()).isEqualTo(before);
			assertThat(this.server.requests("ping")).hasSize(1);
		}
		assertThat(this.server.calls("lost")).hasSize(1);
	}

	static Stream<McpTestReply> refusals() {
		return Stream.of(McpTestReply.error(-32602, "The _meta of the order is invalid").withStatus(400),
				McpTestReply.error(-32020, "The headers of the order are wrong").withStatus(400),
				McpTestReply.error(-32022, "The version of the order is not supported").withStatus(400));
	}

	private static CompletableFuture<McpToolResult> call(StandaloneMcpClient client, String tool) {
		return client.tools().get("calculator_" + tool).callAsync(Map.of()).toFuture();
	}

	private static McpServer server(StandaloneMcpClient client) {
		return client.registry().server("calculator");
	}

	private StandaloneMcpClient connected() {
		return connected(UnaryOperator.identity());
	}

	private StandaloneMcpClient connected(UnaryOperator<McpServerDefinitionBuilder> more) {
		this.server.start();
		StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(more.apply(Transport.HTTP.to(this.server)).build())
			.build();
		await().atMost(SOON).until(() -> server(client).status().state() == McpServerState.READY);
		return client;
	}

}
