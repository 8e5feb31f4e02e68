package io.github.mcpclient.declared;

import java.net.URI;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import io.github.mcpclient.internal.support.JsonValues;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClientComparison}, with what a factory has created.
 */
class ClientComparisonTests {

	private static final McpTestServer server = McpTestServer.create()
		.tools("get_it", "get-it")
		.tool(tool("strict",
				Map.of("type", "object", "properties", Map.of("first_name", Map.of("type", "string")), "required",
						List.of("first_name"), "additionalProperties", false)),
				(request) -> McpTestReply.text(""))
		.tool(tool("many",
				Map.of("type", "object", "required", IntStream.range(0, 200).mapToObj((i) -> "a" + i).toList())),
				(request) -> McpTestReply.text(""))
		.start();

	private static StandaloneMcpClient client;

	@BeforeAll
	static void connect() {
		client = StandaloneMcpClient.builder()
			.server(McpServerDefinition.http("tools", URI.create(server.url())).build())
			.server(McpServerDefinition.http("down", URI.create("http://localhost:9/mcp")).build())
			.startupWait(LIMIT)
			.build();
	}

	@AfterAll
	static void close() {
		client.close();
		server.close();
	}

	private static Map<String, Object> tool(String name, Map<String, Object> schema) {
		return Map.of("name", name, "inputSchema", schema);
	}

	private static List<Mismatch> compare(Class<?> type) {
		McpToolClientFactory factory = new McpToolClientFactory(client.registry());
		factory.create(type);
		return factory.mismatches().stream().map(McpToolClientMismatchEvent::mismatches).flatMap(List::stream).toList();
	}

	@Test
	void severalSpellingsAreNoTool() {
		assertThat(compare(Spelled.class)).containsExactly(new Mismatch(Kind.NO_TOOL, "getIt",
				"the server has several tools with similar names: get-it, get_it. Name one with @McpToolCall"));
	}

	@Test
	void aServerThatIsNotReadyIsLeftOut() {
		assertThat(compare(Down.class)).isEmpty();
	}

	@Test
	void aServerThatIsNotThereIsNot() {
		assertThat(compare(Missing.class)).extracting(Mismatch::kind).containsExactly(Kind.NO_SERVER);
	}

	@Test
	void namesAreThoseOfTheMapper() {
		assertThat(compare(Names.class)).extracting(Mismatch::kind)
			.containsExactlyInAnyOrder(Kind.MISSING_ARGUMENT, Kind.UNKNOWN_ARGUMENT);
		McpToolClientFactory factory = new McpToolClientFactory(client.registry(),
				JsonValues
					.mapper(List.of((builder) -> builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE))),
				Stream::empty);
		factory.create(Names.class);
		assertThat(factory.mismatches()).isEmpty();
	}

	@Test
	void aTypeThatCannotBeWrittenCostsNoOtherMethod() {
		assertThat(compare(Broken.class))
			.containsExactly(new Mismatch(Kind.NO_TOOL, "other", "the server has no tool 'other'"));
	}

	@Test
	void whatIsFoundIsBounded() {
		assertThat(compare(Many.class)).hasSize(100);
	}

	@Test
	void aComparisonThatFailsCostsNoOtherClient() {
		AtomicReference<DeclaredClient> broken = new AtomicReference<>();
		McpToolClientFactory factory = new McpToolClientFactory(client.registry());
		factory.onCreation(broken::set);
		factory.create(Spelled.class);
		ClientComparison comparison = factory.comparison();
		DeclaredClient failing = new DeclaredClient(Missing.class, "tools", false, new AbstractList<DeclaredTool>() {

			@Override
			public DeclaredTool get(int index) {
				throw new NoClassDefFoundError("of an optional library");
			}

			@Override
			public int size() {
				return 1;
			}

		});
		assertThat(comparison.compare("tools", List.of(failing, broken.get()), (text) -> text, (tool) -> null))
			.extracting(McpToolClientMismatchEvent::client)
			.containsExactly(Spelled.class.getName());
	}

	@McpToolClient("tools")
	interface Spelled {

		String getIt();

	}

	@McpToolClient("down")
	interface Down {

		String getIt();

	}

	@McpToolClient("missing")
	interface Missing {

		String getIt();

	}

	@McpToolClient("tools")
	interface Names {

		String strict(Name name);

	}

	record Name(String firstName) {
	}

	@McpToolClient("tools")
	interface Broken {

		String strict(Twice twice);

		String other(String name);

	}

	static class Twice {

		@JsonProperty("a")
		String getOne() {
			return "";
		}

		@JsonProperty("a")
		String getOther() {
			return "";
		}

	}

	@McpToolClient("tools")
	interface Many {

		@McpToolCall("many")
		String a();

		@McpToolCall("many")
		String b();

		@McpToolCall("many")
		String c();

		@McpToolCall("many")
		String d();

		@McpToolCall("many")
		String e();

		@McpToolCall("many")
		String f();

	}

}
