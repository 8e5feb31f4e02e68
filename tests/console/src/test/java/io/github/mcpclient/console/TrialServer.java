package io.github.mcpclient.console;

import java.util.Base64;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.test.server.McpTestHandler;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a scripted server offers to try: each kind of argument, and each kind of result.
 */
final class TrialServer {

	/**
	 * A picture of one pixel.
	 */
	static final String PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

	private static final String ORDER = """
			{
			  "name": "order", "title": "Order something", "description": "Takes each kind of argument.",
			  "annotations": {"readOnlyHint": true},
			  "inputSchema": {
			    "type": "object",
			    "required": ["product", "address"],
			    "properties": {
			      "product": {"type": "string", "title": "Product", "description": "What to order", "minLength": 2},
			      "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
			      "weight": {"type": "number"},
			      "gift": {"type": "boolean", "default": true},
			      "size": {"type": "string", "enum": ["small", "medium", "large"]},
			      "note": {"type": ["string", "null"]},
			      "address": {
			        "type": "object",
			        "required": ["city"],
			        "properties": {"city": {"type": "string"}, "zip": {"type": "string", "pattern": "^[0-9]{5}$"}}
			      },
			      "tags": {"type": "array", "items": {"type": "string"}},
			      "payment": {
			        "oneOf": [
			          {"title": "By card", "type": "object", "required": ["card"], "properties": {"card": {"type": "string"}}},
			          {"title": "By invoice", "type": "object", "required": ["days"], "properties": {"days": {"type": "integer"}}}
			        ]
			      },
			      "extra": {}
			    }
			  }
			}
			""";

	private TrialServer() {
	}

	static McpTestServer create() {
		McpTestServer server = McpTestServer.create().serverInfo("trial", "1.0").instructions("Try everything.");
		server.tool(JsonMapper.shared().readValue(ORDER, Map.class), (request) -> McpTestReply.result(Map.of("content",
				List.of(text("Ordered.")), "structuredContent", Map.of("arguments", request.arguments()))));
		result(server, "text", text("Two lines,\n  the second one indented."));
		result(server, "picture", Map.of("type", "image", "mimeType", "image/png", "data", PICTURE));
		result(server, "sound", Map.of("type", "audio", "mimeType", "audio/wav", "data", silence()));
		result(server, "link",
				Map.of("type", "resource_link", "uri", "file:///notes.txt", "name", "notes", "mimeType", "text/plain"));
		result(server, "embedded", Map.of("type", "resource", "resource",
				Map.of("uri", "file:///inside.txt", "mimeType", "text/plain", "text", "Inside the result.")));
		server.tool(readOnly("tree"), structured(Map.of("library", Map.of("city", "Ghent", "shelves", List.of(1, 2)))));
		server.tool(readOnly("table"), structured(Map.of("books",
				List.of(Map.of("title", "Emma", "pages", 474), Map.of("title", "Dune", "pages", 688)))));
		server.tool(readOnly("wrong"), (request) -> McpTestReply.toolError("There is no such book."));
		server.tool(readOnly("failing"), (request) -> McpTestReply.error(-32603, "The shelf is broken."));
		server.tool(Map.of("name", "erase", "description", "Erases everything.", "inputSchema",
				Map.of("type", "object"), "annotations", Map.of("destructiveHint", true)),
				(request) -> McpTestReply.text("Erased."));
		server.prompt(
				Map.of("name", "greet", "title", "Greeting", "description", "Greets somebody.", "arguments",
						List.of(Map.of("name", "who", "description", "Whom to greet", "required", true))),
				(request) -> McpTestReply.result(Map.of("description", "A greeting", "messages", List
					.of(Map.of("role", "user", "content", text("Say hello to " + request.argument("who") + "."))))));
		server.resource("file:///notes.txt", "Buy milk.");
		server.resourceTemplate(
				Map.of("uriTemplate", "book:///{title}", "name", "book", "description", "A book by its title"),
				(request) -> McpTestReply.result(Map.of("contents", List.of(Map.of("uri", request.params().get("uri"),
						"mimeType", "text/plain", "text", "The text of " + request.params().get("uri"))))));
		return server;
	}

	static Map<String, Object> readOnly(String name) {
		return Map.of("name", name, "description", "Shows " + name + ".", "inputSchema", Map.of("type", "object"),
				"annotations", Map.of("readOnlyHint", true));
	}

	private static void result(McpTestServer server, String name, Map<String, ?> item) {
		server.tool(readOnly(name), (request) -> McpTestReply.result(Map.of("content", List.of(item))));
	}

	private static McpTestHandler structured(Map<String, ?> value) {
		return (request) -> McpTestReply.result(Map.of("content",
				List.of(text(JsonMapper.shared().writeValueAsString(value))), "structuredContent", value));
	}

	private static Map<String, String> text(String text) {
		return Map.of("type", "text", "text", text);
	}

	/**
	 * A tenth of a second of silence, as WAV.
	 */
	private static String silence() {
		byte[] header = { 'R', 'I', 'F', 'F', 0x44, 3, 0, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16, 0, 0, 0, 1, 0,
				1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0, 'd', 'a', 't', 'a', 0x20, 3, 0, 0 };
		byte[] wave = java.util.Arrays.copyOf(header, header.length + 800);
		java.util.Arrays.fill(wave, header.length, wave.length, (byte) 0x80);
		return Base64.getEncoder().encodeToString(wave);
	}

}
