package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.Unchecked;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for where large messages are dealt with: not on the event loop, which is that of
 * many servers, and yet in order. There is one event loop here.
 */
class LargeMessageTests {

	private static final int LARGE = 100_000;

	private static final LoopResources LOOP = LoopResources.create("the-loop", 1, true);

	private static final McpHttpClients CLIENTS = new McpHttpClients(
			(definition, connections) -> McpHttpClientFactory.simple().create(definition, connections).runOn(LOOP),
			List.of());

	private final McpTestServer server = McpTestServer.create().on("echo", McpTestReply.result("{}")).start();

	private final Gate gate = new Gate();

	@ParameterizedTest
	@ValueSource(strings = { "json", "events", "other stream" })
	void dealingWithALargeAnswerDoesNotHoldUpTheEventLoop(String where) {
		McpTestReply large = McpTestReply.result("{\"text\":\"" + "x".repeat(LARGE) + "\"}");
		this.server.on("tools/list", switch (where) {
			case "json" -> large;
			case "events" -> large.asEvents();
			default -> large.onListeningStream();
		});
		HttpTransportClient other = client("other").initialize();
		HttpTransportClient client = client("large").listen(this.gate).initialize();
		awaitListening();
		client.send("1", "tools/list").subscribe();
		this.gate.awaitLarge();
		assertThat(other.call("2", "echo").error()).isNull();
		this.gate.open();
		Awaitility.await().untilAsserted(() -> assertThat(client.answer("1").error()).isNull());
		assertThat(client.call("3", "echo").error()).isNull();
		Awaitility.await().until(() -> client.transport().pending() == 0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatComesAfterALargeMessageWaitsForIt(boolean ends) {
		McpTestReply reply = McpTestReply.result("{}")
			.precededBy(message(1, 10), message(2, LARGE), message(3, 10), message(4, LARGE), message(5, 10));
		this.server.on("tools/call", ends ? reply : reply.thenHang());
		HttpTransportClient client = client("large").listen(this.gate).initialize();
		client.send("1", "tools/call").subscribe();
		this.gate.awaitLarge();
		assertThat(numbers(client)).containsExactly(1);
		assertThat(client.termination()).isNotDone();
		this.gate.open();
		Awaitility.await().untilAsserted(() -> assertThat(client.answer("1").error()).isNull());
		assertThat(numbers(client)).containsExactly(1, 2, 3, 4, 5);
		assertThat(client.messages().get(client.messages().size() - 1)).isInstanceOf(JSONRPCResponse.class);
		assertThat(client.call("2", "echo").error()).isNull();
		Awaitility.await().until(() -> client.transport().pending() == 0);
	}

	@Test
	void endOfTheOlderStreamWaitsForALargeMessage() {
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl()).listen(this.gate).initialize();
		this.server.sendToClients(message(1, LARGE));
		this.gate.awaitLarge();
		this.server.stop();
		assertThat(client.termination()).isNotDone();
		this.gate.open();
		assertThat(client.death()).hasMessageContaining("event stream");
		assertThat(numbers(client)).containsExactly(1);
	}

	@Test
	void nothingMoreIsReadMeanwhile() {
		int count = 40;
		AtomicInteger written = new AtomicInteger();
		RawHttpServer server = RawHttpServer.start((connection) -> {
			for (String request = connection.read(); !request.contains("tools/call"); request = connection.read()) {
				if (request.contains("\"initialize\"")) {
					connection.answer("200 OK", "Content-Type: application/json\r\n",
							"{\"jsonrpc\":\"2.0\",\"id\":\"init\",\"result\":{}}");
				}
				else {
					connection.answer(request.startsWith("GET") ? "405 Method Not Allowed" : "202 Accepted", "", "");
				}
			}
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
			for (int i = 0; i < count; i++) {
				connection.write("data: " + message(i, 1_000_000) + "\n\n");
				written.incrementAndGet();
			}
			connection.write("data: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}\n\n");
		});
		HttpTransportClient client = HttpTransportClient
			.unconnected(McpServerDefinition.http("large", URI.create(server.url())), CLIENTS)
			.listen(this.gate)
			.initialize();
		client.send("1", "tools/call").subscribe();
		this.gate.awaitLarge();
		// there is room for some of it in the buffers of the sockets
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> written.get() < count);
		this.gate.open();
		Awaitility.await().untilAsserted(() -> assertThat(client.answer("1").error()).isNull());
		assertThat(numbers(client)).containsExactlyElementsOf(IntStream.range(0, count).boxed().toList());
	}

	private HttpTransportClient client(String name) {
		return HttpTransportClient.unconnected(McpServerDefinition.http(name, URI.create(this.server.url())), CLIENTS);
	}

	private void awaitListening() {
		Awaitility.await().until(() -> this.server.requests("GET").size() == 2);
	}

	private static String message(int number, int size) {
		return McpTestReply.notification("notifications/message", Map.of("data", "x".repeat(size), "number", number));
	}

	private static List<Integer> numbers(HttpTransportClient client) {
		List<Integer> numbers = new ArrayList<>();
		for (JSONRPCMessage message : client.messages()) {
			if (message instanceof JSONRPCNotification notification) {
				numbers.add(((JsonNode) notification.params()).path("number").asInt());
			}
		}
		return numbers;
	}

	/**
	 * Lets large messages pass once it is open.
	 */
	private static final class Gate implements Consumer<JSONRPCMessage> {

		private final CountDownLatch arrived = new CountDownLatch(1);

		private final CountDownLatch open = new CountDownLatch(1);

		@Override
		public void accept(JSONRPCMessage message) {
			if (message.toString().length() >= LARGE) {
				this.arrived.countDown();
				assertThat(Unchecked.get(() -> this.open.await(40, TimeUnit.SECONDS))).isTrue();
			}
		}

		void awaitLarge() {
			assertThat(Unchecked.get(() -> this.arrived.await(30, TimeUnit.SECONDS))).isTrue();
		}

		void open() {
			this.open.countDown();
		}

	}

}
