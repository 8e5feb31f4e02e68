package io.github.mcpclient.interoperability;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that gateways, which refuse what they do not know, are told what the client is.
 */
class UserAgentTests extends AbstractInteroperabilityTests {

	private static final String PRODUCT = "mcp-client/\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?";

	@ParameterizedTest
	@ValueSource(
			strings = { McpServerDefinition.STREAMABLE_HTTP, McpServerDefinition.SSE, McpServerDefinition.WEBSOCKET })
	void everyRequestHasIt(String type) {
		McpServer server = connect(definition(type).build());
		assertReady(server);
		tool(server, "echo").call(Map.of());
		close();
		assertThat(this.peer.requests()).hasSizeGreaterThanOrEqualTo(3)
			.allSatisfy((request) -> assertThat(userAgent(request)).matches(PRODUCT));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { McpServerDefinition.STREAMABLE_HTTP, McpServerDefinition.SSE, McpServerDefinition.WEBSOCKET })
	void theConfiguredOneReplacesIt(String type) {
		assertReady(connect(definition(type).headers(Map.of("user-agent", "curl/8.0")).build()));
		assertThat(this.peer.requests())
			.allSatisfy((request) -> assertThat(request.headers().get("user-agent")).containsExactly("curl/8.0"));
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			my-app, my-app
			Größe (test), Gr e  test
			'a\r\nX-Evil: 1', a X-Evil: 1
			""", ignoreLeadingAndTrailingWhitespace = false)
	void theApplicationIsNamedInPlainText(String application, String expected) {
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.clientInfo(application, "1")
			.startupWait(Duration.ofSeconds(60))
			.server(definition(McpServerDefinition.STREAMABLE_HTTP).build())
			.build()) {
			assertReady(client.registry().server(NAME));
		}
		assertThat(this.peer.requests()).allSatisfy(
				(request) -> assertThat(userAgent(request)).matches(PRODUCT + " \\(" + expected.strip() + "\\)"));
	}

	@Test
	void gatewayThatWantsProductAndVersionLetsItThrough() {
		this.peer.on("POST", (request) -> userAgent(request).matches("[a-z-]+/\\d.*") ? McpTestReply.standard()
				: McpTestReply.status(403).body("text/html", "<title>Just a moment...</title>"));
		assertReady(connect());
	}

	private McpServerDefinitionBuilder definition(String type) {
		String url = switch (type) {
			case McpServerDefinition.SSE -> this.peer.sseUrl();
			case McpServerDefinition.WEBSOCKET -> this.peer.webSocketUrl();
			default -> this.peer.url();
		};
		return McpServerDefinition.of(NAME, type).url(URI.create(url));
	}

	private static String userAgent(McpTestRequest request) {
		return String.valueOf(request.header("User-Agent"));
	}

}
