package io.github.mcpclient.console;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.console.ConsoleApplication.Connection;
import io.github.mcpclient.console.ConsoleApplication.Event;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the console shows of a server that repeats what is configured for it.
 */
class ConsoleSecretsTests {

	private static final String KEY = "key-of-a-header-4711";

	private static final String FIXED = "fixed-argument-4712";

	@Test
	void areMaskedInAllThatAServerSays() throws Exception {
		String said = "You have " + KEY + " and " + FIXED;
		try (McpTestServer server = McpTestServer.create()
			.serverInfo(said, "1 " + KEY)
			.instructions(said)
			.tool(Map.of("name", "tell", "description", said, "inputSchema", Map.of("type", "object")),
					(request) -> McpTestReply
						.result(Map.of("content", List.of(Map.of("type", "text", "text", said)), "structuredContent",
								Map.of(KEY, List.of(said, 1.5))))
						.precededBy(Map.of("jsonrpc", "2.0", "method", "notifications/progress", "params",
								Map.of("progressToken", request.meta().get("progressToken"), "progress", 1, "message",
										said))))
			.prompt(Map.of("name", "greet", "description", said),
					(request) -> McpTestReply.result(Map.of("messages",
							List.of(Map.of("role", "user", "content", Map.of("type", "text", "text", said))))))
			.resource("file:/" + KEY, said)
			.start()) {
			ConsoleApplication application = ConsoleApplication.run(WebApplicationType.SERVLET, new Class<?>[0],
					"mcp.servers.demo.url=" + server.url(), "mcp.servers.demo.headers.X-Api-Key=" + KEY,
					"mcp.servers.demo.tools.rules[0].tools=tell",
					"mcp.servers.demo.tools.rules[0].arguments.key=" + FIXED,
					"mcp.servers.demo.tools.rules[0].arguments.short=acme", "mcp.console.access=unrestricted",
					"mcp.console.messages=50", ConsoleApplication.WITHOUT_SECURITY);
			try {
				StringBuilder shown = new StringBuilder();
				shown.append(ended(application, "{\"kind\":\"tool\",\"name\":\"tell\",\"confirmed\":true}"))
					.append(ended(application, "{\"kind\":\"prompt\",\"name\":\"greet\"}"))
					.append(application.post("/api/servers/demo/diagnosis", "{}").json());
				for (String path : List.of("/api/servers", "/api/servers/demo", "/api/servers/demo/java",
						"/api/servers/demo/messages")) {
					shown.append(application.get(path).json());
				}
				assertThat(shown.toString()).doesNotContain(KEY, FIXED, "acme")
					.contains("{\"******\":[\"You have ****** and ******\",1.5]}", "\"uri\":\"file:/******\"",
							"\\\"short\\\":\\\"******\\\"", "\"greet\"");
				assertThat(ended(application, "{\"kind\":\"resource\",\"uri\":\"file:/******\"}"))
					.contains("\"text\":\"You have ******");
			}
			finally {
				application.close();
			}
		}
	}

	private static String ended(ConsoleApplication application, String body) throws Exception {
		StringBuilder events = new StringBuilder();
		try (Connection call = application.call("demo", body)) {
			assertThat(call.head()).isEqualTo(200);
			Event event = call.event();
			while (event != null) {
				assertThat(event.name()).as(events.toString()).isNotEqualTo("failure");
				events.append(event.data());
				event = call.event();
			}
		}
		return events.toString();
	}

}
