package io.github.mcpclient.integration.tools;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Endurance;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Rules for single tools that concern what is shown of them, and how long calls take.
 */
@ExtendWith(OutputCaptureExtension.class)
class ToolRulesTests {

	private final McpTestServer server = McpTestServer.create()
		.tools(List.of(tool("read", Map.of("readOnlyHint", true)), tool("write", Map.of()), tool("what*", Map.of())));

	private ClientApplication application;

	@AfterEach
	void stop() {
		this.application.close();
		this.server.close();
	}

	@Test
	void theLastRuleThatHasAKeyDecidesIt() {
		start("mcp.defaults.tools.rules[0].tools=*", "mcp.defaults.tools.rules[0].title=Everything",
				"mcp.defaults.tools.rules[0].description=Does it", "mcp.defaults.tools.rules[1].tools=nowhere",
				"mcp.defaults.tools.rules[1].title=Nothing", "mcp.servers.a.tools.rules[0].tools=a_read,what\\*",
				"mcp.servers.a.tools.rules[0].title=Reader", "mcp.servers.a.tools.rules[1].tools=!write",
				"mcp.servers.a.tools.rules[1].annotations.open-world-hint=false");
		McpTool read = this.application.tools().get("a_read");
		assertThat(read.title()).isEqualTo("Reader");
		assertThat(read.description()).isEqualTo("Does it");
		assertThat(read.annotations()).isEqualTo(new ToolAnnotations(null, true, null, null, false, null));
		McpTool write = this.application.tools().get("a_write");
		assertThat(write.title()).isEqualTo("Everything");
		assertThat(write.annotations().openWorldHint()).isNull();
		assertThat(this.application.tools().get("a_what-").title()).isEqualTo("Reader");
	}

	@Test
	void annotationsDoNotLoosenWhatGoesByThoseOfTheServer() {
		start("mcp.servers.a.tools.access=read-only", "mcp.servers.a.tools.rules[0].tools=*",
				"mcp.servers.a.tools.rules[0].annotations.read-only-hint=true");
		assertThat(this.application.tools().all()).extracting(McpTool::name).containsExactly("a_read");
	}

	@Test
	void repetitionGoesByTheStricterHints() {
		start("mcp.servers.a.tools.rules[0].tools=write",
				"mcp.servers.a.tools.rules[0].annotations.idempotent-hint=true",
				"mcp.servers.a.tools.rules[1].tools=read",
				"mcp.servers.a.tools.rules[1].annotations.read-only-hint=false", "mcp.servers.a.request-timeout=10s");
		for (String name : List.of("write", "read")) {
			this.server.onNext("tools/call", McpTestReply.cut());
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> this.application.tools().get("a_" + name).call(Map.of()));
			assertThat(this.server.calls(name)).hasSize(1);
			await().until(() -> this.application.state("a") == McpServerState.READY);
		}
	}

	@Test
	void timeoutOfTheRuleHoldsUnlessTheCallHasOne() {
		start("mcp.servers.a.tools.rules[0].tools=read", "mcp.servers.a.tools.rules[0].timeout=300ms");
		this.server.tool("read", McpTestReply.never());
		assertThatExceptionOfType(McpRequestTimeoutException.class)
			.isThrownBy(() -> this.application.tools().get("a_read").call(Map.of()))
			.satisfies((failure) -> assertThat(failure.getTimeout()).isEqualTo(Duration.ofMillis(300)));
	}

	@Test
	void whatToRaiseIsTheTimeoutThatWasTooShort() {
		start("mcp.defaults.tools.rules[0].tools=*", "mcp.defaults.tools.rules[0].title=Tool",
				"mcp.defaults.tools.rules[1].tools=*", "mcp.defaults.tools.rules[1].timeout=200ms",
				"mcp.servers.a.tools.rules[0].tools=write", "mcp.servers.a.tools.rules[0].title=Writer",
				"mcp.servers.a.tools.rules[1].tools=write", "mcp.servers.a.tools.rules[1].timeout=300ms",
				"mcp.servers.a.tools.rules[2].tools=write", "mcp.servers.a.tools.rules[2].description=Writes");
		this.server.tool("read", McpTestReply.never()).tool("write", McpTestReply.never());
		assertThat(timedOut("a_write", McpToolRequest.of(Map.of())))
			.endsWith(" within 300 ms. The request was cancelled."
					+ " Raise mcp.servers.a.tools.rules[1].timeout, or the timeout of the call, if the request needs longer.");
		assertThat(timedOut("a_read", McpToolRequest.of(Map.of())))
			.contains(" Raise mcp.defaults.tools.rules[1].timeout, ");
		assertThat(timedOut("a_read", McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(100))))
			.endsWith(" Raise the timeout of the call if the request needs longer.");
	}

	private String timedOut(String tool, McpToolRequest request) {
		return assertThatExceptionOfType(McpRequestTimeoutException.class)
			.isThrownBy(() -> this.application.tools().get(tool).call(request))
			.actual()
			.getMessage();
	}

	@Test
	void patternsThatMatchNothingAreToldOnce(CapturedOutput output) {
		start("mcp.servers.a.tools.rules[0].tools=raed,w*,!nope", "mcp.servers.a.tools.rules[0].timeout=5s",
				"mcp.defaults.tools.rules[0].tools=elsewhere", "mcp.defaults.tools.rules[0].timeout=5s");
		String warning = "mcp.servers.a.tools.rules names tools that the server does not offer: raed";
		await().until(() -> output.getOut().contains(warning));
		this.server.awaitListeners(1);
		this.server.tools("another").notifyToolsListChanged();
		await().until(() -> this.application.tools().find("a_another").isPresent());
		assertThat(output.getOut().split(warning, -1)).hasSize(2);
		assertThat(output.getOut()).doesNotContain("elsewhere");
	}

	@Test
	void costsWhatRulesTimesToolsCost() {
		int tools = Endurance.times(10_000);
		this.server
			.tools(IntStream.range(0, tools).mapToObj((i) -> tool("tool_" + i, Map.of("readOnlyHint", true))).toList());
		String[] properties = IntStream.range(0, 50)
			.boxed()
			.flatMap((i) -> List
				.of("mcp.servers.a.tools.rules[" + i + "].tools=t*_*" + i % 10,
						"mcp.servers.a.tools.rules[" + i + "].title=Rule " + i)
				.stream())
			.toArray(String[]::new);
		start(properties, "mcp.servers.a.tools.max=10000", "mcp.startup.wait=60s");
		assertThat(this.application.tools().all()).hasSize(tools);
		assertThat(this.application.tools().get("a_tool_234").title()).isEqualTo("Rule 44");
	}

	private void start(String... properties) {
		start(properties, "mcp.servers.a.request-timeout=20s");
	}

	private void start(String[] properties, String... more) {
		this.server.start();
		this.application = ClientApplication
			.start(Stream.of(properties, more, new String[] { "mcp.servers.a.url=" + this.server.url() })
				.flatMap(Arrays::stream)
				.toArray(String[]::new));
	}

	private static Map<String, Object> tool(String name, Map<String, Object> annotations) {
		return Map.of("name", name, "description", "The tool " + name, "inputSchema", Map.of("type", "object"),
				"annotations", annotations);
	}

}
