package io.github.mcpclient.session;

import java.time.Duration;
import java.util.Map;

import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StatefulSession}.
 */
@Timeout(30)
class SessionTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final ManualTimer timer = new ManualTimer();

	private final ScriptedTransport transport = new ScriptedTransport();

	private final RecordingListener listener = new RecordingListener();

	private final StatefulSession session = session(this.transport);

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.session.pendingCount()).isZero();
		assertThat(this.timer.pending()).isZero();
	}

	@Test
	void opensWithTheNewestRevision() {
		InitializeResult server = this.session.open().block();
		assertThat(server.serverInfo().name()).isEqualTo("scripted");
		assertThat(this.transport.received()).extracting(ScriptedTransport.Received::method)
			.containsExactly("initialize", "notifications/initialized");
		assertThat(this.transport.received().get(0).params().toString()).isEqualTo(
				"{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}");
	}

	@Test
	void callsATool() {
		this.transport.answer("tools/call", "{\"content\": [{\"type\": \"text\", \"text\": \"hello\"}]}");
		this.session.open().block();
		CallToolResult result = this.session.callTool(call("echo"), MINUTE, null).block();
		assertThat(result.content()).containsExactly(TextContent.builder("hello").build());
		assertThat(this.transport.received("tools/call").get(0).params().toString())
			.isEqualTo("{\"name\":\"echo\",\"arguments\":{\"a\":1}}");
	}

	@Test
	void errorAnswerFailsTheCall() {
		this.session.open().block();
		assertThatExceptionOfType(McpError.class)
			.isThrownBy(() -> this.session.callTool(call("echo"), MINUTE, null).block())
			.satisfies((ex) -> assertThat(ex.getJsonRpcError().code()).isEqualTo(-32601));
	}

	static CallToolRequest call(String name) {
		return CallToolRequest.builder(name).arguments(Map.of("a", 1)).build();
	}

	private StatefulSession session(ScriptedTransport transport) {
		SessionOptions options = new SessionOptions("weather", Implementation.builder("test", "1").build(),
				ClientCapabilities.builder().build(), Duration.ofSeconds(20), MINUTE, 100);
		return (StatefulSession) new McpSessionFactory(this.timer, Schedulers.boundedElastic()).create(transport,
				options, this.listener);
	}

}
