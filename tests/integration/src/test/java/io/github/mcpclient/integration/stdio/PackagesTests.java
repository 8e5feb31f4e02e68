package io.github.mcpclient.integration.stdio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Containers;
import io.github.mcpclient.testsupport.Peers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that are packages.
 */
@DisabledOnOs(OS.WINDOWS)
class PackagesTests {

	private static final String EVERYTHING = "npm:@modelcontextprotocol/server-everything@2026.8.31";

	@Test
	void packagesThatRunAndPackagesThatDoNot(@TempDir Path directory) throws IOException {
		Path uvx = directory.resolve("uvx");
		Files.writeString(uvx, """
				#!/bin/sh
				[ "$*" = "--offline mcp-server-any@1.0 --verbose" ] || exit 9
				exec node '%s'
				""".formatted(Peers.script("server-everything")));
		Files.setPosixFilePermissions(uvx, PosixFilePermissions.fromString("rwx------"));
		DisposableServer registry = HttpServer.create()
			.host("localhost")
			.port(0)
			.handle((request, response) -> response.sendNotFound())
			.bindNow();
		afterTest(() -> registry.disposeNow(Duration.ofSeconds(5)));
		ClientApplication application = ClientApplication.start("mcp.startup.wait=90s",
				"mcp.defaults.env.npm_config_fetch_retries=0", "mcp.runtimes.pypi.command=" + uvx + ",--offline",
				"mcp.servers.npm.package=" + EVERYTHING, "mcp.servers.npm.working-directory=" + Peers.folder(),
				"mcp.servers.pypi.package=pypi:mcp-server-any==1.0", "mcp.servers.pypi.args=--verbose",
				"mcp.servers.unknown.package=npm:@mcp-client-tests/no-such-server@1.0.0",
				"mcp.servers.unknown.env.npm_config_registry=http://localhost:" + registry.port(),
				"mcp.servers.offline.package=npm:@mcp-client-tests/no-such-server@1.0.0",
				"mcp.servers.offline.env.npm_config_registry=http://localhost:9",
				"mcp.servers.missing.package=npm:any@1.0.0", "mcp.servers.missing.env.PATH=" + directory);
		assertThat(application.text("npm_echo", Map.of("message", "npm"))).isEqualTo("Echo: npm");
		assertThat(application.text("pypi_echo", Map.of("message", "pypi"))).isEqualTo("Echo: pypi");
		assertThat(lastError(application, "unknown")).contains("npm does not know this package, or this version of it")
			.contains("Check its name and version.");
		assertThat(lastError(application, "offline")).contains("npm cannot reach its registry");
		assertThat(lastError(application, "missing")).contains("no such executable on the PATH")
			.contains("Install it, or set mcp.runtimes.npm.command to its full path.");
	}

	private static String lastError(ClientApplication application, String server) {
		return application.registry().server(server).status().lastError();
	}

	@Test
	@EnabledIf("io.github.mcpclient.testsupport.Containers#isAvailable")
	void anImageRunsInAContainerThatEndsWithTheApplication() {
		try (ClientApplication application = ClientApplication.start("mcp.startup.wait=60s",
				"mcp.servers.boxed.package=oci:" + Containers.image(), "mcp.servers.boxed.args=stdio",
				"mcp.servers.boxed.memory=256MB", "mcp.servers.boxed.network=none",
				"mcp.servers.boxed.env.BOXED_TOKEN=t0ken-in-the-box", "mcp.defaults.env.HOME=/nowhere",
				"mcp.servers.unreachable.package=oci:localhost:9/any:1", "mcp.servers.idle.package=oci:any:1",
				"mcp.servers.idle.env.DOCKER_HOST=unix:///no/such.sock", "mcp.servers.other.package=oci:node:22-slim",
				"mcp.servers.other.args=no-such-program")) {
			assertThat(application.registry().server("boxed").status()).satisfies((status) -> {
				assertThat(status.state()).as(status.toString()).isEqualTo(McpServerState.READY);
				assertThat(status.target()).startsWith("docker run -i --rm --init ");
			});
			assertThat(application.text("boxed_get-env", Map.of())).contains("BOXED_TOKEN").doesNotContain("nowhere");
			assertThat(lastError(application, "unreachable")).contains("code 125")
				.contains("since the registry of the image cannot be reached");
			assertThat(lastError(application, "idle")).contains("since the container engine is not running");
			assertThat(lastError(application, "other")).contains("since the image has no such program");
			assertThat(ProcessHandle.current().descendants().map((child) -> child.info().commandLine().orElse("")))
				.anyMatch((line) -> line.contains("-e BOXED_TOKEN"))
				.noneMatch((line) -> line.contains("t0ken-in-the-box"));
			assertThat(containers()).isEqualTo(1);
		}
		Awaitility.await().until(() -> containers() == 0);
	}

	private static int containers() {
		return DockerClientFactory.lazyClient()
			.listContainersCmd()
			.withShowAll(true)
			.withLabelFilter(Map.of("io.github.mcpclient.server", "boxed"))
			.exec()
			.size();
	}

}
