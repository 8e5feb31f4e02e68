package io.github.mcpclient.internal.session;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpResultTooLargeException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage.Kind;
import io.github.mcpclient.spi.McpMessageRecording;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the {@link ManagedMcpServer#recentMessages(long) messages} that a server
 * remembers.
 */
@Execution(ExecutionMode.CONCURRENT)
class RecentMessagesTests {

	private static final Duration SOON = Duration.ofSeconds(30);

	private final McpTestServer peer = McpTestServer.create().tool("add", McpTestReply.text("5")).start();

	@AfterEach
	void close() {
		this.peer.close();
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			streamable-http, 2025-11-25
			streamable-http, 2026-07-28
			sse,             2025-11-25
			stdio,           2025-11-25
			stdio,           2026-07-28
			websocket,       2025-11-25
			websocket,       2026-07-28
			in-memory,       2025-11-25
			""")
	void anAnswerIsAPairWithItsRequest(String type, String version) {
		this.peer.protocolVersions(version);
		try (StandaloneMcpClient client = connected(type, 200)) {
			tool(client, "add").call(Map.of("a", 2));
			List<RecentMessage> call = calls(client);
			assertThat(call).extracting(RecentMessage::sent, RecentMessage::kind, RecentMessage::truncated)
				.containsExactly(tuple(true, Kind.REQUEST, false), tuple(false, Kind.RESPONSE, false));
			long sent = call.get(0).sequence();
			assertThat(server(client).recentMessages(sent)).contains(call.get(1)).doesNotContain(call.get(0));
			assertThat(call).extracting(RecentMessage::id).doesNotContainNull().containsOnly(call.get(0).id());
			assertThat(call).allSatisfy((message) -> assertThat(message.size()).isEqualTo(message.text().length()));
			assertThat(JsonMapper.shared().readTree(call.get(0).text()).at("/params/arguments/a").asInt()).isEqualTo(2);
			assertThat(JsonMapper.shared().readTree(call.get(1).text()).at("/result/content/0/text").asString())
				.isEqualTo("5");
			String handshake = version.startsWith("2026") ? "server/discover" : "initialize";
			assertThat(server(client).recentMessages(0))
				.isSortedAccordingTo((one, next) -> one.time().compareTo(next.time()))
				.extracting(RecentMessage::sent, RecentMessage::kind, RecentMessage::method)
				.contains(tuple(true, Kind.REQUEST, handshake), tuple(false, Kind.RESPONSE, handshake))
				.satisfies(
						(all) -> assertThat(all.contains(tuple(true, Kind.NOTIFICATION, "notifications/initialized")))
							.isEqualTo(handshake.equals("initialize")));
		}
	}

	@Test
	void whatTheServerAsksAndAnnouncesIsThere() {
		McpElicitationHandler handler = (request, context) -> new ElicitResult(Action.DECLINE, null, null);
		this.peer.protocolVersions("2025-11-25").tool("hang", McpTestReply.never());
		try (StandaloneMcpClient client = connected("stdio", 200, UnaryOperator.identity(),
				(builder) -> builder.add(handler))) {
			long before = last(client).sequence();
			this.peer.request("elicitation/create", ModernServerTests.QUESTION).join();
			this.peer.request("tasks/list", Map.of()).handle((answer, failure) -> failure).join();
			this.peer.request("ping", Map.of()).join();
			assertThat(server(client).recentMessages(before))
				.extracting(RecentMessage::sent, RecentMessage::kind, RecentMessage::method)
				.containsExactly(tuple(false, Kind.REQUEST, "elicitation/create"),
						tuple(true, Kind.RESPONSE, "elicitation/create"), tuple(false, Kind.REQUEST, "tasks/list"),
						tuple(true, Kind.ERROR, "tasks/list"), tuple(false, Kind.REQUEST, "ping"),
						tuple(true, Kind.RESPONSE, "ping"));
			Disposable call = tool(client, "hang").callAsync(Map.of()).subscribe();
			this.peer.awaitCall("hang");
			call.dispose();
			this.peer.awaitRequest("notifications/cancelled");
			assertThat(last(client)).returns("notifications/cancelled", RecentMessage::method)
				.returns(true, RecentMessage::sent);
			// which nobody listens to
			this.peer.notifyClients("notifications/odd", Map.of("why", "because"));
			await().until(() -> last(client).method().equals("notifications/odd"));
			assertThat(last(client).text()).contains("because");
		}
	}

	@Test
	void anAnswerThatComesLateKnowsItsRequest() {
		this.peer.protocolVersions("2025-11-25").tool("late", McpTestReply.never());
		try (StandaloneMcpClient client = connected("stdio", 200)) {
			Disposable call = tool(client, "late").callAsync(Map.of()).subscribe();
			this.peer.awaitCall("late");
			call.dispose();
			this.peer.awaitRequest("notifications/cancelled");
			String id = server(client).recentMessages(0)
				.stream()
				.filter((message) -> message.text().contains("\"late\"") && message.sent())
				.findFirst()
				.orElseThrow()
				.id();
			this.peer.sendToClients("{\"jsonrpc\": \"2.0\", \"id\": " + id + ", \"result\": {}}");
			await().until(() -> !last(client).sent());
			assertThat(last(client)).returns("tools/call", RecentMessage::method)
				.returns(Kind.RESPONSE, RecentMessage::kind);
		}
	}

	@Test
	void secretsAreMasked() {
		String echo = "\"s3cr3t\\key\" s3cr3t-token " + "x".repeat(20_000) + "s3cr3t-token";
		this.peer.tool("echo", McpTestReply.text(echo));
		try (StandaloneMcpClient client = connected("streamable-http", 200,
				(definition) -> definition.headers(Map.of("X-Key", "\"s3cr3t\\key\"", "X-Token", "s3cr3t-token")),
				UnaryOperator.identity())) {
			tool(client, "echo").call(Map.of("given", "s3cr3t-token", "s3cr3t-token", 1, "password", "hunter2", "text",
					"Authorization: Bearer abcdefgh1", "page", "{\"access_token\":\"hunter2\\\"\"}"));
			assertThat(server(client).recentMessages(0)).noneMatch((message) -> message.text().contains("s3cr3t"))
				.noneMatch((message) -> message.text().contains("hunter2"))
				.noneMatch((message) -> message.text().contains("abcdefgh1"));
			assertThat(calls(client).get(1).text()).contains("****** ****** xxx");
			assertThat(calls(client)).extracting(RecentMessage::truncated).containsExactly(false, true);
		}
	}

	@Test
	void ofALargeMessageTheBeginningIsKept() {
		String large = "\uD83D\uDE00x".repeat(200_000);
		this.peer.tool("large", McpTestReply.text(large));
		try (StandaloneMcpClient client = connected("streamable-http", 200)) {
			tool(client, "large").call(Map.of("text", "é".repeat(100_000), "more", List.of("y".repeat(100_000))));
			assertThat(calls(client)).hasSize(2)
				.allSatisfy((message) -> assertThat(message.truncated()).isTrue())
				.allSatisfy((message) -> assertThat(message.text().length()).isBetween(5_000, 16 * 1024))
				.allSatisfy((message) -> assertThat(message.text()).doesNotContain("\uFFFD"));
			assertThat(calls(client)).extracting(RecentMessage::size)
				.satisfiesExactly((sent) -> assertThat(sent).isBetween(300_000L, 301_000L),
						(received) -> assertThat(received).isBetween(1_000_000L, 1_001_000L));
		}
	}

	@Test
	void ofAnAnswerThatIsNotReadThereIsTheReason() {
		this.peer.tool("large", McpTestReply.text("x".repeat(100_000)));
		try (StandaloneMcpClient client = connected("stdio", 200,
				(definition) -> definition.maxResultSize(DataSize.ofKilobytes(10)), UnaryOperator.identity())) {
			assertThatExceptionOfType(McpResultTooLargeException.class)
				.isThrownBy(() -> tool(client, "large").call(Map.of()));
			assertThat(calls(client)).last()
				.returns(Kind.ERROR, RecentMessage::kind)
				.returns(false, RecentMessage::truncated)
				.satisfies((message) -> assertThat(message.text()).contains("-32603").doesNotContain("stackTrace"));
		}
	}

	@Test
	void theLatestOutliveConnectionsUntilTheServerIsRemoved() {
		try (StandaloneMcpClient client = connected("streamable-http", 3)) {
			ManagedMcpServer server = server(client);
			server.reconnect();
			tool(client, "add").call(Map.of());
			long before = last(client).sequence();
			assertThat(server.recentMessages(0)).hasSize(3)
				.extracting(RecentMessage::sequence)
				.endsWith(before - 1, before);
			client.manager().replace(server.definition().mutate().requestTimeout(Duration.ofSeconds(59)).build());
			assertThat(last(client).sequence()).isGreaterThan(before);
			client.manager().remove("calculator");
			assertThat(server.recentMessages(0)).isEmpty();
		}
	}

	@Test
	void nothingIsKeptUnlessAsked() {
		try (StandaloneMcpClient client = connected("streamable-http", 0)) {
			tool(client, "add").call(Map.of());
			assertThat(server(client).recentMessages(0)).isEmpty();
		}
	}

	private static RecentMessage last(StandaloneMcpClient client) {
		List<RecentMessage> messages = server(client).recentMessages(0);
		return messages.get(messages.size() - 1);
	}

	private static List<RecentMessage> calls(StandaloneMcpClient client) {
		return server(client).recentMessages(0)
			.stream()
			.filter((message) -> "tools/call".equals(message.method()))
			.toList();
	}

	private static ManagedMcpServer server(StandaloneMcpClient client) {
		return client.manager().server("calculator");
	}

	private static McpTool tool(StandaloneMcpClient client, String name) {
		return client.tools().get("calculator_" + name);
	}

	private StandaloneMcpClient connected(String type, int messages) {
		return connected(type, messages, UnaryOperator.identity(), UnaryOperator.identity());
	}

	private StandaloneMcpClient connected(String type, int messages, UnaryOperator<McpServerDefinitionBuilder> more,
			UnaryOperator<StandaloneMcpClient.Builder> added) {
		List<String> command = this.peer.stdioCommand();
		McpServerDefinitionBuilder definition = switch (type) {
			case "stdio" ->
				McpServerDefinition.stdio("calculator", command.get(0)).args(command.subList(1, command.size()));
			case "in-memory" -> McpServerDefinition.of("calculator", type);
			default -> McpServerDefinition.of("calculator", type)
				.url(URI.create(type.equals("websocket") ? this.peer.webSocketUrl()
						: type.equals("sse") ? this.peer.sseUrl() : this.peer.url()));
		};
		StandaloneMcpClient client = added
			.apply(StandaloneMcpClient.builder()
				.add(new McpMessageRecording(messages))
				.add(new InMemory(this.peer))
				.server(more.apply(definition).build()))
			.build();
		await().atMost(SOON).until(() -> server(client).status().state() == McpServerState.READY);
		return client;
	}

	private record InMemory(McpTestServer server) implements McpTransportFactory {

		@Override
		public Set<String> types() {
			return Set.of("in-memory");
		}

		@Override
		public McpClientTransport create(McpServerDefinition definition) {
			return this.server.transport();
		}

	}

}
