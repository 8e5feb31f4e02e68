package io.github.mcpclient.internal.transport.http;

import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.transport.ResultLimit;
import io.github.mcpclient.internal.transport.ResultLimit.ExceededException;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what transports do with a result that is larger than it may be, though other
 * messages may be as large.
 */
class LargeResultTests {

	private static final int LIMIT = 10_000;

	private static final int MAX_MESSAGE = 200_000;

	private static final String TOO_LARGE = "The server's result is larger than " + LIMIT + "B";

	private static final Consumer<McpServerDefinitionBuilder> LIMITS = (
			builder) -> builder.maxMessageSize(DataSize.ofBytes(MAX_MESSAGE)).maxResultSize(DataSize.ofBytes(LIMIT));

	private final McpTestServer server = McpTestServer.create()
		.on("echo", McpTestReply.result("{}"))
		.on("tools/list", McpTestReply.result(result(LIMIT * 3)))
		.start();

	@Test
	void resultInJsonIsNotReadToItsEnd() {
		this.server.on("tools/call", McpTestReply.raw(idFirst(LIMIT * 2)).thenHang());
		assertTooLarge(HttpTransportClient.to(this.server.url(), LIMITS).initialize(), "tools/call");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void resultInAStreamIsNotReadToItsEnd(boolean idFirst) {
		this.server.on("tools/call",
				McpTestReply
					.events("data: " + progress(20) + "\n\n",
							"data: " + (idFirst ? idFirst(LIMIT * 2) : idLast(LIMIT * 2)))
					.thenHang());
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), LIMITS).initialize();
		assertTooLarge(client, "tools/call");
		assertThat(client.messages()).filteredOn(JSONRPCNotification.class::isInstance).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "tools/call", "prompts/get", "resources/read", "completion/complete" })
	void resultOfTheLargestSizePasses(String method) {
		this.server.onNext(method, McpTestReply.result(result(LIMIT)), McpTestReply.result(result(LIMIT)).asEvents(),
				McpTestReply.result(result(LIMIT + ResultLimit.ENVELOPE)).asEvents());
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), LIMITS).initialize();
		assertThat(client.call("2", method).error()).isNull();
		assertThat(client.call("3", method).error()).isNull();
		assertTooLarge(client, method);
	}

	@Test
	void otherMessagesMayBeLarger() {
		this.server.on("tools/call", McpTestReply.result(result(100)).precededBy(progress(LIMIT * 3)));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), LIMITS).initialize();
		assertThat(client.call("1", "tools/list").error()).isNull();
		this.server.on("tools/list", McpTestReply.raw(idLast(LIMIT * 3) + ",\"id\":\"2\"}").asEvents());
		assertThat(client.call("2", "tools/list").error()).isNull();
		assertThat(client.call("3", "tools/call").error()).isNull();
		assertThat(client.messages()).filteredOn(JSONRPCNotification.class::isInstance).hasSize(1);
	}

	@Test
	void limitOfMessagesHoldsWhereItIsSmaller() {
		this.server.on("tools/call", McpTestReply.result(result(LIMIT * 2)));
		HttpTransportClient client = HttpTransportClient
			.to(this.server.url(),
					(builder) -> builder.maxMessageSize(DataSize.ofBytes(LIMIT))
						.maxResultSize(DataSize.ofBytes(MAX_MESSAGE)))
			.initialize();
		assertThat(client.failure("1", "tools/call")).hasMessage("The server's message is larger than " + LIMIT + "B");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void resultInTheStreamOfTheOlderTransportEndsTheCallOnly(boolean idFirst) {
		this.server.on("tools/list", McpTestReply.never())
			.on("tools/call", (request) -> idFirst ? McpTestReply.result(result(LIMIT * 5))
					: McpTestReply.raw(idLast(LIMIT * 5) + ",\"jsonrpc\":\"2.0\",\"id\":" + request.id() + "}"));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(), LIMITS).initialize();
		assertTooLarge(client, "tools/call");
		// once more while something is under way whose answer may be larger
		client.send("2", "tools/list").subscribe();
		assertThat(client.failure("3", "tools/call")).hasMessage(TOO_LARGE);
		this.server.sendToClients(idLast(LIMIT * 5) + ",\"id\":\"2\"}");
		Awaitility.await().untilAsserted(() -> client.answer("2"));
		assertThat(client.call("4", "echo").error()).isNull();
		assertThat(client.termination()).isNotDone();
		assertThat(this.server.requests("GET")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "json", "events", "older" })
	void answerBeyondABoundEndsTheCallOnly(String how) {
		McpTestReply deep = McpTestReply.result("[".repeat(600) + "]".repeat(600));
		this.server.on("tools/call", how.equals("events") ? deep.asEvents() : deep);
		HttpTransportClient client = (how.equals("older") ? HttpTransportClient.sse(this.server.sseUrl(), LIMITS)
				: HttpTransportClient.to(this.server.url(), LIMITS))
			.initialize();
		assertThat(client.failure("1", "tools/call")).isInstanceOf(UnreadMessageException.class)
			.hasMessage("The server's message is not read, since it has nesting that is too deep, or a name or a"
					+ " number that is too long");
		assertThat(client.call("2", "echo").error()).isNull();
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void messageThatIsTooLargeStillEndsTheOlderTransport() {
		this.server.on("tools/call", McpTestReply.result(result(MAX_MESSAGE * 2)));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(), LIMITS).initialize();
		client.send("1", "tools/call").subscribe(null, (ex) -> {
		});
		assertThat(client.death()).hasMessage("The server's message is larger than " + MAX_MESSAGE + "B");
	}

	private static void assertTooLarge(HttpTransportClient client, String method) {
		assertThat(client.failure("1", method)).isInstanceOf(ExceededException.class).hasMessage(TOO_LARGE);
		assertThat(client.termination()).isNotDone();
		Awaitility.await().until(() -> client.transport().pending() == 0);
	}

	/**
	 * An answer to the request 1 with a result of the given size, up to the end of that.
	 */
	private static String idFirst(int size) {
		return "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":" + result(size);
	}

	/**
	 * An answer with a result of the given size, up to the end of that.
	 */
	private static String idLast(int size) {
		return "{\"result\":" + result(size);
	}

	private static String result(int size) {
		return "{\"text\":\"" + "x".repeat(size - 11) + "\"}";
	}

	private static String progress(int size) {
		return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"message\":\""
				+ "x".repeat(size) + "\"}}";
	}

}
