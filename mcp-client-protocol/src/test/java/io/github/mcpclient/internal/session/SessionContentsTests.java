package io.github.mcpclient.internal.session;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolResult.UnknownContent;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest.CompleteArgument;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the prompts, resources and completions of a session.
 */
@ExtendWith(OutputCaptureExtension.class)
class SessionContentsTests extends SessionFixture {

	@Test
	void allOfWhatIsListedIsKept() {
		offer("'prompts': {}, 'resources': {}");
		answer("prompts/list",
				"{'prompts': [{'name': 'p', 'title': 'P', 'description': 'd', 'arguments': [{'name': 'a', 'required': true}], '_meta': {'m': 1}}]}");
		answer("resources/list",
				"{'resources': [{'uri': 'x:1', 'name': 'n', 'title': 'T', 'mimeType': 'text/plain', 'size': 5000000000, 'annotations': {'priority': 0.5}}]}");
		answer("resources/templates/list",
				"{'resourceTemplates': [{'uriTemplate': 'x:{id}', 'name': 'n', 'description': 'd', 'mimeType': 'text/plain'}]}");
		open();
		Prompt prompt = this.session.list(ItemKind.PROMPTS).block(SOON).get(0);
		assertThat(prompt.name()).isEqualTo("p");
		assertThat(prompt.title()).isEqualTo("P");
		assertThat(prompt.arguments()).singleElement().satisfies((argument) -> {
			assertThat(argument.name()).isEqualTo("a");
			assertThat(argument.required()).isTrue();
		});
		assertThat(prompt.meta()).isEqualTo(Map.of("m", 1));
		Resource resource = this.session.list(ItemKind.RESOURCES).block(SOON).get(0);
		assertThat(resource.uri()).isEqualTo("x:1");
		assertThat(resource.size()).isEqualTo(5_000_000_000L);
		assertThat(resource.annotations().priority()).isEqualTo(0.5);
		ResourceTemplate template = this.session.list(ItemKind.RESOURCE_TEMPLATES).block(SOON).get(0);
		assertThat(template.uriTemplate()).isEqualTo("x:{id}");
		assertThat(template.description()).isEqualTo("d");
	}

	@ParameterizedTest
	@MethodSource("listings")
	void pagesFollowTheCursor(Kind kind) {
		offer("'prompts': {}, 'resources': {}");
		pages(kind, "{'name': 'a', 'uri': 'a', 'uriTemplate': 'a'}", "'p1'",
				"{'name': 'b', 'uri': 'b', 'uriTemplate': 'b'}", null);
		open();
		assertThat(kind.list(this.session)).hasSize(2);
		assertThat(this.transport.received(kind.method())).extracting((request) -> request.params().toString())
			.containsExactly("{}", "{\"cursor\":\"p1\"}");
	}

	@ParameterizedTest
	@MethodSource("listings")
	void listingsEnd(Kind kind) {
		offer("'prompts': {}, 'resources': {}");
		open();
		pages(kind, "{'name': 'a', 'uri': 'a', 'uriTemplate': 'a'}", "'p1'",
				"{'name': 'b', 'uri': 'b', 'uriTemplate': 'b'}", "'p1'");
		fails(kind, "The server lists its " + kind.noun() + " without end: it names the same cursor again after 2 "
				+ kind.noun());
		answer(kind.method(), "{'" + kind.member() + "': [" + "1,".repeat(kind.max()) + "1]}");
		fails(kind, "The server lists more than " + kind.max() + " " + kind.noun() + " (mcp.servers.weather."
				+ kind.setting() + ".max)");
		int[] page = { 0 };
		this.transport.on(kind.method(), (request) -> Mono
			.fromSupplier(() -> json("{'" + kind.member() + "': [], 'nextCursor': " + page[0]++ + "}")));
		fails(kind, "The server lists its " + kind.noun() + " without end: more than 16 pages have no " + kind.noun());
		answer(kind.method(), "{'" + kind.member() + "': 'all'}");
		fails(kind, "The server's response to " + kind.method() + " has no list of " + kind.noun() + ": all");
	}

	@ParameterizedTest
	@MethodSource("listings")
	void serverWithoutTheCapabilityIsNotAsked(Kind kind) {
		open();
		assertThat(kind.list(this.session)).isEmpty();
		assertThat(this.transport.received(kind.method())).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("listings")
	void unknownMethodIsAnEmptyList(Kind kind) {
		offer("'prompts': {}, 'resources': {}");
		open();
		assertThat(kind.list(this.session)).isEmpty();
		assertThat(this.transport.received(kind.method())).hasSize(1);
		this.transport.on(kind.method(), (request) -> Mono.error(McpError.builder(-32603).message("broken").build()));
		StepVerifier.create(kind.listing().apply(this.session)).expectErrorMessage("broken").verify(SOON);
	}

	@ParameterizedTest
	@MethodSource("listings")
	void malformedItemCostsOnlyItself(Kind kind, CapturedOutput output) {
		offer("'prompts': {}, 'resources': {}");
		answer(kind.method(), "{'" + kind.member() + "': [null, 5, {'title': 'none'},"
				+ " {'name': 'a', 'uri': 'a', 'uriTemplate': 'a', 'title': [], 'icons': 5, '_meta': 'odd', 'description': {}},"
				+ " {'name': 'a', 'uri': 'a', 'uriTemplate': 'a'},"
				+ " {'name': 'b', 'uri': 'b', 'uriTemplate': 'b'}]}");
		open();
		assertThat(kind.list(this.session)).hasSize(2);
		assertThat(output)
			.contains("MCP server 'weather' lists " + kind.noun() + " that cannot be used: one without a " + kind.key()
					+ ", one without a " + kind.key() + ", one without a " + kind.key() + ", 'a' (listed twice)");
	}

	@Test
	void changesAreAnnounced() {
		open();
		this.transport.serverNotifies("notifications/prompts/list_changed", null);
		this.transport.serverNotifies("notifications/resources/list_changed", "{}");
		this.transport.serverNotifies("notifications/resources/updated", "{\"uri\": \"x:1\"}");
		assertThat(this.listener.listChanges()).containsExactly(ItemKind.PROMPTS, ItemKind.RESOURCES);
	}

	@Test
	void promptIsAskedForWithItsArguments() {
		answer("prompts/get",
				"{'description': 'd', 'messages': [{'role': 'user', 'content': {'type': 'text', 'text': 'hi'}},"
						+ " {'role': 'assistant', 'content': {'type': 'resource', 'resource': {'uri': 'x:1', 'text': 't'}}},"
						+ " {'role': 'user', 'content': {'type': 'hologram', 'data': 1}}], '_meta': {'m': 1}}");
		open();
		GetPromptResult result = this.session.request(prompt(Map.of("city", "Paris"))).block(SOON);
		assertThat(this.transport.received("prompts/get").get(0).params().toString())
			.isEqualTo("{\"name\":\"p\",\"arguments\":{\"city\":\"Paris\"}}");
		assertThat(result.description()).isEqualTo("d");
		assertThat(result.meta()).isEqualTo(Map.of("m", 1));
		assertThat(result.messages()).hasSize(3);
		assertThat(result.messages().get(0).role()).isEqualTo(Role.USER);
		assertThat(((TextContent) result.messages().get(0).content()).text()).isEqualTo("hi");
		assertThat(result.messages().get(1).role()).isEqualTo(Role.ASSISTANT);
		assertThat(result.messages().get(1).content()).isInstanceOf(EmbeddedResource.class);
		assertThat(result.messages().get(2).content())
			.isEqualTo(new UnknownContent("hologram", Map.of("type", "hologram", "data", 1)));
	}

	@Test
	void resourceIsReadAsTextAndAsBytes() {
		answer("resources/read", "{'contents': [{'uri': 'x:1', 'mimeType': 'text/plain', 'text': 'one'},"
				+ " {'uri': 'x:2', 'blob': 'AAEC', '_meta': 5}]}");
		open();
		ReadResourceResult result = read("x:1");
		assertThat(this.transport.received("resources/read").get(0).params().toString()).isEqualTo("{\"uri\":\"x:1\"}");
		assertThat(((TextResourceContents) result.contents().get(0)).text()).isEqualTo("one");
		assertThat(((BlobResourceContents) result.contents().get(1)).blob()).isEqualTo("AAEC");
	}

	@Test
	void argumentIsCompleted() {
		answer("completion/complete", "{'completion': {'values': ['Paris', 'Parma'], 'total': 12, 'hasMore': true}}");
		open();
		CompleteResult result = complete();
		assertThat(this.transport.received("completion/complete").get(0).params().toString())
			.contains("\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"")
			.contains("\"argument\":{\"name\":\"city\",\"value\":\"Pa\"}");
		assertThat(result.completion().values()).containsExactly("Paris", "Parma");
		assertThat(result.completion().total()).isEqualTo(12);
		assertThat(result.completion().hasMore()).isTrue();
	}

	@Test
	void emptyAnswersAreFine() {
		answer("prompts/get", "{}");
		answer("resources/read", "{'contents': null}");
		answer("completion/complete", "{'completion': {'values': [], 'total': 'many'}}");
		open();
		assertThat(this.session.request(prompt(Map.of())).block(SOON).messages()).isEmpty();
		assertThat(read("x:1").contents()).isEmpty();
		assertThat(complete().completion().values()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "5", "[]", "'text'", "{'messages': 5, 'contents': 5, 'completion': 5}",
			"{'messages': [5], 'contents': [5], 'completion': {'values': 5}}",
			"{'messages': [{'role': 'spy', 'content': {'type': 'text', 'text': 'x'}}], 'contents': [{'uri': 'x:1'}], 'completion': []}",
			"{'messages': [{'content': {'type': 'text', 'text': 'x'}}], 'contents': [null], 'completion': null}" })
	void answerThatCannotBeUnderstoodIsAFailure(String answer) {
		List.of("prompts/get", "resources/read", "completion/complete").forEach((method) -> answer(method, answer));
		open();
		assertUnreadable("prompts/get", () -> this.session.request(prompt(Map.of())).block(SOON));
		assertUnreadable("resources/read", () -> read("x:1"));
		assertUnreadable("completion/complete", this::complete);
	}

	@Test
	void cancelledReadIsCancelledAtTheServer() {
		openIgnoring("resources/read");
		this.session.request(resource("x:1")).subscribe().dispose();
		awaitReceived("notifications/cancelled", 1);
	}

	private ReadResourceResult read(String uri) {
		return this.session.request(resource(uri)).block(SOON);
	}

	private CompleteResult complete() {
		return this.session.request(Call.completion(
				CompleteRequest.builder(PromptReference.builder("p").build(), new CompleteArgument("city", "Pa"))
					.build(),
				MINUTE))
			.block(SOON);
	}

	private static Call<GetPromptResult> prompt(Map<String, Object> arguments) {
		return Call.prompt(new GetPromptRequest("p", arguments, null), MINUTE);
	}

	private static Call<ReadResourceResult> resource(String uri) {
		return Call.resource(new ReadResourceRequest(uri, null), MINUTE);
	}

	private static void assertUnreadable(String method, Runnable request) {
		assertThatExceptionOfType(SessionProtocolException.class).isThrownBy(request::run)
			.withMessageStartingWith("The server's response to " + method + " cannot be understood: ");
	}

	private void fails(Kind kind, String message) {
		assertFailure(kind.listing().apply(this.session)).isInstanceOf(SessionProtocolException.class)
			.hasMessage(message);
	}

	private void offer(String capabilities) {
		answer("initialize", "{'protocolVersion': '2025-11-25', 'capabilities': {" + capabilities
				+ "}, 'serverInfo': {'name': 's', 'version': '1'}}");
	}

	private void answer(String method, String json) {
		this.transport.answer(method, json.replace('\'', '"'));
	}

	private void pages(Kind kind, String first, String firstCursor, String second, String secondCursor) {
		int[] page = { 0 };
		this.transport.on(kind.method(), (request) -> Mono.fromSupplier(() -> {
			boolean isFirst = page[0]++ == 0;
			String cursor = isFirst ? firstCursor : secondCursor;
			return json("{'" + kind.member() + "': [" + (isFirst ? first : second) + "]"
					+ ((cursor != null) ? ", 'nextCursor': " + cursor : "") + "}");
		}));
	}

	private static Object json(String text) {
		return JsonMapper.shared().readTree(text.replace('\'', '"'));
	}

	static Stream<Arguments> listings() {
		return Stream
			.of(new Kind("prompts", "prompts/list", "prompts", "name", "prompts", MAX_PROMPTS,
					(session) -> session.list(ItemKind.PROMPTS)),
					new Kind("resources", "resources/list", "resources", "uri", "resources", MAX_RESOURCES,
							(session) -> session.list(ItemKind.RESOURCES)),
					new Kind("resource templates", "resources/templates/list", "resourceTemplates", "uriTemplate",
							"resources", MAX_RESOURCES, (session) -> session.list(ItemKind.RESOURCE_TEMPLATES)))
			.map(Arguments::of);
	}

	private record Kind(String noun, String method, String member, String key, String setting, int max,
			Function<McpSession, Mono<? extends List<?>>> listing) {

		List<?> list(McpSession session) {
			return this.listing.apply(session).block(SOON);
		}

		@Override
		public String toString() {
			return this.noun;
		}

	}

}
