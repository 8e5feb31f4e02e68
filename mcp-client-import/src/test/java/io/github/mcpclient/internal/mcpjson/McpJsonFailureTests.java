package io.github.mcpclient.internal.mcpjson;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what an application prints that cannot start with a file.
 */
@ExtendWith(OutputCaptureExtension.class)
class McpJsonFailureTests {

	static Stream<Broken> brokenFiles() {
		return Stream.of(
				new Broken("not-json.json", ", line 4, column 28",
						"A backslash within a string is written twice: \"C:\\\\data\"."),
				new Broken("no-quotes.json", ", line 4, column 18",
						"This is not JSON: names and strings are in double quotation marks, and commas between values."),
				new Broken("missing-comma.json", ", line 5, column 7",
						"This is not JSON: '\"' is not expected here. Perhaps a comma is missing before it."),
				new Broken("ends-early.json", ", line 4, column 1",
						"It ends too early: a '}', a ']' or a '\"' is missing."),
				new Broken("line-break.json", ", line 2, column 49",
						"A string must end on the line it begins on, with a '\"'."),
				new Broken("more.json", ", line 2, column 1", "There is text after the end of the JSON."),
				new Broken("latin1.json", "", "It is not in UTF-8."), new Broken("empty.json", "", "It is empty."),
				new Broken("list.json", ", line 1, column 1",
						"It is not an object with servers: it begins with '{\"mcpServers\": {'."),
				new Broken("servers-list.json", ", line 1, column 17",
						"'mcpServers' is not an object with a name for each server."),
				new Broken("no-servers.json", "",
						"It has no servers: they are expected in an object 'mcpServers' (or 'servers', 'mcp' or "
								+ "'context_servers'), with a name for each of them."),
				new Broken("server.json", "",
						"It is a server.json of the MCP registry, and its server is available through npm, "
								+ "streamable-http. Set mcp.import.prefer to one of them."),
				new Broken("registry-answer.json", "",
						"It is a response of the MCP registry, which has only templates for servers. "
								+ "Choose one, and configure a server with a command or a URL."),
				new Broken("manifest.json", "",
						"It is the manifest of an MCP bundle (.mcpb, .dxt), which has no list of servers. "
								+ "Configure a server with its command, args and env."),
				new Broken("weather.mcpb", "",
						"It is an MCP bundle (a .mcpb or .dxt archive), which has no list of servers. "
								+ "Unpack it, and configure a server with its command."));
	}

	@ParameterizedTest
	@MethodSource("brokenFiles")
	void brokenFileIsRefused(Broken broken, CapturedOutput output) throws IOException {
		Path file = broken.file();
		FailureAnalysis failure = new ImportingEnvironment("optional:mcp:" + file).failure();
		assertThat(failure.getDescription().lines()).containsExactly(
				"The MCP servers of 'optional:mcp:" + file + "' cannot be imported:", "",
				"    File: file [" + file + "]" + broken.position, "    Reason: " + broken.reason);
		assertThat(failure.getAction()).isEqualTo("Update the file, or remove it from 'spring.config.import'.");
		assertThat(failure.getCause()).hasNoCause();
		assertThat(failure.getCause() + failure.getDescription() + output).doesNotContain("s3cr3t");
	}

	static Stream<BrokenServers> brokenServers() {
		return Stream.of(
				new BrokenServers("variable.json",
						"mcp.servers.api.headers.Authorization - 3:77: Cannot resolve the placeholder ${NOPE}. Set "
								+ "NOPE, for example as an environment variable, or add a default: ${NOPE:-...}."),
				new BrokenServers("input.json",
						"mcp.servers.v.env.K - 4:45: The file requires a value for this input. Set "
								+ "mcp.inputs.api-key, for example with the environment variable MCP_INPUTS_APIKEY."),
				new BrokenServers("file-missing.json", "mcp.servers.r.headers.X-Key - 3:76: There is no file "
						+ ImportingEnvironment.fixture("broken/key.txt") + " to read the value from. Create it."),
				new BrokenServers("no-target.json",
						"mcp.servers.a - 3:10: Neither 'url' (for a server over HTTP) nor 'command' (for a child "
								+ "process) is set.",
						"mcp.servers.b.type - 4:20: There is no such transport type. Did you mean streamable-http? "
								+ "The types are sse, stdio, streamable-http, websocket.",
						"mcp.servers.c.url - 5:19: The URL must begin with http:// or https://."),
				new BrokenServers("wrong-kinds.json", "mcp.servers.a.args - 3:52: This is not a list of strings.",
						"mcp.servers.b.headers - 4:47: This is neither an object with a name for each value, nor a list "
								+ "of names and values.",
						"mcp.servers.b.enabled - 4:71: This is neither true nor false.",
						"mcp.servers.c.env - 5:94: A name is empty, or has a bracket.",
						"mcp.servers.c.type - 5:114: This is not a string.",
						"mcp.servers.c.args[0] - 5:39: This is not a string.",
						"mcp.servers.c.env.A - 5:71: This is not a string."));
	}

	@ParameterizedTest
	@MethodSource("brokenServers")
	void mistakesOfServersAreReportedTogether(BrokenServers broken, CapturedOutput output) throws IOException {
		Path file = ImportingEnvironment.fixture("broken/" + broken.name);
		FailureAnalysis failure = new ImportingEnvironment("mcp:" + file).required().failure();
		String description = failure.getDescription().lines().collect(Collectors.joining("\n"));
		String expected = broken.mistakes.stream()
			.map((mistake) -> mistake.split(" - |(?<=[0-9]): ", 3))
			.map((parts) -> "\n\n    Property: %s\n    Origin: file [%s] - %s\n    Reason: %s".formatted(parts[0], file,
					parts[1], parts[2]))
			.collect(Collectors.joining());
		String count = (broken.mistakes.size() > 1) ? broken.mistakes.size() + " errors):" : "1 error):";
		assertThat(description).isEqualTo("Invalid MCP server configuration (" + count + expected);
		assertThat(failure.getCause() + description + output).doesNotContain("s3cr3t");
	}

	@Test
	void missingFileIsRefusedUnlessOptional(@TempDir Path directory) {
		Path file = directory.resolve("mcp.json");
		FailureAnalysis failure = new ImportingEnvironment("mcp:" + file).failure();
		assertThat(failure.getDescription())
			.isEqualTo("Config data resource 'file [" + file + "]' via location 'mcp:" + file + "' does not exist");
		assertThat(failure.getAction())
			.isEqualTo("Check that the value 'mcp:" + file + "' is correct, or prefix it with 'optional:'");
		assertThat(new ImportingEnvironment("optional:mcp:" + file).definitions()).isEmpty();
		assertThat(new ImportingEnvironment("optional:mcp:classpath:nowhere/mcp.json").definitions()).isEmpty();
	}

	@Test
	void directoryAndNothingAreRefused(@TempDir Path directory) {
		String reason = "It cannot be read. Check that it is a file, and that the application may read it.";
		assertThat(new ImportingEnvironment("mcp:" + directory).failure().getDescription()).endsWith(reason);
		assertThat(new ImportingEnvironment("mcp:").failure().getDescription()).endsWith("It names no file.");
	}

	@Test
	void serverOfATypeThatIsNotAllowedFailsTheStart(@TempDir Path directory) throws IOException {
		Path file = Files.writeString(directory.resolve("mcp.json"),
				"{\"mcpServers\": {\"child\": {\"command\": \"true\"}}}");
		assertThat(
				new ImportingEnvironment("mcp:" + file).argument("mcp.transports", "HTTP").failure().getDescription())
			.contains("    Origin: file [" + file + "] - 1:")
			.endsWith("    Reason: The type is stdio (inferred from its "
					+ "command), and mcp.transports allows streamable-http only.");
	}

	@Test
	void hugeAndDeepFilesAreRefused(@TempDir Path directory) throws IOException {
		Path file = Files.writeString(directory.resolve("mcp.json"), " ".repeat(1024 * 1024) + "{}");
		assertThat(new ImportingEnvironment("mcp:" + file).failure().getDescription())
			.endsWith("It is larger than 1MB, which is not a list of servers.");
		Files.writeString(file, "{\"mcpServers\":" + "[".repeat(200_000));
		assertThat(new ImportingEnvironment("mcp:" + file).failure().getDescription())
			.endsWith("It is nested too deeply, or has a number that is too long.");
		// the variables of a text are bounded, too
		Files.writeString(file, "{\"a\":{\"command\":\"" + "${A:-".repeat(100_000) + "\"}}");
		assertThat(new ImportingEnvironment("mcp:" + file).definitions()).hasSize(1);
		Files.writeString(file, "{\"a\":{\"command\":\"" + "${A:-".repeat(150) + "}".repeat(150) + "\"}}");
		assertThat(new ImportingEnvironment("mcp:" + file).definitions()).hasSize(1);
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
	void pipeDoesNotHangTheStart(@TempDir Path directory) throws Exception {
		Path pipe = directory.resolve("mcp.json");
		assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
		assertThat(new ImportingEnvironment("mcp:" + pipe).failure().getDescription())
			.endsWith("It cannot be read. Check that it is a file, and that the application may read it.");
	}

	/**
	 * A file that is refused as a whole.
	 */
	record Broken(String name, String position, String reason) {

		// as they would not stay what they are in a repository
		private static final Map<String, byte[]> CONTENT = Map.of("line-break.json",
				"{\n  \"mcpServers\": {\"a\": {\"env\": {\"K\": \"s3cr3t\", \"L\n\": \"\"}}}}"
					.getBytes(StandardCharsets.UTF_8),
				"more.json", "{\"mcpServers\": {}}\n{}".getBytes(StandardCharsets.UTF_8), "latin1.json",
				"{\"mcpServers\": {\"é\": {}}}".getBytes(StandardCharsets.ISO_8859_1), "servers-list.json",
				"{ \"mcpServers\": [{\"url\": \"https://h/mcp\"}] }".getBytes(StandardCharsets.UTF_8));

		Path file() throws IOException {
			byte[] content = CONTENT.get(this.name);
			if (content == null) {
				return ImportingEnvironment.fixture("broken/" + this.name);
			}
			Path directory = Files.createDirectories(Path.of("target/mcp-json").toAbsolutePath());
			return Files.write(directory.resolve(this.name), content);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	/**
	 * A file with servers that cannot be used.
	 */
	record BrokenServers(String name, List<String> mistakes) {

		BrokenServers(String name, String... mistakes) {
			this(name, List.of(mistakes));
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
