package io.github.mcpclient.interoperability;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.test.server.McpTestReply;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that responses with ids that no request has are counted, and named where a call
 * waits for its own in vain.
 */
class UnknownIdTests extends AbstractInteroperabilityTests {

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "streamable-http", "sse", "websocket" })
	void callThatIsNotAnsweredNamesThem(String transport) {
		this.peer.tool("slow", (request) -> {
			for (String id : List.of("\"7f3a\"", "-5", "7")) {
				this.peer.sendToClients("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"content\":[]}}");
			}
			return McpTestReply.never();
		});
		McpServer server = connect(definition(transport).requestTimeout(Duration.ofMillis(500)).build());
		assertReady(server);
		if (transport.equals("streamable-http")) {
			this.peer.awaitListeners(1);
		}
		// again where the machine was too busy to read them in that time
		Awaitility.await()
			.untilAsserted(() -> assertThatExceptionOfType(McpRequestTimeoutException.class)
				.isThrownBy(() -> tool(server, "slow").call(Map.of()))
				.withMessageContaining(
						"did not respond to tools/call slow (during this time, the server " + Kind.UNKNOWN_ID.summary())
				.withMessageContaining(" in total, the latest: '"));
		assertThat(server.status().deviations()).allMatch((deviation) -> deviation.kind() == Kind.UNKNOWN_ID)
			.extracting(McpServerDeviation::detail)
			.containsExactly("'7f3a'", "'-5'", "'7'");
		assertThat(this.log.lines()).filteredOn((line) -> line.contains("this is logged once")).hasSize(3);
		assertReady(server);
	}

	private McpServerDefinitionBuilder definition(String transport) {
		List<String> command = this.peer.stdioCommand();
		return switch (transport) {
			case "stdio" -> McpServerDefinition.stdio(NAME, command.get(0),
					command.subList(1, command.size()).toArray(String[]::new));
			case "sse" -> McpServerDefinition.of(NAME, "sse").url(URI.create(this.peer.sseUrl()));
			case "websocket" -> McpServerDefinition.of(NAME, "websocket").url(URI.create(this.peer.webSocketUrl()));
			default -> McpServerDefinition.http(NAME, URI.create(this.peer.url()));
		};
	}

}
