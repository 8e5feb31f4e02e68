package io.github.mcpclient.interoperability;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of servers that refuse the newest protocol revision, or name theirs, in forms of
 * their own.
 */
class RevisionTests extends AbstractInteroperabilityTests {

	private static final String NEWEST = "2025-11-25";

	static Stream<Arguments> refusals() {
		McpTestReply text = McpTestReply.status(400)
			.body("text/plain",
					"Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26, 2024-11-05)");
		return Stream.of(Arguments.of(text, "2025-06-18", 2),
				Arguments.of(McpTestReply.error(-32600, "Unsupported MCP protocol version: 2025-11-25"), "2025-06-18",
						2),
				Arguments.of(McpTestReply.error(-32600, "Unsupported MCP protocol version: 2025-11-25"), "2024-11-05",
						4),
				Arguments.of(McpTestReply.error(-32000, "protocolVersion must be one of [2025-03-26, 2024-11-05]"),
						"2025-03-26", 2),
				Arguments.of(McpTestReply.error(-32000, "protocolVersion must be one of [2025-03-26, 2024-11-05]")
					.withStatus(400), "2024-11-05", 3),
				Arguments.of(McpTestReply.error(-32602, "Invalid request parameters"), "2025-03-26", 3),
				Arguments.of(
						McpTestReply.error(-32602, "Bad revision", Map.of("supportedVersions", List.of("2024-11-05"))),
						"2024-11-05", 2),
				Arguments.of(
						McpTestReply.status(422)
							.body("application/json", "{\"error\": \"Unsupported protocol version\"}"),
						"2025-03-26", 3),
				Arguments.of(McpTestReply.error(-32603, "Protocol version not supported: 2025-11-25").withStatus(500),
						"2025-06-18", 2));
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void olderRevisionIsTried(McpTestReply refusal, String only, int requests) {
		this.peer.deviates(McpTestDeviation.protocolVersion(only, refusal));
		ManagedMcpServer server = connect();
		assertReady(server);
		assertThat(server.status().protocolVersion()).isEqualTo(only);
		assertThat(this.peer.requests("initialize")).hasSize(requests);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.PROTOCOL_VERSION);
		server.reconnect();
		assertReady(server);
		assertThat(this.peer.requests("initialize")).hasSize(requests + 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { " 2025-06-18", "v2025-06-18", "2025-06-18T00:00:00Z", "2025/06/18", "20250618" })
	void revisionIsReadAsTheOneThatIsMeant(String spelled) {
		answer(spelled);
		ManagedMcpServer server = connect();
		assertReady(server);
		assertThat(server.status().protocolVersion()).isEqualTo("2025-06-18");
		tool(server, "echo").call(Map.of());
		assertThat(this.peer.awaitRequest("tools/call").header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
		assertDeviation(server, Kind.PROTOCOL_VERSION);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1999-01-01", "2025-06-18 or 2025-03-26", "12025-06-181", "latest" })
	void revisionThatMayMeanAnotherIsRefused(String revision) {
		answer(revision);
		ManagedMcpServer server = connectOnce("auto");
		assertThat(server.status().lastError()).contains("The server supports protocol version " + revision);
		assertNoDeviation(server);
	}

	@Test
	void properRefusalIsNoDeviation() {
		this.peer.deviates(McpTestDeviation.protocolVersion("2025-03-26", McpTestReply.error(-32602,
				"Unsupported protocol version", Map.of("supported", List.of("2025-03-26"), "requested", NEWEST))));
		ManagedMcpServer server = connect();
		assertThat(server.status().protocolVersion()).isEqualTo("2025-03-26");
		assertNoDeviation(server);
	}

	@Test
	void revisionsAreTriedOnceEach() {
		this.peer.on("initialize", McpTestReply.error(-32600, "Unsupported protocol version"));
		ManagedMcpServer server = connectOnce("auto");
		assertThat(this.peer.requests("initialize")).hasSize(4);
		assertThat(server.status().lastError()).contains("Unsupported protocol version")
			.contains("use a version of the server that supports a protocol version from 2024-11-05 to 2026-07-28")
			.doesNotContain("to auto");
	}

	@Test
	void otherRefusalsAreNotTriedAgain() {
		this.peer.on("initialize", McpTestReply.error(-32603, "Out of order since 2025-06-18"));
		ManagedMcpServer server = connectOnce("auto");
		assertThat(server.status().lastError()).contains("Out of order");
		assertThat(this.peer.requests("initialize")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { NEWEST, "legacy", "modern" })
	void settingThatExcludesTheServersRevisionIsNamed(String setting) {
		if (setting.equals("legacy")) {
			this.peer.protocolVersions("2026-07-28");
		}
		else {
			this.peer.on("server/discover", McpTestReply.error(-32601, "Method not found"))
				.deviates(McpTestDeviation.protocolVersion("2025-03-26", McpTestReply.error(-32602,
						"Unsupported protocol version", Map.of("supported", List.of("2025-03-26")))));
		}
		ManagedMcpServer server = connectOnce(setting);
		assertThat(server.status().lastError()).contains("to auto");
		closeClient();
		assertReady(connectOnce("auto"));
	}

	private ManagedMcpServer connectOnce(String protocol) {
		return connect((definition) -> definition.protocol(protocol).reconnect(OFF));
	}

	private void answer(String revision) {
		this.peer.on("initialize", McpTestReply.result(Map.of("protocolVersion", revision, "capabilities",
				Map.of("tools", Map.of()), "serverInfo", Map.of("name", "peer", "version", "1"))));
	}

}
