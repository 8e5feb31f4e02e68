package io.github.mcpclient.testsupport;

import java.time.Duration;
import java.util.Map;

import io.github.mcpclient.McpToolRequest;

/**
 * The client under test of the official conformance suite: an application that is told
 * the url of the suite's server as its last argument, and the scenario by the
 * environment.
 */
public final class ConformanceClient {

	private ConformanceClient() {
	}

	public static void main(String[] args) {
		String scenario = System.getenv("MCP_CONFORMANCE_SCENARIO");
		String url = args[args.length - 1];
		try (ClientApplication application = ClientApplication.start("mcp.startup.wait=60s",
				"mcp.servers.suite.url=" + url, "mcp.servers.suite.type=streamable-http",
				"mcp.servers.suite.required=true")) {
			switch (scenario) {
				case "initialize" -> application.registry().server("suite").status();
				case "tools_call" -> application.text("suite_add_numbers", Map.of("a", 5, "b", 3));
				case "sse-retry" -> application.tools()
					.get("suite_test_reconnection")
					.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(60)))
					.orThrow();
				default -> throw new IllegalArgumentException("Unknown scenario " + scenario);
			}
		}
	}

}
