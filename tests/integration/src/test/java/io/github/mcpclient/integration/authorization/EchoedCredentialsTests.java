package io.github.mcpclient.integration.authorization;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.agent.McpToolExecutor;
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

import org.springframework.boot.WebApplicationType;
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
			application.manager().server("a").reconnectAsync().subscribe();
			assertThat(application.registry().server("a").status().lastError()).contains("Refused")
				.doesNotContain(SECRETS);
		}
		assertThat(output.getAll()).doesNotContain(SECRETS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "2025-11-25", "2026-07-28" })
	void whatIsConfiguredIsMaskedForOperatorsWhereverTheServerListsIt(String version, CapturedOutput output) {
		List<String> secrets = List.of("key-of-a-header-4711", "password-of-the-url", "query-of-the-url",
				"token-in-env", "fixed-argument");
		String said = "You have " + String.join(" and ", secrets);
		Map<String, Object> named = Map.of("name", "work", "title", said, "description", said);
		Map<String, Object> info = Map.of("name", said, "title", said, "version", "1 " + secrets.get(0), "websiteUrl",
				"https://a.example/" + secrets.get(0), "icons",
				List.of(Map.of("src", "https://a.example/" + secrets.get(0))));
		Map<String, Object> capabilities = Map.of("tools", Map.of(), "prompts", Map.of(), "resources", Map.of());
		try (McpTestServer server = McpTestServer.create()
			.protocolVersions(version)
			.on("initialize",
					McpTestReply.result(Map.of("protocolVersion", version, "capabilities", capabilities, "serverInfo",
							info, "instructions", said)))
			.on("server/discover",
					McpTestReply.result(Map.of("resultType", "complete", "supportedVersions", List.of(version),
							"capabilities", capabilities, "instructions", said, "_meta",
							Map.of("io.modelcontextprotocol/serverInfo", info))))
			.tool(with(named, "inputSchema", schema(said), "outputSchema", schema(said), "annotations",
					Map.of("title", said)), (request) -> McpTestReply.text(said))
			.prompt(with(named, "arguments", List.of(Map.of("name", "a", "description", said))),
					(request) -> McpTestReply.text(said))
			.resource(with(named, "uri", "x:" + secrets.get(0)), (request) -> McpTestReply.text(said))
			.resourceTemplate(with(named, "uriTemplate", "x:" + secrets.get(0) + "{a}"),
					(request) -> McpTestReply.text(said))
			.start();
				ClientApplication application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[0],
						"mcp.servers.a.url=" + server.url().replace("://", "://user:password-of-the-url@")
								+ "?key=query-of-the-url",
						"mcp.servers.a.headers.X-Api-Key=key-of-a-header-4711",
						"mcp.servers.a.tools.rules[0].tools=none", "mcp.servers.a.config.vendor.token=token-in-env",
						"mcp.servers.a.tools.rules[0].arguments.x=fixed-argument",
						"management.endpoints.web.exposure.include=*")) {
			String servers = application.get("/actuator/mcp").toString();
			String details = application.get("/actuator/mcp/a").toString();
			String status = application.registry().server("a").status().toString();
			assertThat(servers).contains("READY", "You have ****** and ******").doesNotContain(secrets);
			assertThat(details)
				.contains("\"instructions\":\"You have ******", "\"uri\":\"x:******\"", "\"default\":\"You have ******",
						"\"work\"")
				.doesNotContain(secrets);
			assertThat(status).contains("You have ******").doesNotContain(secrets);
			assertThat(application.tools().get("a_work").description()).as("the application").isEqualTo(said);
		}
		assertThat(output.getAll()).doesNotContain(secrets);
	}

	private static Map<String, Object> with(Map<String, Object> item, Object... members) {
		Map<String, Object> all = new HashMap<>(item);
		for (int i = 0; i < members.length; i += 2) {
			all.put((String) members[i], members[i + 1]);
		}
		return all;
	}

	private static Map<String, Object> schema(String said) {
		return Map.of("type", "object", "description", said, "properties",
				Map.of("a", Map.of("type", "string", "default", said, "enum", List.of(said))));
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
