package io.github.mcpclient.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.spi.SupervisedTransport;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Drives a transport by hand, until the end of the test.
 */
public class TransportClient implements AutoCloseable {

	public static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final SupervisedTransport transport;

	private final List<JSONRPCMessage> messages = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> termination;

	private Consumer<JSONRPCMessage> listener = (message) -> {
	};

	private boolean connected;

	public TransportClient(McpTransportFactory factory, McpServerDefinition definition) {
		this.transport = (SupervisedTransport) factory.create(definition);
		this.termination = this.transport.termination().toFuture();
		TestDefaults.afterTest(this);
	}

	/**
	 * Before it is connected: have each message pass a listener first.
	 */
	public TransportClient listen(Consumer<JSONRPCMessage> listener) {
		this.listener = listener;
		return this;
	}

	public Mono<Void> connecting() {
		this.connected = true;
		return this.transport
			.connect((message) -> message.doOnNext((next) -> this.listener.accept(next)).doOnNext(this.messages::add));
	}

	public TransportClient connect() {
		connecting().block(TIMEOUT);
		return this;
	}

	public SupervisedTransport transport() {
		return this.transport;
	}

	public List<JSONRPCMessage> messages() {
		return this.messages;
	}

	public CompletableFuture<Void> termination() {
		return this.termination;
	}

	public Mono<Void> send(Object id, String method) {
		return send(new JSONRPCRequest("2.0", method, id, Map.of("text", "h\u00e9llo")));
	}

	public Mono<Void> notify(String method) {
		return send(new JSONRPCNotification("2.0", method, null));
	}

	/**
	 * Send a message as a session does, which says with each one what was negotiated.
	 */
	private Mono<Void> send(JSONRPCMessage message) {
		return this.transport.sendMessage(message)
			.contextWrite((context) -> this.messages.stream()
				.map((received) -> (received instanceof JSONRPCResponse response
						&& response.result() instanceof JsonNode result) ? result.path("protocolVersion").asString("")
								: "")
				.filter(this.transport.protocolVersions()::contains)
				.findFirst()
				.map((version) -> context.put(McpAsyncClient.NEGOTIATED_PROTOCOL_VERSION, version))
				.orElse(context));
	}

	public TransportClient initialize() {
		if (!this.connected) {
			connect();
		}
		send("init", "initialize").block(TIMEOUT);
		notify("notifications/initialized").block(TIMEOUT);
		return this;
	}

	/**
	 * Send a request and return its answer.
	 */
	public JSONRPCResponse call(Object id, String method) {
		send(id, method).block(TIMEOUT);
		return answer(id);
	}

	public JSONRPCResponse answer(Object id) {
		return this.messages.stream()
			.filter(JSONRPCResponse.class::isInstance)
			.map(JSONRPCResponse.class::cast)
			.filter((response) -> id.equals(response.id()))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No answer to " + id + " in " + this.messages));
	}

	/**
	 * Send a request that fails, and return why.
	 */
	public Throwable failure(Object id, String method) {
		return failure(send(id, method));
	}

	public static Throwable failure(Mono<Void> sent) {
		Throwable[] failure = new Throwable[1];
		sent.onErrorResume((ex) -> {
			failure[0] = ex;
			return Mono.empty();
		}).block(TIMEOUT);
		if (failure[0] == null) {
			throw new AssertionError("It did not fail");
		}
		return failure[0];
	}

	/**
	 * Wait until the transport has died, and return why.
	 */
	public Throwable death() {
		Awaitility.await().until(this.termination::isCompletedExceptionally);
		return this.termination.handle((nothing, cause) -> cause).join();
	}

	@Override
	public void close() {
		this.transport.closeGracefully().block(TIMEOUT);
	}

}
