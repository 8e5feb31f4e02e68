package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpHandlerContext;
import io.github.mcpclient.internal.session.ModernServerTests.Transport;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.test.server.McpTestTask;
import io.github.mcpclient.testsupport.Peers;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of tools that servers run as tasks.
 */
@Execution(ExecutionMode.CONCURRENT)
class TaskTests {

	private static final String LEGACY = "2025-11-25";

	private static final String MODERN = "2026-07-28";

	private static final Duration PACE = Duration.ofMillis(10);

	private static final Duration SOON = Duration.ofSeconds(30);

	private final McpTestServer server = McpTestServer.create().withTasks().tool("add", McpTestReply.text("5"));

	private final List<McpHandlerContext> asked = new CopyOnWriteArrayList<>();

	private final CompletableFuture<String> gate = new CompletableFuture<>();

	@AfterEach
	void stop() {
		this.gate.complete("Late");
		this.server.close();
	}

	static Stream<Arguments> servers() {
		return Stream.of(Transport.values())
			.flatMap((transport) -> Stream.of(Arguments.of(transport, LEGACY), Arguments.of(transport, MODERN)));
	}

	@ParameterizedTest
	@MethodSource("servers")
	void aTaskTellsWhatItDoesAndAsksAndHasAResult(Transport transport, String revision) {
		count((task) -> {
			task.message("Counting the books");
			Map<String, Object> answer = task.request("elicitation/create", ModernServerTests.QUESTION).join();
			task.message("Counting again");
			this.gate.join();
			boolean related = String.valueOf(answer.get("_meta")).contains(task.id());
			return McpTestReply.text("Many: " + answer.get("content") + ", " + related);
		});
		List<String> progress = new CopyOnWriteArrayList<>();
		McpToolRequest request = McpToolRequest.of(Map.of("of", "books")).withProgress((notification) -> {
			progress.add(notification.message());
			if (notification.message().equals("Counting again")) {
				this.gate.complete("Now");
			}
		});
		try (StandaloneMcpClient client = client(transport, revision)) {
			assertThat(tool(client).call(request).text()).isEqualTo("Many: {sure=true}, " + revision.equals(LEGACY));
		}
		assertThat(progress).containsExactly("Counting the books", "Counting again");
		assertThat(this.asked).singleElement()
			.satisfies((context) -> assertThat(context.caller() != null)
				.isEqualTo(transport == Transport.HTTP || revision.equals(MODERN)));
		McpTestRequest call = this.server.calls("count").get(0);
		assertThat(call.params().containsKey("task")).isEqualTo(revision.equals(LEGACY));
		assertThat(this.server.calls("count")).hasSize(1);
		assertThat(this.server.requests("tasks/cancel")).isEmpty();
		McpTestRequest get = this.server.requests("tasks/get").get(0);
		if (transport == Transport.HTTP) {
			assertThat(get.header("Mcp-Name")).isEqualTo(revision.equals(MODERN) ? get.name() : null);
		}
	}

	@ParameterizedTest
	@MethodSource("servers")
	void aCallThatIsGivenUpCancelsItsTask(Transport transport, String revision) {
		count((task) -> McpTestReply.never());
		try (StandaloneMcpClient client = client(transport, revision)) {
			CompletableFuture<McpToolResult> call = tool(client).callAsync(Map.of()).toFuture();
			String id = this.server.awaitRequest("tasks/get").name();
			call.cancel(true);
			assertThat(this.server.awaitRequest("tasks/cancel").name()).isEqualTo(id);
			McpToolRequest hasty = McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(2));
			assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> tool(client).call(hasty))
				.withMessageContaining("tools/call count");
			assertThat(this.server.awaitRequests("tasks/cancel", 2).get(1).name()).isNotEqualTo(id);
		}
	}

	@ParameterizedTest
	@MethodSource("servers")
	void aTaskOutlivesTheConnection(Transport transport, String revision) {
		count((task) -> McpTestReply.text(this.gate.join()));
		try (StandaloneMcpClient client = client(transport, revision)) {
			CompletableFuture<McpToolResult> call = tool(client).callAsync(Map.of()).toFuture();
			String id = this.server.awaitRequest("tasks/get").name();
			for (int lost = 0; lost < 2; lost++) {
				int before = this.server.requests("tasks/get").size();
				if (transport == Transport.STDIO) {
					this.server.awaitProcess().kill();
				}
				else {
					this.server.stop();
					if (lost > 0) {
						await().until(() -> client.registry().server("calculator").status().attempts() > 1);
					}
					this.server.start();
				}
				this.server.awaitRequests("tasks/get", before + 2);
			}
			this.gate.complete("Many");
			assertThat(call.join().text()).isEqualTo("Many");
			assertThat(this.server.requests("tasks/get")).extracting(McpTestRequest::name).containsOnly(id);
		}
		assertThat(this.server.calls("count")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { LEGACY, MODERN })
	void aTaskOutlivesTheTroubleOfAGateway(String revision) {
		count((task) -> McpTestReply.text("Many"));
		this.server.onNext("tasks/get", McpTestReply.status(502), McpTestReply.cut());
		try (StandaloneMcpClient client = client(Transport.HTTP, revision)) {
			assertThat(tool(client).call(Map.of()).text()).isEqualTo("Many");
		}
		assertThat(this.server.requests("tasks/get")).hasSize(3);
		assertThat(this.server.calls("count")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { LEGACY, MODERN })
	void messagesExtendTheTimeout(String revision) {
		count((task) -> {
			for (int i = 0; i < 25; i++) {
				task.message("Shelf " + i);
				Thread.sleep(100);
			}
			return McpTestReply.text("Many");
		});
		McpToolRequest patient = McpToolRequest.of(Map.of())
			.withTimeout(Duration.ofSeconds(2))
			.withProgressExtendingTimeoutTo(SOON);
		try (StandaloneMcpClient client = client(Transport.HTTP, revision)) {
			assertThat(tool(client).call(patient).text()).isEqualTo("Many");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { LEGACY, MODERN })
	void aTaskThatFailsSaysWhy(String revision) {
		count((task) -> McpTestReply.toolError("No shelf"));
		try (StandaloneMcpClient client = client(Transport.HTTP, revision)) {
			assertThat(tool(client).call(Map.of())).satisfies((result) -> {
				assertThat(result.isError()).isTrue();
				assertThat(result.text()).isEqualTo("No shelf");
			});
			count((task) -> McpTestReply.error(-32050, "No library"));
			assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> tool(client).call(Map.of()))
				.withMessageContaining("No library")
				.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(-32050));
			count((task) -> McpTestReply.never());
			this.server.on("tasks/get", (request) -> McpTestReply.result(Map.of("taskId", request.name(), "status",
					"cancelled", "statusMessage", "The library is closing")));
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool(client).call(Map.of()))
				.withMessageContaining("cancelled the task of tools/call count: The library is closing");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { LEGACY, MODERN })
	void anUnusualTaskCostsOnlyItsCall(String revision) {
		count((task) -> McpTestReply.never());
		McpToolRequest hasty = McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(500));
		try (StandaloneMcpClient client = client(Transport.HTTP, revision)) {
			for (Map<String, ?> other : List.of(Map.of("status", "sleeping"), Map.of("taskId", "other"),
					Map.of("taskId", "x".repeat(1_000_000)), Map.of("status", 7), Map.of("pollInterval", 1e300),
					Map.of("pollIntervalMs", 1_000_000_000), Map.of("status", "input_required"))) {
				this.server.on("tasks/get", (request) -> answer(request, other));
				assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool(client).call(hasty));
			}
			this.server.on("tasks/get", (request) -> answer(request, Map.of("pollInterval", 0, "pollIntervalMs", -1)));
			int before = this.server.requests("tasks/get").size();
			McpToolRequest patient = McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(2));
			assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> tool(client).call(patient));
			assertThat(this.server.requests("tasks/get").size() - before).isBetween(1, 41);
			Map<String, Object> endless = Map.of("taskId", "x".repeat(1_000_000), "status", "working");
			this.server.tool("count", McpTestReply.result(Map.of("task", endless, "resultType", "task")));
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool(client).call(Map.of()))
				.withMessageContaining("task whose ID");
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
		}
	}

	private static McpTestReply answer(McpTestRequest request, Map<String, ?> other) {
		Map<String, Object> task = new HashMap<>(Map.of("taskId", request.name(), "status", "working"));
		task.putAll(other);
		return McpTestReply.result(task);
	}

	@Test
	void aTaskThatWasNotAskedForIsServedToo() {
		this.server.tool("count", McpTestReply.result(Map.of("task", Map.of("taskId", "1", "status", "working"))))
			.on("tasks/get", McpTestReply.result(Map.of("taskId", "1", "status", "completed")))
			.on("tasks/result", McpTestReply.text("Many"));
		try (StandaloneMcpClient client = client(Transport.HTTP, LEGACY)) {
			assertThat(tool(client).call(Map.of()).text()).isEqualTo("Many");
		}
	}

	@Test
	void anOptionalTaskIsAnOrdinaryCall() {
		this.server.tool(definition("optional"),
				(request) -> McpTestReply.task(PACE, (task) -> McpTestReply.text("Many")));
		try (StandaloneMcpClient client = client(Transport.HTTP, LEGACY)) {
			assertThat(tool(client).call(Map.of()).text()).isEqualTo("Many");
		}
		assertThat(this.server.requests("tasks/get")).isEmpty();
	}

	@Test
	void withoutTheCapabilityAToolThatMustRunAsATaskIsLeftOut() {
		this.server.withoutCapability("tasks");
		count((task) -> McpTestReply.text("Many"));
		try (StandaloneMcpClient client = client(Transport.HTTP, LEGACY)) {
			assertThat(client.manager().server("calculator").excludedTools()).singleElement()
				.satisfies((tool) -> assertThat(tool.reason()).contains("execution.taskSupport: required"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { LEGACY, MODERN })
	void aTaskThatAsksWhatNobodyAnswersIsCancelled(String revision) {
		this.server.protocolVersions(revision).start();
		count((task) -> {
			task.request("elicitation/create", ModernServerTests.QUESTION).join();
			return McpTestReply.text("Many");
		});
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(Transport.HTTP.to(this.server).build())
			.build()) {
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool(client).call(Map.of()));
			if (revision.equals(MODERN)) {
				this.server.awaitRequest("tasks/cancel");
			}
		}
	}

	@Test
	void simulateResearchQueryAsks() {
		McpServerDefinition everything = McpServerDefinition.stdio("calculator", "node")
			.args(List.of(Peers.script("server-everything"), "stdio"))
			.build();
		List<String> progress = new CopyOnWriteArrayList<>();
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(everything)
			.add(handler("interpretation", "snake"))
			.build()) {
			assertThat(client.tools()
				.get("calculator_simulate-research-query")
				.call(McpToolRequest.of(Map.of("topic", "python", "ambiguous", true))
					.withProgress((notification) -> progress.add(notification.message())))
				.text()).contains("Research Report: python (snake)");
		}
		assertThat(progress).contains("Generating report...");
	}

	private void count(McpTestTask.Work work) {
		this.server.tool(definition("required"), (request) -> McpTestReply.task(PACE, work));
	}

	private static Map<String, Object> definition(String support) {
		return Map.of("name", "count", "inputSchema", Map.of("type", "object"), "execution",
				Map.of("taskSupport", support));
	}

	private McpElicitationHandler handler(String name, Object value) {
		return (question, context) -> {
			this.asked.add(context);
			return ElicitResult.builder(Action.ACCEPT).content(Map.of(name, value)).build();
		};
	}

	private static McpTool tool(StandaloneMcpClient client) {
		return client.tools().get("calculator_count");
	}

	private StandaloneMcpClient client(Transport transport, String revision) {
		this.server.protocolVersions(revision).start();
		if (!this.server.requests().isEmpty()) {
			this.server.forgetRequests();
		}
		UnaryOperator<StandaloneMcpClient.Builder> handler = (builder) -> builder.add(handler("sure", true));
		return handler.apply(StandaloneMcpClient.builder().server(transport.to(this.server).build())).build();
	}

}
