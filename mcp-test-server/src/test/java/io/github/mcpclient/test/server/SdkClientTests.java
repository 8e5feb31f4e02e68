package io.github.mcpclient.test.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientSseClientTransport;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link McpTestServer} with the SDK's client, over each transport. All at
 * once, as that client waits long for servers that have gone.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
@SuppressWarnings("deprecation") // the SDK's client for SSE
class SdkClientTests {

	private final McpTestServer server = McpTestServer.create().tools("before").start();

	private final BlockingQueue<List<Tool>> changes = new LinkedBlockingQueue<>();

	private final BlockingQueue<Double> progress = new LinkedBlockingQueue<>();

	@AfterEach
	void close() {
		this.server.close();
	}

	@ParameterizedTest
	@EnumSource
	void offersToolsPromptsAndResources(Transport transport) {
		this.server.tools("echo")
			.tool("fixed", McpTestReply.text("always"))
			.tool("failing", (request) -> McpTestReply.toolError("no " + request.argument("what")))
			.prompt("greet", "Say hello")
			.resource("file:///a.txt", "A")
			.resourceTemplate(Map.of("uriTemplate", "file:///{name}.md", "name", "notes"),
					(request) -> McpTestReply
						.result(Map.of("contents", List.of(Map.of("uri", request.name(), "text", "Note")))))
			.pageSize(2);
		try (McpSyncClient client = client(transport)) {
			assertThat(client.initialize().serverInfo().name()).isEqualTo("test-server");
			client.ping();
			assertThat(client.listTools().tools()).extracting(Tool::name).containsExactly("echo", "fixed", "failing");
			assertThat(text(client.callTool(call("echo", Map.of("message", "hello"))))).isEqualTo("echo hello");
			assertThat(text(client.callTool(call("fixed", Map.of())))).isEqualTo("always");
			CallToolResult failed = client.callTool(call("failing", Map.of("what", "luck")));
			assertThat(failed.isError()).isTrue();
			assertThat(text(failed)).isEqualTo("no luck");
			assertThat(client.listPrompts().prompts()).extracting(Prompt::name).containsExactly("greet");
			assertThat(client.getPrompt(GetPromptRequest.builder("greet").build()).messages()).hasSize(1);
			assertThat(client.listResources().resources()).extracting(Resource::uri).containsExactly("file:///a.txt");
			assertThat(read(client, "file:///a.txt")).isEqualTo("A");
			assertThat(read(client, "file:///b.md")).isEqualTo("Note");
			assertThatException().isThrownBy(() -> read(client, "file:///b.txt")).withMessageContaining("not found");
			assertThatException().isThrownBy(() -> client.callTool(call("nobody", Map.of())))
				.withMessageContaining("nobody");
		}
		assertThat(this.server).hasReceived("initialize");
		assertThat(this.server).hasReceivedCall("echo")
			.hasArgument("message", "hello")
			.hasArguments(Map.of("message", "hello"));
		assertThat(this.server).hasNotReceived("resources/subscribe")
			.calledTools()
			.containsExactly("echo", "fixed", "failing", "nobody");
	}

	@ParameterizedTest
	@EnumSource
	void announcesOtherTools(Transport transport) throws InterruptedException {
		this.server.tools("before");
		try (McpSyncClient client = client(transport)) {
			client.initialize();
			this.server.tools("after").notifyToolsListChanged();
			assertThat(this.changes.poll(30, TimeUnit.SECONDS)).extracting(Tool::name).containsExactly("after");
		}
	}

	@ParameterizedTest
	@EnumSource
	void answersLateWhenTheTestSaysSo(Transport transport) {
		CompletableFuture<Void> gate = new CompletableFuture<>();
		this.server.tool("slow", McpTestReply.text("done").after(gate));
		try (McpSyncClient client = client(transport)) {
			client.initialize();
			CompletableFuture<CallToolResult> call = CompletableFuture
				.supplyAsync(() -> client.callTool(call("slow", Map.of())));
			this.server.awaitPending("tools/call", 1);
			assertThat(call).isNotDone();
			gate.complete(null);
			assertThat(text(call.join())).isEqualTo("done");
			this.server.awaitPending("tools/call", 0);
		}
	}

	@ParameterizedTest
	@EnumSource
	void asksTheClientWhileItAnswersAndReportsProgress(Transport transport) throws InterruptedException {
		this.server.tool("ask", (request) -> {
			request.progress(1, 2);
			Map<String, Object> answer = request
				.request("sampling/createMessage", Map.of("messages", List.of(), "maxTokens", 5))
				.get(30, TimeUnit.SECONDS);
			return McpTestReply.text("The model is " + answer.get("model"));
		});
		try (McpSyncClient client = client(transport)) {
			client.initialize();
			CallToolRequest call = new CallToolRequest("ask", Map.of(), Map.of("progressToken", "p1"));
			assertThat(text(client.callTool(call))).isEqualTo("The model is small");
			assertThat(this.progress.poll(30, TimeUnit.SECONDS)).isEqualTo(1);
			assertThat(this.server.request("ping", Map.of())).succeedsWithin(Duration.ofSeconds(30))
				.isEqualTo(Map.of());
			assertThat(this.server.request("nonsense", Map.of())).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withMessageContaining("-32601");
		}
	}

	@ParameterizedTest
	@EnumSource
	void doesWhatTheScriptSaysOnceAndThenAsUsual(Transport transport) {
		this.server.tools("echo")
			.on("tools/call",
					(request) -> McpTestReply.standard()
						.precededBy(McpTestReply.notification("notifications/message",
								Map.of("level", "info", "data", "soon"))))
			.onNext("tools/call", McpTestReply.error(-32000, "No", "data"), McpTestReply.status(503));
		try (McpSyncClient client = client(transport)) {
			client.initialize();
			assertThatException().isThrownBy(() -> client.callTool(call("echo", Map.of()))).withMessageContaining("No");
			assertThatException().isThrownBy(() -> client.callTool(call("echo", Map.of())))
				.withMessageContaining("503");
			assertThat(text(client.callTool(call("echo", Map.of("message", "again"))))).isEqualTo("echo again");
			assertThat(this.server.reset().requests()).isEmpty();
			assertThat(client.listTools().tools()).extracting(Tool::name).containsExactly("before");
		}
	}

	@ParameterizedTest
	@EnumSource
	void goesAwayAndComesBack(Transport transport) {
		this.server.tools("echo").stop();
		assertThatException().isThrownBy(() -> {
			try (McpSyncClient client = client(transport)) {
				client.initialize();
			}
		});
		this.server.start();
		try (McpSyncClient client = client(transport)) {
			client.initialize();
			this.server.awaitSessions(1).stop();
			assertThatException().isThrownBy(() -> client.callTool(call("echo", Map.of())));
		}
	}

	private McpSyncClient client(Transport transport) {
		McpClientTransport way = switch (transport) {
			case STREAMABLE_HTTP -> HttpClientStreamableHttpTransport.builder(base()).endpoint("/mcp").build();
			case SSE -> HttpClientSseClientTransport.builder(base()).sseEndpoint("/sse").build();
			case STDIO -> {
				List<String> command = this.server.stdioCommand();
				yield new StdioClientTransport(
						ServerParameters.builder(command.get(0)).args(command.subList(1, command.size())).build(),
						McpJsonDefaults.getMapper());
			}
			case MEMORY -> this.server.transport();
		};
		return McpClient.sync(way)
			.requestTimeout(Duration.ofSeconds(5))
			.initializationTimeout(Duration.ofSeconds(20))
			.toolsChangeConsumer(this.changes::add)
			.progressConsumer((notification) -> this.progress.add(notification.progress()))
			.sampling((request) -> CreateMessageResult.builder(Role.ASSISTANT, "yes", "small").build())
			.build();
	}

	private String base() {
		return "http://localhost:" + this.server.port();
	}

	private static CallToolRequest call(String tool, Map<String, Object> arguments) {
		return CallToolRequest.builder(tool).arguments(arguments).build();
	}

	private static String text(CallToolResult result) {
		return ((TextContent) result.content().get(0)).text();
	}

	private static String read(McpSyncClient client, String uri) {
		return ((TextResourceContents) client.readResource(ReadResourceRequest.builder(uri).build()).contents().get(0))
			.text();
	}

	enum Transport {

		STREAMABLE_HTTP, SSE, STDIO, MEMORY

	}

}
