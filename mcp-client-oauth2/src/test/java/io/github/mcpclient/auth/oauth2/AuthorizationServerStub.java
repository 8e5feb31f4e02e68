package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * An authorization server, and metadata of an MCP server, that answer as a test says.
 */
final class AuthorizationServerStub implements AutoCloseable {

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Map<String, Function<Request, Reply>> replies = new ConcurrentHashMap<>();

	final List<Request> requests = new CopyOnWriteArrayList<>();

	AuthorizationServerStub() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	/**
	 * Answer requests for a path.
	 */
	AuthorizationServerStub on(String path, Function<Request, Reply> reply) {
		this.replies.put(path, reply);
		return this;
	}

	AuthorizationServerStub on(String path, String json) {
		return on(path, (request) -> new Reply(200, json));
	}

	List<String> paths() {
		return this.requests.stream().map(Request::path).toList();
	}

	List<Request> requests(String path) {
		return this.requests.stream().filter((request) -> request.path.equals(path)).toList();
	}

	private void handle(HttpExchange exchange) throws IOException {
		String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
		Request request = new Request(exchange.getRequestURI().getPath(),
				exchange.getRequestHeaders().getFirst("Authorization"), body, exchange.getRequestHeaders());
		this.requests.add(request);
		Reply reply = this.replies.getOrDefault(request.path, (any) -> new Reply(404, "{}")).apply(request);
		byte[] bytes = reply.body.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		reply.headers.forEach(exchange.getResponseHeaders()::set);
		exchange.sendResponseHeaders(reply.status, bytes.length);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	record Request(String path, String authorization, String body, Headers headers) {

		Map<String, String> form() {
			return Stream.of(this.body.split("&"))
				.map((parameter) -> parameter.split("=", 2))
				.collect(Collectors.toMap((parts) -> parts[0],
						(parts) -> URLDecoder.decode(parts[1], StandardCharsets.UTF_8)));
		}

	}

	record Reply(int status, String body, Map<String, String> headers) {

		Reply(int status, String body) {
			this(status, body, Map.of());
		}

	}

}
