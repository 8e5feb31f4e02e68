package io.github.mcpclient.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link EnvFile} and {@code env-file}.
 */
class EnvFileTests {

	@TempDir
	private Path directory;

	static Stream<Arguments> texts() {
		return Stream.of(Arguments.of("", Map.of()), Arguments.of("\n\r\n  \t\n# A=b\n  # C=d", Map.of()),
				Arguments.of("A=b", Map.of("A", "b")), Arguments.of("\uFEFFA=b\r\nC=d\r", Map.of("A", "b", "C", "d")),
				Arguments.of("  A = b c  \nexport D=e\nexport\t F=g", Map.of("A", "b c", "D", "e", "F", "g")),
				Arguments.of("export=a", Map.of("export", "a")),
				Arguments.of("A=\nB= \nC=''", Map.of("A", "", "B", "", "C", "")),
				Arguments.of("A=b # c\nD=e#f\nG=#h\nI= # j\nK=l#m # n",
						Map.of("A", "b", "D", "e#f", "G", "#h", "I", "", "K", "l#m")),
				Arguments.of("A='b # c' # d\nE=\"f # g\"#h", Map.of("A", "b # c", "E", "f # g")),
				Arguments.of("A='b\\n\"c'\nD=\"e\\n\\t\\r\\\"\\\\\\$'\\x\"",
						Map.of("A", "b\\n\"c", "D", "e\n\t\r\"\\$'\\x")),
				Arguments.of("A=\"b\nc\"\nD='e\r\nf'", Map.of("A", "b\nc", "D", "e\nf")),
				Arguments.of("A=${B} $C\nD=\"${E}\"", Map.of("A", "${B} $C", "D", "${E}")),
				Arguments.of("A=b\nA=c", Map.of("A", "c")), Arguments.of("A=b=c==", Map.of("A", "b=c==")),
				Arguments.of("A=it's\nB=say \"x\"", Map.of("A", "it's", "B", "say \"x\"")),
				Arguments.of("A=\u00fcber", Map.of("A", "\u00fcber")));
	}

	@ParameterizedTest
	@MethodSource("texts")
	void reads(String text, Map<String, String> variables) throws IOException {
		EnvFile file = EnvFile.read(file(text));
		assertThat(file.error()).isNull();
		assertThat(file.variables()).isEqualTo(variables);
	}

	static Stream<Arguments> mistakes() {
		return Stream.of(Arguments.of("A=b\ns3cr3t", "line 2 is not NAME=value"),
				Arguments.of("export s3cr3t", "line 1 is not NAME=value"),
				Arguments.of("s3cr3t b=c", "line 1 is not NAME=value"),
				Arguments.of("=s3cr3t", "line 1 has a name that is not made of letters, digits and '_'"),
				Arguments.of("s3c:r3t=a", "line 1 has a name that is not made of letters, digits and '_'"),
				Arguments.of("A=b\n\nB='s3cr3t\n\n", "line 3 has an unclosed quotation mark"),
				Arguments.of("A=\"s3cr3t\\\"", "line 1 has an unclosed quotation mark"),
				Arguments.of("A='\n' s3cr3t", "line 2 has text after the closing quotation mark"),
				Arguments.of("A=s3cr3t\0", "line 1 has a NUL character"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void tellsTheLineButNotItsContent(String text, String reason) throws IOException {
		String location = file(text);
		EnvFile file = EnvFile.read(location);
		assertThat(file.error()).isEqualTo("The file " + location + " cannot be read: " + reason + ".")
			.doesNotContain("s3c");
		assertThat(file.variables()).isEmpty();
	}

	@Test
	void tellsWhyThereIsNoText() throws IOException {
		Path binary = Files.write(this.directory.resolve("binary"), new byte[] { 'A', '=', (byte) 0xFF });
		assertThat(EnvFile.read(binary.toString()).error()).isEqualTo("The file " + binary + " is not in UTF-8.");
		Path large = Files.write(this.directory.resolve("large"), new byte[1024 * 1024 + 1]);
		assertThat(EnvFile.read(large.toString()).error()).contains("is larger than 1MB");
		assertThat(EnvFile.read(this.directory.toString()).error()).contains("Check that it is a file");
		assertThat(EnvFile.read("a\0b").error()).isEqualTo("This is not a valid file name.");
	}

	@Test
	void variablesAreThoseOfTheFileThenOfTheProperties() throws IOException {
		String location = file("FILE=1\nSHARED=1\nOWN=1");
		assertThat(TestEnvironment.yaml("""
				mcp.defaults.env: { SHARED: 2, DEFAULT: 2, OWN: 2 }
				mcp.servers.a: { command: a, env-file: '${NAME}', env: { OWN: 3 } }
				""").variable("NAME", location).definition("a").stdio().env())
			.isEqualTo(Map.of("FILE", "1", "SHARED", "2", "DEFAULT", "2", "OWN", "3"));
	}

	@Test
	void fileForAllIsForThoseThatHaveNone() throws IOException {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp.defaults.env-file: %s
				mcp.servers:
				  a: { command: a }
				  b: { command: b, env-file: '' }
				  c: { url: 'https://c.example' }
				""".formatted(file("A=b")));
		assertThat(environment.definition("a").stdio().env()).isEqualTo(Map.of("A", "b"));
		assertThat(environment.definition("b").stdio().env()).isEmpty();
		assertThat(environment.definition("c").stdio()).isNull();
	}

	@Test
	void missingFilesAreMistakesOfServersThatNeedThem() {
		Path file = this.directory.resolve("missing");
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp.defaults.env-file: %1$s
				mcp.servers:
				  a: { command: a }
				  b: { command: b }
				  c: { command: c, env-file: %1$s }
				  d: { command: d, env-file: %1$s, enabled: false }
				  e: { url: 'https://e.example', env-file: %1$s }
				""".formatted(file));
		String message = "There is no file " + file + ". Create it, or remove this property.";
		assertThat(environment.problems()).extracting("property", "message")
			.containsExactly(tuple("mcp.defaults.env-file", message), tuple("mcp.servers.c.env-file", message),
					tuple("mcp.servers.e.env-file",
							"This is for child processes, but the type is streamable-http (inferred from its url)."));
	}

	@Test
	void variableIsTheFileAndNoEntry() throws IOException {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a.command: a")
			.variable("MCP_SERVERS_A_ENV_FILE", file("A=b"))
			.variable("MCP_SERVERS_A_ENV_FILE_NAME", "c");
		assertThat(environment.definition("a").stdio().env()).isEqualTo(Map.of("A", "b", "FILE_NAME", "c"));
		assertThat(TestEnvironment.yaml("mcp.servers.a.url: https://a.example")
			.variable("MCP_SERVERS_A_ENV_FILE", "x")
			.problems()).extracting("property").containsExactly("mcp.servers.a.env-file");
	}

	private String file(String text) throws IOException {
		return Files.writeString(this.directory.resolve(".env"), text).toString();
	}

}
