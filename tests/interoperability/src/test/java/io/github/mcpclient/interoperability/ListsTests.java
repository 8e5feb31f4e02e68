package io.github.mcpclient.interoperability;

import java.util.Map;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.test.server.McpTestDeviation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of servers that send lists in other forms than the protocol has.
 */
class ListsTests extends AbstractInteroperabilityTests {

	private static final String ECHO = "{\"name\": \"echo\", \"inputSchema\": {\"type\": \"object\"}}";

	private static final String UNNAMED = "{\"description\": \"says it\", \"inputSchema\": {\"type\": \"object\"}}";

	@ParameterizedTest
	@ValueSource(strings = { "[" + ECHO + "]", "{\"tools\": " + ECHO + "}", "{\"tools\": {\"echo\": " + UNNAMED + "}}",
			"{\"Tools\": [" + ECHO + "]}", "{\"items\": [" + ECHO + "], \"_meta\": {}}",
			"{\"tools\": null, \"data\": [" + ECHO + "]}" })
	void listIsReadAsWhatItCanOnlyMean(String result) {
		this.peer.deviates(McpTestDeviation.list("tools/list", result));
		McpServer server = connect();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.LISTS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"tools\": null}", "{}", "{\"_meta\": {}}", "[]", "{\"tools\": {}}" })
	void nothingIsAnEmptyList(String result) {
		this.peer.deviates(McpTestDeviation.list("tools/list", result));
		McpServer server = connect();
		assertReady(server);
		assertThat(server.status().tools()).isZero();
		assertDeviation(server, Kind.LISTS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"tools\": \"none\"}", "{\"tools\": 5}", "{\"error\": \"database is down\"}",
			"{\"a\": [" + ECHO + "], \"b\": [" + ECHO + "]}", "\"nothing\"" })
	void whatMayMeanSomethingElseIsRefused(String result) {
		this.peer.deviates(McpTestDeviation.list("tools/list", result));
		McpServer server = connect((definition) -> definition.reconnect(OFF));
		assertThat(server.status().lastError()).contains("The server's response to tools/list ");
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"%s\": null}", "{}", "[]", "{\"%s\": \"broken\"}" })
	void otherListsNeverCostTheTools(String result) {
		this.peer.prompt("greet", "hi")
			.resource("x:1", "one")
			.deviates(McpTestDeviation.list("prompts/list", result.formatted("prompts")),
					McpTestDeviation.list("resources/list", result.formatted("resources")),
					McpTestDeviation.list("resources/templates/list", result.formatted("resourceTemplates")));
		McpServer server = connect();
		this.peer.awaitRequests("resources/templates/list", 1);
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		if (!result.contains("broken")) {
			await().until(() -> server.status().deviations().size() == 3);
			assertDeviation(server, Kind.LISTS);
		}
	}

	@Test
	void emptyListIsNoDeviation() {
		this.peer.removeTools("echo");
		McpServer server = connect();
		assertReady(server);
		assertNoDeviation(server);
	}

}
