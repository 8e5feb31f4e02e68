package io.github.mcpclient.guard;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.github.mcpclient.spi.McpMessageRecording;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that messages that are shown have masks in place of what rules fix, in a client
 * without Spring Boot.
 */
class RecordedMessagesTests {

	private final McpTestServer peer = McpTestServer.create();

	@ParameterizedTest
	@CsvSource({ "streamable-http, 2025-11-25", "stdio, 2026-07-28" })
	void whatRulesFixIsMasked(String type, String version) {
		this.peer.protocolVersions(version)
			.tool("echo", (request) -> McpTestReply.text("You sent " + request.arguments().get("token")))
			.start();
		McpToolRule rule = McpToolRule.builder("echo")
			.argument("token", "s3cr3t-token")
			.argument("tenant", "acme")
			.argument("limit", 4711)
			.argument("filter", Map.of("owner", List.of("me")))
			.build();
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.add(new McpGuard())
			.add(new McpMessageRecording(200))
			.server(definition(type).toolRules(List.of(rule)).build())
			.build()) {
			await().until(() -> client.registry().server("calculator").status().state() == McpServerState.READY);
			client.tools().get("calculator_echo").call(Map.of("given", "by the caller"));
			assertThat(this.peer.calls("echo").get(0).arguments()).containsEntry("tenant", "acme")
				.containsEntry("token", "s3cr3t-token");
			assertThat(calls(client)).hasSize(2)
				.noneMatch((message) -> message.text().matches("(?s).*(s3cr3t|acme|4711|owner).*"));
			assertThat(calls(client).get(0).text()).contains("\"tenant\":\"******\"", "\"given\":\"by the caller\"");
			assertThat(calls(client).get(1).text()).contains("You sent ******");
		}
	}

	private McpServerDefinitionBuilder definition(String type) {
		List<String> command = this.peer.stdioCommand();
		return (type.equals("stdio")
				? McpServerDefinition.stdio("calculator", command.get(0)).args(command.subList(1, command.size()))
				: McpServerDefinition.http("calculator", URI.create(this.peer.url())))
			.initializationTimeout(Duration.ofSeconds(20));
	}

	private static List<RecentMessage> calls(StandaloneMcpClient client) {
		return client.manager()
			.server("calculator")
			.recentMessages(0)
			.stream()
			.filter((message) -> "tools/call".equals(message.method()))
			.toList();
	}

}
