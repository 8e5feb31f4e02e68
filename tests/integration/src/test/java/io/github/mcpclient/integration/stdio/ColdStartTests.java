package io.github.mcpclient.integration.stdio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.RequiredMcpServerException;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A server whose command downloads it first: a script by the name of {@code npx}.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "The command is a shell script")
class ColdStartTests {

	private final Leaks leaks = new Leaks();

	@TempDir
	private Path directory;

	@Test
	void oneProcessHasTheTimeThatItTakes() throws Exception {
		Path downloaded = this.directory.resolve("downloaded");
		try (ClientApplication application = start("while [ ! -e " + downloaded + " ]; do sleep 0.05; done",
				"mcp.startup.wait=0s")) {
			await().until(() -> starts() == 1);
			await().during(Duration.ofMillis(600))
				.until(() -> application.state("cold"), McpServerState.CONNECTING::equals);
			McpServerStatus status = application.registry().server("cold").status();
			assertThat(status.lastError()).contains("npx may still be downloading the server, and has 300 s");
			Files.createFile(downloaded);
			await().until(() -> application.state("cold"), McpServerState.READY::equals);
			assertThat(application.registry().server("cold").status().attempts()).isEqualTo(1);
			assertThat(starts()).isEqualTo(1);
		}
		this.leaks.assertNone();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					exec sh                                                      | npx has started a shell, not a server
					echo "npm error code E404" >&2; while true; do read x; done  | npx has failed, but is still running: npm error code E404
					""")
	void stateSaysWhatTheLauncherSays(String script, String message) throws Exception {
		try (ClientApplication application = start(script, "mcp.startup.wait=0s")) {
			await().untilAsserted(
					() -> assertThat(application.registry().server("cold").status().lastError()).startsWith(message));
			assertThat(application.state("cold")).isEqualTo(McpServerState.CONNECTING);
		}
		this.leaks.assertNone();
	}

	@Test
	void requiredServerIsWaitedFor() throws Exception {
		ClientApplication application = start("sleep 2", "mcp.startup.wait=0s", "mcp.servers.cold.required=true");
		assertThat(application.state("cold")).isEqualTo(McpServerState.READY);
		assertThat(starts()).isEqualTo(1);
	}

	@Test
	void requiredServerThatFailsIsNotWaitedFor() {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> start("exit 3", "mcp.startup.wait=0s", "mcp.servers.cold.required=true"))
			.withRootCauseInstanceOf(RequiredMcpServerException.class);
		this.leaks.assertNone();
	}

	@Test
	void shutdownDoesNotWaitForIt() throws Exception {
		ClientApplication application = start("sleep 1000", "mcp.startup.wait=0s");
		await().until(() -> starts() == 1);
		application.close();
		this.leaks.assertNone();
	}

	private ClientApplication start(String download, String... more) throws IOException {
		Path mini = ProjectFiles.of("tests/fixtures/src/main/resources/servers/mini.sh");
		Path npx = Files.writeString(this.directory.resolve("npx"), """
				#!/bin/sh
				echo start >> '%s/starts'
				%s
				exec /bin/sh '%s'
				""".formatted(this.directory, download, mini));
		assertThat(npx.toFile().setExecutable(true)).isTrue();
		List<String> properties = new ArrayList<>(
				List.of("mcp.servers.cold.command=" + npx, "mcp.servers.cold.initialization-timeout=100ms"));
		properties.addAll(List.of(more));
		return ClientApplication.start(properties.toArray(String[]::new));
	}

	private long starts() throws IOException {
		Path starts = this.directory.resolve("starts");
		return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
	}

}
