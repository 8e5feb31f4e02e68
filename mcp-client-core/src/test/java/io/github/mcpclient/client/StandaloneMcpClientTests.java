package io.github.mcpclient.client;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link StandaloneMcpClient}.
 */
class StandaloneMcpClientTests {

	private final McpTestServer server = McpTestServer.create().tool("add", McpTestReply.text("5")).start();

	@Test
	void aServerThatIsDownCostsNoOther() {
		URI nobody = URI.create("http://localhost:9/mcp");
		try (StandaloneMcpClient client = connected(
				(builder) -> builder.server(McpServerDefinition.http("down", nobody).build()))) {
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("5");
			assertThat(client.registry().server("down").status().state()).isNotEqualTo(McpServerState.READY);
			client.manager().remove("down");
			assertThat(client.registry().servers()).extracting((server) -> server.name()).containsExactly("calculator");
		}
	}

	@Test
	void takesWhatWouldBeBeans() {
		McpToolInterceptor masked = (tool, request, chain) -> {
			chain.proceed(request);
			return McpToolResult.success(tool.name(), "masked");
		};
		List<McpServerEvent> events = new CopyOnWriteArrayList<>();
		try (StandaloneMcpClient client = connected((builder) -> builder.add(masked).listener(events::add))) {
			assertThat(client.tools().get("calculator_add").call(Map.of()).text()).isEqualTo("masked");
		}
		assertThat(events).filteredOn(McpServerStateChangedEvent.class::isInstance)
			.extracting((event) -> ((McpServerStateChangedEvent) event).status().state())
			.contains(McpServerState.READY);
	}

	@Test
	void closingLeavesNoThread() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		connected((builder) -> builder).close();
		await().untilAsserted(
				() -> assertThat(Thread.getAllStackTraces().keySet()).filteredOn(StandaloneMcpClientTests::isOurs)
					.isSubsetOf(before));
	}

	private static boolean isOurs(Thread thread) {
		return thread.getName().startsWith("mcp-") && !thread.getName().startsWith("mcp-test");
	}

	@Test
	void mistakesAreReported() {
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> connected((builder) -> builder
				.server(McpServerDefinition.http("ftp", URI.create("ftp://localhost/mcp")).build())));
	}

	private StandaloneMcpClient connected(UnaryOperator<StandaloneMcpClient.Builder> more) {
		return more
			.apply(StandaloneMcpClient.builder()
				.server(McpServerDefinition.http("calculator", URI.create(this.server.url())).build()))
			.build();
	}

}
