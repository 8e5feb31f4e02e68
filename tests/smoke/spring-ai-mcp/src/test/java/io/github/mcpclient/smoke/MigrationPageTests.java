package io.github.mcpclient.smoke;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.migration.SpringAiMigration;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.customizer.McpAsyncHttpClientRequestCustomizer;
import io.modelcontextprotocol.client.transport.customizer.McpSyncHttpClientRequestCustomizer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.mcp.AsyncMcpToolCallbackProvider;
import org.springframework.ai.mcp.McpToolFilter;
import org.springframework.ai.mcp.McpToolNamePrefixGenerator;
import org.springframework.ai.mcp.McpToolsChangedEvent;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.mcp.ToolContextToMcpMetaConverter;
import org.springframework.ai.mcp.annotation.McpElicitation;
import org.springframework.ai.mcp.annotation.McpLogging;
import org.springframework.ai.mcp.annotation.McpProgress;
import org.springframework.ai.mcp.annotation.McpPromptListChanged;
import org.springframework.ai.mcp.annotation.McpResourceListChanged;
import org.springframework.ai.mcp.annotation.McpSampling;
import org.springframework.ai.mcp.annotation.McpToolListChanged;
import org.springframework.ai.mcp.client.common.autoconfigure.McpSseClientConnectionDetails;
import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;
import org.springframework.ai.mcp.client.common.autoconfigure.properties.McpSseClientProperties;
import org.springframework.ai.mcp.client.common.autoconfigure.properties.McpStdioClientProperties;
import org.springframework.ai.mcp.client.common.autoconfigure.properties.McpStreamableHttpClientProperties;
import org.springframework.ai.mcp.customizer.McpClientCustomizer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the page for those who come from Spring AI's client has all that there is of it.
 */
@ExtendWith(OutputCaptureExtension.class)
class MigrationPageTests {

	private static final String PREFIX = "spring.ai.mcp.client.";

	private static final Map<String, Class<?>> CONNECTIONS = Map.of("stdio", McpStdioClientProperties.Parameters.class,
			"sse", McpSseClientProperties.SseParameters.class, "streamable-http",
			McpStreamableHttpClientProperties.ConnectionParameters.class);

	private static final List<Class<?>> BEANS = List.of(McpSyncClient.class, McpAsyncClient.class,
			SyncMcpToolCallbackProvider.class, AsyncMcpToolCallbackProvider.class, McpToolFilter.class,
			McpToolNamePrefixGenerator.class, McpClientCustomizer.class, McpSyncHttpClientRequestCustomizer.class,
			McpAsyncHttpClientRequestCustomizer.class, ToolContextToMcpMetaConverter.class,
			NamedClientMcpTransport.class, McpSseClientConnectionDetails.class, McpToolsChangedEvent.class);

	private static final List<Class<?>> ANNOTATIONS = List.of(McpSampling.class, McpElicitation.class, McpLogging.class,
			McpProgress.class, McpToolListChanged.class, McpResourceListChanged.class, McpPromptListChanged.class);

	private static String page;

	@BeforeAll
	static void readPage() throws IOException {
		page = Files.readString(Path.of("../../../docs/migration.md"));
	}

	@Test
	void eachPropertyStandsOnThePage() throws IOException {
		assertThat(properties()).hasSizeGreaterThan(10)
			.allSatisfy((name) -> assertThat(page).contains("`" + name + "`"));
		CONNECTIONS.forEach((transport, type) -> assertThat(settings(type)).isNotEmpty()
			.allSatisfy(
					(setting) -> assertThat(rowOf(PREFIX + transport + ".connections")).contains("`" + setting + "`")));
	}

	@Test
	void eachBeanAndAnnotationStandsOnThePage() {
		assertThat(BEANS).allSatisfy(
				(type) -> assertThat(page).containsPattern("\n\\| [^|]*`(List<)?" + type.getSimpleName() + ">?`"));
		assertThat(ANNOTATIONS)
			.allSatisfy((type) -> assertThat(page).containsPattern("\n\\| [^|]*`@" + type.getSimpleName() + "`"));
	}

	@Test
	void eachPropertyIsKnownToTheTranslation(@TempDir Path directory, CapturedOutput output) throws IOException {
		List<String> lines = new ArrayList<>(
				properties().stream().map((name) -> name.endsWith(".connections") ? "" : name + "=1s").toList());
		CONNECTIONS.forEach((transport, type) -> settings(type).forEach((setting) -> lines.add(PREFIX + transport
				+ ".connections.a-" + transport + "." + setting + (setting.equals("env") ? ".B" : "") + "=b")));
		SpringAiMigration.main(Files.write(directory.resolve("application.properties"), lines).toString());
		assertThat(output.getOut()).contains("mcp:\n", "    a-stdio:\n", "    a-sse:\n", "    a-streamable-http:\n")
			.doesNotContain("not known");
	}

	@Test
	void connectionsAreReadWhereSpringAisClientIs() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of(PREFIX + "stdio.connections.a.command", "b")));
		McpServersConfig config = new McpServersConfig(environment, List.of(), null, Set.of());
		config.servers(List.of(Set.of("stdio")));
		assertThat(config.warnings()).isEmpty();
	}

	private static List<String> properties() throws IOException {
		List<String> names = new ArrayList<>();
		for (URL metadata : Collections.list(MigrationPageTests.class.getClassLoader()
			.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream in = metadata.openStream()) {
				for (JsonNode property : JsonMapper.shared().readTree(in).path("properties")) {
					names.add(property.path("name").asString());
				}
			}
		}
		return names.stream().filter((name) -> name.startsWith(PREFIX)).distinct().toList();
	}

	private static List<String> settings(Class<?> type) {
		return Stream.of(type.getRecordComponents())
			.map(RecordComponent::getName)
			.map((name) -> name.replaceAll("(?=[A-Z])", "-").toLowerCase())
			.toList();
	}

	private static String rowOf(String property) {
		return Pattern.compile("\\R")
			.splitAsStream(page)
			.filter((line) -> line.startsWith("| `" + property + "`"))
			.findFirst()
			.orElseThrow();
	}

}
