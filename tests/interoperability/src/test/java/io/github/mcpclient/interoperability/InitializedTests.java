package io.github.mcpclient.interoperability;

import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of servers that refuse {@code notifications/initialized}.
 */
class InitializedTests extends AbstractInteroperabilityTests {

	static Stream<McpTestReply> refusals() {
		return Stream.of(McpTestReply.status(500).body("text/html", "<h1>Internal Server Error</h1>"),
				McpTestReply.error(-32602, "params is required").withStatus(400), McpTestReply.status(405),
				McpTestReply.status(502), McpTestReply.status(403).body("text/plain", "Forbidden"),
				McpTestReply.status(401), McpTestReply.status(429), McpTestReply.cut());
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void sessionIsUsedAllTheSame(McpTestReply refusal) {
		this.peer.deviates(McpTestDeviation.initialized(refusal));
		McpServer server = connect();
		assertReady(server);
		assertThat(server.status().attempts()).isEqualTo(1);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.INITIALIZED);
		// what the server says unasked is heard
		this.peer.awaitListeners(1).tool("later", McpTestReply.text("hi")).notifyToolsListChanged();
		await().until(() -> server.tools().size() == 2);
	}

	@Test
	void serverWithoutSessionsMayNotFindIt() {
		this.peer.withoutSessions().deviates(McpTestDeviation.initialized(McpTestReply.status(404)));
		McpServer server = connect();
		assertReady(server);
		assertDeviation(server, Kind.INITIALIZED);
	}

	@Test
	void challengeIsAMatterOfAuthorization() {
		this.peer.on("notifications/initialized", McpTestReply.status(401).withHeader("WWW-Authenticate", "Bearer"));
		McpServer server = connect(
				(definition) -> definition.headers(Map.of("Authorization", "Bearer t")).reconnect(OFF));
		assertThat(server.status().lastError()).contains("HTTP 401");
		assertThat(this.peer.requests("tools/list")).isEmpty();
		assertNoDeviation(server);
	}

	@Test
	void lostSessionIsOne() {
		this.peer.onNext("notifications/initialized", McpTestReply.status(404));
		McpServer server = connect((definition) -> definition.reconnect(SOON));
		await().untilAsserted(() -> assertReady(server));
		assertThat(this.peer.requests("initialize")).hasSize(2);
		assertThat(server.status().deviations()).noneMatch((deviation) -> deviation.kind() == Kind.INITIALIZED);
	}

}
