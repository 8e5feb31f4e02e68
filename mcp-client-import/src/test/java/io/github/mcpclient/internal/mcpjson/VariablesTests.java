package io.github.mcpclient.internal.mcpjson;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.github.mcpclient.internal.mcpjson.Variables.Translation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Variables}: what Spring makes of a translated text.
 */
class VariablesTests {

	@TempDir
	private Path directory;

	private final StandardEnvironment environment = new StandardEnvironment();

	@BeforeEach
	void set() {
		this.environment.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("T", "tok", "my.token", "dotted", "mcp.inputs.key", "in")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			plain                          | plain
			${T}                           | tok
			Bearer ${T}!                   | Bearer tok!
			${env:T}                       | tok
			${my.token}                    | dotted
			${T:-d}                        | tok
			${N:-d}                        | d
			${N:-}                         | ~~
			${N:-a:b}                      | a:b
			${N:-https://h:1/}             | https://h:1/
			${N:-${T}}                     | tok
			${N:-a${M:-${T}}b}             | atokb
			${N:-{"a":1}}                  | {"a":1}
			${N:-C:\\}                     | C:\\
			${N:-C:\\${T}}                 | C:\\tok
			${N:-${config:x}}              | ${config:x}
			~${env:N | value:x}~           | x
			~${env:T | value:x}~           | tok
			${env:N:-x}                    | x
			${input:key}                   | in
			${input:other}                 | de:fault ${T}
			${input:my Key_2}              | ${mcp.inputs.my-key-2}
			${N}                           | ${N}
			C:\\d\\${T}                    | C:\\d\\tok
			C:\\d\\${config:q}             | C:\\d\\${config:q}
			\\\\${T}\\                     | \\\\tok\\
			$${T}                          | $tok
			$T                             | $T
			a$                             | a$
			${                             | ${
			${}                            | ${}
			${T                            | ${T
			${a ${T}                       | ${a tok
			}${T}{                         | }tok{
			${ T }                         | ${ T }
			${T%p}                         | ${T%p}
			${T:d}                         | ${T:d}
			${{ secrets.T }}               | ${{ secrets.T }}
			{{T}}                          | {{T}}
			a#{T}                          | a#{T}
			{env:T}                        | {env:T}
			${workspaceFolder}/x           | DIR/x
			${CLAUDE_PROJECT_DIR:-.}/x     | DIR/x
			${/}${pathSeparator}           | SEPSEP
			${userHome}/x                  | HOME/x
			${file:key.txt}                | s3${T}
			""")
	void textIsTranslated(String text, String expected) throws IOException {
		assertThat(resolve(Dialect.UNKNOWN, text)).isEqualTo(expected.replace("DIR", this.directory.toString())
			.replace("HOME", System.getProperty("user.home"))
			.replace("SEP", File.separator));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			GEMINI   | $T                    | tok
			GEMINI   | a$T-$T                | atok-tok
			COPILOT  | ${T}$N                | tok${N}
			GEMINI   | $1 $                  | $1 $
			GEMINI   | $${T}                 | $tok
			OPENCODE | {env:T}               | tok
			OPENCODE | a{env:N}b             | ab
			OPENCODE | {env:}{env:a b}{env:T | {env:}{env:a b}{env:T
			OPENCODE | {file:key.txt}        | s3${T}
			OPENCODE | {file:./key.txt}\\    | s3${T}\\
			OPENCODE | {file:key.txt         | {file:key.txt
			OPENCODE | \\{env:T}             | \\tok
			OPENCODE | ${T}                  | tok
			""")
	void textIsTranslatedAsItsClientDoes(Dialect dialect, String text, String expected) throws IOException {
		assertThat(resolve(dialect, text)).isEqualTo(expected);
	}

	@Test
	void whatIsOddIsTold() throws IOException {
		assertThat(translate(Dialect.UNKNOWN, "${T} ${N:-${M}}").unknown()).isFalse();
		assertThat(translate(Dialect.UNKNOWN, "${T:d}").unknown()).isTrue();
		assertThat(translate(Dialect.UNKNOWN, "${N:-${config:x}}").unknown()).isTrue();
		assertThat(translate(Dialect.OPENCODE, "{env:T}{env:N}").emptyIfUnset()).containsExactly("T", "N");
		assertThat(translate(Dialect.OPENCODE, "{file:no.txt}").error())
			.isEqualTo("There is no file " + this.directory.resolve("no.txt") + " to read the value from. Create it.");
		assertThat(translate(Dialect.OPENCODE, "{file:.}").error()).startsWith("There is no file ");
		assertThat(translate(Dialect.OPENCODE, "{file:a\0b}").error())
			.isEqualTo("The name of the file for the value is not a valid file name.");
	}

	@ParameterizedTest
	@CsvSource({ "key, mcp.inputs.key", "apiKey, mcp.inputs.api-key", "API_KEY, mcp.inputs.api-key",
			"my key!, mcp.inputs.my-key-", "_x, mcp.inputs.x", "a.b, mcp.inputs.a-b" })
	void inputsHavePropertiesInCanonicalForm(String id, String property) {
		assertThat(Variables.inputProperty(id)).isEqualTo(property);
	}

	private String resolve(Dialect dialect, String text) throws IOException {
		Translation translation = translate(dialect, text);
		assertThat(translation.error()).isNull();
		return this.environment.resolvePlaceholders(translation.text());
	}

	private Translation translate(Dialect dialect, String text) throws IOException {
		Files.writeString(this.directory.resolve("key.txt"), " s3${T}\n");
		ProjectFiles files = ProjectFiles.around(new FileSystemResource(this.directory.resolve("mcp.json")), (file) -> {
		});
		return new Variables(dialect, files, Map.of("other", "de:fault ${T}")).translate(text, (name, written) -> null);
	}

}
