package io.github.mcpclient.internal.session;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of servers that speak revision 2026-07-28.
 */
@Execution(ExecutionMode.CONCURRENT)
class ModernServerTests {

	private static final String MODERN = "2026-07-28";

	static final Map<String, Object> QUESTION = Map.of("mode", "form", "message", "Sure?", "requestedSchema",
			Map.of("type", "object", "properties", Map.of("sure", Map.of("type", "boolean"))));

	private static final Duration SOON = Duration.ofSeconds(30);

	private final McpTestServer server = McpTestServer.create()
		.protocolVersions(MODERN)
		.capability("tools", Map.of("listChanged", true))
		.tool("add", McpTestReply.text("5"));

	@AfterEach
	void stop() {
		this.server.close();
	}

	@ParameterizedTest
	@EnumSource
	void callsAToolWithoutASession(Transport transport) {
		try (StandaloneMcpClient client = connected(transport)) {
			assertThat(server(client).status().protocolVersion()).isEqualTo(MODERN);
			assertThat(client.tools().get("calculator_add").call(Map.of("a", 2)).text()).isEqualTo("5");
		}
		if (transport == Transport.HTTP) {
			assertThat(this.server.requests("initialize")).isEmpty();
		}
		assertThat(this.server.requests())
			.filteredOn((request) -> request.id() != null && !request.method().equals("initialize"))
			.allSatisfy((request) -> assertThat(request.meta())
				.containsEntry("io.modelcontextprotocol/protocolVersion", MODERN)
				.containsKeys("io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/clientCapabilities"));
	}

	@ParameterizedTest
	@EnumSource
	void hearsOfChanges(Transport transport) {
		try (StandaloneMcpClient client = connected(transport)) {
			this.server.awaitListeners(1);
			this.server.tool("subtract", McpTestReply.text("1")).notifyToolsListChanged();
			await().until(() -> client.tools().find("calculator_subtract").isPresent());
		}
	}

	@ParameterizedTest
	@EnumSource
	void theServerLearnsThatACallIsGivenUp(Transport transport) {
		this.server.tool("hang", McpTestReply.never());
		try (StandaloneMcpClient client = connected(transport)) {
			CompletableFuture<McpToolResult> call = client.tools()
				.get("calculator_hang")
				.callAsync(Map.of())
				.toFuture();
			this.server.awaitPending("tools/call", 1);
			call.cancel(true);
			if (transport == Transport.HTTP) {
				await().until(() -> this.server.abortedRequests() == 1);
				assertThat(this.server.requests("notifications/cancelled")).isEmpty();
			}
			else {
				this.server.awaitRequest("notifications/cancelled");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void anOlderServerIsAskedOnlyOnce(Transport transport) {
		this.server.protocolVersions("2025-06-18", "2025-11-25");
		try (StandaloneMcpClient client = connected(transport)) {
			assertThat(server(client).status().protocolVersion()).isEqualTo("2025-11-25");
			server(client).reconnect();
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
		}
		assertThat(this.server.requests("server/discover")).hasSize(1);
		assertThat(this.server.requests("initialize")).hasSize(2);
	}

	// a request that overtakes the notification ends the session of some servers
	@Test
	void nothingOvertakesTheNotificationThatASessionHasBegun() {
		CompletableFuture<Void> taken = new CompletableFuture<>();
		AtomicInteger early = new AtomicInteger();
		this.server.protocolVersions("2025-11-25").on("notifications/initialized", (request) -> {
			CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS).execute(() -> taken.complete(null));
			return McpTestReply.standard().after(taken);
		}).on("tools/list", (request) -> {
			early.addAndGet(taken.isDone() ? 0 : 1);
			return McpTestReply.standard();
		});
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(server(client).status().attempts()).isEqualTo(1);
			assertThat(this.server.sessions()).hasSize(1);
		}
		assertThat(early).hasValue(0);
		assertThat(messages()).containsExactly("server/discover", "initialize", "notifications/initialized",
				"tools/list");
	}

	@Test
	void withoutASessionToolsAreListedRightAfterTheQuestion() {
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(server(client).status().attempts()).isEqualTo(1);
			assertThat(this.server.sessions()).isEmpty();
		}
		assertThat(messages()).containsExactly("server/discover", "subscriptions/listen", "tools/list");
	}

	private List<String> messages() {
		return this.server.requests()
			.stream()
			.map(McpTestRequest::method)
			.filter((method) -> method.contains("/") || method.equals("initialize"))
			.toList();
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatSpeaksBothIsAskedForNoSession(Transport transport) {
		this.server.protocolVersions("2025-11-25", MODERN);
		try (StandaloneMcpClient client = connected(transport)) {
			assertThat(server(client).status().protocolVersion()).isEqualTo(MODERN);
		}
		try (StandaloneMcpClient client = connected(transport, (definition) -> definition.protocol("legacy"))) {
			assertThat(server(client).status().protocolVersion()).isEqualTo("2025-11-25");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aQuestionOfTheServerIsAnsweredInTheNextRound(Transport transport) {
		this.server.tool("remove",
				(request) -> request.inputResponses().isEmpty() ? McpTestReply.inputRequired()
					.withInputRequest("sure", "elicitation/create", QUESTION)
					.withState("round 1") : McpTestReply.text("Removed"));
		McpElicitationHandler handler = (question,
				context) -> ElicitResult.builder(Action.ACCEPT).content(Map.of("sure", true)).build();
		try (StandaloneMcpClient client = connected(transport, UnaryOperator.identity(),
				(builder) -> builder.add(handler))) {
			assertThat(client.tools().get("calculator_remove").call(Map.of("a", 1)).text()).isEqualTo("Removed");
		}
		assertThat(this.server.calls("remove")).hasSize(2).satisfies((calls) -> {
			assertThat(calls.get(1).id()).isNotEqualTo(calls.get(0).id());
			assertThat(calls.get(1).arguments()).isEqualTo(Map.of("a", 1));
			assertThat(calls.get(1).params()).containsEntry("requestState", "round 1")
				.containsEntry("inputResponses",
						Map.of("sure", Map.of("action", "accept", "content", Map.of("sure", true))));
		});
	}

	@Test
	void withoutAHandlerTheCallSaysWhatWasAsked() {
		this.server.tool("remove", McpTestReply.result("""
				{"resultType": "input_required", "inputRequests": {"sure": {"method": "elicitation/create",
				 "params": {"mode": "form", "message": "Sure?", "requestedSchema": {"type": "object"}}}}}"""));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			McpTool remove = client.tools().get("calculator_remove");
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> remove.call(Map.of()))
				.withMessageContaining(
						"could not respond to elicitation/create, which the server sent for tools/call remove")
				.withMessageContaining(" Add a handler ");
		}
		assertThat(this.server.calls("remove")).hasSize(1);
	}

	@Test
	void aHandlerThatFailsIsToBeCheckedAndNotToBeAdded() {
		this.server.tool("remove",
				McpTestReply.inputRequired().withInputRequest("sure", "elicitation/create", QUESTION));
		AtomicReference<McpElicitationHandler> handler = new AtomicReference<>();
		McpElicitationHandler added = (question, context) -> handler.get().elicit(question, context);
		try (StandaloneMcpClient client = connected(Transport.HTTP, UnaryOperator.identity(),
				(builder) -> builder.add(added))) {
			McpTool remove = client.tools().get("calculator_remove");
			handler
				.set((question, context) -> ElicitResult.builder(Action.ACCEPT).content(Map.of("sure", "x")).build());
			assertAdvice(remove,
					"The input does not match the requested schema. Check your application's handler for such"
							+ " requests, and its log.");
			handler.set((question, context) -> {
				throw new IllegalStateException("broken");
			});
			assertAdvice(remove, "Internal error. Check your application's handler for such requests, ");
			handler.set((question, context) -> {
				throw McpError.builder(-32000).message("No result within 5 ms").build();
			});
			assertAdvice(remove, "No result within 5 ms. Check your application's handler, and the server's limits ");
		}
	}

	private static void assertAdvice(McpTool tool, String expected) {
		assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool.call(Map.of()))
			.withMessageContaining(expected)
			.withMessageNotContaining("Add a handler");
	}

	@ParameterizedTest
	@EnumSource
	@Fault(FaultKind.RESULT_TYPE)
	void aResultOfAnUnknownTypeFailsItsCallOnly(Transport transport) {
		this.server.tool("odd", McpTestReply.result(Map.of("resultType", "riddle", "content", List.of())));
		try (StandaloneMcpClient client = connected(transport)) {
			McpTool odd = client.tools().get("calculator_odd");
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> odd.call(Map.of()))
				.withMessageContaining("a result of type 'riddle'");
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
		}
	}

	@ParameterizedTest
	@EnumSource
	@Fault(FaultKind.RESULT_TYPE)
	void roundsWithoutEndAreEnded(Transport transport) {
		this.server.tool("remove", McpTestReply.inputRequired().withState("again"));
		try (StandaloneMcpClient client = connected(transport)) {
			McpTool remove = client.tools().get("calculator_remove");
			assertThatExceptionOfType(McpException.class)
				.isThrownBy(() -> remove.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(3))));
		}
		assertThat(this.server.calls("remove")).hasSizeBetween(2, 10);
	}

	@Test
	void aProcessThatDiesOfTheQuestionIsStartedAgain() {
		this.server.protocolVersions("2025-11-25").on("server/discover", (request) -> {
			this.server.awaitProcess().exit(1);
			return McpTestReply.never();
		});
		try (StandaloneMcpClient client = connected(Transport.STDIO)) {
			assertThat(server(client).status().attempts()).isEqualTo(1);
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
		}
		assertThat(this.server.requests("server/discover")).hasSize(1);
		assertThat(this.server.requests("initialize")).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatIgnoresTheQuestionIsInitialized(Transport transport) {
		this.server.protocolVersions("2025-11-25").on("server/discover", McpTestReply.never());
		try (StandaloneMcpClient client = connected(transport,
				(definition) -> definition.initializationTimeout(Duration.ofSeconds(4)))) {
			assertThat(server(client).status().protocolVersion()).isEqualTo("2025-11-25");
		}
	}

	// the table of docs/protocol.md

	@ParameterizedTest
	@ValueSource(ints = { 300, 307, 400, 401, 402, 403, 404, 405, 406, 409, 410, 413, 415, 418, 422, 426, 500, 501 })
	void statusesThatLeadToInitialize(int status) {
		this.server.protocolVersions("2025-11-25").on("server/discover", McpTestReply.status(status));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(server(client).status().attempts()).isEqualTo(1);
			assertThat(this.server.requests("initialize")).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 407, 408, 421, 425, 429, 502, 503, 504, 505, 520 })
	void statusesThatLeadToAnotherAttempt(int status) {
		this.server.protocolVersions("2025-11-25").on("server/discover", McpTestReply.status(status));
		try (StandaloneMcpClient client = client(Transport.HTTP, UnaryOperator.identity(), UnaryOperator.identity())) {
			await().atMost(SOON).until(() -> this.server.requests("server/discover").size() >= 2);
			assertThat(server(client).status().lastError()).contains("HTTP " + status);
			assertThat(this.server.requests("initialize")).isEmpty();
		}
	}

	static Stream<McpTestReply> answersThatLeadToInitialize() {
		return Stream.of(McpTestReply.result(Map.of("supportedVersions", List.of("2025-11-25"))),
				McpTestReply.result(Map.of()), McpTestReply.result("\"Hello\""),
				McpTestReply.result(Map.of("resultType", "riddle", "supportedVersions", List.of(MODERN))),
				McpTestReply.error(-32601, "Method not found"), McpTestReply.error(-32000, "Not initialized"),
				McpTestReply.error(-32020, "Header mismatch"), McpTestReply.error(-32021, "Missing capability"),
				McpTestReply.error(-32022, "Unsupported", Map.of("supported", List.of("2025-11-25"))),
				McpTestReply.error(-32603, "Oops").withStatus(500), McpTestReply.raw("Hello"), McpTestReply.status(202),
				McpTestReply.status(200).body("text/plain", "Hello"));
	}

	@ParameterizedTest
	@MethodSource("answersThatLeadToInitialize")
	void answersThatLeadToInitialize(McpTestReply reply) {
		this.server.protocolVersions("2025-11-25").on("server/discover", reply);
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(server(client).status().attempts()).isEqualTo(1);
			assertThat(this.server.requests("server/discover")).hasSize(1);
		}
	}

	@Test
	void anErrorThatNamesTheRevisionLeadsToAnotherQuestion() {
		this.server.onNext("server/discover",
				McpTestReply.error(-32022, "Unsupported", Map.of("supported", List.of(MODERN))).withStatus(400));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(server(client).status().attempts()).isEqualTo(1);
			assertThat(this.server.requests("server/discover")).hasSize(2);
			assertThat(this.server.requests("initialize")).isEmpty();
		}
	}

	@Test
	void aConnectionThatBreaksLeadsToAnAttemptWithoutTheQuestion() {
		this.server.protocolVersions("2025-11-25").on("server/discover", McpTestReply.cut());
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(server(client).status().attempts()).isEqualTo(2);
			assertThat(this.server.requests("server/discover")).hasSize(1);
		}
	}

	@Test
	void aModernServerWhoseConnectionBreaksIsAskedAgain() {
		this.server.onNext("server/discover", McpTestReply.cut());
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(server(client).status().protocolVersion()).isEqualTo(MODERN);
			assertThat(server(client).status().attempts()).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatAnswersLateIsAskedForNoSessionTheNextTime(Transport transport) {
		CompletableFuture<Void> later = new CompletableFuture<>();
		this.server.protocolVersions("2025-11-25", MODERN)
			.onNext("server/discover", McpTestReply.standard().after(later));
		try (StandaloneMcpClient client = connected(transport,
				(definition) -> definition.initializationTimeout(Duration.ofSeconds(4)))) {
			assertThat(server(client).status().protocolVersion()).isEqualTo("2025-11-25");
			later.complete(null);
			await().atMost(SOON).untilAsserted(() -> {
				server(client).reconnect();
				assertThat(server(client).status().protocolVersion()).isEqualTo(MODERN);
			});
		}
	}

	static Stream<Arguments> unusableDiscoveries() {
		return Stream.of(
				Arguments.of(McpTestReply.status(200).body("text/plain", "Hello"),
						"The server responded with text/plain"),
				Arguments.of(McpTestReply.status(200).body("text/html; charset=utf-8", "<html>"),
						"The server responded with text/html"),
				Arguments.of(McpTestReply.status(200)
					.body("application/json", "\u0001\u0002")
					.withHeader("Content-Encoding", "br"), "content encoding br"),
				Arguments.of(McpTestReply.raw("{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {\"supp"),
						"it ends too early"),
				Arguments.of(McpTestReply.raw("Hello"), "it is not JSON"),
				Arguments.of(McpTestReply.status(200), "The server responded without a body (HTTP 200)"),
				Arguments.of(McpTestReply.status(500).body("text/plain", "Oops"),
						"HTTP 500 Internal Server Error: Oops"),
				Arguments.of(McpTestReply.error(-32603, "Out of order"), "error -32603: Out of order"),
				Arguments.of(McpTestReply.result(List.of()), "cannot be understood: []"),
				Arguments.of(McpTestReply.result(Map.of("supportedVersions", List.of())), "has no protocol version"),
				Arguments.of(McpTestReply.result(Map.of("resultType", "riddle", "supportedVersions", List.of(MODERN))),
						"server/discover with a result of type 'riddle'"));
	}

	@ParameterizedTest
	@MethodSource("unusableDiscoveries")
	@DisplayName("A modern server whose answer to the first question cannot be used is told what came")
	void aModernServerWhoseAnswerIsOfNoUseIsToldWhatCame(McpTestReply reply, String what) {
		this.server.on("server/discover", reply);
		for (String protocol : List.of("auto", "modern")) {
			try (StandaloneMcpClient client = client(Transport.HTTP, (definition) -> definition.protocol(protocol),
					UnaryOperator.identity())) {
				await().until(() -> server(client).status().lastError() != null);
				assertThat(server(client).status().lastError()).contains(what)
					.doesNotContain("the client supports 2024");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void revisionsThatNobodyKnowsAreNamed(boolean refused) {
		this.server.on("server/discover",
				refused ? McpTestReply
					.error(-32022, "Unsupported protocol version", Map.of("supported", List.of("2031-01-01")))
					.withStatus(400) : McpTestReply.result(Map.of("supportedVersions", List.of("2031-01-01"))));
		try (StandaloneMcpClient client = client(Transport.HTTP, UnaryOperator.identity(), UnaryOperator.identity())) {
			await().until(() -> server(client).status().lastError() != null);
			assertThat(server(client).status().lastError()).startsWith(
					"The server supports protocol version 2031-01-01, the client supports 2024-11-05, 2025-03-26,"
							+ " 2025-06-18, 2025-11-25, 2026-07-28. ");
		}
	}

	@Test
	void aServerThatBecameModernWithAnAnswerOfNoUseIsToldWhatCame() {
		this.server.protocolVersions("2025-11-25");
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			this.server.on("server/discover", McpTestReply.status(200).body("text/plain", "Hello"))
				.protocolVersions(MODERN)
				.forgetSessions();
			server(client).reconnect();
			assertThat(server(client).status().lastError()).contains("The server responded with text/plain");
		}
	}

	@Test
	void aProxyThatLosesHeadersIsNamed() {
		this.server.start().loseHeaders("Mcp-");
		try (StandaloneMcpClient client = client(Transport.HTTP, UnaryOperator.identity(), UnaryOperator.identity())) {
			assertThat(server(client).status().lastError()).contains("header");
		}
	}

	@Test
	void headersTellWhatTheMessageIs() {
		this.server.tool(Map.of("name", "größe", "inputSchema", Map.of("type", "object", "properties",
				Map.of("region", Map.of("type", "string", "x-mcp-header", "Region"), "count",
						Map.of("type", "integer", "x-mcp-header", "Count"), "other", Map.of("type", "string")))),
				(request) -> McpTestReply.text("1"));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			client.tools()
				.all()
				.stream()
				.filter((tool) -> tool.originalName().equals("größe"))
				.findFirst()
				.orElseThrow()
				.call(Map.<String, Object>of("region", " west", "count", 3, "other", "x"));
		}
		McpTestRequest call = this.server.awaitRequest("tools/call");
		assertThat(call.header("MCP-Protocol-Version")).isEqualTo(MODERN);
		assertThat(call.header("Mcp-Method")).isEqualTo("tools/call");
		assertThat(call.header("Mcp-Name")).isEqualTo("=?base64?Z3LDtsOfZQ==?=");
		assertThat(call.header("Mcp-Param-Region")).isEqualTo("=?base64?IHdlc3Q=?=");
		assertThat(call.header("Mcp-Param-Count")).isEqualTo("3");
		assertThat(call.header("Mcp-Session-Id")).isNull();
		assertThat(this.server.requests()).extracting(McpTestRequest::httpMethod).containsOnly("POST");
	}

	@Test
	void anEmptyCursorIsACursor() {
		Map<String, Object> tool = Map.of("name", "second", "inputSchema", Map.of("type", "object"));
		this.server.on("tools/list",
				(request) -> (request.params().containsKey("cursor"))
						? McpTestReply.result(Map.of("tools", List.of(tool), "nextCursor", ""))
						: McpTestReply.result(Map.of("tools", List.of(), "nextCursor", "")));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(client.tools().all()).extracting(McpTool::name).containsExactly("calculator_second");
		}
	}

	@Test
	void aToolThatSpeaksOfSessionsIsCalledOnce() {
		this.server.tool("pay",
				McpTestReply.error(-32000, "Paid, but could not initialize the session's printer").withStatus(400));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			McpTool pay = client.tools().get("calculator_pay");
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> pay.call(Map.of()))
				.withMessageContaining("Paid, but");
			assertThat(server(client).status().state()).isEqualTo(McpServerState.READY);
		}
		assertThat(this.server.calls("pay")).hasSize(1);
	}

	@Test
	void subscriptionsAtATimeAreOfOneStream() {
		this.server.capability("resources", Map.of("subscribe", true))
			.resource("test:a", "a")
			.resource("test:b", "b")
			.resource("test:c", "c");
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			Mono.when(Stream.of("test:a", "test:b", "test:c").map(server(client)::subscribeAsync).toList()).block(SOON);
			await().until(() -> this.server.listeners() == 1);
			assertThat(this.server.requests("subscriptions/listen")
				.get(this.server.requests("subscriptions/listen").size() - 1)
				.params()
				.get("notifications"))
				.isEqualTo(Map.of("toolsListChanged", true, "resourceSubscriptions",
						List.of("test:a", "test:b", "test:c")));
			server(client).unsubscribe("test:b");
			await().until(() -> this.server.listeners() == 1);
		}
	}

	@Test
	void aSubscriptionThatIsRefusedLeavesTheOneBefore() {
		this.server.capability("resources", Map.of("subscribe", true)).resource("test:a", "a");
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			this.server.awaitListeners(1);
			this.server.onNext("subscriptions/listen", McpTestReply.error(-32602, "No such resource"));
			assertThatExceptionOfType(McpException.class).isThrownBy(() -> server(client).subscribe("bad:"));
			this.server.tool("subtract", McpTestReply.text("1")).notifyToolsListChanged();
			await().until(() -> client.tools().find("calculator_subtract").isPresent());
			this.server.awaitRequests("subscriptions/listen", 3);
			await().until(() -> this.server.listeners() == 1);
		}
	}

	@Test
	void refusedHeadersCostNoMoreThanTheTimeAndAFewListings() {
		this.server.tool("odd", McpTestReply.error(-32020, "Header mismatch").withStatus(400));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			McpTool odd = client.tools().get("calculator_odd");
			int listings = this.server.requests("tools/list").size();
			for (int i = 0; i < 5; i++) {
				assertThatExceptionOfType(McpException.class).isThrownBy(() -> odd.call(Map.of()))
					.withMessageContaining("-32020");
			}
			// one for the refusals, and one for the change that they may mean
			assertThat(this.server.requests("tools/list").size() - listings).isBetween(1, 4);
		}
		assertThat(this.server.calls("odd")).hasSize(10);
	}

	@Test
	void aCallWhoseHeadersAreRefusedIsRepeatedOnce() {
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			// not only where the listing is one that this call causes
			for (int refused = 1; refused <= 2; refused++) {
				this.server.onNext("tools/call", McpTestReply.error(-32020, "Header mismatch").withStatus(400));
				assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
				assertThat(this.server.calls("add")).hasSize(2 * refused);
			}
		}
	}

	@Test
	void anArgumentThatIsTooLongForAHeaderIsNotSent() {
		this.server.tool(tool("Region"), (request) -> McpTestReply.text("west"));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			McpTool region = client.tools().get("calculator_region");
			assertThatExceptionOfType(McpException.class)
				.isThrownBy(() -> region.call(Map.of("region", "x".repeat(5000))))
				.withMessageContaining("The header Mcp-Param-Region would have 5000 characters");
		}
		assertThat(this.server.requests("tools/call")).isEmpty();
	}

	@Test
	void aProcessThatExitsAfterItHasRefusedTheQuestionIsStartedAgain() {
		AtomicInteger probes = new AtomicInteger();
		this.server.protocolVersions("2025-11-25").on("server/discover", (request) -> {
			probes.incrementAndGet();
			return McpTestReply.error(-32601, "Method not found");
		}).onNext("initialize", (request) -> {
			this.server.awaitProcess().exit(1);
			return McpTestReply.never();
		});
		try (StandaloneMcpClient client = connected(Transport.STDIO)) {
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
		}
		assertThat(probes).hasValue(1);
	}

	@Test
	void argumentsThatBecomeHeadersAreFoundOut() {
		this.server.caching(Duration.ofHours(1), "public").tool(tool("Region"), (request) -> McpTestReply.text("west"));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			McpTool region = client.tools().get("calculator_region");
			this.server.tool(tool("Place"), (request) -> McpTestReply.text("west"));
			assertThat(region.call(Map.of("region", "west")).text()).isEqualTo("west");
		}
		assertThat(this.server.awaitCall("region").header("Mcp-Param-Place")).isEqualTo("west");
	}

	@Test
	void whatCallsHaveInCommonFollowsTheServer() {
		this.server.tool(tool("Region"), (request) -> McpTestReply.text("west"));
		try (StandaloneMcpClient client = connected(Transport.HTTP,
				(definition) -> definition.loggingLevel(LoggingLevel.DEBUG))) {
			McpTool region = client.tools().get("calculator_region");
			region.call(Map.of("region", "west"));
			this.server.tool(tool("Place"), (request) -> McpTestReply.text("west")).capability("logging", Map.of());
			server(client).reconnect();
			client.tools().get("calculator_region").call(Map.of("region", "east"));
			client.tools().get("calculator_region").call(Map.of("region", "north"));
		}
		List<McpTestRequest> calls = this.server.calls("region");
		assertThat(calls).extracting((call) -> call.header("Mcp-Param-Region")).containsExactly("west", null, null);
		assertThat(calls).extracting((call) -> call.header("Mcp-Param-Place")).containsExactly(null, "east", "north");
		assertThat(calls).extracting((call) -> call.meta().get("io.modelcontextprotocol/logLevel"))
			.containsExactly(null, "debug", "debug");
	}

	private static Map<String, Object> tool(String header) {
		return Map.of("name", "region", "inputSchema", Map.of("type", "object", "properties",
				Map.of("region", Map.of("type", "string", "x-mcp-header", header))));
	}

	@Test
	void aToolWhoseHeadersAreInvalidIsLeftOut() {
		this.server.tool(tool("not a name"), (request) -> McpTestReply.text("west"));
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			assertThat(client.tools().all()).extracting(McpTool::name).containsExactly("calculator_add");
			assertThat(server(client).features().excluded()).singleElement()
				.satisfies((item) -> assertThat(item.reason()).contains("x-mcp-header"));
		}
		try (StandaloneMcpClient client = connected(Transport.STDIO)) {
			assertThat(client.tools().all()).hasSize(2);
		}
	}

	@Test
	void aSubscriptionThatIsCutIsMadeAgain() {
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			this.server.awaitListeners(1);
			this.server.cutSubscriptions();
			this.server.tool("subtract", McpTestReply.text("1"));
			await().atMost(SOON).until(() -> this.server.requests("subscriptions/listen").size() == 2);
			// it may have changed meanwhile
			await().atMost(SOON).until(() -> client.tools().find("calculator_subtract").isPresent());
		}
	}

	@Test
	void aServerThatIsReplacedByANewerOneIsFollowed() {
		this.server.protocolVersions("2025-11-25");
		try (StandaloneMcpClient client = connected(Transport.HTTP)) {
			this.server.protocolVersions(MODERN).forgetSessions();
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
			assertThat(server(client).status().protocolVersion()).isEqualTo(MODERN);
			this.server.protocolVersions("2025-11-25");
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
			assertThat(server(client).status().protocolVersion()).isEqualTo("2025-11-25");
		}
		assertThat(this.server.calls("add")).hasSizeBetween(2, 4);
	}

	private static ManagedMcpServer server(StandaloneMcpClient client) {
		return client.manager().server("calculator");
	}

	private StandaloneMcpClient connected(Transport transport) {
		return connected(transport, UnaryOperator.identity());
	}

	private StandaloneMcpClient connected(Transport transport, UnaryOperator<McpServerDefinitionBuilder> more) {
		return connected(transport, more, UnaryOperator.identity());
	}

	private StandaloneMcpClient connected(Transport transport, UnaryOperator<McpServerDefinitionBuilder> more,
			UnaryOperator<StandaloneMcpClient.Builder> added) {
		StandaloneMcpClient client = client(transport, more, added);
		await().atMost(SOON).until(() -> server(client).status().state() == McpServerState.READY);
		return client;
	}

	private StandaloneMcpClient client(Transport transport, UnaryOperator<McpServerDefinitionBuilder> more,
			UnaryOperator<StandaloneMcpClient.Builder> added) {
		if (!this.server.isRunning()) {
			this.server.start();
		}
		return added.apply(StandaloneMcpClient.builder().server(more.apply(transport.to(this.server)).build())).build();
	}

	enum Transport {

		HTTP, STDIO, WEBSOCKET;

		private static final Reconnect QUICKLY = new Reconnect(true, Duration.ofMillis(50), 2, Duration.ofMillis(500),
				1);

		McpServerDefinitionBuilder to(McpTestServer server) {
			List<String> command = server.stdioCommand();
			McpServerDefinitionBuilder definition = switch (this) {
				case HTTP -> McpServerDefinition.http("calculator", URI.create(server.url()));
				case STDIO ->
					McpServerDefinition.stdio("calculator", command.get(0)).args(command.subList(1, command.size()));
				case WEBSOCKET -> McpServerDefinition.of("calculator", McpServerDefinition.WEBSOCKET)
					.url(URI.create(server.webSocketUrl()));
			};
			return definition.reconnect(QUICKLY);
		}

	}

}
