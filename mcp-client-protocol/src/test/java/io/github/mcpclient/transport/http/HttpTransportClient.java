package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.testsupport.TestDefaults;
import io.github.mcpclient.transport.HeaderSources;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Drives a {@link HttpTransport} by hand, until the end of the test.
 */
final class HttpTransportClient implements AutoCloseable {

	static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final HttpTransport transport;

	private final List<JSONRPCMessage> messages = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> termination;

	private Consumer<JSONRPCMessage> listener = (message) -> {
	};

	private boolean connected;

	private HttpTransportClient(McpTransportFactory factory, McpServerDefinition definition) {
		this.transport = (HttpTransport) factory.create(definition);
		this.termination = this.transport.termination().toFuture();
		TestDefaults.afterTest(this);
	}

	static HttpTransportClient to(String url) {
		return to(url, scheduler());
	}

	static HttpTransportClient to(String url, ClientScheduler timer) {
		return to(url, timer, (builder) -> {
		});
	}

	static HttpTransportClient to(String url, Consumer<McpServerDefinitionBuilder> customizer) {
		return to(url, scheduler(), customizer);
	}

	static HttpTransportClient to(String url, ClientScheduler timer, Consumer<McpServerDefinitionBuilder> customizer) {
		McpServerDefinitionBuilder builder = McpServerDefinition.http("test", URI.create(url));
		customizer.accept(builder);
		return streamable(builder, clients(), HeaderSources.NONE, timer).connect();
	}

	/**
	 * A transport that asks for headers.
	 */
	static HttpTransportClient to(String url, HeaderSources headers) {
		return streamable(McpServerDefinition.http("test", URI.create(url)), clients(), headers, scheduler()).connect();
	}

	static HttpTransportClient to(McpServerDefinitionBuilder definition, McpHttpClients clients) {
		return streamable(definition, clients, HeaderSources.NONE, scheduler()).connect();
	}

	static HttpTransportClient unconnected(String url) {
		return streamable(McpServerDefinition.http("test", URI.create(url)), clients(), HeaderSources.NONE,
				scheduler());
	}

	/**
	 * A transport whose type is inferred, not connected yet.
	 */
	static HttpTransportClient inferred(String url) {
		return streamable(McpServerDefinition.http("test", URI.create(url)).typeInferred(true), clients(),
				HeaderSources.NONE, scheduler());
	}

	static HttpTransportClient unconnected(McpServerDefinitionBuilder definition, McpHttpClients clients) {
		return streamable(definition, clients, HeaderSources.NONE, scheduler());
	}

	private static HttpTransportClient streamable(McpServerDefinitionBuilder definition, McpHttpClients clients,
			HeaderSources headers, ClientScheduler timer) {
		return new HttpTransportClient(
				HttpTransportFactory.streamable(clients, headers, JsonMapper.builder().build(), timer),
				definition.build());
	}

	static HttpTransportClient sse(String url) {
		return sse(url, (builder) -> {
		});
	}

	static HttpTransportClient sse(String url, ClientScheduler timer) {
		return sse(url, HeaderSources.NONE, timer, (builder) -> {
		});
	}

	static HttpTransportClient sse(String url, Consumer<McpServerDefinitionBuilder> customizer) {
		return sse(url, HeaderSources.NONE, scheduler(), customizer);
	}

	static HttpTransportClient sse(String url, HeaderSources headers) {
		return sse(url, headers, scheduler(), (builder) -> {
		});
	}

	/**
	 * A transport of type {@code sse}, not connected yet.
	 */
	private static HttpTransportClient sse(String url, HeaderSources headers, ClientScheduler timer,
			Consumer<McpServerDefinitionBuilder> customizer) {
		McpServerDefinitionBuilder builder = McpServerDefinition.of("test", McpServerDefinition.SSE)
			.url(URI.create(url));
		customizer.accept(builder);
		return new HttpTransportClient(
				HttpTransportFactory.sse(clients(), headers, JsonMapper.builder().build(), timer), builder.build());
	}

	private static ClientScheduler scheduler() {
		ClientScheduler scheduler = ClientScheduler.create();
		// after the client
		TestDefaults.afterTest(scheduler::dispose);
		return scheduler;
	}

	private static McpHttpClients clients() {
		return new McpHttpClients(McpHttpClientFactory.simple(), List.of());
	}

	/**
	 * Before it is connected: have each message pass a listener first.
	 */
	HttpTransportClient listen(Consumer<JSONRPCMessage> listener) {
		this.listener = listener;
		return this;
	}

	Mono<Void> connecting() {
		this.connected = true;
		return this.transport
			.connect((message) -> message.doOnNext((next) -> this.listener.accept(next)).doOnNext(this.messages::add));
	}

	HttpTransportClient connect() {
		connecting().block(TIMEOUT);
		return this;
	}

	HttpTransport transport() {
		return this.transport;
	}

	List<JSONRPCMessage> messages() {
		return this.messages;
	}

	CompletableFuture<Void> termination() {
		return this.termination;
	}

	Mono<Void> send(Object id, String method) {
		return send(new JSONRPCRequest("2.0", method, id, Map.of("text", "h\u00e9llo")));
	}

	Mono<Void> notify(String method) {
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

	HttpTransportClient initialize() {
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
	JSONRPCResponse call(Object id, String method) {
		send(id, method).block(TIMEOUT);
		return answer(id);
	}

	JSONRPCResponse answer(Object id) {
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
	Throwable failure(Object id, String method) {
		return failure(send(id, method));
	}

	static Throwable failure(Mono<Void> sent) {
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
	Throwable death() {
		Awaitility.await().until(this.termination::isCompletedExceptionally);
		return this.termination.handle((nothing, cause) -> cause).join();
	}

	@Override
	public void close() {
		this.transport.closeGracefully().block(TIMEOUT);
	}

}
