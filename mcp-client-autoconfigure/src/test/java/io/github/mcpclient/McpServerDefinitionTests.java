package io.github.mcpclient;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerDefinition.Feature;
import io.github.mcpclient.McpServerDefinition.Limits;
import io.github.mcpclient.McpServerDefinition.Reconnect;
import io.github.mcpclient.McpServerDefinition.Timeouts;
import io.github.mcpclient.McpServerDefinition.Tools;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpServerDefinition}.
 */
class McpServerDefinitionTests {

	@Test
	void mutateKeepsAll() {
		McpServerDefinition http = McpServerDefinition.http("a", URI.create("https://a.example/mcp"))
			.typeInferred(true)
			.enabled(false)
			.required(true)
			.headers(Map.of("X-Key", "s3cr3t"))
			.sslBundle("mine")
			.auth(McpServerAuth.basic("user", "s3cr3t"))
			.terminateOnClose(false)
			.sseReadTimeout(Duration.ofSeconds(1))
			.timeouts(new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(4), null))
			.reconnect(new Reconnect(false, Duration.ofSeconds(5), 3, Duration.ofSeconds(6), 0))
			.limits(new Limits(DataSize.ofBytes(7), DataSize.ofBytes(8), 9, 10))
			.tools(new Tools(false, "", List.of("x"), McpToolPolicy.UNRESTRICTED))
			.prompts(new Feature(false, 11))
			.resources(new Feature(true, 12))
			.experimentalCapabilities(Map.of("feature", Map.of("key", "s3cr3t")))
			.build();
		assertThat(http.mutate().build()).isEqualTo(http);
		assertThat(http.toString() + http.auth()).doesNotContain("s3cr3t");
		McpServerDefinition stdio = McpServerDefinition.stdio("b", "cmd", "x", "y")
			.env(Map.of("TOKEN", "s3cr3t"))
			.inheritEnvironment(true)
			.workingDirectory(Path.of("some"))
			.encoding(StandardCharsets.ISO_8859_1)
			.build();
		assertThat(stdio.mutate().build()).isEqualTo(stdio);
		assertThat(stdio.mutate().args(List.of("z")).build().stdio().args()).containsExactly("z");
	}

}
