package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.github.mcpclient.testsupport.Peers;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real HTTP server that does as it is told, and remembers what it was asked. Without a
 * script it is a well-behaved MCP server that gives out a session id, answers
 * {@code initialize} in JSON and has no stream of its own.
 */
final class ScriptedHttpServer implements AutoCloseable {

	static final String SESSION_ID = "session-1234567890";

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final Map<String, Script> scripts = new ConcurrentHashMap<>();

	private final List<Request> requests = new CopyOnWriteArrayList<>();

	private final Set<Channel> connections = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicInteger aborted = new AtomicInteger();

	private final DisposableServer server;

	private ScriptedHttpServer(UnaryOperator<HttpServer> customizer) {
		on("initialize", (request, response) -> json(response.header("Mcp-Session-Id", SESSION_ID), request, """
				{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
				"serverInfo": {"name": "scripted", "version": "1"}}"""));
		on("GET", (request, response) -> response.status(405).send());
		on("DELETE", (request, response) -> response.status(200).send());
		on("POST", (request, response) -> response.status(202).send());
		this.server = customizer.apply(HttpServer.create())
			.host("localhost")
			.port(Peers.freePort())
			.doOnConnection((connection) -> {
				// told for each request
				Channel channel = connection.channel();
				if (this.connections.add(channel)) {
					this.accepted.incrementAndGet();
					channel.closeFuture().addListener((future) -> this.connections.remove(channel));
				}
			})
			.handle(this::handle)
			.bindNow();
	}

	static ScriptedHttpServer start() {
		return new ScriptedHttpServer(UnaryOperator.identity());
	}

	static ScriptedHttpServer start(UnaryOperator<HttpServer> customizer) {
		return new ScriptedHttpServer(customizer);
	}

	private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		return request.receive().aggregate().asString().defaultIfEmpty("").flatMap((body) -> {
			Request received = new Request(request.method().name(), request.uri(), request.requestHeaders().copy(),
					body);
			this.requests.add(received);
			return Mono.from(script(received).handle(received, response));
		}).doOnCancel(this.aborted::incrementAndGet);
	}

	private Script script(Request request) {
		Script script = this.scripts.get(request.rpcMethod());
		return (script != null) ? script : this.scripts.get(request.method());
	}

	/**
	 * Set what to do.
	 * @param method an HTTP method, or, taking precedence, a JSON-RPC method
	 * @param script what to do
	 * @return this server
	 */
	ScriptedHttpServer on(String method, Script script) {
		this.scripts.put(method, script);
		return this;
	}

	URI url() {
		return url("/mcp");
	}

	URI url(String pathAndQuery) {
		return URI.create("http://localhost:" + port() + pathAndQuery);
	}

	int port() {
		return this.server.port();
	}

	List<Request> requests() {
		return this.requests;
	}

	List<Request> requests(String method) {
		return this.requests.stream()
			.filter((request) -> request.method().equals(method) || request.rpcMethod().equals(method))
			.toList();
	}

	/**
	 * Return the number of connections that are open.
	 */
	int connections() {
		return this.connections.size();
	}

	/**
	 * Return the number of connections that were ever opened.
	 */
	int accepted() {
		return this.accepted.get();
	}

	/**
	 * Return the number of exchanges that the client dropped.
	 */
	int aborted() {
		return this.aborted.get();
	}

	void closeConnections() {
		this.connections.forEach(Channel::close);
	}

	@Override
	public void close() {
		closeConnections();
		this.server.disposeNow(Duration.ofSeconds(30));
	}

	static Publisher<Void> json(HttpServerResponse response, Request request, String result) {
		return raw(response, "application/json", result(request, result));
	}

	static Publisher<Void> raw(HttpServerResponse response, String contentType, String body) {
		return response.header("Content-Type", contentType).sendString(Mono.just(body));
	}

	static Publisher<Void> sse(HttpServerResponse response, Publisher<String> pieces) {
		return response.sse().sendString(pieces);
	}

	static Publisher<Void> sse(HttpServerResponse response, String... pieces) {
		return sse(response, Flux.fromArray(pieces));
	}

	static String result(Request request, String result) {
		return "{\"jsonrpc\": \"2.0\", \"id\": " + request.id() + ", \"result\": " + result.replace('\n', ' ') + "}";
	}

	static String event(String data) {
		return "data: " + data + "\n\n";
	}

	static String event(String id, String data) {
		return "id: " + id + "\ndata: " + data + "\n\n";
	}

	/**
	 * What to do with a request.
	 */
	@FunctionalInterface
	interface Script {

		Publisher<Void> handle(Request request, HttpServerResponse response);

	}

	record Request(String method, String uri, HttpHeaders headers, String body) {

		String rpcMethod() {
			return json().path("method").asString("");
		}

		String id() {
			return json().path("id").toString();
		}

		JsonNode json() {
			return this.body.startsWith("{") ? mapper.readTree(this.body) : mapper.createObjectNode();
		}

		String header(String name) {
			return this.headers.get(name);
		}

	}

}
