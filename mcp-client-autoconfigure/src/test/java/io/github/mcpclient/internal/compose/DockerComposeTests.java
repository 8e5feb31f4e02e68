package io.github.mcpclient.internal.compose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.service.McpServerConnectionDetails;
import io.github.mcpclient.testsupport.Containers;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that Boot starts the service of the page's example, which is a server then.
 */
@EnabledIf("isAvailable")
class DockerComposeTests {

	@TempDir
	private Path directory;

	static boolean isAvailable() throws Exception {
		boolean available = Containers.isAvailable() && run("docker", "compose", "version") == 0;
		if (!available && Boolean.parseBoolean(System.getenv("MCP_TESTS_REQUIRE_DOCKER"))) {
			throw new IllegalStateException("Docker Compose is required here, and is not there");
		}
		return available;
	}

	@Test
	void aServiceIsTheServerOfItsName() throws IOException {
		Files.writeString(this.directory.resolve(".env"), "WEATHER_TOKEN=t0ken");
		Path file = Files.writeString(file(),
				example().replaceFirst("image: .*", "image: " + Containers.image() + "\n    command: streamableHttp")
					.replaceFirst("\"8080\"", "\"" + Containers.PORT + "\""));
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties("spring.docker.compose.file=" + file, "spring.docker.compose.skip.in-tests=false",
					"spring.docker.compose.lifecycle-management=start-only", "mcp.startup.wait=60s",
					"mcp.servers.weather.url=https://production.example/mcp", "mcp.servers.weather.tools.prefix=sky",
					"spring.reactor.netty.shutdown-quiet-period=0")
			.run()) {
			McpServerRegistry registry = context.getBean(McpServerRegistry.class);
			assertThat(registry.servers()).singleElement().satisfies((server) -> {
				assertThat(server.status().state()).as(server.status().toString()).isEqualTo(McpServerState.READY);
				assertThat(server.status().target()).matches("http://[^/]+:\\d+/mcp").doesNotContain("production");
			});
			assertThat(context.getBean(McpServerConnectionDetails.class).getHeaders())
				.containsOnly(Map.entry("Authorization", "Bearer t0ken"));
			assertThat(registry.callTool("sky_echo", Map.of("message", "composed")).text()).isEqualTo("Echo: composed");
		}
	}

	@AfterEach
	void stop() throws Exception {
		run("docker", "compose", "--file", file().toString(), "down", "--timeout", "0");
	}

	private static String example() throws IOException {
		Matcher snippet = Pattern.compile("(?ms)^```yaml\\n(services:.*?)^```$")
			.matcher(Files.readString(ProjectFiles.of("docs/dynamic-servers.md")));
		assertThat(snippet.find()).isTrue();
		return snippet.group(1);
	}

	private Path file() {
		return this.directory.resolve("compose.yaml");
	}

	private static int run(String... command) throws Exception {
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return process.exitValue();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
