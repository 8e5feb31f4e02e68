package io.github.mcpclient.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.testsupport.ClientMain;
import io.github.mcpclient.testsupport.ConformanceClient;
import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The official conformance suite, for the scenarios of revision 2025-11-25 that concern a
 * client without elicitation and without an authorization code flow.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ConformanceTests {

	@ParameterizedTest
	@ValueSource(strings = { "initialize", "tools_call", "sse-retry" })
	void scenario(String scenario, @TempDir Path directory) throws Exception {
		Path bin = Peers.conformanceSuite();
		ProcessBuilder suite = new ProcessBuilder(bin.resolve("node").toString(), bin.resolve("conformance").toString(),
				"client", "--command", script(directory).toString(), "--scenario", scenario, "--spec-version",
				"2025-11-25", "--timeout", "90000", "-o", directory.toString())
			.redirectErrorStream(true);
		Process process = suite.start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor()).as(output).isZero();
		// a scenario that does not apply is skipped with exit code 0
		assertThat(output).doesNotContain("SKIPPED").contains("0 failed");
	}

	private Path script(Path directory) throws IOException {
		Path script = directory.resolve("client.sh");
		Files.writeString(script,
				"#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' "
						+ String.join(" ", ClientMain.FAST_START) + " -cp '" + System.getProperty("java.class.path")
						+ "' " + ConformanceClient.class.getName() + " \"$@\"\n");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
		return script;
	}

}
