package io.github.mcpclient.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;

/**
 * A server that says in each of its fields what a page must not believe.
 */
final class Hostile {

	/**
	 * Markup that runs a script wherever it is taken for markup, what changes the
	 * direction and the colour of text, and what cannot be seen.
	 */
	static final String TEXT = "\"'`><script>window.hacked='script'</script><img src=x onerror=\"window.hacked='img'\">"
			+ "<svg onload=\"window.hacked='svg'\"></svg><iframe srcdoc=\"<script>parent.hacked='frame'</script>\"></iframe>"
			+ "</textarea></title></script><style>*{display:none!important}</style><base href=http://evil.example/>"
			+ "<form action=http://evil.example><button autofocus onfocus=\"window.hacked='focus'\">"
			+ "${window.hacked='template'}{{constructor.constructor('window.hacked=1')()}}"
			+ "\u001b[31mred\u001b[2J \u202egnissim\u202c \u2066isolated \u200bzero\u200bwidth \u0007\u0000 \ufeff";

	static final String SCRIPT_URI = "javascript:window.hacked='uri'//";

	static final String HTML_URI = "data:text/html,<script>window.hacked='data'</script>";

	private static final String MEGABYTE = "W".repeat(1_000_000);

	private Hostile() {
	}

	/**
	 * What is said where one field is as large as it may be.
	 */
	static String large() {
		return TEXT + MEGABYTE;
	}

	static McpTestServer create() {
		McpTestServer server = McpTestServer.create()
			.serverInfo(TEXT, TEXT)
			.instructions(large())
			.capability("experimental", Map.of(TEXT, Map.of(TEXT, TEXT)));
		for (String name : List.of("text", "uris", "structured", "table", "error")) {
			server.tool(tool(name), (request) -> result(name));
		}
		server.tool(tool("refused"), (request) -> McpTestReply.error(-32000, large(), Map.of(TEXT, TEXT)));
		server.tool(tool("progress"), (request) -> {
			request.notify("notifications/progress", Map.of("progressToken", request.meta().get("progressToken"),
					"progress", 1e308, "total", -1, "message", large()));
			return McpTestReply.text(TEXT);
		});
		server.prompt(
				Map.of("name", "prompt" + TEXT, "title", TEXT, "description", large(), "arguments",
						List.of(Map.of("name", TEXT, "title", TEXT, "description", TEXT))),
				(request) -> McpTestReply.result(Map.of("description", large(), "messages",
						List.of(Map.of("role", "user", "content", text(large()))))));
		for (String uri : List.of(SCRIPT_URI, HTML_URI, "file:///" + "w".repeat(10_000))) {
			Map<String, Object> resource = Map.of("uri", uri, "name", TEXT, "title", TEXT, "description", large(),
					"mimeType", "text/html");
			server.resource(resource, (request) -> McpTestReply
				.result(Map.of("contents", List.of(Map.of("uri", uri, "mimeType", "text/html", "text", large())))));
		}
		server.resourceTemplate(Map.of("uriTemplate", SCRIPT_URI + "{x}", "name", TEXT, "description", TEXT),
				(request) -> McpTestReply.text(TEXT));
		return server;
	}

	private static Map<String, Object> tool(String name) {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put(TEXT, Map.of("type", "string", "title", TEXT, "description", TEXT, "default", TEXT));
		properties.put("choice", Map.of("enum", List.of(TEXT, "b"), "description", TEXT));
		properties.put("either", Map.of("oneOf", List.of(Map.of("title", TEXT, "type", "string", "const", TEXT),
				Map.of("type", TEXT, "description", TEXT))));
		properties.put("__proto__", Map.of("type", "object", "properties", Map.of("polluted", Map.of("default", 1))));
		properties.put("itself", Map.of("$ref", "#"));
		return Map.of("name", name, "title", TEXT, "description", large(), "inputSchema",
				Map.of("type", "object", "title", TEXT, "description", TEXT, "properties", properties), "outputSchema",
				Map.of("type", "object", "description", TEXT), "annotations",
				Map.of("readOnlyHint", true, "title", TEXT));
	}

	private static McpTestReply result(String name) {
		return switch (name) {
			case "text" -> McpTestReply
				.result(Map.of("content", List.of(text(large()), text(TEXT)), "structuredContent", Map.of(TEXT, TEXT)));
			case "uris" -> McpTestReply.result(Map.of("content", uris(), "structuredContent", Map.of()));
			case "structured" -> McpTestReply
				.result(Map.of("content", List.of(), "structuredContent", Map.of(TEXT, large(), "deep", deep())));
			case "table" -> McpTestReply.result(Map.of("content", List.of(), "structuredContent",
					Map.of("rows", List.of(Map.of(TEXT, large(), "b", SCRIPT_URI), Map.of("b", TEXT)))));
			default -> McpTestReply.toolError(large());
		};
	}

	private static List<Map<String, Object>> uris() {
		List<Map<String, Object>> items = new ArrayList<>();
		for (String uri : List.of(SCRIPT_URI, HTML_URI, "vbscript:x", "http://evil.example/\"onclick=\"hacked=1")) {
			items.add(Map.of("type", "resource_link", "uri", uri, "name", TEXT, "title", TEXT, "mimeType", TEXT));
			items
				.add(Map.of("type", "resource", "resource", Map.of("uri", uri, "mimeType", "text/html", "text", TEXT)));
		}
		for (String type : List.of("image/svg+xml", "text/html", TEXT, "image/png;base64,x\" onerror=\"hacked=1")) {
			items.add(Map.of("type", "image", "mimeType", type, "data",
					"PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0id2luZG93LmhhY2tlZD0xIi8+"));
			items.add(Map.of("type", "audio", "mimeType", type, "data", "AAAA"));
		}
		items.add(Map.of("type", "image", "mimeType", "image/png", "data", "not base64 " + TEXT));
		return items;
	}

	private static Object deep() {
		Object value = TEXT;
		for (int i = 0; i < 200; i++) {
			value = Map.of("d", value);
		}
		return value;
	}

	private static Map<String, String> text(String text) {
		return Map.of("type", "text", "text", text);
	}

}
