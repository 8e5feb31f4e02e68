package io.github.mcpclient.internal.mcpjson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that what holds for properties holds for those of an imported file.
 */
class McpJsonImportTests {

	@TempDir
	private Path directory;

	@BeforeEach
	void write() throws IOException {
		write("mcp.json", """
				{
				  "mcpServers": {
				    "search": {"url": "https://h/mcp", "headers": {"X-Key": "${KEY}"}, "disabled": true},
				    "files": {"command": "npx", "args": ["-y", "srv"], "env": {"LEVEL": "1"}}
				  }
				}
				""");
	}

	@Test
	void variablesOverrideWhatIsImported() throws IOException {
		write("application.yml", "spring.config.import: mcp:" + this.directory.resolve("mcp.json"));
		List<McpServerDefinition> definitions = environment().variable("MCP_SERVERS_SEARCH_ENABLED", "true")
			.variable("MCP_SERVERS_FILES_COMMAND", "/usr/bin/npx")
			.variable("MCP_SERVERS_FILES_ARGS", "other")
			.variable("MCP_SERVERS_FILES_ENV_LEVEL", "2")
			.variable("KEY", "k")
			.definitions();
		assertThat(definitions).extracting(McpServerDefinition::name).containsExactly("search", "files");
		assertThat(definitions.get(0).enabled()).isTrue();
		assertThat(definitions.get(0).http().headers()).isEqualTo(Map.of("X-Key", "k"));
		assertThat(definitions.get(1).stdio().command()).isEqualTo("/usr/bin/npx");
		assertThat(definitions.get(1).stdio().args()).containsExactly("other");
		assertThat(definitions.get(1).stdio().env()).isEqualTo(Map.of("LEVEL", "2"));
	}

	@Test
	void argumentFollowsAnOverriddenVariable() throws IOException {
		write("mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": [\"-k=${KEY}\"], "
				+ "\"env\": {\"KEY\": \"of the file\"}}}}");
		write("application.yml", "spring.config.import: mcp:" + this.directory.resolve("mcp.json"));
		assertThat(environment().variable("KEY", "k").definitions().get(0).stdio().args())
			.containsExactly("-k=of the file");
		assertThat(environment().variable("MCP_SERVERS_A_ENV_KEY", "other").definitions().get(0).stdio().args())
			.containsExactly("-k=other");
	}

	@Test
	void listenerIsToldOfEachFile() throws IOException {
		Path file = this.directory.resolve("opencode.json");
		write("opencode.json", """
				{"mcp": {"a": {"type": "remote", "url": "https://h/mcp", "headers": {"X-Key": "{file:key.txt}"}}}}
				""");
		Path none = this.directory.resolve("none.json");
		write("application.yml", "spring.config.import: [ 'mcp:%s', 'optional:mcp:%s' ]".formatted(file, none));
		write("key.txt", "s3cret");
		ImportingEnvironment environment = environment();
		assertThat(environment.definitions().get(0).http().headers()).isEqualTo(Map.of("X-Key", "s3cret"));
		assertThat(environment.files()).containsExactlyInAnyOrder(file, none, this.directory.resolve("key.txt"));
	}

	@Test
	void laterDocumentOverridesAndEarlierOneDoesNot() throws IOException {
		write("application.yml", """
				spring.config.import: "mcp:%s"
				KEY: from-yaml
				mcp.servers:
				  search: { enabled: true, request-timeout: 3s, headers: { X-Key: yaml, X-Other: yaml } }
				  files: { enabled: false, args: [ yaml ] }
				  own: { url: "https://own/mcp" }
				---
				mcp.servers.search.enabled: true
				""".formatted(this.directory.resolve("mcp.json")));
		Map<String, McpServerDefinition> definitions = byName(environment());
		assertThat(definitions).containsOnlyKeys("search", "files", "own");
		assertThat(definitions.get("search").enabled()).isTrue();
		assertThat(definitions.get("search").timeouts().request()).hasSeconds(3);
		assertThat(definitions.get("search").http().headers())
			.isEqualTo(Map.of("X-Key", "from-yaml", "X-Other", "yaml"));
		// the file does not say that it is on
		assertThat(definitions.get("files").enabled()).isFalse();
		assertThat(definitions.get("files").stdio().args()).containsExactly("-y", "srv");
	}

	@Test
	void profileImportsItsOwnFile() throws IOException {
		write("application.yml", """
				mcp.defaults.request-timeout: 7s
				---
				spring.config:
				  activate.on-profile: desktop
				  import: "mcp:%s"
				""".formatted(this.directory.resolve("mcp.json")));
		assertThat(environment().definitions()).isEmpty();
		List<McpServerDefinition> definitions = environment().argument("spring.profiles.active", "desktop")
			.definitions();
		assertThat(definitions).hasSize(2)
			.allSatisfy((definition) -> assertThat(definition.timeouts().request()).hasSeconds(7));
	}

	@Test
	void preferenceStandsInTheFileWithTheImport() throws IOException {
		Path server = write("server.json", """
				{ "name": "a/both", "remotes": [{ "type": "sse", "url": "http://h" }],
				  "packages": [{ "registryType": "npm", "identifier": "both" }] }
				""");
		write("application.yml", """
				spring.config.import: "optional:mcp:%s"
				mcp.import.prefer: oci, npm, sse
				""".formatted(server));
		assertThat(byName(environment()).get("both").stdio().packageName()).isEqualTo("npm:both");
	}

	@Test
	void laterFileOverridesEarlierOne() throws IOException {
		Path other = write("other.json", "{\"servers\": {\"files\": {\"command\": \"uvx\"}}}");
		write("application.yml", "spring.config.import: [ \"mcp:%s\", \"optional:mcp:/nowhere.json\", \"mcp:%s\" ]"
			.formatted(this.directory.resolve("mcp.json"), other));
		Map<String, McpServerDefinition> definitions = byName(environment());
		assertThat(definitions).containsOnlyKeys("search", "files");
		assertThat(definitions.get("files").stdio().command()).isEqualTo("uvx");
		assertThat(definitions.get("files").stdio().args()).containsExactly("-y", "srv");
	}

	@Test
	void failureTellsWhereTheImportIs() throws IOException {
		write("mcp.json", "{\"mcpServers\": [}");
		write("application.yml", "spring:\n  config:\n    import: mcp:" + this.directory.resolve("mcp.json"));
		FailureAnalysis failure = environment().failure();
		assertThat(failure.getDescription()).contains("mcp.json], line 1, column 17")
			.contains("    Origin: URL ["
					+ this.directory.resolve("application.yml").toUri().toString().replace("///", "/") + "] - 3:13");
	}

	@Test
	void childProcessesAreRefusedWhereTheyAreNotAllowed() throws IOException {
		String refused = "An imported file must not define a child process, because mcp.import.allow-stdio is false: "
				+ "such a file could run any program. "
				+ "Configure the server in your application, or remove it from the file.";
		write("application.yml", "spring.config.import: mcp:" + this.directory.resolve("mcp.json"));
		FailureAnalysis failure = environment().argument("mcp.import.allow-stdio", "false").failure();
		assertThat(failure.getDescription().lines()).containsExactly("Invalid MCP server configuration (1 error):", "",
				"    Property: mcp.servers.files",
				"    Origin: file [" + this.directory.resolve("mcp.json") + "] - 4:26", "    Reason: " + refused);
		assertThat(environment().argument("mcp.import.allow-stdio", "true").definitions()).hasSize(2);
		assertThat(environment().variable("MCP_IMPORT_ALLOW_STDIO", "false").failure().getDescription())
			.endsWith(refused);
		assertThat(environment().variable("MCP_IMPORT_ALLOWSTDIO", "no").failure().getDescription()).endsWith(refused);
		assertThat(environment().argument("mcp.import.allow-stdio", "perhaps").failure().getDescription())
			.contains("Property: mcp.import.allow-stdio");
		// a url is fine, and so is a child process that is off
		assertThat(environment().argument("mcp.import.allow-stdio", "false")
			.variable("MCP_SERVERS_FILES_ENABLED", "false")
			.definitions()).hasSize(2);
	}

	@Test
	void noPartOfAChildProcessIsImportedWhereThatIsNotAllowed() throws IOException {
		write("mcp.json", "{\"mcpServers\": {\"own\": {\"env\": {\"NODE_OPTIONS\": \"--require /tmp/x.js\"}}}}");
		write("application.yml", """
				spring.config.import: "mcp:%s"
				mcp.servers.own.command: node
				""".formatted(this.directory.resolve("mcp.json")));
		assertThat(environment().definitions()).hasSize(1);
		// in a document that is read after the import
		write("application-strict.yml", "mcp.import.allow-stdio: false");
		assertThat(environment().argument("spring.profiles.active", "strict").failure().getDescription())
			.contains("Property: mcp.servers.own")
			.contains("mcp.import.allow-stdio is false");
	}

	private ImportingEnvironment environment() {
		return ImportingEnvironment.ofDirectory(this.directory);
	}

	private Path write(String name, String content) throws IOException {
		return Files.writeString(this.directory.resolve(name), content);
	}

	private static Map<String, McpServerDefinition> byName(ImportingEnvironment environment) {
		return environment.definitions()
			.stream()
			.collect(Collectors.toMap(McpServerDefinition::name, (definition) -> definition));
	}

}
