package io.github.mcpclient.client;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls whose caller is interrupted while it waits.
 */
class InterruptedCallTests {

	private final McpTestServer server = McpTestServer.create()
		.tool("hang", McpTestReply.never())
		.prompt("greeting", "Hello")
		.on("prompts/get", McpTestReply.never())
		.start();

	private final StandaloneMcpClient client = StandaloneMcpClient.builder()
		.startupWait(LIMIT)
		.server(McpServerDefinition.http("a", URI.create(this.server.url())).build())
		.build();

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
	}

	@Test
	void ofATool() {
		isCancelled("tools/call", "tools/call hang", () -> this.client.tools().get("a_hang").call(Map.of()));
	}

	@Test
	void ofAPrompt() {
		McpServer server = this.client.registry().server("a");
		isCancelled("prompts/get", "getPrompt", () -> server.getPrompt("greeting", Map.of()));
	}

	private void isCancelled(String method, String named, Runnable call) {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		CompletableFuture<Boolean> flag = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			try {
				call.run();
			}
			catch (Throwable ex) {
				failure.complete(ex);
			}
			flag.complete(Thread.currentThread().isInterrupted());
		});
		caller.start();
		this.server.awaitPending(method, 1);
		caller.interrupt();
		assertThat(failure).succeedsWithin(LIMIT)
			.isInstanceOfSatisfying(McpException.class, (ex) -> assertThat(ex.getServerName()).isEqualTo("a"))
			.asInstanceOf(InstanceOfAssertFactories.THROWABLE)
			.hasMessage("The thread that called MCP server 'a' was interrupted while it waited for " + named
					+ ". The request was cancelled, if it was sent.")
			.hasCauseInstanceOf(InterruptedException.class);
		assertThat(flag).succeedsWithin(LIMIT).isEqualTo(true);
		Object id = this.server.awaitRequest(method).id();
		assertThat(this.server.awaitRequest("notifications/cancelled").params().get("requestId").toString())
			.isEqualTo(id.toString());
	}

}
