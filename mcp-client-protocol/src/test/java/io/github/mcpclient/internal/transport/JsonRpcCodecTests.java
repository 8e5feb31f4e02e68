package io.github.mcpclient.internal.transport;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.MessageReader.Reading;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JsonRpcCodec}.
 */
class JsonRpcCodecTests {

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final JsonRpcCodec codec = new JsonRpcCodec(this.mapper);

	@Test
	void readsRequestWithTreeAsParams() {
		JSONRPCRequest request = (JSONRPCRequest) decodeOne("""
				{"jsonrpc":"2.0","id":7,"method":"roots/list","params":{"a":[1]},"odd":true}""");
		assertThat(request.id()).isEqualTo(7);
		assertThat(request.method()).isEqualTo("roots/list");
		assertThat(request.params()).isInstanceOf(JsonNode.class).hasToString("{\"a\":[1]}");
	}

	@Test
	void readsIdsAsTheSdkDoes() {
		assertThat(((JSONRPCResponse) decodeOne(response("\"x\""))).id()).isEqualTo("x");
		assertThat(((JSONRPCResponse) decodeOne(response("2147483647"))).id()).isEqualTo(2147483647);
		assertThat(((JSONRPCResponse) decodeOne(response("2147483648"))).id()).isEqualTo(2147483648L);
		assertThat(((JSONRPCResponse) decodeOne(response("3.0"))).id()).isEqualTo(3);
	}

	@Test
	void readsNotificationWithAndWithoutNullId() {
		for (String id : List.of("", "\"id\":null,")) {
			JSONRPCNotification notification = (JSONRPCNotification) decodeOne(
					"{\"jsonrpc\":\"2.0\"," + id + "\"method\":\"notifications/x\",\"params\":null}");
			assertThat(notification.method()).isEqualTo("notifications/x");
			assertThat(notification.params()).isNull();
		}
	}

	@Test
	void readsByteOrderMark() {
		byte[] json = ("\uFEFF" + response("1")).getBytes(StandardCharsets.UTF_8);
		assertThat(decode(this.codec, json)).hasSize(1);
	}

	@Test
	void readsResponseWithoutVersion() {
		assertThat(decodeOne("{\"id\":1,\"result\":{}}")).isInstanceOf(JSONRPCResponse.class);
	}

	@Test
	void readsErrorBesideNullResult() {
		JSONRPCResponse response = (JSONRPCResponse) decodeOne("""
				{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-32601,"message":"no","data":{"a":1}}}""");
		assertThat(response.result()).isNull();
		assertThat(response.error().code()).isEqualTo(-32601);
		assertThat(response.error().message()).isEqualTo("no");
		assertThat(response.error().data()).hasToString("{\"a\":1}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}", "{\"jsonrpc\":\"2.0\",\"id\":1}",
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"boom\"}",
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"x\",\"message\":7}}",
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":99999999999}}", "{\"id\":1,\"error\":{}}" })
	void brokenResponseFailsItsRequest(String json) {
		JSONRPCResponse response = (JSONRPCResponse) decodeOne(json);
		assertThat(response.id()).isEqualTo(1);
		assertThat(response.error().code()).isEqualTo(-32603);
		assertThat(response.error().message()).isNotBlank();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "Starting server...", "42", "\"text\"", "null", "{}", "[]", "[1,2]", "{\"a\":",
			"{\"method\":\"GET\",\"id\":3}", "{\"level\":30,\"id\":3,\"msg\":\"x\"}",
			"{\"jsonrpc\":\"1.0\",\"method\":\"x\"}", "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}",
			"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"x\"}",
			"{\"jsonrpc\":\"2.0\",\"id\":1e400,\"result\":{}}",
			"{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"method\":{}}",
			"{\"level\":50,\"id\":3,\"error\":\"boom\"}" })
	void refusesWhatIsNoMessage(String json) {
		assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> decodeOne(json))
			.withMessageStartingWith("The server sent something that is not a JSON-RPC message: ")
			.withNoCause();
	}

	@Test
	void refusesBottomlessNesting() {
		String json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
		assertThatExceptionOfType(UnreadMessageException.class).isThrownBy(() -> decodeOne(json))
			.withMessageContaining("nesting that is too deep");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[]", "{}", "{\"a\":{}}", "1" })
	void refusesMoreValuesThanUnaskedMessagesNeed(String value) {
		String many = "[" + (value + ",").repeat(100_000) + "1]";
		assertThatExceptionOfType(UnreadMessageException.class)
			.isThrownBy(() -> decodeOne("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":" + many + "}"))
			.withMessage("The server's message is not read, since it has too many values");
		assertThat(decodeOne("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + many + "}")).isNotNull();
	}

	@Test
	void boundsValuesOfABatchTogether() {
		String element = "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[" + "1,".repeat(50_000) + "1]},";
		assertThatExceptionOfType(UnreadMessageException.class)
			.isThrownBy(() -> decodeOne("[" + element.repeat(50) + "1]"));
	}

	@Test
	void skipsParametersThatNobodyWants() {
		byte[] json = ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":[" + "[],".repeat(1_000_000)
				+ "1]}")
			.getBytes(StandardCharsets.UTF_8);
		try (MemoryBudget.Lease lease = MemoryBudget.of("codec").lease()) {
			JSONRPCNotification notification = (JSONRPCNotification) this.codec.decode(json, 0, json.length, null,
					new Reading((method) -> false, lease, Secrets.NONE, (kind, detail) -> {
					}, true))
				.get(0);
			assertThat(notification.params()).isNull();
			assertThat(lease.held()).isEqualTo(json.length);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "id", "method" })
	void refusesLongIdsAndMethods(String member) {
		String json = "{\"jsonrpc\":\"2.0\",\"" + member + "\":\"" + "x".repeat(1025) + "\",\"params\":{}}";
		assertThatExceptionOfType(UnreadMessageException.class).isThrownBy(() -> decodeOne(json))
			.withMessageContaining("a " + member + " of more than 1024 characters");
	}

	@Test
	void doesNotQuoteWhatItRefuses() {
		assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> decodeOne("s3cr3t"))
			.satisfies((ex) -> assertThat(ex).asString().doesNotContain("s3cr3t"));
	}

	@Test
	void badElementOfBatchCostsItselfOnly() {
		List<JSONRPCMessage> messages = decode(this.codec,
				("[" + response("1") + ",17,{}," + response("2") + "]").getBytes(StandardCharsets.UTF_8));
		assertThat(messages).map((message) -> ((JSONRPCResponse) message).id()).containsExactly(1, 2);
	}

	@Test
	void writesOneLineAndReadsItBack() {
		JsonRpcCodec indenting = new JsonRpcCodec(
				JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build());
		byte[] json = indenting.encode(new JSONRPCRequest("2.0", "tools/call", "c1",
				CallToolRequest.builder("echo").arguments(Map.of("text", "a\nb")).build()));
		assertThat(new String(json, StandardCharsets.UTF_8)).doesNotContain("\n");
		JSONRPCRequest request = (JSONRPCRequest) decode(indenting, json).get(0);
		assertThat(request.id()).isEqualTo("c1");
		CallToolRequest params = indenting.unmarshal(request.params(), new TypeRef<>() {
		});
		assertThat(params.name()).isEqualTo("echo");
		assertThat(params.arguments()).containsEntry("text", "a\nb");
	}

	@Test
	void bindsTreeMapAndNull() {
		TypeRef<CallToolResult> type = new TypeRef<>() {
		};
		String json = "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}";
		assertThat(this.codec.unmarshal(this.mapper.readTree(json), type).content()).hasSize(1);
		assertThat(this.codec.unmarshal(this.mapper.readValue(json, Map.class), type).content()).hasSize(1);
		assertThat(this.codec.unmarshal(null, type)).isNull();
	}

	private static List<JSONRPCMessage> decode(JsonRpcCodec codec, byte[] json) {
		try (MemoryBudget.Lease lease = MemoryBudget.of("codec").lease()) {
			return codec.decode(json, 0, json.length, null,
					new Reading((method) -> true, lease, Secrets.NONE, (kind, detail) -> {
					}, true));
		}
	}

	private JSONRPCMessage decodeOne(String json) {
		List<JSONRPCMessage> messages = decode(this.codec, json.getBytes(StandardCharsets.UTF_8));
		assertThat(messages).hasSize(1);
		return messages.get(0);
	}

	private static String response(String id) {
		return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
	}

}
