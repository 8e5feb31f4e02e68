package io.github.mcpclient.integration.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.env.MapPropertySource;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application whose secrets are rotated, and whose files are changed, while it calls
 * tools.
 */
@DisabledOnOs(OS.WINDOWS)
class ChangedFilesTests {

	private final CompletableFuture<Void> gate = new CompletableFuture<>();

	private final McpTestServer secured = closing(McpTestServer.create()
		.tool("who", (request) -> McpTestReply.text(request.header("Authorization")))
		.tool("slow", (request) -> McpTestReply.text(request.header("Authorization")).after(this.gate))
		.start());

	private final McpTestServer other = closing(McpTestServer.create().tools("echo").start());

	@TempDir
	private Path directory;

	@Test
	void rotatedSecretsAreUsedWithoutALostCall() throws IOException {
		rotate("1", "old");
		Files.writeString(this.directory.resolve("some.env"), "OLD=1");
		Files.writeString(this.directory.resolve("mcp.json"), servers("null"));
		ClientApplication application = start();
		CompletableFuture<McpToolResult> pending = application.registry()
			.tools()
			.get("a_slow")
			.callAsync(Map.of())
			.toFuture();
		this.secured.awaitPending("tools/call", 1);
		assertThat(application.text("a_who", Map.of())).isEqualTo("Bearer old");
		rotate("2", "new");
		// a call that is lost throws
		await().until(() -> application.text("a_who", Map.of()).equals("Bearer new"));
		Files.writeString(this.directory.resolve("some.env"), "OLD=1\nNEW=1");
		await().until(() -> application.text("c_env", Map.of()).contains(" NEW "));
		this.gate.complete(null);
		assertThat(pending.join().orThrow().text()).isEqualTo("Bearer old");
		assertThat(this.other.requests("initialize")).hasSize(1);
		mistakeInAFileChangesNothing(application);
	}

	private void mistakeInAFileChangesNothing(ClientApplication application) throws IOException {
		McpServerReloader reloader = application.context().getBean(McpServerReloader.class);
		Path file = Files.writeString(this.directory.resolve("mcp.json"), servers("{\"url\": s3cr3t}"));
		await().until(() -> reloader.failure().isPresent());
		assertThat(reloader.failure().map(McpReloadFailure::message).orElseThrow()).contains(file.toString())
			.contains("(line 3, ")
			.doesNotContain("s3cr3t");
		assertThat(application.text("b_echo", Map.of("message", "here"))).isEqualTo("echo here");
		Files.delete(file);
		await()
			.until(() -> reloader.failure().map(McpReloadFailure::message).orElseThrow().contains("cannot be found"));
		assertThat(application.state("b")).isEqualTo(McpServerState.READY);
		Files.writeString(file, servers("{\"url\": \"" + this.other.url() + "\"}"));
		await().until(() -> application.registry().tools().find("d_echo").isPresent());
		assertThat(reloader.failure()).isEmpty();
		assertThat(this.other.requests("initialize")).hasSize(2);
		application.context()
			.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("later", Map.of("mcp.audit.masked-fields", "key")));
		assertThat(reloader.reload().restart()).containsExactly("mcp.audit");
	}

	private ClientApplication start() {
		return ClientApplication.start("mcp.reload.enabled=true", "mcp.reload.interval=100ms",
				"spring.config.import=configtree:" + this.directory + "/secrets/,mcp:" + this.directory + "/mcp.json",
				"mcp.servers.a.url=" + this.secured.url(), "mcp.servers.a.headers.Authorization=Bearer ${token}",
				"mcp.servers.c.command=/bin/sh", "mcp.servers.c.args=" + ClientApplication.mini("c")[1].split("=")[1],
				"mcp.servers.c.env-file=" + this.directory + "/some.env");
	}

	private String servers(String more) {
		return """
				{"mcpServers": {
				"b": {"url": "%s"},
				"d": %s
				}}""".formatted(this.other.url(), more);
	}

	/**
	 * Write a Secret as the kubelet does.
	 */
	private void rotate(String version, String token) throws IOException {
		Path mount = Files.createDirectories(this.directory.resolve("secrets"));
		Path versioned = Files.createDirectory(mount.resolve("..2026_" + version));
		Files.writeString(versioned.resolve("token"), token + "\n");
		Path link = Files.createSymbolicLink(mount.resolve("..data_tmp"), versioned.getFileName());
		Files.move(link, mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
		if (!Files.exists(mount.resolve("token"))) {
			Files.createSymbolicLink(mount.resolve("token"), Path.of("..data/token"));
		}
	}

}
