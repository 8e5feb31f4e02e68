package io.github.mcpclient.integration;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpServerNotification;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A server that repeats the credentials that it is sent, which the application got while
 * it runs.
 */
@ExtendWith(OutputCaptureExtension.class)
class EchoedCredentialsTests {

	private static final String TOKEN = "eyJhbGciOi/runtime+token==";

	private static final String KEY = "key-of-a-provider-4711";

	private static final List<String> SECRETS = List.of(TOKEN, KEY);

	@ParameterizedTest
	@ValueSource(strings = { "streamable-http", "sse", "websocket" })
	void areMaskedWhereverTheServerSaysThem(String type, CapturedOutput output) {
		try (McpTestServer server = server()) {
			String url = switch (type) {
				case "sse" -> server.sseUrl();
				case "websocket" -> server.webSocketUrl();
				default -> server.url();
			};
			try (ClientApplication application = start(url, type)) {
				McpToolExecutor tools = application.context().getBean(McpToolExecutor.class);
				for (String how : List.of("result", "structured", "toolError", "error", "notify")) {
					String text = tools.execute("a_work", Map.of("how", how)).toString();
					assertThat(text).as(how).contains("******", "alice-in-wonderland").doesNotContain(SECRETS);
				}
				Throwable failure = catchThrowable(() -> application.text("a_work", Map.of("how", "error")));
				assertThat(failure).isNotNull();
				assertThat(failure + " " + ((McpProtocolException) failure).getData()).doesNotContain(SECRETS);
				Recorder recorder = application.context().getBean(Recorder.class);
				Awaitility.await().until(() -> !recorder.seen.isEmpty());
				assertThat(recorder.seen).asString().contains("******").doesNotContain(SECRETS);
			}
		}
		assertThat(output.getAll()).contains("******").doesNotContain(SECRETS);
	}

	@Test
	void areMaskedInTheLastError(CapturedOutput output) {
		try (McpTestServer server = server().on("initialize",
				(request) -> McpTestReply.error(-32000, "Refused: " + said(request)));
				ClientApplication application = start(server.url(), "streamable-http")) {
			assertThat(application.registry().server("a").status().lastError()).contains("Refused")
				.contains("******")
				.doesNotContain(SECRETS);
			server.on("initialize",
					(request) -> McpTestReply.error(-32000, "Refused: " + said(request)).withStatus(400));
			application.registry().server("a").reconnect();
			assertThat(application.registry().server("a").status().lastError()).contains("Refused")
				.doesNotContain(SECRETS);
		}
		assertThat(output.getAll()).doesNotContain(SECRETS);
	}

	private static ClientApplication start(String url, String type) {
		return ClientApplication.start(Credentials.class, "mcp.servers.a.url=" + url, "mcp.servers.a.type=" + type,
				"mcp.servers.a.auth.type=runtime");
	}

	private static McpTestServer server() {
		return McpTestServer.create().tool("work", (request) -> {
			String said = said(request);
			return switch (String.valueOf(request.arguments().get("how"))) {
				case "structured" -> McpTestReply
					.result(Map.of("content", List.of(), "structuredContent", Map.of("said", List.of(said))));
				case "toolError" -> McpTestReply.toolError(said);
				case "error" -> McpTestReply.error(-32000, said, Map.of("said", said));
				case "notify" -> {
					request.notify("notifications/message", Map.of("level", "warning", "data", said));
					yield McpTestReply.text(said);
				}
				default -> McpTestReply.text(said);
			};
		}).start();
	}

	private static String said(McpTestRequest request) {
		return "You sent Bearer " + TOKEN + " and " + KEY + ", alice-in-wonderland";
	}

	static class Credentials {

		@Bean
		McpAuthorizer runtime() {
			return (request) -> Mono.just(Map.of("Authorization", "Bearer " + TOKEN));
		}

		@Bean
		McpHeadersProvider provider() {
			return McpHeadersProvider.of((request) -> Map.of("X-Api-Key", KEY, "X-User", "alice-in-wonderland"));
		}

		@Bean
		Recorder recorder() {
			return new Recorder();
		}

	}

	static final class Recorder implements McpMessageListener {

		private final Queue<McpServerNotification> seen = new ConcurrentLinkedQueue<>();

		@Override
		public void onNotification(McpServerNotification notification) {
			this.seen.add(notification);
		}

	}

}
