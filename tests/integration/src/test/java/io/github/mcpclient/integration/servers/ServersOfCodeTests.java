package io.github.mcpclient.integration.servers;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import io.github.mcpclient.management.McpServerOrigin.Kind;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Servers that come from beans, and what else reaches a server beside its own properties.
 */
@ExtendWith(OutputCaptureExtension.class)
class ServersOfCodeTests {

	private static final McpTestServer SERVER = McpTestServer.create().tools("search").start();

	@AfterEach
	void reset() {
		Servers.seen.clear();
	}

	@Test
	void serversOfBeansFollowTheConfiguredOnes() {
		ClientApplication application = start(Servers.class, "mcp.servers.configured.url=" + SERVER.url());
		assertThat(application.registry().servers()).extracting(McpServer::name)
			.containsExactly("configured", "bean", "source-1", "source-2");
		assertThat(Servers.seen).containsExactly("configured", "bean", "source-1", "source-2");
		assertThat(application.text("bean_search", Map.of("message", "1"))).isEqualTo("search 1");
		assertThat(application.tools().find("customized_search")).isPresent();
		assertThat(application.tools().find("source-2_search")).isEmpty();
		application.manager().addAsync(McpServerDefinition.http("added", URI.create(SERVER.url())).build()).subscribe();
		application.manager().replaceAsync(McpServerDefinition.stdio("bean", "x").enabled(false).build()).subscribe();
		assertThat(application.manager().servers()).extracting((server) -> server.origin().kind())
			.containsExactly(Kind.CONFIGURED, Kind.BEAN, Kind.BEAN, Kind.BEAN, Kind.ADDED);
		assertThat(application.manager().server("configured").origin().location())
			.contains("mcp.servers.configured.url");
	}

	@Test
	void sameNameFailsTheStart(CapturedOutput output) {
		assertThatException()
			.isThrownBy(
					() -> start(Servers.class, "mcp.servers.BEAN.url=" + SERVER.url(), "mcp.servers.source1.command=x")
						.close())
			.withStackTraceContaining(InvalidMcpConfigurationException.class.getName());
		assertThat(output).contains("Invalid MCP server configuration (2 errors):",
				"Property: McpServerDefinition 'bean' of a bean",
				"Reason: There is also 'BEAN', which is the same name: case, '-', '_' and '.' do not count.",
				"Property: McpServerDefinition 'source-1' of a bean");
	}

	@Test
	void configIsToldAtInitialization() {
		try (ClientApplication application = start(Object.class, "mcp.servers.a.url=" + SERVER.url(),
				"mcp.servers.a.config.feature.key=value", "mcp.servers.a.config.feature.items[0]=x")) {
			assertThat(application.tools().find("a_search")).isPresent();
			assertThat(SERVER.awaitRequest("initialize").params()).containsEntry("capabilities",
					Map.of("experimental", Map.of("feature", Map.of("key", "value", "items", List.of("x")))));
		}
		ClientApplication application = start(Object.class, "mcp.servers.a.url=" + SERVER.url());
		assertThat(application.tools().find("a_search")).isPresent();
		assertThat(SERVER.awaitRequest("initialize").params()).containsEntry("capabilities", Map.of());
	}

	@Test
	void variablesOfAFileReachTheChild(@TempDir Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve(".env"), "FROM_FILE='a b'\n");
		List<String> properties = new ArrayList<>(List.of(ClientApplication.mini("mini", "FROM_PROPERTY=x")));
		properties.add("mcp.servers.mini.env-file=" + file);
		ClientApplication application = ClientApplication.start(properties.toArray(String[]::new));
		assertThat(application.text("mini_env", Map.of()).split(" ")).contains("FROM_FILE", "FROM_PROPERTY");
	}

	private static ClientApplication start(Class<?> source, String... properties) {
		return ClientApplication.start(WebApplicationType.NONE,
				(source != Object.class) ? new Class<?>[] { source } : new Class<?>[0], properties);
	}

	static class Servers {

		static final List<String> seen = new ArrayList<>();

		@Bean
		McpServerDefinition bean() {
			return McpServerDefinition.http("bean", URI.create(SERVER.url())).build();
		}

		@Bean
		McpServerDefinitionSource source() {
			return () -> List.of(McpServerDefinition.http("source-1", URI.create(SERVER.url())).build(),
					McpServerDefinition.http("source-2", URI.create(SERVER.url())).build());
		}

		@Bean
		McpServerCustomizer customizer() {
			return (name, builder) -> {
				seen.add(name);
				if (name.equals("source-2")) {
					builder.enabled(false);
				}
				if (name.equals("source-1")) {
					builder.toolPrefix("customized");
				}
			};
		}

	}

}
