package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.McpTransportFactory;
import io.github.mcpclient.transport.ProvidedHeaders;
import io.github.mcpclient.transport.SupervisedTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/**
 * Drives a transport that may use server-sent events by hand, from its making on.
 */
final class SseTransportClient implements AutoCloseable {

	static final Duration TIMEOUT = HttpTransportClient.TIMEOUT;

	private final SupervisedTransport transport;

	private final List<JSONRPCMessage> messages = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> termination;

	private SseTransportClient(McpTransportFactory factory, McpServerDefinition definition) {
		this.transport = (SupervisedTransport) factory.create(definition);
		this.termination = this.transport.termination().toFuture();
	}

	/**
	 * A transport of type {@code sse}, not connected yet.
	 */
	static SseTransportClient to(URI url, Consumer<McpServerDefinition.Builder> customizer) {
		McpServerDefinition.Builder builder = McpServerDefinition.of("test", McpServerDefinition.SSE).url(url);
		customizer.accept(builder);
		return new SseTransportClient(
				HttpTransportFactory.sse(clients(), ProvidedHeaders.NONE, mapper(), Schedulers.parallel()),
				builder.build());
	}

	static SseTransportClient to(URI url) {
		return to(url, (builder) -> {
		});
	}

	/**
	 * A transport of type {@code sse} that asks for headers.
	 */
	static SseTransportClient to(URI url, ProvidedHeaders headers) {
		return new SseTransportClient(HttpTransportFactory.sse(clients(), headers, mapper(), Schedulers.parallel()),
				McpServerDefinition.of("test", McpServerDefinition.SSE).url(url).build());
	}

	/**
	 * A transport for a url of which nothing else is known.
	 */
	static SseTransportClient inferred(URI url) {
		return new SseTransportClient(
				HttpTransportFactory.streamable(clients(), ProvidedHeaders.NONE, mapper(), Schedulers.parallel()),
				McpServerDefinition.http("test", url).typeInferred(true).build());
	}

	private static McpHttpClients clients() {
		return new McpHttpClients(null, null, null, Map.of(), List.of());
	}

	private static JsonMapper mapper() {
		return JsonMapper.builder().build();
	}

	SupervisedTransport transport() {
		return this.transport;
	}

	List<JSONRPCMessage> messages() {
		return this.messages;
	}

	CompletableFuture<Void> termination() {
		return this.termination;
	}

	Mono<Void> connecting() {
		return this.transport.connect((message) -> message.doOnNext(this.messages::add));
	}

	SseTransportClient connect() {
		connecting().block(TIMEOUT);
		return this;
	}

	SseTransportClient initialize() {
		connect();
		send("init", "initialize").block(TIMEOUT);
		notify("notifications/initialized").block(TIMEOUT);
		return this;
	}

	Mono<Void> send(Object id, String method) {
		return this.transport.sendMessage(new JSONRPCRequest("2.0", method, id, Map.of("text", "h\u00e9llo")));
	}

	Mono<Void> notify(String method) {
		return this.transport.sendMessage(new JSONRPCNotification("2.0", method, null));
	}

	/**
	 * Send a request and return its answer.
	 */
	JSONRPCResponse call(Object id, String method) {
		send(id, method).block(TIMEOUT);
		return answer(id);
	}

	JSONRPCResponse answer(Object id) {
		return HttpTransportClient.answer(id, this.messages);
	}

	Throwable failure(Object id, String method) {
		return HttpTransportClient.failure(send(id, method));
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
