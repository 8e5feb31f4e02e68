package io.github.mcpclient.smoke;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That large texts arrive as they are, with the version of Jackson that the application's
 * Spring Boot brings. Escapes and letters of several bytes stand at each place of a
 * parser's buffer.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LargeTextTests {

	private static final Map<String, String> LINES = Map.of("english", "{\"path\": \"C:\\temp\", \"value\": 1}\tyes\n",
			"german", "eine Zeile mit \u00fc, \u00e4 und \u00df\n", "chinese", "\u4e00\u884c\u6587\u5b57\n");

	private static McpTestServer peer;

	private static ConfigurableApplicationContext context;

	@BeforeAll
	static void start() {
		peer = McpTestServer.create()
			.tool("text",
					(call) -> McpTestReply.text(text(call.argument("script"), Integer.parseInt(call.argument("shift")),
							Integer.parseInt(call.argument("size")))))
			.start();
		List<String> child = peer.stdioCommand();
		List<String> properties = new ArrayList<>(
				List.of("spring.main.banner-mode=off", "spring.main.web-application-type=none", "mcp.startup.wait=60s",
						"spring.reactor.netty.shutdown-quiet-period=0", "mcp.servers.http.url=" + peer.url(),
						"mcp.servers.ws.type=websocket", "mcp.servers.ws.url=" + peer.webSocketUrl(),
						"mcp.servers.child.command=" + child.get(0)));
		for (int i = 1; i < child.size(); i++) {
			properties.add("mcp.servers.child.args[" + (i - 1) + "]=" + child.get(i));
		}
		context = new SpringApplicationBuilder(Application.class).properties(properties.toArray(String[]::new)).run();
	}

	@AfterAll
	static void stop() {
		context.close();
		peer.close();
	}

	static Stream<String> tools() {
		return Stream.of("http_text", "ws_text", "child_text");
	}

	@ParameterizedTest
	@MethodSource("tools")
	void largeTextsOfAllScriptsArrive(String tool) {
		McpToolCatalog tools = context.getBean(McpToolCatalog.class);
		LINES.keySet().forEach((script) -> IntStream.of(2_500, 40_000, 100_000).forEach((size) -> {
			for (int shift = 0; shift < 7; shift++) {
				assertThat(
						tools.get(tool).call(Map.of("script", script, "shift", shift, "size", size)).orThrow().text())
					.isEqualTo(text(script, shift, size));
			}
		}));
	}

	private static String text(String script, int shift, int size) {
		String line = LINES.get(script);
		return "x".repeat(shift) + line.repeat(size / line.length());
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
