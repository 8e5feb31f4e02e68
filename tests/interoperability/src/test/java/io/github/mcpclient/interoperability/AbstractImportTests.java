package io.github.mcpclient.interoperability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What tests of an application without OAuth have in common that imports the file of
 * another client.
 */
abstract class AbstractImportTests {

	static final String TOKEN = "s3cr3t-token";

	@RegisterExtension
	final CapturedLog log = new CapturedLog("io.github.mcpclient");

	final McpTestServer peer = McpTestServer.create().tool("echo", McpTestReply.text("hello")).start();

	final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withInitializer(new ConfigDataApplicationContextInitializer())
		.withConfiguration(AutoConfigurations.of(McpClientAutoConfiguration.class))
		.withPropertyValues("mcp.startup.wait=60s");

	@TempDir
	Path directory;

	@AfterEach
	void close() {
		this.peer.close();
	}

	/**
	 * Start an application that imports servers.
	 * @param entries those of the file, with single quotes, and a star for the url of the
	 * server that is there
	 */
	final void servers(String entries, Consumer<McpServerManager> test, String... properties) {
		this.runner.withPropertyValues(importing(entries)).withPropertyValues(properties).run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context.getBean(McpServerManager.class));
		});
	}

	final String importing(String entries) {
		String json = "{\"mcpServers\": {\n" + entries.replace('\'', '"').replace("*", this.peer.url()) + "}}";
		try {
			return "spring.config.import=mcp:" + Files.writeString(this.directory.resolve("mcp.json"), json);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static void assertReady(McpServerManager servers) {
		assertThat(servers.server("peer").status()).returns(null, McpServerStatus::lastError)
			.returns(McpServerState.READY, McpServerStatus::state);
	}

}
