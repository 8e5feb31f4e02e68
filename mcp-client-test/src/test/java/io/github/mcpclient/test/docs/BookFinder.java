package io.github.mcpclient.test.docs;

import java.util.Map;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolException;

import org.springframework.stereotype.Service;

/**
 * The component that docs/testing.md tests.
 */
@Service
public class BookFinder {

	private final McpToolCatalog tools;

	public BookFinder(McpToolCatalog tools) {
		this.tools = tools;
	}

	public String find(String topic) {
		try {
			return this.tools.get("library_find").call(Map.of("topic", topic)).orThrow().text();
		}
		catch (McpToolException ex) {
			return "Nothing: " + ex.getResult().text();
		}
		catch (McpException ex) {
			// the tools of a server that has not been connected yet are not known
			return "The library is closed";
		}
	}

}
