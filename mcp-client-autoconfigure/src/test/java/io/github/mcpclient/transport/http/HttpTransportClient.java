package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.ProvidedHeaders;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/**
 * Drives a {@link HttpTransport} by hand.
 */
final class HttpTransportClient implements AutoCloseable {

	static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final HttpTransport transport;

	private final List<JSONRPCMessage> messages = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> termination;

	private HttpTransportClient(McpServerDefinition definition, McpHttpClients clients, Scheduler timer) {
		this(definition,
				HttpTransportFactory.streamable(clients, ProvidedHeaders.NONE, JsonMapper.builder().build(), timer));
	}

	private HttpTransportClient(McpServerDefinition definition, HttpTransportFactory factory) {
		this.transport = (HttpTransport) factory.create(definition);
		this.transport.connect((message) -> message.doOnNext(this.messages::add)).block(TIMEOUT);
		this.termination = this.transport.termination().toFuture();
	}

	static HttpTransportClient to(URI url) {
		return to(url, (builder) -> {
		});
	}

	static HttpTransportClient to(URI url, Consumer<McpServerDefinition.Builder> customizer) {
		return to(url, Schedulers.parallel(), customizer);
	}

	static HttpTransportClient to(URI url, Scheduler timer, Consumer<McpServerDefinition.Builder> customizer) {
		McpServerDefinition.Builder builder = McpServerDefinition.http("test", url);
		customizer.accept(builder);
		return new HttpTransportClient(builder.build(), new McpHttpClients(null, null, null, Map.of(), List.of()),
				timer);
	}

	/**
	 * A transport that asks for headers.
	 */
	static HttpTransportClient to(URI url, ProvidedHeaders headers) {
		McpHttpClients clients = new McpHttpClients(null, null, null, Map.of(), List.of());
		return new HttpTransportClient(McpServerDefinition.http("test", url).build(),
				HttpTransportFactory.streamable(clients, headers, JsonMapper.builder().build(), Schedulers.parallel()));
	}

	static HttpTransportClient to(McpServerDefinition definition, McpHttpClients clients) {
		return new HttpTransportClient(definition, clients, Schedulers.parallel());
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
		return this.transport.sendMessage(new JSONRPCRequest("2.0", method, id, Map.of("text", "h\u00e9llo")));
	}

	Mono<Void> notify(String method) {
		return this.transport.sendMessage(new JSONRPCNotification("2.0", method, null));
	}

	HttpTransportClient initialize() {
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
		return answer(id, this.messages);
	}

	static JSONRPCResponse answer(Object id, List<JSONRPCMessage> messages) {
		return messages.stream()
			.filter(JSONRPCResponse.class::isInstance)
			.map(JSONRPCResponse.class::cast)
			.filter((response) -> id.equals(response.id()))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No answer to " + id + " in " + messages));
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

	@Override
	public void close() {
		this.transport.closeGracefully().block(TIMEOUT);
	}

}
