package io.github.mcpclient.definition;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition.Feature;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinition.Resources;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
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
			.cookies(true)
			.sseReadTimeout(Duration.ofSeconds(1))
			.requestTimeout(Duration.ofSeconds(2))
			.initializationTimeout(Duration.ofSeconds(3))
			.connectTimeout(Duration.ofSeconds(4))
			.reconnect(new Reconnect(false, Duration.ofSeconds(5), 3.0, Duration.ofSeconds(6), 0.0))
			.maxMessageSize(DataSize.ofBytes(7))
			.maxResultSize(DataSize.ofBytes(8))
			.maxTools(9)
			.maxConcurrentCalls(10)
			.toolsEnabled(false)
			.toolPrefix("")
			.toolFilter(List.of("x"))
			.prompts(new Feature(false, 11))
			.resources(new Resources(true, 12, true))
			.loggingLevel(LoggingLevel.NOTICE)
			.experimentalCapabilities(Map.of("feature", Map.of("key", "s3cr3t")))
			.build();
		assertThat(http.mutate().build()).isEqualTo(http).hasSameHashCodeAs(http);
		assertThat(http.mutate().required(false).build()).isNotEqualTo(http);
		assertThat(http.toString() + http.auth()).doesNotContain("s3cr3t");
		McpServerDefinition stdio = McpServerDefinition.stdio("b", "cmd", "x", "y")
			.env(Map.of("TOKEN", "s3cr3t"))
			.packageName("npm:x@1")
			.secrets(Set.of("s3cr3t-x"))
			.inheritEnvironment(true)
			.workingDirectory(Path.of("some"))
			.encoding(StandardCharsets.ISO_8859_1)
			.build();
		assertThat(stdio.mutate().build()).isEqualTo(stdio);
		McpServerDefinition secret = stdio.mutate().args(List.of("--id", "s3cr3t-x")).build();
		assertThat(secret.target()).isEqualTo("cmd --id ******");
		assertThat(secret.toString() + secret.stdio()).doesNotContain("s3cr3t");
		Map<String, String> env = new HashMap<>();
		McpServerDefinitionBuilder builder = stdio.mutate().env(env);
		McpServerDefinition built = builder.build();
		env.put("LATER", "x");
		builder.required(true);
		assertThat(built.mutate().build()).isEqualTo(built);
		assertThat(stdio.mutate().args(List.of("z")).build().stdio().args()).containsExactly("z");
	}

}
