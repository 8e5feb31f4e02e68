package io.github.mcpclient.smoke;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An MCP server over streamable HTTP with one tool, {@code add}.
 */
final class StubServer implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	// not the global ones, which a context that closes disposes of
	private final LoopResources loops = LoopResources.create("stub-server", 1, true);

	private final List<String> users = new CopyOnWriteArrayList<>();

	private final DisposableServer server;

	StubServer() {
		this(0);
	}

	StubServer(int port) {
		this.server = HttpServer.create()
			.host("localhost")
			.port(port)
			.runOn(this.loops)
			.route((routes) -> routes.post("/mcp", this::post)
				.get("/mcp", (request, response) -> response.status(405).send())
				.delete("/mcp", (request, response) -> response.status(200).send()))
			.bindNow();
	}

	String url() {
		return "http://localhost:" + this.server.port() + "/mcp";
	}

	/**
	 * The users who called the tool, as the header {@code X-User} says.
	 */
	List<String> users() {
		return this.users;
	}

	private Publisher<Void> post(HttpServerRequest request, HttpServerResponse response) {
		return request.receive().aggregate().asString().flatMap((body) -> {
			JsonNode message = JSON.readTree(body);
			if (message.path("method").asString("").equals("tools/call")) {
				this.users.add(request.requestHeaders().get("X-User", "nobody"));
			}
			if (!message.has("id")) {
				return Mono.from(response.status(202).send());
			}
			Map<String, Object> answer = Map.of("jsonrpc", "2.0", "id", message.get("id"), "result", result(message));
			return response.header("Content-Type", "application/json")
				.sendString(Mono.just(JSON.writeValueAsString(answer)))
				.then();
		});
	}

	private static Map<String, Object> result(JsonNode message) {
		return switch (message.path("method").asString()) {
			case "initialize" -> Map.of("protocolVersion", "2025-11-25", "capabilities", Map.of("tools", Map.of()),
					"serverInfo", Map.of("name", "stub", "version", "1"));
			case "tools/list" -> Map.of("tools", List.of(Map.of("name", "add", "inputSchema", Map.of("type", "object"),
					"outputSchema", Map.of("type", "object"), "annotations", Map.of("readOnlyHint", true))));
			case "tools/call" -> sum(message.path("params").path("arguments"));
			default -> Map.of();
		};
	}

	private static Map<String, Object> sum(JsonNode arguments) {
		int sum = arguments.path("a").asInt() + arguments.path("b").asInt();
		return Map.of("content", List.of(Map.of("type", "text", "text", String.valueOf(sum))), "structuredContent",
				Map.of("sum", sum), "isError", false);
	}

	@Override
	public void close() {
		this.server.disposeNow(Duration.ofSeconds(30));
		this.loops.dispose();
	}

}
