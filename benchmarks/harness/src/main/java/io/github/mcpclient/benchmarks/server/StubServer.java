package io.github.mcpclient.benchmarks.server;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import io.github.mcpclient.benchmarks.Result;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.ssl.SslContextBuilder;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.WebsocketServerSpec;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * MCP servers over streamable HTTP, each on a port of its own, which do as little as they
 * can: what is measured is the client. They answer in plain JSON.
 */
public final class StubServer {

	/**
	 * The number of tools that each server offers.
	 */
	public static final int TOOLS = 7;

	/**
	 * The session id that all clients get.
	 */
	public static final String SESSION_ID = "session-1";

	/**
	 * The beginning of a message whose answer is so many characters longer, as the rest
	 * of it says.
	 */
	public static final String LARGE = "large-";

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final List<Map<String, Object>> TOOL_LIST = tools();

	private final Duration delay;

	private final boolean stream;

	private StubServer(Duration delay, boolean stream) {
		this.delay = delay;
		this.stream = stream;
	}

	/**
	 * Serve until standard input ends.
	 * @param args the number of servers, the delay before each answer in milliseconds,
	 * and whether to offer a stream to listen to; and a certificate and its key, where
	 * the first server is to listen with TLS, too
	 * @throws IOException if standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		StubServer server = new StubServer(Duration.ofMillis(Long.parseLong(args[1])), Boolean.parseBoolean(args[2]));
		StringJoiner urls = new StringJoiner(",");
		for (int i = 0; i < Integer.parseInt(args[0]); i++) {
			urls.add("http://127.0.0.1:" + server.listen(HttpServer.create()) + "/mcp");
		}
		if (args.length == 5) {
			urls.add("https://localhost:" + server.listen(secure(new File(args[3]), new File(args[4]))) + "/mcp");
		}
		Result.of("urls", urls).print();
		while (System.in.read() != -1) {
			// Only its end matters, which comes even if the parent is killed
		}
		Runtime.getRuntime().halt(0);
	}

	private static HttpServer secure(File certificate, File key) {
		GenericSslContextSpec<SslContextBuilder> context = Http2SslContextSpec.forServer(certificate, key);
		return HttpServer.create()
			.protocol(HttpProtocol.HTTP11, HttpProtocol.H2)
			.secure((spec) -> spec.sslContext(context));
	}

	private int listen(HttpServer http) {
		return http.host("127.0.0.1")
			.port(0)
			.route((routes) -> routes.post("/mcp", this::post)
				.post("/stateless", this::post)
				.get("/mcp", this::get)
				.delete("/mcp", (request, response) -> response.status(200).send()))
			.bindNow()
			.port();
	}

	private Publisher<Void> get(HttpServerRequest request, HttpServerResponse response) {
		// a route for WebSocket answers 404 to every other GET, which ends a session
		if (request.requestHeaders().contains("Upgrade")) {
			return response.sendWebsocket(this::webSocket, WebsocketServerSpec.builder().protocols("mcp").build());
		}
		if (!this.stream) {
			return response.status(405).send();
		}
		return response.sse().sendString(Flux.concat(Mono.just(": open\n\n"), Flux.never()));
	}

	private Publisher<Void> post(HttpServerRequest request, HttpServerResponse response) {
		return request.receive().aggregate().asString(StandardCharsets.UTF_8).flatMap((body) -> {
			JsonNode message = JSON.readTree(body);
			JsonNode id = message.get("id");
			if (id == null) {
				return response.status(202).send().then();
			}
			if (message.path("method").asString("").equals("initialize")) {
				response.header("Mcp-Session-Id", SESSION_ID);
			}
			boolean stateless = request.uri().endsWith("/stateless");
			if (!stateless && message.path("method").asString("").equals("server/discover")) {
				return response.status(404).send().then();
			}
			Mono<String> content = Mono.just(answer(message, id));
			if (!this.delay.isZero()) {
				content = content.delayElement(this.delay);
			}
			return response.header("Content-Type", "application/json").sendString(content).then();
		});
	}

	private Publisher<Void> webSocket(WebsocketInbound in, WebsocketOutbound out) {
		Flux<WebSocketFrame> answers = in.receive()
			.asString(StandardCharsets.UTF_8)
			.map(JSON::readTree)
			.filter((message) -> message.has("id"))
			.map((message) -> new TextWebSocketFrame(answer(message, message.get("id"))));
		return out.sendObject(answers, (answer) -> true);
	}

	static String answer(JsonNode message, JsonNode id) {
		return JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", id, "result",
				answer(message.path("method").asString(""), message.path("params"))));
	}

	private static Map<String, Object> answer(String method, JsonNode params) {
		return switch (method) {
			case "initialize" -> Map.of("protocolVersion", params.path("protocolVersion").asString(""), "capabilities",
					Map.of("tools", Map.of("listChanged", false)), "serverInfo",
					Map.of("name", "stub", "version", "1"));
			case "server/discover" -> Map.of("resultType", "complete", "supportedVersions", List.of("2026-07-28"),
					"capabilities", Map.of("tools", Map.of()));
			case "tools/list" -> Map.of("tools", TOOL_LIST);
			case "tools/call" -> Map.of("content", List
				.of(Map.of("type", "text", "text", echo(params.path("arguments").path("message").asString("")))),
					"isError", false);
			default -> Map.of();
		};
	}

	private static String echo(String message) {
		String padding = message.startsWith(LARGE) ? "x".repeat(Integer.parseInt(message.substring(LARGE.length())))
				: "";
		return padding + "echo " + message;
	}

	private static List<Map<String, Object>> tools() {
		List<Map<String, Object>> tools = new ArrayList<>();
		tools.add(tool("echo"));
		while (tools.size() < TOOLS) {
			tools.add(tool("tool_" + tools.size()));
		}
		return List.copyOf(tools);
	}

	private static Map<String, Object> tool(String name) {
		return Map.of("name", name, "description", "The tool " + name, "inputSchema",
				Map.of("type", "object", "properties",
						Map.of("message", Map.of("type", "string"), "count", Map.of("type", "integer"))),
				"annotations", Map.of("readOnlyHint", true));
	}

}
