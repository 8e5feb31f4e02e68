package io.github.mcpclient.integration.calls;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for arguments and structured results that do not fit the schemas of a tool.
 */
@ExtendWith(OutputCaptureExtension.class)
class SchemaValidationTests {

	private static final String CHECK_ARGUMENTS = "mcp.servers.a.tools.validate-arguments=true";

	private static final Map<String, Object> NUMBER = Map.of("type", "object", "properties",
			Map.of("n", Map.of("type", "integer")), "required", List.of("n"), "additionalProperties", false);

	private final McpTestServer peer = McpTestServer.create().tools(List.of(tool(NUMBER, NUMBER))).start();

	@Test
	void argumentsAreNotCheckedByDefault() {
		start().tools().get("a_x").call(Map.of("n", "no number"));
		assertThat(this.peer.calls()).hasSize(1);
	}

	@Test
	void argumentsAreCheckedWhereAskedFor() {
		ClientApplication application = start("mcp.defaults.tools.validate-arguments=true");
		McpTool tool = application.tools().get("a_x");
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(McpSchemaViolationException.class)
				.isThrownBy(() -> tool.call(Map.of("n", "s3cret")))
				.withMessage("MCP tool 'a_x' was not called: its arguments do not fit its input schema:"
						+ " /n: string found, integer expected.")
				.satisfies((ex) -> assertThat(ex.getServerName()).isEqualTo("a"))
				.satisfies(
						(ex) -> assertThat(ex.getViolations()).containsExactly("/n: string found, integer expected"));
		}
		assertThatExceptionOfType(McpSchemaViolationException.class).isThrownBy(() -> tool.call("{\"m\": 1}"))
			.satisfies((ex) -> assertThat(ex.getViolations()).hasSize(2));
		McpToolResult result = application.context().getBean(McpToolExecutor.class).execute("a_x", Map.of());
		assertThat(result.isError()).isTrue();
		assertThat(result.text()).contains("required property 'n' not found");
		assertThat(this.peer.calls()).isEmpty();
		assertThat(tool.call(Map.of("n", 1)).text()).isEqualTo("x ");
		assertThat(this.peer.calls()).hasSize(1);
	}

	@Test
	void structuredResultsAreChecked() {
		McpTool tool = start().tools().get("a_x");
		structured(Map.of("n", "s3cret"));
		assertThatExceptionOfType(McpSchemaViolationException.class).isThrownBy(() -> tool.call(Map.of()))
			.withMessage("MCP tool 'a_x' was called, but its structured result does not fit its output schema:"
					+ " /n: string found, integer expected.");
		assertThat(this.peer.calls()).as("though it is read-only").hasSize(1);
		structured(Map.of("n", 5));
		assertThat(tool.call(Map.of()).structuredContent()).isEqualTo(Map.of("n", 5));
		structured(List.of());
		assertThatExceptionOfType(McpSchemaViolationException.class).isThrownBy(() -> tool.call(Map.of()))
			.withMessageContaining("array found, object expected");
		this.peer.on("tools/call", (request) -> McpTestReply
			.result(Map.of("content", List.of(), "isError", true, "structuredContent", Map.of())));
		assertThat(tool.call(Map.of()).isError()).isTrue();
		this.peer.on("tools/call",
				(request) -> McpTestReply.result(Map.of("content", List.of(Map.of("type", "text", "text", "only")))));
		assertThat(tool.call(Map.of()).text()).isEqualTo("only");
	}

	@Test
	void structuredResultsAreNotCheckedWhereSwitchedOff() {
		ClientApplication application = start("mcp.servers.a.tools.validate-results=false");
		structured(Map.of("n", "text"));
		assertThat(application.tools().get("a_x").call(Map.of()).structuredContent()).isEqualTo(Map.of("n", "text"));
	}

	@Test
	void whoMustNotBlockCanCallAndGetsTheAnswerOnAThreadThatMustNot() {
		ClientApplication application = start(CHECK_ARGUMENTS);
		structured(Map.of("n", 5));
		McpTool tool = application.tools().get("a_x");
		for (int i = 0; i < 3; i++) {
			Boolean nonBlocking = Mono
				.defer(() -> tool.callAsync(Map.of("n", 1)).map((result) -> Schedulers.isInNonBlockingThread()))
				.subscribeOn(Schedulers.parallel())
				.block(LIMIT);
			assertThat(nonBlocking).isTrue();
		}
	}

	@Test
	void schemaThatCannotBeUsedHidesNoTool(CapturedOutput output) {
		Map<String, Object> unusable = Map.of("$schema", "https://json-schema.org/draft/2099-01/schema");
		this.peer.tools(List.of(tool(unusable, unusable)));
		ClientApplication application = start(CHECK_ARGUMENTS);
		structured(Map.of("n", 5));
		McpTool tool = application.tools().get("a_x");
		assertThat(tool.inputSchema()).isEqualTo(unusable);
		assertThat(tool.outputSchema()).isEqualTo(unusable);
		for (int i = 0; i < 3; i++) {
			assertThat(tool.call(Map.of("anything", "goes")).structuredContent()).isEqualTo(Map.of("n", 5));
		}
		assertThat(output)
			.containsOnlyOnce("MCP server 'a': nothing is checked against the inputSchema of its tool 'x'")
			.containsOnlyOnce("MCP server 'a': nothing is checked against the outputSchema of its tool 'x'");
	}

	@Test
	void resultWithoutStructuredContentIsLoggedOnce(CapturedOutput output) {
		this.peer.on("tools/call", (request) -> McpTestReply
			.result(Map.of("content", List.of(Map.of("type", "text", "text", "failed")), "isError", true)));
		McpTool tool = start().tools().get("a_x");
		assertThat(tool.call(Map.of()).isError()).isTrue();
		assertThat(output).doesNotContain("structuredContent");
		this.peer.on("tools/call",
				(request) -> McpTestReply.result(Map.of("content", List.of(Map.of("type", "text", "text", "only")))));
		for (int i = 0; i < 3; i++) {
			assertThat(tool.call(Map.of()).text()).isEqualTo("only");
		}
		assertThat(output).containsOnlyOnce("WARN")
			.containsOnlyOnce("MCP server 'a': a result has no structuredContent, which the outputSchema of its"
					+ " tool 'x' requires");
	}

	@Test
	void realServersKeepToTheirSchemas() {
		ClientApplication application = ClientApplication.start("mcp.defaults.tools.validate-arguments=true",
				"mcp.servers.every.command=node", "mcp.servers.every.args=" + Peers.script("server-everything"));
		assertThat(application.text("every_get-sum", Map.of("a", 2, "b", 3))).contains("is 5");
		assertThatExceptionOfType(McpSchemaViolationException.class)
			.isThrownBy(() -> application.text("every_get-sum", Map.of("a", "2")))
			.withMessageContaining("/a: string found, number expected")
			.withMessageContaining("required property 'b' not found");
		assertThat(application.registry()
			.callTool("every_get-structured-content", Map.of("location", "Chicago"))
			.structuredContent()).isNotNull();
	}

	private ClientApplication start(String... properties) {
		return ClientApplication.start(properties, "mcp.servers.a.url=" + this.peer.url());
	}

	private void structured(Object content) {
		this.peer.on("tools/call", McpTestReply.result(Map.of("content", List.of(), "structuredContent", content)));
	}

	private static Map<String, Object> tool(Map<String, Object> inputSchema, Map<String, Object> outputSchema) {
		return Map.of("name", "x", "inputSchema", inputSchema, "outputSchema", outputSchema, "annotations",
				Map.of("readOnlyHint", true));
	}

}
