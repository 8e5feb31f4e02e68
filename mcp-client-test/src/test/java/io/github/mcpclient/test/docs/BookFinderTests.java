package io.github.mcpclient.test.docs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.McpTest;
import io.github.mcpclient.test.McpToolClientWriter;
import io.github.mcpclient.test.MockMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@McpTest(properties = "mcp.servers.library.request-timeout=500ms")
@Import(BookFinder.class)
class BookFinderTests {

	@MockMcpServer
	static final McpTestServer library = McpTestServer.create()
		.tool("find", (request) -> McpTestReply.text("A book about " + request.argument("topic")));

	@Autowired
	BookFinder finder;

	@Autowired
	McpToolCatalog tools;

	@Autowired
	McpServerManager manager;

	@Test
	void finds() {
		assertThat(this.finder.find("bees")).isEqualTo("A book about bees");
		assertThat(library).hasReceivedCall("find").hasArgument("topic", "bees");
	}

	@Test
	void theToolReportsAnError() {
		library.tool("find", McpTestReply.toolError("The index is lost"));
		assertThat(this.finder.find("bees")).isEqualTo("Nothing: The index is lost");
	}

	@Test
	void theServerRefusesTheCall() {
		library.onNext("tools/call", McpTestReply.error(-32602, "No such topic"), McpTestReply.status(403));
		assertThat(this.finder.find("bees")).isEqualTo("The library is closed");
		assertThat(this.finder.find("bees")).isEqualTo("The library is closed");
		assertThat(this.finder.find("bees")).isEqualTo("A book about bees");
	}

	@Test
	void theToolIsSlow() {
		CompletableFuture<Void> delay = new CompletableFuture<>();
		library.tool("find", McpTestReply.text("At last").after(delay));
		CompletableFuture<String> book = CompletableFuture.supplyAsync(() -> this.finder.find("bees"));
		library.awaitPending("tools/call", 1);
		delay.complete(null);
		assertThat(book.join()).isEqualTo("At last");
	}

	@Test
	void theToolNeverResponds() {
		library.tool("find", McpTestReply.never());
		assertThat(this.finder.find("bees")).isEqualTo("The library is closed");
		library.awaitPending("tools/call", 0);
	}

	@Test
	void theToolDisappears() {
		library.removeTools("find").notifyToolsListChanged();
		await().until(() -> this.tools.find("library_find").isEmpty());
		assertThat(this.finder.find("bees")).isEqualTo("The library is closed");
	}

	@Test
	void theServerRecovers() {
		library.stop();
		assertThat(this.finder.find("bees")).isEqualTo("The library is closed");
		library.start();
		this.manager.server("library").reconnect();
		assertThat(this.finder.find("bees")).isEqualTo("A book about bees");
	}

	@Test
	void aClientIsWrittenForTheServer() throws IOException {
		Path file = McpToolClientWriter.write(this.manager.server("library"), "com.example.library",
				Path.of("target/clients"));
		assertThat(file).content().contains("public interface Library {");
	}

}
