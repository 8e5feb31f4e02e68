package io.github.mcpclient.transport.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Limits;
import io.github.mcpclient.transport.ResultLimit;
import io.github.mcpclient.transport.ResultTooLargeException;
import io.github.mcpclient.transport.http.ScriptedHttpServer.Request;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what transports do with a result that is larger than it may be, though other
 * messages may be as large.
 */
@Timeout(180)
class LargeResultTests {

	private static final int LIMIT = 10_000;

	private static final int MAX_MESSAGE = 200_000;

	private static final String TOO_LARGE = "The server's result is larger than " + LIMIT + "B";

	private static final Consumer<McpServerDefinition.Builder> LIMITS = (builder) -> builder
		.limits(new Limits(DataSize.ofBytes(MAX_MESSAGE), DataSize.ofBytes(LIMIT), 1000, null));

	private final ScriptedHttpServer server = ScriptedHttpServer.start();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void resultInJsonIsNotReadToItsEnd() {
		// a body that never ends
		this.server.on("tools/call", (request, response) -> response.header("Content-Type", "application/json")
			.sendString(Flux.just(idFirst(request, LIMIT * 2)).concatWith(Mono.never()), StandardCharsets.UTF_8));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), LIMITS).initialize()) {
			assertThat(client.failure("1", "tools/call")).isInstanceOf(ResultTooLargeException.class)
				.hasMessage(TOO_LARGE);
			assertThat(client.termination()).isNotDone();
			Awaitility.await().until(() -> client.transport().pending() == 0);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void resultInAStreamIsNotReadToItsEnd(boolean idFirst) {
		this.server.on("tools/call",
				(request, response) -> ScriptedHttpServer.sse(response,
						Flux.just(ScriptedHttpServer.event(progress(20)),
								"data: " + (idFirst ? idFirst(request, LIMIT * 2) : idLast(LIMIT * 2)))
							.concatWith(Mono.never())));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), LIMITS).initialize()) {
			assertThat(client.failure("1", "tools/call")).isInstanceOf(ResultTooLargeException.class)
				.hasMessage(TOO_LARGE);
			assertThat(client.messages()).filteredOn(JSONRPCNotification.class::isInstance).hasSize(1);
			assertThat(client.termination()).isNotDone();
			Awaitility.await().until(() -> client.transport().pending() == 0);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "tools/call", "prompts/get", "resources/read", "completion/complete" })
	void resultOfTheLargestSizePasses(String method) {
		this.server.on(method, (request, response) -> ScriptedHttpServer.raw(response, "application/json",
				idFirst(request, LIMIT) + "}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), LIMITS).initialize()) {
			assertThat(client.call("1", method).error()).isNull();
			this.server.on(method, (request, response) -> ScriptedHttpServer.sse(response,
					ScriptedHttpServer.event(idFirst(request, LIMIT) + "}")));
			assertThat(client.call("2", method).error()).isNull();
			this.server.on(method, (request, response) -> ScriptedHttpServer.sse(response,
					ScriptedHttpServer.event(idFirst(request, LIMIT + ResultLimit.ENVELOPE) + "}")));
			assertThat(client.failure("3", method)).hasMessage(TOO_LARGE);
		}
	}

	@Test
	void otherMessagesMayBeLarger() {
		this.server.on("tools/list", (request, response) -> ScriptedHttpServer.raw(response, "application/json",
				idFirst(request, LIMIT * 3) + "}"));
		this.server.on("tools/call", (request, response) -> ScriptedHttpServer.sse(response,
				ScriptedHttpServer.event(progress(LIMIT * 3)), ScriptedHttpServer.event(idFirst(request, 100) + "}")));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), LIMITS).initialize()) {
			assertThat(client.call("1", "tools/list").error()).isNull();
			this.server.on("tools/list", (request, response) -> ScriptedHttpServer.sse(response,
					ScriptedHttpServer.event(idLast(LIMIT * 3) + ",\"id\":" + request.id() + "}")));
			assertThat(client.call("2", "tools/list").error()).isNull();
			assertThat(client.call("3", "tools/call").error()).isNull();
			assertThat(client.messages()).filteredOn(JSONRPCNotification.class::isInstance).hasSize(1);
		}
	}

	@Test
	void limitOfMessagesHoldsWhereItIsSmaller() {
		this.server.on("tools/call", (request, response) -> ScriptedHttpServer.raw(response, "application/json",
				idFirst(request, LIMIT * 2) + "}"));
		try (HttpTransportClient client = HttpTransportClient
			.to(this.server.url(),
					(builder) -> builder
						.limits(new Limits(DataSize.ofBytes(LIMIT), DataSize.ofBytes(MAX_MESSAGE), 1000, null)))
			.initialize()) {
			assertThat(client.failure("1", "tools/call"))
				.hasMessage("The server's message is larger than " + LIMIT + "B");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void resultInTheStreamOfTheOlderTransportEndsTheCallOnly(boolean idFirst) {
		try (ScriptedSseServer older = ScriptedSseServer.start();
				SseTransportClient client = SseTransportClient.to(older.url(), LIMITS).initialize()) {
			older.ignore("tools/list");
			older.on("tools/call", (request, response) -> {
				older.emit(ScriptedHttpServer.event(idFirst ? idFirst(request, LIMIT * 5) + "}"
						: idLast(LIMIT * 5) + ",\"jsonrpc\":\"2.0\",\"id\":" + request.id() + "}"));
				return response.status(202).send();
			});
			assertThat(client.failure("1", "tools/call")).isInstanceOf(ResultTooLargeException.class)
				.hasMessage(TOO_LARGE);
			// once more while something is under way whose answer may be larger
			client.send("2", "tools/list").subscribe();
			assertThat(client.failure("3", "tools/call")).hasMessage(TOO_LARGE);
			older.emit(ScriptedHttpServer.event(idLast(LIMIT * 5) + ",\"id\":\"2\"}"));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> client.messages()
					.stream()
					.anyMatch((message) -> message instanceof JSONRPCResponse response && "2".equals(response.id())));
			assertThat(client.call("4", "echo").error()).isNull();
			assertThat(client.termination()).isNotDone();
			assertThat(older.streams()).isEqualTo(1);
		}
	}

	@Test
	void messageThatIsTooLargeStillEndsTheOlderTransport() {
		try (ScriptedSseServer older = ScriptedSseServer.start();
				SseTransportClient client = SseTransportClient.to(older.url(), LIMITS).initialize()) {
			older.on("tools/call", (request, response) -> {
				older.emit("data: " + idFirst(request, MAX_MESSAGE * 2));
				return response.status(202).send();
			});
			client.send("1", "tools/call").subscribe(null, (ex) -> {
			});
			assertThat(client.death()).hasMessage("The server's message is larger than " + MAX_MESSAGE + "B");
		}
	}

	/**
	 * An answer with a result of the given size, but for the brace at its end.
	 */
	private static String idFirst(Request request, int size) {
		return "{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"result\":" + result(size);
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
