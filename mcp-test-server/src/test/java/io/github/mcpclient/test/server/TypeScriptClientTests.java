package io.github.mcpclient.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpTestServer} with the TypeScript client.
 */
@Timeout(60)
class TypeScriptClientTests {

	private static final Path PEERS = Path.of("target/client");

	private final McpTestServer server = McpTestServer.create().start();

	@BeforeEach
	void script() {
		this.server.tools("echo")
			.tool("ask", TypeScriptClientTests::ask)
			.tool("error", McpTestReply.error(-32000, "not today"))
			.prompt("greet", "Say hello")
			.resource("file:///a.txt", "A")
			.on("resources/read", (request) -> {
				this.server.notifyToolsListChanged();
				return McpTestReply.standard();
			});
	}

	private static McpTestReply ask(McpTestRequest request) throws Exception {
		Map<String, ?> params = Map.of("messages", List.of(), "maxTokens", 5);
		if (request.meta().containsKey("io.modelcontextprotocol/protocolVersion")) {
			return (request.inputResponses().get("model") instanceof Map<?, ?> answer)
					? McpTestReply.text("The model is " + answer.get("model"))
					: McpTestReply.inputRequired()
						.withInputRequest("model", "sampling/createMessage", params)
						.withState("asked");
		}
		return McpTestReply.text("The model is "
				+ request.request("sampling/createMessage", params).get(30, TimeUnit.SECONDS).get("model"));
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void overStreamableHttp() throws Exception {
		call("http", "legacy", this.server.url());
		assertThat(this.server).hasReceivedCall("echo").hasHeader("X-Key", "k3y");
		assertThat(this.server).hasReceived("tools/list").hasHeader("Mcp-Protocol-Version", "2025-11-25");
	}

	@Test
	void overSse() throws Exception {
		call("sse", "legacy", this.server.sseUrl());
	}

	@Test
	void overStdio() throws Exception {
		call("stdio", "legacy", this.server.stdioCommand().toArray(String[]::new));
	}

	@Test
	void withoutSessionsOverStreamableHttp() throws Exception {
		this.server.protocolVersions("2026-07-28");
		call("http", "auto", this.server.url());
		assertThat(this.server).hasReceivedCall("echo").hasHeader("Mcp-Name", "echo");
		assertThat(this.server).hasNotReceived("initialize");
	}

	@Test
	void withoutSessionsOverStdio() throws Exception {
		this.server.protocolVersions("2025-11-25", "2026-07-28");
		call("stdio", "auto", this.server.stdioCommand().toArray(String[]::new));
		assertThat(this.server).hasNotReceived("initialize");
	}

	private static void call(String transport, String era, String... target) throws IOException, InterruptedException {
		boolean required = Boolean.getBoolean("peers.required") || Boolean.parseBoolean(System.getenv("CI"));
		Assumptions.assumeTrue(required || Files.exists(PEERS.resolve("node_modules")), "This test needs Node and npm");
		// where it finds its modules
		Path script = Files.copy(Path.of("src/test/resources/client.mjs"), PEERS.resolve(transport + ".mjs"),
				StandardCopyOption.REPLACE_EXISTING);
		try {
			List<String> command = new ArrayList<>(List.of("node", script.toString(), transport, era));
			command.addAll(List.of(target));
			Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
			assertThat(client.inputReader().lines()).containsExactly("test-server", "echo,ask,error", "echo hello",
					"The model is small", "not today", "Say hello", "A", "changed");
			assertThat(client.waitFor()).isZero();
		}
		finally {
			Files.delete(script);
		}
	}

}
