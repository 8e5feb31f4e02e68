package io.github.mcpclient.internal.session;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.ScriptedTransport.Received;
import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that what requests of revision 2026-07-28 have in common is prepared once, and
 * never that of another session, list or caller.
 */
class PreparedRequestsTests {

	private static final String MODERN = "2026-07-28";

	private static final String PREFIX = "io.modelcontextprotocol/";

	private static final Duration SOON = Duration.ofSeconds(30);

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final SessionOptions options = new SessionOptions(
			McpServerDefinition.http("weather", URI.create("http://localhost/mcp"))
				.protocol(MODERN)
				.loggingLevel(LoggingLevel.WARNING)
				.build(),
			Implementation.builder("test", "1").build(), SOON, new Requests(), List.of(new Tracer()),
			(context) -> null);

	private boolean asks = true;

	private Map<String, String> trace = Map.of();

	private Carrying transport;

	@Test
	void eachSessionDeclaresWhatItHas() {
		Session first = open("{\"tools\": {}, \"logging\": {}}");
		JsonNode meta = call(first, "echo").params().get("_meta");
		assertThat(meta).isEqualTo(MAPPER.readTree("""
				{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
				 "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
				 "io.modelcontextprotocol/clientCapabilities": {"roots": {"listChanged": true},
				  "extensions": {"io.modelcontextprotocol/tasks": {}}},
				 "io.modelcontextprotocol/logLevel": "warning"}"""));
		this.asks = false;
		JsonNode other = call(open("{\"tools\": {}}"), "echo").params().get("_meta");
		assertThat(other.has(PREFIX + "logLevel")).isFalse();
		assertThat(other.get(PREFIX + "clientCapabilities").has("roots")).isFalse();
		// while the one before is still there
		assertThat(call(first, "echo").params().get("_meta")).isEqualTo(meta);
	}

	@Test
	void aCallHasTheTraceAndTheMetaOfItsOwn() {
		Session session = open("{\"tools\": {}}");
		this.trace = Map.of("traceparent", "00-1");
		assertThat(call(session, "echo").params().at("/_meta/traceparent").asString()).isEqualTo("00-1");
		this.trace = Map.of("traceparent", "00-2");
		JsonNode second = call(session,
				new CallToolRequest("echo", Map.of("a", 2), Map.of("tenant", "north", PREFIX + "protocolVersion", "1")),
				Context.empty())
			.params();
		assertThat(second.at("/_meta/traceparent").asString()).isEqualTo("00-2");
		assertThat(second.at("/_meta/tenant").asString()).isEqualTo("north");
		assertThat(second.at("/arguments/a").asInt()).isEqualTo(2);
		this.trace = Map.of();
		JsonNode third = call(session, "echo").params().get("_meta");
		assertThat(third.propertyNames()).containsExactlyInAnyOrder(PREFIX + "protocolVersion", PREFIX + "clientInfo",
				PREFIX + "clientCapabilities");
		assertThat(second.at("/_meta").get(PREFIX + "protocolVersion").asString()).isEqualTo(MODERN);
	}

	@Test
	void aCallIsSentInTheContextOfItsCaller() {
		Session session = open("{\"tools\": {}}");
		list(session, tool("echo", ""));
		for (String user : List.of("ann", "bob")) {
			Received received = call(session, SessionFixture.request("echo"), Context.of("user", user));
			assertThat(received.context().<String>get("user")).isEqualTo(user);
			assertThat(headers(received)).containsExactly(Map.entry("MCP-Protocol-Version", MODERN),
					Map.entry("Mcp-Method", "tools/call"), Map.entry("Mcp-Name", "echo"));
		}
	}

	@Test
	void headersAreThoseOfTheLatestListAndOfTheArguments() {
		Session session = open("{\"tools\": {}}");
		list(session, tool("region", "Region"));
		assertThat(headers(call(session, region("west")))).containsEntry("Mcp-Param-Region", "west");
		assertThat(headers(call(session, region("east")))).containsEntry("Mcp-Param-Region", "east");
		list(session, tool("region", "Place"));
		assertThat(headers(call(session, region("west")))).containsEntry("Mcp-Param-Place", "west")
			.doesNotContainKey("Mcp-Param-Region");
		list(session, tool("region", ""));
		assertThat(headers(call(session, region("west")))).hasSize(3);
		list(session);
		assertThat(headers(call(session, region("west")))).containsEntry("Mcp-Name", "region").hasSize(3);
	}

	@Test
	void headersArePreparedOnceForAToolUntilTheToolsAreListedAgain() {
		Session session = open("{\"tools\": {}}");
		list(session, tool("one", ""), tool("two", ""));
		Map<String, String> one = headers(call(session, "one"));
		Map<String, String> two = headers(call(session, "two"));
		assertThat(headers(call(session, "one"))).isSameAs(one);
		assertThat(headers(call(session, "two"))).isSameAs(two).isNotEqualTo(one);
		list(session, tool("one", ""));
		assertThat(headers(call(session, "one"))).isNotSameAs(one).isEqualTo(one);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> one.put("Mcp-Name", "two"));
	}

	@Test
	void noMoreArePreparedThanThereAreTools() {
		ToolHeaders headers = new ToolHeaders(List.of(Tool.builder("one", Map.of("type", "object")).build()));
		Function<String, Map<String, String>> all = (name) -> Map.of("Mcp-Name", name);
		List<MessageHeaders> first = IntStream.range(0, 100).mapToObj((i) -> headers.ofTool("t" + i, all)).toList();
		List<MessageHeaders> second = IntStream.range(0, 100).mapToObj((i) -> headers.ofTool("t" + i, all)).toList();
		assertThat(second).isEqualTo(first);
		assertThat(IntStream.range(0, 100).filter((i) -> second.get(i) == first.get(i)).count()).isEqualTo(1);
	}

	@Test
	void aPreparedObjectIsJsonAndAMap() {
		Map<String, Object> plain = Map.of("text", "größe \"x\" \n", "list", List.of(1, Map.of("a", true)));
		Map<String, Object> outer = Map.of("inner", new PreparedObject(plain), "after", "1");
		Map<String, Object> nested = Map.of("inner", plain, "after", "1");
		PreparedObject prepared = new PreparedObject(outer);
		CallToolRequest request = new CallToolRequest("echo", Map.of(), prepared);
		JsonNode expected = MAPPER.valueToTree(new CallToolRequest("echo", Map.of(), nested));
		assertThat(MAPPER.readTree(MAPPER.writeValueAsBytes(request))).isEqualTo(expected);
		assertThat(MAPPER.readTree(MAPPER.writeValueAsString(request))).isEqualTo(expected);
		assertThat(MAPPER.<JsonNode>valueToTree(request)).isEqualTo(expected);
		assertThat(prepared).isEqualTo(nested).hasSize(2);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> prepared.put("a", "b"));
	}

	private Session open(String capabilities) {
		this.transport = new Carrying();
		this.transport.speaks(MODERN)
			.answer("server/discover",
					"{\"supportedVersions\": [\"2026-07-28\"], \"capabilities\": " + capabilities + "}")
			.answer("tools/call", "{\"resultType\": \"complete\", \"content\": []}");
		Session session = (Session) new DefaultSessionFactory(new VirtualScheduler(), (server, task) -> task.run())
			.create(this.transport, this.options, new RecordingListener());
		session.open().block(SOON);
		return session;
	}

	private void list(Session session, String... tools) {
		this.transport.answer("tools/list", "{\"tools\": [" + String.join(", ", tools) + "]}");
		session.list(ItemKind.TOOLS).block(SOON);
	}

	private static String tool(String name, String header) {
		String mark = header.isEmpty() ? "" : ", \"x-mcp-header\": \"" + header + "\"";
		return "{\"name\": \"" + name + "\", \"inputSchema\": {\"type\": \"object\", \"properties\": {\"region\": "
				+ "{\"type\": \"string\"" + mark + "}}}}";
	}

	private static CallToolRequest region(String value) {
		return CallToolRequest.builder("region").arguments(Map.of("region", value)).build();
	}

	private Received call(Session session, String tool) {
		return call(session, SessionFixture.request(tool));
	}

	private Received call(Session session, CallToolRequest request) {
		return call(session, request, Context.empty());
	}

	private Received call(Session session, CallToolRequest request, Context context) {
		Carrying transport = (Carrying) session.channel().transport();
		Mono<CallToolResult> call = session.request(SessionFixture.tool(request, null));
		call.contextWrite(context).block(SOON);
		List<Received> calls = transport.received("tools/call");
		return calls.get(calls.size() - 1);
	}

	private static Map<String, String> headers(Received received) {
		return received.context().get(MessageHeaders.class).headers();
	}

	/**
	 * Carries headers, as HTTP does.
	 */
	private static final class Carrying extends ScriptedTransport implements MessageHeaders.Carrier {

	}

	private final class Requests implements ServerRequests {

		@Override
		public boolean isEmpty() {
			return false;
		}

		@Override
		public void declare(ClientCapabilities.Builder capabilities) {
			if (PreparedRequestsTests.this.asks) {
				capabilities.roots(true);
			}
		}

	}

	private final class Tracer implements RequestObserver {

		@Override
		public Context capture(Context caller) {
			return caller;
		}

		@Override
		public ObservedRequest begin(Call<?> call, long id, Protocol protocol, ContextView caller) {
			Map<String, String> trace = PreparedRequestsTests.this.trace;
			return new ObservedRequest() {

				@Override
				public Map<String, String> meta() {
					return trace;
				}

				@Override
				public void answered(Object result, Object raw) {
				}

				@Override
				public void failed(Throwable failure) {
				}

			};
		}

		@Override
		public ObservedAnswer receive(JSONRPCRequest request, Protocol protocol, ContextView call) {
			return null;
		}

	}

}
