package io.github.mcpclient.integration.load;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server whose only tool answers with a text, as JSON and as events by turns. However
 * many answers it writes at a time, there is one copy of the text.
 */
final class LargeResultServer implements AutoCloseable {

	private final byte[] text;

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicInteger calls = new AtomicInteger();

	LargeResultServer(String text) throws IOException {
		this.text = text.getBytes(StandardCharsets.UTF_8);
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/mcp", this::answer);
		this.server.start();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort() + "/mcp";
	}

	private void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			byte[] body = exchange.getRequestBody().readAllBytes();
			JsonNode request = JsonMapper.shared().readTree((body.length != 0) ? body : "{}".getBytes());
			if (!request.has("id")) {
				exchange.sendResponseHeaders((body.length != 0) ? 202 : 405, -1);
				return;
			}
			boolean events = request.path("method").asString().equals("tools/call")
					&& this.calls.incrementAndGet() % 2 == 0;
			exchange.getResponseHeaders().add("Content-Type", events ? "text/event-stream" : "application/json");
			exchange.sendResponseHeaders(200, 0);
			OutputStream out = exchange.getResponseBody();
			write(out, (events ? "data: " : "") + "{\"jsonrpc\":\"2.0\",\"id\":" + request.get("id") + ",");
			switch (request.path("method").asString()) {
				case "initialize" -> write(out, "\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":"
						+ "{\"tools\":{}},\"serverInfo\":{\"name\":\"large\",\"version\":\"1\"}}}");
				case "tools/list" ->
					write(out, "\"result\":{\"tools\":[{\"name\":\"work\",\"inputSchema\":{\"type\":\"object\"}}]}}");
				case "tools/call" -> {
					write(out, "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"");
					out.write(this.text);
					write(out, "\"}]}}");
				}
				default -> write(out, "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
			}
			write(out, events ? "\n\n" : "");
		}
	}

	private static void write(OutputStream out, String text) throws IOException {
		out.write(text.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
