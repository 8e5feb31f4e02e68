package io.github.mcpclient.internal.transport.stdio;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.spi.TransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ChildLauncher}.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Files are made executable as on Unix")
class ChildLauncherTests {

	@TempDir
	private Path directory;

	@Test
	void findsCommandOnThePathOfTheChild() throws IOException {
		Path first = script("first/tool", "#!/bin/sh\nexit 5\n");
		script("second/tool", "#!/bin/sh\nexit 6\n");
		String path = ":" + this.directory.resolve("missing") + ":" + this.directory.resolve("first") + ":"
				+ this.directory.resolve("second");
		assertThat(launcher(definition("tool").env(Map.of("PATH", path))).command()).containsExactly(first.toString());
	}

	@Test
	void directoryOrPlainFileOnThePathIsPassedOver() throws Exception {
		Files.createDirectories(this.directory.resolve("a/tool"));
		Files.createDirectories(this.directory.resolve("b"));
		Files.writeString(this.directory.resolve("b/tool"), "text");
		Path tool = script("c/tool", "#!/bin/sh\nexit 5\n");
		String path = this.directory + "/a:" + this.directory + "/b:" + this.directory + "/c";
		ChildLauncher launcher = launcher(definition("tool").env(Map.of("PATH", path)));
		assertThat(launcher.command()).containsExactly(tool.toString());
		assertThat(launcher.start().waitFor()).isEqualTo(5);
	}

	@Test
	void relativePathIsRelativeToTheWorkingDirectory() throws Exception {
		script("bin/tool", "#!/bin/sh\nexit 5\n");
		assertThat(launcher(definition("bin/tool").workingDirectory(this.directory)).start().waitFor()).isEqualTo(5);
	}

	@Test
	void argumentsAreNotForAShell() throws Exception {
		Path tool = script("tool",
				"#!/bin/sh\n[ $# = 2 ] && [ \"$1\" = '$(id); `id`' ] && [ \"$2\" = '' ] && exit 5\n");
		Process process = launcher(
				McpServerDefinition.stdio("x", tool.toString(), "$(id); `id`", "").env(Map.of("A", "1")))
			.start();
		assertThat(process.waitFor()).isEqualTo(5);
	}

	@Test
	void missingCommand() {
		fails(definition("nope").env(Map.of("PATH", "/s3cr3t")),
				"Cannot start 'nope': no such executable on the PATH (from mcp.servers.x.env)",
				"Install it, or set mcp.servers.x.command to its full path.");
		fails(definition("/no/such/file"), "Cannot start '/no/such/file': no such file",
				"Correct mcp.servers.x.command.");
		fails(definition("no/such/file").workingDirectory(this.directory),
				"Cannot start 'no/such/file': no such file (" + this.directory.resolve("no/such/file") + ")",
				"Correct mcp.servers.x.command.");
		fails(definition(this.directory.toString()), "Cannot start '" + this.directory + "': it is a directory",
				"Correct mcp.servers.x.command.");
		fails(definition("a\0b"), "Cannot start 'a\0b': this is not a valid file name", "Check mcp.servers.x.command.");
	}

	@Test
	void commandWithArguments() {
		fails(definition("nope -y foo").env(Map.of("PATH", "/bin")),
				"Cannot start 'nope -y foo': no such executable on the PATH (from mcp.servers.x.env)",
				"If it has arguments, they belong in args: set mcp.servers.x.command to \"nope\", "
						+ "and mcp.servers.x.args to [\"-y\", \"foo\"].");
		fails(definition("nope  @a/b --token s3cr3t"), "Cannot start 'nope  @a/b --token ******': no such file",
				"If it has arguments, they belong in args: set mcp.servers.x.command to \"nope\", "
						+ "and mcp.servers.x.args to [\"@a/b\", \"--token\", \"******\"].");
	}

	@Test
	void theCommandOfAPackageIsThatOfItsRuntime() throws IOException {
		fails(definition("nope").packageName("npm:foo").env(Map.of("PATH", "/bin")),
				"Cannot start 'nope': no such executable on the PATH (from mcp.servers.x.env)",
				"Install it, or set mcp.runtimes.npm.command to its full path.");
		fails(definition("nope --registry mirror").packageName("npm:foo").env(Map.of("PATH", "/bin")),
				"Cannot start 'nope --registry mirror': no such executable on the PATH (from mcp.servers.x.env)",
				"If it has arguments, write a list: set mcp.runtimes.npm.command to "
						+ "[\"nope\", \"--registry\", \"mirror\"].");
		Path file = Files.writeString(this.directory.resolve("tool"), "text");
		fails(definition(file.toString()).packageName("oci:foo"),
				"Cannot start '" + file + "': " + file + " is not executable (permission denied)",
				"Make it executable for the user that the application runs as, or change mcp.runtimes.oci.command.");
	}

	@Test
	void pathWithBlanks() throws Exception {
		Path tool = script("my tools/a tool", "#!/bin/sh\nexit 5\n");
		assertThat(launcher(definition(tool.toString())).start().waitFor()).isEqualTo(5);
	}

	@Test
	void longPathIsCutBetweenItsElements() {
		String element = "/" + "e".repeat(90);
		fails(launcher(definition("nope"), Map.of("PATH", String.join(":", Collections.nCopies(9, element)))),
				"Cannot start 'nope': no such executable on the PATH (" + (element + ":").repeat(3) + "...)",
				"Install it, or set mcp.servers.x.command to its full path.");
		fails(launcher(definition("nope"), Map.of("PATH", "/" + "e".repeat(500))),
				"Cannot start 'nope': no such executable on the PATH (/" + "e".repeat(299) + "...)",
				"Install it, or set mcp.servers.x.command to its full path.");
	}

	@Test
	void commandThatIsNotExecutable() throws IOException {
		Path file = Files.writeString(this.directory.resolve("tool"), "text");
		String message = "Cannot start '%s': " + file + " is not executable (permission denied)";
		String nextStep = "Make it executable for the user that the application runs as, "
				+ "or change mcp.servers.x.command.";
		fails(definition(file.toString()), message.formatted(file), nextStep);
		fails(definition("tool").env(Map.of("PATH", this.directory.toString())), message.formatted("tool"), nextStep);
	}

	@Test
	void missingInterpreter() throws IOException {
		Path tool = script("tool", "#!/no/such/interpreter\n");
		fails(definition(tool.toString()),
				"Cannot start '" + tool + "': the interpreter of " + tool + " does not exist",
				"Check mcp.servers.x.command and args.");
	}

	@Test
	void missingWorkingDirectory() throws IOException {
		Path missing = this.directory.resolve("missing");
		fails(definition("sh").workingDirectory(missing),
				"Cannot start 'sh': its working directory " + missing + " does not exist",
				"Create it, or change mcp.servers.x.working-directory.");
		Path file = Files.createFile(this.directory.resolve("file"));
		fails(definition("sh").workingDirectory(file),
				"Cannot start 'sh': its working directory " + file + " is not a directory",
				"Create it, or change mcp.servers.x.working-directory.");
	}

	@Test
	void impossibleVariablesAreNotQuoted() {
		for (Map<String, String> env : List.of(Map.of("A", "s3cr3t\0"), Map.of("A=B", "s3cr3t"),
				Map.of("", "s3cr3t"))) {
			fails(definition("sh").env(env), "Cannot start 'sh': the system refuses its arguments or environment",
					"Check mcp.servers.x.args and env.");
		}
	}

	@Test
	void impossibleArgument() {
		fails(McpServerDefinition.stdio("x", "sh", "s3cr3t\0"), "Cannot start 'sh': the system refuses it",
				"Check mcp.servers.x.command and args.");
	}

	@Test
	void batchFilesAreFoundOnWindows() throws IOException {
		script("npx", "");
		Path batch = script("npx.cmd", "");
		Path program = script("node.exe", "");
		Map<String, String> parent = Map.of("Path", this.directory.toString(), "PATHEXT", ".EXE;.CMD");
		assertThat(windows(definition("npx"), parent).command()).containsExactly(batch.toString());
		assertThat(windows(definition("node.exe"), parent).command()).containsExactly(program.toString());
		assertThat(windows(McpServerDefinition.stdio("x", "node", "100%"), parent).command())
			.containsExactly(program.toString(), "100%");
	}

	@Test
	void batchFilesGetNoArgumentsThatTheyMisread() throws IOException {
		script("npx.cmd", "");
		Map<String, String> parent = Map.of("Path", this.directory.toString());
		for (String argument : List.of("%PATH%", "\"&calc", "a\nb")) {
			ChildLauncher launcher = windows(McpServerDefinition.stdio("x", "npx", argument), parent);
			assertThatExceptionOfType(TransportException.class).isThrownBy(launcher::command)
				.withMessageContaining("npx.cmd is a batch file")
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(argument));
		}
	}

	@Test
	void childSeesHarmlessVariablesOnly() {
		Map<String, String> parent = Map.of("PATH", "/bin", "HOME", "/home/me", "LC_ALL", "C", "DB_PASSWORD", "x",
				"path", "/evil", "JAVA_TOOL_OPTIONS", "-javaagent:x", "LD_PRELOAD", "x.so", "LC_F", "() { :; }");
		assertThat(launcher(definition("x").env(Map.of("A", "1")), parent).environment()).containsOnly(
				Map.entry("PATH", "/bin"), Map.entry("HOME", "/home/me"), Map.entry("LC_ALL", "C"),
				Map.entry("A", "1"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "npx -y foo", "/usr/bin/npx foo", "bunx foo", "pnpm dlx foo", "npm exec foo", "uvx foo",
			"pipx run foo", "uv run foo", "docker run foo", "podman run foo", "cmd /c npx foo" })
	void packageRunnersGetWhatTheyNeedBehindAProxy(String command) {
		Map<String, String> parent = Map.of("HTTPS_PROXY", "http://p:3128", "http_proxy", "http://p:3128", "NO_PROXY",
				"localhost", "all_proxy", "socks5://p", "SSL_CERT_FILE", "/ca.pem", "SSL_CERT_DIR", "/ca");
		assertThat(command(command, parent).environment()).containsExactlyInAnyOrderEntriesOf(parent);
	}

	@ParameterizedTest
	@ValueSource(strings = { "./server", "node server.js npx", "npm start", "uv sync", "python -m docker",
			"/opt/npx/server", "java -jar docker.jar", "cmd /c node npx" })
	void othersGetNothingThatPackageRunnersNeed(String command) {
		assertThat(command(command, runnerVariables()).environment()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "npm:foo, npx, NODE_EXTRA_CA_CERTS NPM_CONFIG_REGISTRY npm_config_cafile npm_config_https_proxy",
			"npm:foo, /opt/wrapper, NODE_EXTRA_CA_CERTS NPM_CONFIG_REGISTRY npm_config_cafile npm_config_https_proxy",
			"pypi:foo, uvx, REQUESTS_CA_BUNDLE CURL_CA_BUNDLE UV_DEFAULT_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL "
					+ "UV_INDEX_CORP_PASSWORD PIP_INDEX_URL",
			"oci:foo, docker, DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT CONTAINER_HOST" })
	void runnersOfPackagesGetWhatTheirRegistryNeeds(String packageName, String command, String expected) {
		ChildLauncher launcher = launcher(definition(command).packageName(packageName), runnerVariables());
		assertThat(launcher.environment()).containsOnlyKeys(("HTTPS_PROXY " + expected).split(" "));
	}

	@Test
	void definitionWinsOverWhatPackageRunnersNeed() {
		Map<String, String> env = Map.of("https_proxy", "http://mine", "NPM_CONFIG_REGISTRY", "");
		assertThat(launcher(definition("npx").env(env),
				Map.of("HTTPS_PROXY", "http://theirs", "npm_config_registry", "https://theirs", "NODE_EXTRA_CA_CERTS",
						"/ca.pem"))
			.environment()).containsOnly(Map.entry("https_proxy", "http://mine"), Map.entry("NPM_CONFIG_REGISTRY", ""),
					Map.entry("NODE_EXTRA_CA_CERTS", "/ca.pem"));
	}

	@Test
	void packageRunnerSeesItsVariables() throws Exception {
		Path npx = script("npx", "#!/bin/sh\n[ \"$HTTPS_PROXY\" = http://u:s3cr3t@p ] && exit 5\n");
		assertThat(launcher(definition(npx.toString()), Map.of("HTTPS_PROXY", "http://u:s3cr3t@p")).start().waitFor())
			.isEqualTo(5);
	}

	@Test
	void containerGetsNothingThatItsEngineNeeds() throws IOException {
		Path docker = script("docker", "#!/bin/sh\n");
		McpServerDefinitionBuilder definition = McpServerDefinition
			.stdio("x", docker.toString(), "run", "-i", "--rm", "--init", "foo")
			.packageName("oci:foo")
			.env(Map.of("KEY", "x"));
		ChildLauncher launcher = launcher(definition, Map.of("HTTPS_PROXY", "http://p", "DOCKER_HOST", "tcp://d"));
		assertThat(launcher.command()).contains("KEY").doesNotContain("HTTPS_PROXY", "DOCKER_HOST");
		assertThat(launcher.environment()).containsKeys("HTTPS_PROXY", "DOCKER_HOST");
	}

	private static Map<String, String> runnerVariables() {
		return Stream
			.of("HTTPS_PROXY", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_REGISTRY", "npm_config_cafile",
					"npm_config_https_proxy", "NPM_CONFIG__AUTH", "NPM_TOKEN", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
					"UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_INDEX_CORP_PASSWORD",
					"UV_PUBLISH_TOKEN", "PIP_INDEX_URL", "DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT",
					"DOCKER_PASSWORD", "CONTAINER_HOST", "DB_PASSWORD")
			.collect(Collectors.toMap(Function.identity(), (name) -> "x"));
	}

	private static ChildLauncher command(String command, Map<String, String> parent) {
		String[] words = command.split(" ");
		return launcher(McpServerDefinition.stdio("x", words[0], Arrays.copyOfRange(words, 1, words.length)), parent);
	}

	@Test
	void definitionWinsOverInheritedVariables() {
		McpServerDefinitionBuilder definition = definition("x").env(Map.of("PATH", "/mine")).inheritEnvironment(true);
		assertThat(launcher(definition, Map.of("PATH", "/bin", "X", "y")).environment())
			.containsOnly(Map.entry("PATH", "/mine"), Map.entry("X", "y"));
	}

	@Test
	void variablesOnWindowsDifferByMoreThanCase() {
		Map<String, String> parent = Map.of("Path", "C:\\bin", "SystemRoot", "C:\\Windows", "ProgramFiles(x86)", "p",
				"Secret", "x");
		assertThat(windows(definition("x").env(Map.of("PATH", "C:\\mine")), parent).environment()).hasSize(3)
			.containsEntry("Path", "C:\\mine")
			.containsEntry("SYSTEMROOT", "C:\\Windows")
			.doesNotContainKey("Secret");
	}

	private void fails(McpServerDefinitionBuilder definition, String message, String nextStep) {
		fails(launcher(definition), message, nextStep);
	}

	private void fails(ChildLauncher launcher, String message, String nextStep) {
		assertThatExceptionOfType(TransportException.class).isThrownBy(launcher::start)
			.withMessage(message)
			.satisfies((ex) -> {
				assertThat(ex.getNextStep()).isEqualTo(nextStep);
				assertThat(ex.isPossiblyProcessed()).isFalse();
				assertThat(ex).hasStackTraceContaining("ChildLauncher");
				StringWriter trace = new StringWriter();
				ex.printStackTrace(new PrintWriter(trace));
				assertThat(trace.toString()).doesNotContain("s3cr3t");
			});
	}

	private Path script(String name, String text) throws IOException {
		Path file = this.directory.resolve(name);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file;
	}

	private static McpServerDefinitionBuilder definition(String command) {
		return McpServerDefinition.stdio("x", command);
	}

	private static ChildLauncher launcher(McpServerDefinitionBuilder definition) {
		return new ChildLauncher("x", definition.build().stdio());
	}

	private static ChildLauncher launcher(McpServerDefinitionBuilder definition, Map<String, String> parent) {
		return new ChildLauncher("x", definition.build().stdio(), parent, false);
	}

	private static ChildLauncher windows(McpServerDefinitionBuilder definition, Map<String, String> parent) {
		return new ChildLauncher("x", definition.build().stdio(), parent, true);
	}

}
