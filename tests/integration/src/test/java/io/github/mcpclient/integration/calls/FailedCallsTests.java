package io.github.mcpclient.integration.calls;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.langchain4j.McpCatalogToolProvider;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for what operators and models read of a call that fails.
 */
class FailedCallsTests {

	// of what only operators know
	private static final String[] INTERNALS = { "http", "127.0.0.1", "localhost", "mcp.servers", "request-timeout",
			"max-result-size", "callAsync", "thread", "Exception" };

	private final CapturedLog log = new CapturedLog("io.github.mcpclient.calls");

	private final McpTestServer server = McpTestServer.create().tools("read", "write").start();

	private ClientApplication application;

	@Test
	void aCallThatGoesWellLeavesNoLine() {
		start();
		this.log.level(Level.DEBUG);
		assertThat(execute("a_read").isError()).isFalse();
		assertThat(this.log.events()).isEmpty();
	}

	@Test
	void theFirstErrorOfAToolIsOneLineAtInfoAndTheNextOnesAtDebug() {
		start();
		this.server.on("tools/call", (request) -> McpTestReply
			.result(Map.of("content", List.of(Map.of("type", "text", "text", "no\nsuch file")), "isError", true)));
		assertThat(execute("a_read").text()).isEqualTo("no\nsuch file");
		assertThat(execute("a_read").isError()).isTrue();
		execute("a_write");
		this.server.notifyToolsListChanged();
		Awaitility.await().until(() -> this.server.requests("tools/list").size() > 1);
		this.log.level(Level.DEBUG);
		execute("a_read");
		tool("a_read").callAsync(Map.of()).block();
		assertThat(this.log.events()).extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly("MCP tool 'a_read' returned an error: no such file",
					"MCP tool 'a_write' returned an error: no such file",
					"MCP tool 'a_read' returned an error: no such file",
					"MCP tool 'a_read' returned an error: no such file");
		assertLine(this.log.events().get(0), Level.INFO, "a", "a_read", "no such file", "tool_error");
		assertLine(this.log.events().get(1), Level.INFO, "a", "a_write", "no such file", "tool_error");
		assertLine(this.log.events().get(2), Level.DEBUG, "a", "a_read", "no such file", "tool_error");
		assertLine(this.log.events().get(3), Level.DEBUG, "a", "a_read", "no such file", "tool_error");
	}

	@Test
	void anErrorOfTheProtocolIsOneLineAndAShortSentence() {
		start();
		this.server.on("tools/call", McpTestReply.error(-32602, "no\npath"));
		McpToolResult result = execute("a_read");
		ILoggingEvent line = onlyLine();
		assertThat(line.getFormattedMessage()).startsWith("The call of MCP tool 'a_read' failed: MCP server 'a' ");
		assertLine(line, Level.WARN, "a", "a_read", null, "McpProtocolException");
		assertForModel(result, "MCP tool 'a_read' responded with error -32602: no path");
		assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool("a_read").callAsync(Map.of()).block());
		assertThat(this.log.events()).hasSize(2);
	}

	@Test
	void argumentsThatAreNoJsonAreOneLineWhoeverWroteThem() {
		start();
		assertThatIllegalArgumentException().isThrownBy(() -> tool("a_read").call("{"));
		ToolCallback callback = this.application.context().getBean(McpToolCallbackProvider.class).getToolCallbacks()[0];
		assertThat(callback.call("{")).startsWith("Error: The arguments of MCP tool 'a_read' ");
		AiServiceTool tool = this.application.context()
			.getBean(McpCatalogToolProvider.class)
			.provideTools(new ToolProviderRequest("memory", UserMessage.from("hello")))
			.aiServiceTools()
			.get(0);
		ToolExecutionRequest request = ToolExecutionRequest.builder().name("a_read").arguments("{").build();
		assertThat(tool.toolExecutor().executeWithContext(request, null).isError()).isTrue();
		assertThat(this.log.events()).hasSize(3).allSatisfy((line) -> {
			assertThat(line.getFormattedMessage()).endsWith("must be a single JSON object");
			assertLine(line, Level.WARN, "a", "a_read", null, "IllegalArgumentException");
		});
	}

	@Test
	void aTimeoutIsOneLineAndAShortSentence() {
		start("mcp.servers.a.request-timeout=200ms");
		this.server.on("tools/call", McpTestReply.never());
		McpToolResult result = execute("a_read");
		ILoggingEvent line = onlyLine();
		assertThat(line.getFormattedMessage()).contains("within 200 ms", "mcp.servers.a.request-timeout");
		assertLine(line, Level.WARN, "a", "a_read", null, "McpRequestTimeoutException");
		assertForModel(result, "MCP tool 'a_read' did not respond in time. It may have been executed: "
				+ "check before you try again.");
	}

	@Test
	void aResultThatIsTooLargeIsOneLineAndAShortSentence() {
		start("mcp.servers.a.max-result-size=10KB");
		this.server.on("tools/call", (request) -> McpTestReply
			.result(Map.of("content", List.of(Map.of("type", "text", "text", "x".repeat(20_000))))));
		McpToolResult result = execute("a_read");
		assertLine(onlyLine(), Level.WARN, "a", "a_read", null, "McpResultTooLargeException");
		assertForModel(result, "MCP tool 'a_read' returned a result that is too large. Request less.");
	}

	@Test
	void aServerThatIsAwayIsOneLineForEachCallAndAShortSentence() {
		start();
		this.server.close();
		Awaitility.await().until(() -> this.application.state("a") == McpServerState.UNAVAILABLE);
		McpToolResult result = execute("a_read");
		ILoggingEvent line = onlyLine();
		assertThat(line.getFormattedMessage()).contains("(http://", " UNAVAILABLE: ");
		assertLine(line, Level.WARN, "a", "a_read", null, "McpServerUnavailableException");
		assertForModel(result, "MCP tool 'a_read' is not available now. Try again later.");
	}

	@Test
	void aRetryingAgentDoesNotFloodTheLog() {
		start();
		this.server.close();
		Awaitility.await().until(() -> this.application.state("a") == McpServerState.UNAVAILABLE);
		for (int i = 0; i < 500; i++) {
			execute("a_read");
		}
		assertThat(this.log.events()).hasSizeBetween(2, 40);
		assertThat(this.log.events()).extracting(ILoggingEvent::getFormattedMessage)
			.contains("Failed calls of tools of MCP server 'a': More than 10 lines in 60 s: further lines are omitted");
	}

	@Test
	void aCallOnAThreadThatMustNotBlockIsOneLineAndAShortSentence() {
		start();
		McpToolResult result = Mono.fromCallable(() -> execute("a_read")).subscribeOn(Schedulers.parallel()).block();
		assertThat(onlyLine().getFormattedMessage()).contains("would block thread", "callAsync");
		assertForModel(result, "MCP tool 'a_read' could not be called.");
	}

	@Test
	void anInterceptorThatFailsIsOneLine() {
		start();
		intercept((tool, request, chain) -> {
			throw new IllegalStateException("no budget");
		});
		assertThatIllegalStateException().isThrownBy(() -> tool("a_read").call(Map.of()));
		assertLine(onlyLine(), Level.WARN, "a", "a_read", "java.lang.IllegalStateException: no budget",
				"IllegalStateException");
		assertThatIllegalStateException().isThrownBy(() -> tool("a_read").callAsync(Map.of()).block());
		assertThat(this.log.events()).hasSize(2);
		assertForModel(execute("a_read"), "MCP tool 'a_read' could not be called.");
	}

	@Test
	void aFailureThatAnInterceptorPassesOnOrHidesIsOneLine() {
		start("mcp.servers.a.request-timeout=200ms");
		intercept((tool, request, chain) -> {
			try {
				return chain.proceed(request.withTimeout(Duration.ofMillis(200)));
			}
			catch (McpException ex) {
				if (tool.name().equals("a_write")) {
					return McpToolResult.error(tool.name(), "from a cache");
				}
				throw ex;
			}
		});
		this.server.on("tools/call", McpTestReply.never());
		assertThat(execute("a_read").isError()).isTrue();
		assertThat(this.log.events()).hasSize(1);
		assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool("a_read").callAsync(Map.of()).block());
		assertThat(this.log.events()).hasSize(2);
		assertThat(execute("a_write").text()).isEqualTo("from a cache");
		assertThat(this.log.events()).hasSize(3);
	}

	@Test
	void aCallThatItsCallerCancelsWithinInterceptorsLeavesNoLine() throws Exception {
		start();
		CountDownLatch ended = new CountDownLatch(1);
		intercept((tool, request, chain) -> {
			try {
				return chain.proceed(request);
			}
			finally {
				ended.countDown();
			}
		});
		this.server.on("tools/call", McpTestReply.never());
		Disposable call = tool("a_read").callAsync(Map.of()).subscribe();
		this.server.awaitPending("tools/call", 1);
		call.dispose();
		assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.log.events()).isEmpty();
	}

	@Test
	void aNameThatBeginsWithTheHeadOfAServerThatIsAwayNamesThatServer() {
		start("mcp.servers.badcred.url=" + this.server.url().replace("/mcp", "/nothing"),
				"mcp.servers.off.enabled=false", "mcp.servers.off.command=npx",
				"mcp.servers.other.url=http://127.0.0.1:1/mcp");
		Awaitility.await().until(() -> this.application.state("badcred") == McpServerState.UNAVAILABLE);
		assertThatExceptionOfType(McpServerUnavailableException.class).isThrownBy(() -> tool("badcred_echo"))
			.withMessageMatching("MCP server 'badcred' \\(http://.*\\) is (UNAVAILABLE|CONNECTING): .*404.*")
			.withMessageNotContaining("other");
		McpToolResult result = execute("badcred_echo");
		assertThat(onlyLine().getFormattedMessage()).contains("MCP server 'badcred' (", "404");
		assertThat(keyValues(onlyLine())).containsEntry("mcp.server", "badcred")
			.containsEntry("mcp.tool", "badcred_echo");
		assertForModel(result, "MCP tool 'badcred_echo' is not available now. Try again later.");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> tool("off_echo"))
			.withMessage("No MCP tool 'off_echo'. MCP server 'off' (npx) is DISABLED: enabled is false.");
		assertForModel(execute("off_echo"), "No MCP tool 'off_echo'.");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> tool("a_reed"))
			.withMessage("No MCP tool 'a_reed'. Did you mean a_read?");
		assertForModel(execute("a_reed"), "No MCP tool 'a_reed'. Did you mean a_read?");
	}

	private void start(String... properties) {
		this.application = ClientApplication.start(WebApplicationType.NONE, new Class<?>[] { Intercepting.class },
				StringUtils.concatenateStringArrays(properties, new String[] { "mcp.servers.a.url=" + this.server.url(),
						"mcp.defaults.reconnect.initial-delay=20s" }));
		assertThat(this.application.state("a")).isEqualTo(McpServerState.READY);
		// an application that starts sets up its log
		this.log.open().level(null);
	}

	private void intercept(McpToolInterceptor interceptor) {
		this.application.context().getBean(Intercepting.class).interceptor = interceptor;
	}

	private McpTool tool(String name) {
		return this.application.tools().get(name);
	}

	private McpToolResult execute(String name) {
		return this.application.context().getBean(McpToolExecutor.class).execute(name, Map.of());
	}

	private ILoggingEvent onlyLine() {
		assertThat(this.log.events()).hasSize(1);
		return this.log.events().get(0);
	}

	private static void assertForModel(McpToolResult result, String text) {
		assertThat(result.isError()).isTrue();
		assertThat(result.text()).startsWith(text).doesNotContain(INTERNALS);
	}

	private static void assertLine(ILoggingEvent line, Level level, String server, String tool, String cause,
			String type) {
		assertThat(line.getLevel()).isEqualTo(level);
		assertThat(line.getThrowableProxy()).isNull();
		assertThat(line.getFormattedMessage()).doesNotContain("\n");
		Map<String, Object> values = keyValues(line);
		assertThat(values).containsOnlyKeys("mcp.server", "mcp.transport", "mcp.tool", "mcp.cause", "error.type")
			.containsEntry("mcp.server", server)
			.containsEntry("mcp.tool", tool)
			.containsEntry("error.type", type);
		if (cause != null) {
			assertThat(values).containsEntry("mcp.cause", cause);
		}
		assertThat(line.getFormattedMessage()).endsWith(String.valueOf(values.get("mcp.cause")));
	}

	private static Map<String, Object> keyValues(ILoggingEvent line) {
		return line.getKeyValuePairs()
			.stream()
			.collect(Collectors.toMap((KeyValuePair pair) -> pair.key, (pair) -> pair.value));
	}

	static class Intercepting {

		private volatile McpToolInterceptor interceptor = (tool, request, chain) -> chain.proceed(request);

		@Bean
		McpToolInterceptor interceptor() {
			return (tool, request, chain) -> this.interceptor.intercept(tool, request, chain);
		}

	}

}
