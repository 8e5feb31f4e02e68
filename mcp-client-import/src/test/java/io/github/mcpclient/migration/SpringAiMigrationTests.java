package io.github.mcpclient.migration;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link SpringAiMigration}.
 */
class SpringAiMigrationTests {

	private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

	@TempDir
	private Path directory;

	/**
	 * What is read there with the eyes only is what is printed.
	 */
	@Test
	void theExampleOfThePageIsTranslatedAsItSays() throws IOException {
		List<String> snippets = YAML.matcher(Files.readString(ProjectFiles.of("docs/migration.md")))
			.results()
			.map((snippet) -> snippet.group(1))
			.toList();
		assertThat(translate("application.yml", snippets.get(0))).isEqualTo(snippets.get(1));
	}

	@Test
	void whatIsPrintedConfiguresTheServers() throws IOException {
		String yaml = translate("application.yml", """
				spring.ai.mcp.client:
				  enabled: true
				  initialized: false
				  request-timeout: 7s
				  toolcallback.enabled: false
				  stdio.connections:
				    "[my.files]":
				      command: npx
				      args: [ "-y", "on", "{x}" ]
				      env: { API_KEY: "${KEY:#}", "[a.b]": "1" }
				  sse.connections:
				    old: { url: "http://old:81/", sse-endpoint: "events?a=b" }
				    plain.url: http://plain
				  streamableHttp.connections:
				    weather.url: http://weather:80
				    modern: { url: "http://modern", protocol: MODERN, listen: true }
				""");
		Files.writeString(this.directory.resolve("application.yml"), yaml);
		StandardEnvironment environment = environment();
		assertThat(environment.getProperty("mcp.enabled")).isEqualTo("true");
		assertThat(environment.getProperty("mcp.startup.mode")).isEqualTo("lazy");
		assertThat(environment.getProperty("mcp.spring-ai.enabled")).isEqualTo("false");
		McpServersConfig config = new McpServersConfig(environment, List.of(), null, Set.of());
		assertThat(config.properties().defaults().requestTimeout()).hasSeconds(7);
		assertThat(config.properties().servers()).containsOnlyKeys("my.files", "old", "plain", "weather", "modern");
		assertThat(config.properties().servers().get("my.files")).satisfies((server) -> {
			assertThat(server.command()).isEqualTo("npx");
			assertThat(server.args()).containsExactly("-y", "on", "{x}");
			assertThat(server.env()).hasSize(2).containsEntry("API_KEY", "#").containsEntry("a.b", "1");
		});
		assertThat(Stream.of("old", "plain", "weather", "modern")
			.map((name) -> config.properties().servers().get(name))
			.map((server) -> server.type() + " " + server.url() + " " + server.protocol()))
			.containsExactly("sse http://old:81/events?a=b null", "sse http://plain/sse null",
					"null http://weather:80/mcp null", "null http://modern/mcp stateless");
		assertThat(config.servers(List.of(Set.of("streamable-http"), Set.of("sse"), Set.of("stdio"))).problems())
			.isEmpty();
	}

	@Test
	void documentsKeepTheirConditionsAndShareEndpoints() throws IOException {
		String yaml = translate("application.properties", """
				spring.ai.mcp.client.streamable-http.connections.a.endpoint=/a/mcp
				#---
				spring.config.activate.on-profile=prod
				spring.ai.mcp.client.streamable-http.connections.a.url=${A_URL}/
				#---
				server.port=1
				#---
				spring.config.activate.on-profile=test
				spring.ai.mcp.client.streamable-http.connections.a.url=http://localhost:8080
				spring.ai.mcp.client.streamable-http.connections.a.endpoint=other
				""");
		assertThat(yaml.split("---\n")).satisfiesExactly(
				(shared) -> assertThat(shared).contains("  servers:\n    a:\n      url: ${A_URL}/a/mcp\n"),
				(prod) -> assertThat(prod).contains("      on-profile: prod\n", "      url: ${A_URL}/a/mcp\n",
						"connections.a.url: its value is assumed to have no path"),
				(test) -> assertThat(test).contains("      on-profile: test\n",
						"      url: http://localhost:8080/other\n"));
	}

	@Test
	void nothingIsDroppedSilently() throws IOException {
		assertThat(translate("application.yml", """
				spring.ai.mcp.client:
				  type: SYNC
				  name: mine
				  version: 2.0.0
				  root-change-notification: true
				  annotation-scanner.enabled: false
				  initialized: ${CONNECT:true}
				  fail-fast: true
				  stdio.root-change-notification: true
				  streamable-http.connections.a: { url: "https://a", protocol: LEGACY, listen: false, headers.X: y }
				""").lines().filter((line) -> line.matches("# spring\\.ai\\.mcp\\.client\\.\\S+: .{20,}")))
			.extracting((line) -> line.substring("# spring.ai.mcp.client.".length(), line.indexOf(": ")))
			.containsExactly("type", "name", "version", "root-change-notification", "annotation-scanner.enabled",
					"initialized", "fail-fast", "stdio.root-change-notification",
					"streamable-http.connections.a.protocol", "streamable-http.connections.a.listen",
					"streamable-http.connections.a.headers.X");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			http://h           | /mcp            | http://h/mcp       |
			http://h/          | mcp             | http://h/mcp       |
			http://h/api       | /mcp            | http://h/mcp       | http://h/api/mcp
			http://h/api/      | mcp             | http://h/api/mcp   |
			http://h           | http://h/x?y=z  | http://h/x?y=z     |
			${HOST:http://h}/  | /mcp            | ${HOST:http://h}/mcp | no path
			http://h           | ${PATH}         | http://h${PATH}    | no path
			""")
	void urlsAreThoseOfTheClientOnTheJdks(String url, String endpoint, String whole, String note) throws IOException {
		String yaml = translate("application.yml",
				"spring.ai.mcp.client.streamable-http.connections.a: { url: '%s', endpoint: '%s' }".formatted(url,
						endpoint));
		assertThat(yaml).contains("      url: " + whole + "\n");
		if (note == null) {
			assertThat(yaml).doesNotContain("connections.a.url: ");
		}
		else {
			assertThat(yaml).containsPattern("# .*connections\\.a\\.url: .*" + Pattern.quote(note));
		}
	}

	@ParameterizedTest
	@CsvSource({ "servers.json, mcp:classpath:servers.json", "classpath:a.json, mcp:classpath:a.json",
			"file:/a.json, mcp:file:/a.json", "${FILE}, mcp:${FILE}" })
	void aFileOfServersIsImported(String file, String location) throws IOException {
		String yaml = translate("application.yml",
				"spring.config.import: optional:other.yml\nspring.ai.mcp.client.stdio.servers-configuration: " + file);
		assertThat(yaml).containsPattern("    import: '?" + Pattern.quote(location) + "'?\n")
			.contains("stdio.servers-configuration: add it to the existing spring.config.import");
	}

	@Test
	void connectionsOfTheSameNameBecomeTwoServers() throws IOException {
		assertThat(translate("application.yml", """
				spring.ai.mcp.client:
				  sse.connections.a.url: https://a
				  streamable-http.connections:
				    a.url: https://a
				    "[a b]": { url: "https://b" }
				""")).contains("    a:\n      type: sse\n", "    a-streamable-http:\n      url: https://a/mcp\n",
				"    a-b:\n      url: https://b/mcp\n",
				"streamable-http.connections.a: its name is 'a-streamable-http'");
	}

	@Test
	void argumentsOfPropertiesFilesMayBeInAnyOrder() throws IOException {
		assertThat(translate("application.properties", """
				spring.ai.mcp.client.stdio.connections.a.command=a
				spring.ai.mcp.client.stdio.connections.a.args[1]=c
				spring.ai.mcp.client.stdio.connections.a.args[0]=b
				spring.ai.mcp.client.stdio.connections.d.args=e,f
				""")).contains("      args:\n      - b\n      - c\n", "      args: e,f\n");
	}

	@Test
	void whatCannotBeReadIsSaid() throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ByteArrayOutputStream err = new ByteArrayOutputStream();
		assertThat(translate(out, err)).isFalse();
		assertThat(translate(out, err, this.directory.resolve("missing.yml").toString())).isFalse();
		assertThat(translate(out, err, Files.writeString(this.directory.resolve("wrong.yml"), "a: b: c").toString()))
			.isFalse();
		assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
		assertThat(err.toString(StandardCharsets.UTF_8)).contains("Name the files", "missing.yml: ", "wrong.yml: ");
		assertThat(translate("application.yml", "server.port: 1"))
			.startsWith("# Nothing is below spring.ai.mcp.client");
	}

	private StandardEnvironment environment() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("arguments",
					Map.of("spring.config.location", this.directory.toUri().toString())));
		ConfigDataEnvironmentPostProcessor.applyTo(environment, null, null);
		return environment;
	}

	private String translate(String name, String content) throws IOException {
		Path file = Files.writeString(this.directory.resolve(name), content);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ByteArrayOutputStream err = new ByteArrayOutputStream();
		assertThat(translate(out, err, file.toString())).as(() -> err.toString(StandardCharsets.UTF_8)).isTrue();
		return out.toString(StandardCharsets.UTF_8).replace(this.directory + "/", "");
	}

	private static boolean translate(ByteArrayOutputStream out, ByteArrayOutputStream err, String... files) {
		return SpringAiMigration.translate(new PrintStream(out, true, StandardCharsets.UTF_8),
				new PrintStream(err, true, StandardCharsets.UTF_8), files);
	}

}
