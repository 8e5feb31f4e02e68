package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for how a session lists the tools of its server.
 */
@ExtendWith(OutputCaptureExtension.class)
class SessionListingTests extends SessionFixture {

	private static final String VIOLATION = "Report it to the server's author: it violates the protocol.";

	@Test
	void allPagesAreListed() {
		pages((page) -> switch (page) {
			case 0 -> page("'p1'", tool("a"), tool("b"));
			case 1 -> page("'p2'");
			default -> page(null, tool("c"));
		});
		assertThat(names()).containsExactly("a", "b", "c");
		assertThat(this.transport.received("tools/list")).extracting((request) -> request.params().toString())
			.containsExactly("{}", "{\"cursor\":\"p1\"}", "{\"cursor\":\"p2\"}");
	}

	@Test
	void mapsOfAForeignTransportAreUnderstood() {
		this.transport.asMaps();
		pages((page) -> page(null, tool("a")));
		assertThat(names()).containsExactly("a");
	}

	@Test
	void allOfAToolIsKept() {
		this.transport.answer("tools/list",
				"""
						{"tools": [{"name": "a", "title": "A", "description": "does a", "icons": [{"src": "https://i"}],
						 "inputSchema": {"type": "object", "$defs": {"x": {"$ref": "#/y"}}}, "outputSchema": {"type": "object"},
						 "annotations": {"readOnlyHint": true}, "_meta": {"m": 1}, "execution": {"taskSupport": "optional"}}]}""");
		open();
		Tool tool = this.session.list(ItemKind.TOOLS).block(SOON).get(0);
		assertThat(tool.title()).isEqualTo("A");
		assertThat(tool.description()).isEqualTo("does a");
		assertThat(tool.inputSchema()).hasToString("{type=object, $defs={x={$ref=#/y}}}");
		assertThat(tool.outputSchema()).hasToString("{type=object}");
		assertThat(tool.annotations().readOnlyHint()).isTrue();
		assertThat(tool.meta()).hasToString("{m=1}");
		assertThat(tool.icons()).hasSize(1);
	}

	@Test
	void toolsShareWhatTheirSchemasHaveInCommon() {
		String schema = """
				{"type": "object", "properties": {"a": {"type": "string"}, "b": {"enum": [1, "1", {}, []], "type": "x"},
				 "c": {"type": "x", "enum": [1, "1", {}, []]}}}""";
		this.transport.answer("tools/list",
				"{\"tools\": [{\"name\": \"a\", \"inputSchema\": %s}, {\"name\": \"b\", \"inputSchema\": %s}]}"
					.formatted(schema, schema));
		open();
		List<Tool> tools = this.session.list(ItemKind.TOOLS).block(SOON);
		assertThat(tools).extracting(Tool::inputSchema)
			.extracting(String::valueOf)
			.containsOnly("{type=object, properties={a={type=string}, b={enum=[1, 1, {}, []], type=x}, "
					+ "c={type=x, enum=[1, 1, {}, []]}}}");
		assertThat(tools.get(1).inputSchema()).isSameAs(tools.get(0).inputSchema()).isUnmodifiable();
	}

	@Test
	void whatAllCallersReadIsUnmodifiable() {
		String more = "\"icons\": [{\"src\": \"https://i\"}], \"_meta\": {\"m\": [1]}";
		this.transport.answer("initialize",
				"{\"protocolVersion\": \"2025-11-25\", \"serverInfo\": {\"name\": \"a\", \"version\": \"1\"}, "
						+ "\"capabilities\": {\"tools\": {}, \"prompts\": {}, \"resources\": {}}}");
		this.transport.answer("tools/list",
				"{\"tools\": [{\"name\": \"a\", \"inputSchema\": {\"type\": \"object\"}, " + more + "}]}");
		this.transport.answer("prompts/list",
				"{\"prompts\": [{\"name\": \"a\", \"arguments\": [{\"name\": \"b\"}], " + more + "}]}");
		this.transport.answer("resources/list", "{\"resources\": [{\"uri\": \"x:1\", \"name\": \"a\", "
				+ "\"annotations\": {\"audience\": [\"user\"]}, " + more + "}]}");
		open();
		Tool tool = this.session.list(ItemKind.TOOLS).block(SOON).get(0);
		Prompt prompt = this.session.list(ItemKind.PROMPTS).block(SOON).get(0);
		Resource resource = this.session.list(ItemKind.RESOURCES).block(SOON).get(0);
		assertThat(List.of(tool.icons(), prompt.icons(), prompt.arguments(), resource.icons(),
				resource.annotations().audience()))
			.allSatisfy((list) -> assertThat(list).hasSize(1).isUnmodifiable());
		assertThat(List.of(tool.meta(), prompt.meta(), resource.meta())).allSatisfy((meta) -> {
			assertThat(meta).isUnmodifiable();
			assertThat((List<?>) meta.get("m")).isUnmodifiable();
		});
	}

	@Test
	void emptyAndNullCursorsAreTheEnd() {
		pages((page) -> page("''", tool("a")));
		assertThat(names()).containsExactly("a");
		pages((page) -> page("null", tool("b")));
		assertThat(names()).containsExactly("b");
	}

	@Test
	void numericCursorIsReturnedAsItCame() {
		pages((page) -> (page == 0) ? page("5", tool("a")) : page(null, tool("b")));
		assertThat(names()).containsExactly("a", "b");
		assertThat(this.transport.received("tools/list").get(1).params()).hasToString("{\"cursor\":5}");
	}

	@Test
	void serverThatAnnouncesSomethingElseIsNotAsked() {
		this.transport.answer("initialize", """
				{"protocolVersion": "2025-11-25", "capabilities": {"prompts": {}},
				 "serverInfo": {"name": "s", "version": "1"}}""");
		open();
		assertThat(this.session.list(ItemKind.TOOLS).block(SOON)).isEmpty();
		assertThat(this.transport.received("tools/list")).isEmpty();
	}

	@Test
	void noToolsAreFine() {
		this.transport.answer("tools/list", "{\"tools\": []}");
		open();
		assertThat(this.session.list(ItemKind.TOOLS).block(SOON)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"error": "none"}                     | has no list of tools
			{"tools": false}                      | has no list of tools: false
			{"tools": {"a": {}, "b": 1}}          | has no list of tools: {"a":{},"b":1}
			{"a": [], "b": []}                    | has no list of tools
			true                                  | cannot be understood: true
			""")
	void answerWithoutAListFailsTheListing(String answer, String message) {
		this.transport.answer("tools/list", answer);
		fails("The server's response to tools/list " + message, message.startsWith("has no list") ? VIOLATION : null);
		assertThat(this.transport.received("tools/list")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "-32602, Invalid params", "0, Invalid cursor: p1" })
	void listingBeginsAgainWhenTheServerForgotTheCursor(int code, String message) {
		AtomicInteger requests = new AtomicInteger();
		this.transport.on("tools/list", (request) -> switch (requests.getAndIncrement()) {
			case 0 -> Mono.just(json(page("'p1'", tool("old"))));
			case 1 -> Mono.error(McpError.builder(code).message(message).build());
			case 2 -> Mono.just(json(page("'p1'", tool("a"))));
			default -> Mono.just(json(page(null, tool("b"))));
		});
		assertThat(names()).containsExactly("a", "b");
		assertThat(this.transport.received("tools/list")).extracting((request) -> request.params().toString())
			.containsExactly("{}", "{\"cursor\":\"p1\"}", "{}", "{\"cursor\":\"p1\"}");
	}

	@Test
	void listingBeginsAgainOnlyOnce() {
		this.transport.on("tools/list",
				(request) -> request.params().isEmpty() ? Mono.just(json(page("'p1'", tool("a"))))
						: Mono.error(McpError.builder(-32602).message("Invalid cursor").build()));
		open();
		StepVerifier.create(this.session.list(ItemKind.TOOLS)).expectError(McpError.class).verify(SOON);
		assertThat(this.transport.received("tools/list")).hasSize(4);
	}

	@ParameterizedTest
	@CsvSource({ "-32602, {}, 1", "-32603, {\"cursor\":\"p1\"}, 2" })
	void listingDoesNotBeginAgainForOtherErrors(int code, String failing, int requests) {
		this.transport.on("tools/list", (request) -> request.params().toString().equals(failing)
				? Mono.error(McpError.builder(code).message("No").build()) : Mono.just(json(page("'p1'", tool("a")))));
		open();
		StepVerifier.create(this.session.list(ItemKind.TOOLS)).expectError(McpError.class).verify(SOON);
		assertThat(this.transport.received("tools/list")).hasSize(requests);
	}

	@Test
	void malformedToolCostsOnlyItself(CapturedOutput output) {
		this.transport.answer("tools/list", """
				{"tools": [{"name": "a", "inputSchema": {"type": "object"}}, null, 5, {"inputSchema": {}},
				 {"name": "bad\\u001b[31m\\n", "inputSchema": "any"}, {"name": 7, "inputSchema": {}},
				 {"name": " ", "inputSchema": {}}, {"name": "z", "inputSchema": {"type": "object"}}]}""");
		assertThat(names()).containsExactly("a", "z");
		assertThat(names()).containsExactly("a", "z");
		assertThat(output).containsOnlyOnce("MCP server 'weather' lists tools that cannot be used: "
				+ "one without a name, one without a name, one without a name, 'bad ' (not well-formed), "
				+ "one without a name, one without a name");
	}

	@Test
	void whatCannotBeUsedIsToldBeforeTheListIs() {
		pages((page) -> (page % 2 == 0) ? page("'p" + page + "'", tool("a"), "{'name': 'odd', 'inputSchema': 5}")
				: page(null, tool("a"), "{}"));
		open();
		StepVerifier.create(this.session.list(ItemKind.TOOLS))
			.consumeNextWith((tools) -> assertThat(this.listener.excluded()).containsExactly(entry("tool",
					List.of(new ExcludedItem("tool", "odd", "not well-formed"),
							new ExcludedItem("tool", "a", "listed twice"),
							new ExcludedItem("tool", "", "without a name")))))
			.expectComplete()
			.verify(SOON);
		this.transport.answer("tools/list", "{\"tools\": []}");
		this.session.list(ItemKind.TOOLS).block(SOON);
		assertThat(this.listener.excluded()).containsExactly(entry("tool", List.of()));
	}

	@Test
	void manyMalformedToolsAreOneLineInTheLog(CapturedOutput output) {
		pages((page) -> page(null, "{}".repeat(50).replace("}{", "}, {")));
		assertThat(names()).isEmpty();
		assertThat(output.getOut().lines().filter((line) -> line.contains("cannot be used"))).singleElement()
			.asString()
			.endsWith("one without a name and 40 more");
	}

	@Test
	void everNewMalformedToolsAreNotAFloodInTheLog(CapturedOutput output) {
		AtomicInteger listing = new AtomicInteger();
		pages((page) -> page(null, "{'name': 'odd-" + listing.incrementAndGet() + "', 'inputSchema': 5}"));
		open();
		for (int i = 0; i < 100; i++) {
			this.session.list(ItemKind.TOOLS).block(SOON);
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains("cannot be used"))).hasSizeBetween(2, 10);
	}

	@Test
	void oddHintsDoNotCostTheTool() {
		this.transport.answer("tools/list", """
				{"tools": [{"name": "a", "inputSchema": {"type": "object"}, "icons": "none", "_meta": [1],
				 "outputSchema": true, "annotations": {"readOnlyHint": "maybe"}, "description": "does a"}]}""");
		open();
		Tool tool = this.session.list(ItemKind.TOOLS).block(SOON).get(0);
		assertThat(tool.description()).isEqualTo("does a");
		assertThat(tool.annotations()).isNull();
		assertThat(tool.outputSchema()).isNull();
		assertThat(tool.icons()).isNull();
		assertThat(tool.meta()).isNull();
	}

	@Test
	void firstOfToolsWithOneNameWins(CapturedOutput output) {
		pages((page) -> (page == 0) ? page("'p1'", named("a", "first")) : page(null, named("a", "second")));
		open();
		assertThat(this.session.list(ItemKind.TOOLS).block(SOON)).singleElement()
			.satisfies((tool) -> assertThat(tool.description()).isEqualTo("first"));
		assertThat(output).contains("'a' (listed twice)");
	}

	static Stream<Arguments> listingsWithoutEnd() {
		String many = "The server lists more than 100 tools (mcp.servers.weather.tools.max)";
		String trust = "Raise that limit if you trust the server.";
		String again = "The server lists its tools without end: it names the same cursor again after ";
		String noCursor = "The server sent an invalid cursor: ";
		// much more in memory than as text
		String large = "'_meta': {'a': [" + "{},".repeat((int) (ListedItems.MAX_SIZE / 4 / 128)) + "{}]}";
		return Stream.of(
				refused("too many", (page) -> page("'p" + page + "'", tool("t" + page)), many, trust, MAX_TOOLS + 1),
				refused("one tool", (page) -> page("'p" + page + "'", tool("same")), many, trust, MAX_TOOLS + 1),
				refused("one cursor", (page) -> page("'again'", tool("t" + page)), again + "2 tools", VIOLATION, 2),
				refused("a circle", (page) -> page("'p" + page % 3 + "'", tool("t" + page)), again + "4 tools",
						VIOLATION, 4),
				refused("no tools", (page) -> page("'p" + page + "'"),
						"The server lists its tools without end: more than 16 pages have no tools", VIOLATION, 17),
				refused("no cursor", (page) -> page("{'a': 1}", tool("a")), noCursor + "{\"a\":1}", VIOLATION, 1),
				refused("long cursors", (page) -> page("'" + "x".repeat(ListedItems.MAX_CURSOR) + "'", tool("a")),
						noCursor + "x".repeat(80) + "... (8192 characters)", VIOLATION, 1),
				refused("much memory", (page) -> page("'p" + page + "'", "{'name': 't" + page + "', " + large + "}"),
						"The server lists tools that take more than " + ListedItems.MAX_SIZE / 1024 / 1024
								+ " MB in memory",
						"Report it to the server's author: it has to list less.", 4),
				refused("no list later", (page) -> (page == 0) ? page("'p1'", tool("a")) : "{'a': 1}",
						"The server's response to tools/list has no list of tools", VIOLATION, 2));
	}

	private static Arguments refused(String name, IntFunction<String> pages, String message, String nextStep,
			int requests) {
		return Arguments.of(Named.of(name, pages), message, nextStep, requests);
	}

	@ParameterizedTest
	@MethodSource("listingsWithoutEnd")
	void listingWithoutEndIsRefused(IntFunction<String> pages, String message, String nextStep, int requests) {
		pages(pages);
		fails(message, nextStep);
		assertThat(this.transport.received("tools/list")).hasSize(requests);
	}

	@Test
	void asManyToolsAsAllowedAreFine() {
		pages((page) -> page((page < 99) ? "'p" + page + "'" : null, tool("t" + page)));
		assertThat(names()).hasSize(MAX_TOOLS);
	}

	@Test
	void errorAnswerFailsTheListing() {
		pages((page) -> {
			if (page == 0) {
				return page("'p1'", tool("a"));
			}
			throw McpError.builder(-32602).message("Invalid cursor").build();
		});
		open();
		StepVerifier.create(this.session.list(ItemKind.TOOLS)).expectError(McpError.class).verify(SOON);
	}

	@Test
	void pageThatDoesNotComeIsNotWaitedForLonger() {
		openIgnoring("tools/list");
		assertFailure(this.session.list(ItemKind.TOOLS), () -> this.timer.advance(REQUEST_TIMEOUT))
			.hasMessage("No response to tools/list within 30000 ms");
		awaitReceived("notifications/cancelled", 1);
	}

	@Test
	void listingAsAWholeIsBoundedInTime() {
		int[] page = { 0 };
		this.transport.on("tools/list", (request) -> {
			this.timer.advance(Duration.ofSeconds(20));
			return Mono.delay(Duration.ofMillis(200)).thenReturn(json(page("'p" + page[0]++ + "'", tool("a"))));
		});
		open();
		assertFailure(this.session.list(ItemKind.TOOLS)).hasMessage("No response to tools/list within 30000 ms");
		assertThat(this.transport.received("tools/list")).hasSize(2);
		awaitReceived("notifications/cancelled", 1);
	}

	@Test
	void thousandPagesAtOnceDoNotOverflowTheStack() {
		SessionOptions options = options("large", 5_000);
		Session large = (Session) new DefaultSessionFactory(this.timer,
				(server, task) -> Schedulers.parallel().schedule(task))
			.create(this.transport, options, this.listener);
		pages((page) -> page((page < 4_999) ? "'p" + page + "'" : null, tool("t" + page)));
		large.open().block(SOON);
		assertThat(large.list(ItemKind.TOOLS).block(SOON)).hasSize(5_000);
		assertThat(large.pendingCount()).isZero();
	}

	private void fails(String message, @Nullable String nextStep) {
		open();
		assertFailure(this.session.list(ItemKind.TOOLS)).isInstanceOfSatisfying(SessionProtocolException.class,
				(ex) -> {
					assertThat(ex).hasMessage(message);
					assertThat(ex.getNextStep()).isEqualTo(nextStep);
				});
	}

	private List<String> names() {
		if (this.transport.connectCount() == 0) {
			open();
		}
		return this.session.list(ItemKind.TOOLS).block(SOON).stream().map(Tool::name).toList();
	}

	private void pages(IntFunction<String> pages) {
		int[] page = { 0 };
		this.transport.on("tools/list", (request) -> Mono.fromSupplier(() -> json(pages.apply(page[0]++))));
	}

	private static JsonNode json(String text) {
		return JsonMapper.shared().readTree(text.replace('\'', '"'));
	}

	private static String page(String cursor, String... tools) {
		return "{'tools': [" + String.join(", ", tools) + "]" + ((cursor != null) ? ", 'nextCursor': " + cursor : "")
				+ "}";
	}

	private static String tool(String name) {
		return named(name, "does " + name);
	}

	private static String named(String name, String description) {
		return "{'name': '" + name + "', 'description': '" + description + "', 'inputSchema': {'type': 'object'}}";
	}

}
