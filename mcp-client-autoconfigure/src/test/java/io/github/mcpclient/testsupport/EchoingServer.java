package io.github.mcpclient.testsupport;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.netty.buffer.Unpooled;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server that repeats what it was sent, headers, url and body, wherever it can: in the
 * bodies of errors, in messages, in log notifications. What it does depends on the path:
 * {@code /<status>} is that status, {@code /html} a web page, {@code /redirect} leads
 * away, {@code /error} is a JSON-RPC error, {@code /garbage} no JSON, and {@code /mcp} an
 * MCP server with a tool for each of these.
 */
public final class EchoingServer implements AutoCloseable {

	/**
	 * The tools at {@code /mcp}, of which each fails.
	 */
	public static final List<String> TOOLS = List.of("401", "403", "500", "html", "redirect", "error", "garbage", "sse",
			"isError");

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final LoopResources loops = LoopResources.create("echoing-server", 1, true);

	private final DisposableServer server = HttpServer.create()
		.host("127.0.0.1")
		.port(Peers.freePort())
		.runOn(this.loops)
		.handle(this::handle)
		.bindNow();

	public int port() {
		return this.server.port();
	}

	@Override
	public void close() {
		this.server.disposeNow();
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
	}

	private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		return request.receive().aggregate().asString().defaultIfEmpty("").flatMap((body) -> {
			String echo = request.uri() + " " + request.requestHeaders() + " " + body;
			String path = request.path();
			if (!path.equals("mcp")) {
				return Mono.from(fail(path, body, echo, response));
			}
			Publisher<Void> answer = switch (request.method().name()) {
				case "POST" -> answer(body, echo, response);
				case "GET" -> response.sse()
					.send(Flux.just(Unpooled.copiedBuffer(log(echo), StandardCharsets.UTF_8)).concatWith(Flux.never()),
							(text) -> true);
				default -> response.status(500).sendString(Mono.just(echo));
			};
			return Mono.from(answer);
		});
	}

	private Publisher<Void> answer(String body, String echo, HttpServerResponse response) {
		JsonNode message = JSON.readTree(body);
		if (message.get("id") == null) {
			return response.status(202).send();
		}
		return switch (message.path("method").asString("")) {
			case "initialize" -> result(message,
					Map.of("protocolVersion", "2025-11-25", "capabilities",
							Map.of("tools", Map.of(), "logging", Map.of()), "serverInfo",
							Map.of("name", "echo", "version", "1")),
					response.header("Mcp-Session-Id", "session"));
			case "tools/list" -> result(message,
					Map.of("tools",
							TOOLS.stream()
								.map((name) -> Map.of("name", name, "inputSchema", Map.of("type", "object")))
								.toList()),
					response);
			case "tools/call" -> fail(message.path("params").path("name").asString(), body, echo, response);
			default -> result(message, Map.of(), response);
		};
	}

	private Publisher<Void> fail(String how, String body, String echo, HttpServerResponse response) {
		return switch (how) {
			case "html" -> response.header("Content-Type", "text/html").sendString(Mono.just("<p>" + echo));
			case "redirect" -> response.status(302)
				.header("Location", "http://user:" + "s3cr3t-location@elsewhere.example/?token=s3cr3t-location")
				.send();
			case "error" ->
				response.header("Content-Type", "application/json")
					.sendString(Mono
						.just(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", JSON.readTree(body).path("id"),
								"error", Map.of("code", -32000, "message", "No: " + echo, "data", echo)))));
			case "garbage" -> response.header("Content-Type", "application/json").sendString(Mono.just("{" + echo));
			case "sse" -> response.sse().sendString(Flux.just(log(echo), "data: {" + echo + "\n\n"));
			case "isError" -> result(JSON.readTree(body), Map.of("content", List.of(), "isError", true), response);
			default -> response.status(Integer.parseInt(how))
				.header("WWW-Authenticate", "Bearer realm=\"" + echo.replaceAll("[^\\w .:/?=&-]", "") + "\"")
				.sendString(Mono.just(echo));
		};
	}

	private static Publisher<Void> result(JsonNode message, Map<String, Object> result, HttpServerResponse response) {
		return response.header("Content-Type", "application/json")
			.sendString(Mono
				.just(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", message.get("id"), "result", result))));
	}

	private static String log(String echo) {
		return "data: " + JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "method", "notifications/message", "params",
				Map.of("level", "error", "logger", "echo", "data", "You sent: " + echo))) + "\n\n";
	}

}
