package io.github.mcpclient.agent;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link McpAgents}, without Spring Boot.
 */
class McpAgentsTests {

	@Test
	void modelsOfAClientSearchItsTools() {
		McpTestServer server = closing(McpTestServer.create().tools("read", "write", "call_tool").start());
		McpAgents agents = new McpAgents(1);
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(McpServerDefinition.http("a", URI.create(server.url())).toolPrefix("").build())
			.add(agents)
			.build()) {
			McpModelTools models = agents.modelTools(client.registry());
			assertThat(client.tools().all()).extracting(McpTool::name).containsExactly("read", "write");
			assertThat(models.offered()).extracting(McpTool::name).containsExactly("call_tool", "search_tools");
			assertThat(models.executor()
				.execute("call_tool", Map.of("name", "read", "arguments", Map.of("message", "it")))
				.text()).isEqualTo("read it");
			assertThat(models.search("write", 5)).extracting((match) -> match.tool().name()).containsExactly("write");
		}
	}

	@Test
	void interceptorsHearOfACallThatAModelMakesUpWithItsArguments() {
		McpTestServer server = closing(McpTestServer.create().tools("read", "write").start());
		Map<String, Map<String, ?>> unresolved = new ConcurrentHashMap<>();
		McpAgents agents = new McpAgents(1);
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(McpServerDefinition.http("a", URI.create(server.url())).build())
			.add(agents)
			.add(new McpToolInterceptor() {

				@Override
				public McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain) {
					return chain.proceed(request);
				}

				@Override
				public void onUnresolvedTool(String toolName, McpToolRequest request, Throwable failure) {
					unresolved.put(toolName, request.arguments());
				}

			})
			.build()) {
			assertThat(agents.modelTools(client.registry())
				.executor()
				.execute("call_tool", Map.of("name", "made_up", "arguments", Map.of("message", "it")))
				.isError()).isTrue();
		}
		assertThat(unresolved).isEqualTo(Map.of("made_up", Map.of("message", "it")));
	}

	@Test
	void whatWasNotAddedToAClientSaysSo() {
		assertThatIllegalStateException().isThrownBy(() -> new McpAgents().modelTools(mock()))
			.withMessage("Add this to StandaloneMcpClient.builder() before the client is built");
	}

}
