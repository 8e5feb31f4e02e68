package io.github.mcpclient.client;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.ManagedMcpServer.RecentCall;
import io.github.mcpclient.management.ManagedMcpServer.StateChange;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the {@link ManagedMcpServer#recentCalls() calls} and
 * {@link ManagedMcpServer#recentStates() states} that a server remembers.
 */
class RecentCallsTests {

	private static final Map<String, Object> SECRET = Map.of("password", "s3cr3t-argument");

	private final McpTestServer peer = McpTestServer.create()
		.tool("add", McpTestReply.text("s3cr3t-result"))
		.tool("fail", McpTestReply.toolError("s3cr3t-error"))
		.tool("hang", McpTestReply.never())
		.start();

	private final StandaloneMcpClient client = StandaloneMcpClient.builder()
		.startupWait(Duration.ofSeconds(60))
		.server(McpServerDefinition.http("calculator", URI.create(this.peer.url())).build())
		.build();

	private final ManagedMcpServer server = this.client.manager().server("calculator");

	@AfterEach
	void close() {
		this.client.close();
		this.peer.close();
	}

	@Test
	void callsAreThereWithoutWhatWasSaid() {
		Instant before = Instant.now();
		tool("add").call(SECRET);
		tool("fail").call(SECRET);
		assertThatExceptionOfType(McpException.class)
			.isThrownBy(() -> tool("hang").call(McpToolRequest.of(SECRET).withTimeout(Duration.ofMillis(50))));
		assertThat(this.server.recentCalls()).extracting(RecentCall::tool, RecentCall::outcome, RecentCall::repeated)
			.containsExactly(tuple("calculator_hang", "McpRequestTimeoutException"),
					tuple("calculator_fail", "tool_error"), tuple("calculator_add", "success"));
		RecentCall timedOut = this.server.recentCalls().get(0);
		assertThat(timedOut.error()).contains("calculator").contains("50 ms");
		assertThat(timedOut.duration()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
		assertThat(timedOut.started()).isBetween(before, Instant.now());
		assertThat(this.server.recentCalls().toString()).doesNotContain("s3cr3t");
	}

	private static org.assertj.core.groups.Tuple tuple(String tool, String outcome) {
		return org.assertj.core.api.Assertions.tuple(tool, outcome, false);
	}

	@Test
	void aCallThatWasSentAgainSaysSo() {
		this.peer.forgetSessions();
		tool("add").call(Map.of());
		assertThat(this.server.recentCalls()).singleElement()
			.returns(true, RecentCall::repeated)
			.returns("success", RecentCall::outcome);
	}

	@Test
	void aCallThatIsCancelledEndsOnce() {
		Disposable call = tool("hang").callAsync(Map.of()).subscribe();
		this.peer.awaitCall("hang");
		assertThat(this.server.recentCalls()).isEmpty();
		call.dispose();
		assertThat(this.server.recentCalls()).singleElement().returns("cancelled", RecentCall::outcome);
	}

	@Test
	void statesAreThereWithTheirReasons() {
		assertThat(this.server.recentStates()).extracting(StateChange::state)
			.containsExactly(McpServerState.READY, McpServerState.CONNECTING);
		this.peer.stop();
		await().until(() -> this.server.recentStates().stream().anyMatch((change) -> change.reason() != null));
		assertThat(this.server.recentStates()).filteredOn((change) -> change.state() == McpServerState.UNAVAILABLE)
			.isNotEmpty()
			.allSatisfy((change) -> assertThat(change.reason()).isNotBlank());
		assertThat(this.server.recentStates()).extracting(StateChange::since)
			.isSortedAccordingTo((one, other) -> other.compareTo(one));
	}

	@Test
	void anotherConnectionKeepsThem() {
		tool("add").call(Map.of());
		this.client.manager().replace(this.server.definition().mutate().requestTimeout(Duration.ofSeconds(59)).build());
		tool("add").call(Map.of());
		assertThat(this.server.recentCalls()).hasSize(2);
		assertThat(this.server.recentStates()).extracting(StateChange::state).contains(McpServerState.CLOSED);
	}

	private McpTool tool(String name) {
		return this.client.tools().get("calculator_" + name);
	}

}
