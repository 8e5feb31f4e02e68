package io.github.mcpclient.test;

import java.util.Map;

import io.github.mcpclient.agent.McpToolExecutor;

import org.springframework.stereotype.Component;

/**
 * A component of {@link ExampleApplication}.
 */
@Component
class Searcher {

	private final McpToolExecutor tools;

	Searcher(McpToolExecutor tools) {
		this.tools = tools;
	}

	String search(String query) {
		return this.tools.execute("search_find", Map.of("query", query)).text();
	}

}
