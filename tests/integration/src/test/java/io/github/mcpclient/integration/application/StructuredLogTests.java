package io.github.mcpclient.integration.application;

import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystemProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What Spring Boot's structured logging has of the client's lines, and of what servers
 * log.
 */
@ExtendWith(OutputCaptureExtension.class)
class StructuredLogTests {

	private static final String FORGED = "done\",\"log\":{\"level\":\"ERROR\"}}\n{\"mcp\":{\"server\":\"other\"},"
			+ "\"message\":\"forged\"}\r\n2026-01-01 ERROR \u001b[31mforged\u202e\u2028again";

	/**
	 * The format would stay that of the tests that follow.
	 */
	@AfterEach
	void formatPlainly() {
		System.clearProperty(LoggingSystemProperty.CONSOLE_STRUCTURED_FORMAT.getEnvironmentVariableName());
		new SpringApplicationBuilder(Object.class).web(WebApplicationType.NONE).run().close();
	}

	@Test
	void ownLinesCarryServerTransportAttemptToolAndCause(CapturedOutput output) {
		McpTestServer server = closing(McpTestServer.create().tools("read").capability("logging", Map.of()));
		ClientApplication application = start(server, "ecs", "mcp.servers.a.logging-level=warning",
				"mcp.servers.down.url=http://127.0.0.1:1/mcp", "mcp.servers.down.type=streamable-http");
		assertThat(server.awaitRequest("logging/setLevel").params()).isEqualTo(Map.of("level", "warning"));
		assertThat(line(output, "is READY").at("/mcp"))
			.isEqualTo(json("{'server':'a','transport':'streamable-http','state':'READY','attempt':1}"));
		JsonNode down = line(output, "MCP server 'down'").at("/mcp");
		assertThat(((ObjectNode) down).remove("cause").asString()).startsWith("Connection refused");
		assertThat(down)
			.isEqualTo(json("{'server':'down','transport':'streamable-http','state':'UNAVAILABLE','attempt':1}"));
		server.on("tools/call", McpTestReply.error(-32000, FORGED));
		assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> application.text("a_read", Map.of()));
		JsonNode failed = line(output, "The call of MCP tool").at("/mcp");
		assertThat(((ObjectNode) failed).remove("cause").asString()).contains("-32000").contains("forged");
		assertThat(failed).isEqualTo(json("{'server':'a','transport':'streamable-http','tool':'a_read'}"));
		server.stop();
		Awaitility.await().until(() -> application.state("a") == McpServerState.UNAVAILABLE);
		assertThat(line(output, "is UNAVAILABLE", (line) -> line.at("/mcp/server").asString().equals("a"))
			.at("/mcp/attempt")
			.asInt()).isZero();
		assertThat(forged(output)).isEmpty();
	}

	@Test
	void aServerCannotForgeLinesNorFloodTheLog(CapturedOutput output) {
		McpTestServer server = closing(McpTestServer.create()
			.tools("read")
			.capability("logging", Map.of())
			.on("logging/setLevel", McpTestReply.error(-32603, FORGED)));
		ClientApplication application = start(server, "logstash", "mcp.servers.a.logging-level=debug");
		assertThat(line(output, "its logging level could not be set to debug: The server refused").at("/level"))
			.isEqualTo(StringNode.valueOf("WARN"));
		server.awaitListeners(1);
		server.notifyClients("notifications/message", Map.of("level", "error", "logger", FORGED, "data", FORGED));
		JsonNode line = line(output, "[done");
		assertThat(line.at("/logger_name").asString()).isEqualTo("io.github.mcpclient.server.a");
		assertThat(line.at("/mcp.server").asString()).isEqualTo("a");
		assertThat(line.at("/message").asString()).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\u2028]");
		for (int i = 0; i < 5000; i++) {
			server.notifyClients("notifications/message", Map.of("level", "error", "data", "flood" + i));
		}
		line(output, "further lines are omitted");
		assertThat(application.text("a_read", Map.of())).isNotNull();
		assertThat(output.getOut().lines().filter((text) -> text.contains("flood"))).hasSizeLessThan(250);
		assertThat(forged(output)).isEmpty();
	}

	private static ClientApplication start(McpTestServer server, String format, String... properties) {
		return ClientApplication.start(properties, "logging.structured.format.console=" + format,
				"mcp.servers.a.url=" + server.start().url(), "mcp.defaults.reconnect.initial-delay=20s");
	}

	private static JsonNode line(CapturedOutput output, String text) {
		return line(output, text, (line) -> true);
	}

	private static JsonNode line(CapturedOutput output, String text, Predicate<JsonNode> condition) {
		return Awaitility.await()
			.until(() -> lines(output).filter((line) -> line.path("message").asString("").contains(text))
				.filter(condition)
				.findFirst()
				.orElse(null), Objects::nonNull);
	}

	/**
	 * Lines that are no JSON fail.
	 */
	private static Stream<JsonNode> lines(CapturedOutput output) {
		return output.getOut().lines().map(JsonMapper.shared()::readTree);
	}

	private static Stream<JsonNode> forged(CapturedOutput output) {
		return lines(output).filter((line) -> line.path("message").asString("").startsWith("forged"));
	}

	private static JsonNode json(String text) {
		return JsonMapper.shared().readTree(text.replace('\'', '"'));
	}

}
