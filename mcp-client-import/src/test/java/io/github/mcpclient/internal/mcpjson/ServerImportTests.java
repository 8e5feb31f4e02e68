package io.github.mcpclient.internal.mcpjson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import io.github.mcpclient.testsupport.Unchecked;
import org.apache.commons.logging.impl.NoOpLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerImport}: what entries mean.
 */
@ExtendWith(OutputCaptureExtension.class)
class ServerImportTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"url":"https://h/mcp"}                                              | streamable-http | true
			{"serverUrl":"https://h/mcp"}                                        | streamable-http | true
			{"uri":"https://h/mcp/sse?key=1"}                                    | sse             | false
			{"url":"https://h/SSE/"}                                             | sse             | false
			{"url":"https://h/mcp?sse"}                                          | streamable-http | true
			{"url":"https://h/notsse"}                                           | streamable-http | true
			{"url":"https://h/sse","type":"http"}                                | streamable-http | false
			{"url":"https://h/mcp","type":"streamable_http"}                     | streamable-http | false
			{"url":"https://h/mcp","type":"StreamableHttp"}                      | streamable-http | false
			{"url":"https://h/mcp","type":"SSE"}                                 | sse             | false
			{"url":"https://h/mcp","transport":"streamable-http"}                | streamable-http | false
			{"url":"https://h/mcp","transportType":"sse"}                        | sse             | false
			{"url":"https://h/mcp","type":"remote"}                              | streamable-http | true
			{"url":"https://h/mcp","type":null}                                  | streamable-http | true
			{"url":"https://h/mcp","type":""}                                    | streamable-http | true
			{"httpUrl":"https://h/sse","url":"https://other/"}                   | streamable-http | false
			{"url":"wss://h/mcp"}                                                | websocket       | true
			{"url":"wss://h/mcp","type":"ws"}                                    | websocket       | false
			{"command":"a"}                                                      | stdio           | true
			{"command":"a","type":"local"}                                       | stdio           | false
			{"command":"","url":"https://h/mcp"}                                 | streamable-http | true
			{"command":"a","url":""}                                             | stdio           | true
			{"command":"a","url":"https://h/mcp"}                                | stdio           | true
			{"command":"a","url":"https://h/mcp","type":"http"}                  | streamable-http | false
			{"command":"a","env":{"A":"b"},"headers":{"A":"b"},"type":"stdio"}   | stdio           | false
			{"url":"https://h/mcp","env":{"A":"b"},"cwd":"x","args":["a"]}       | streamable-http | true
			""")
	void typeIsUnderstood(String entry, String type, boolean inferred) {
		McpServerDefinition definition = server(entry);
		assertThat(definition.type()).isEqualTo(type);
		assertThat(definition.typeInferred()).isEqualTo(inferred);
		assertThat(definition.stdio() != null).isEqualTo(type.equals("stdio"));
		assertThat(definition.http() != null).isEqualTo(!type.equals("stdio"));
	}

	@Test
	void whatBelongsToTheOtherKindIsToldAndIgnored(CapturedOutput output) {
		server("{\"command\": \"a\", \"url\": \"https://h/mcp?k=s3cr3t\", \"headers\": {\"A\": \"s3cr3t\"}}");
		assertThat(output).contains("Ignored, since the server is a child process: url.")
			.contains("Ignored, since the server is a child process: headers.");
		server("{\"type\": \"http\", \"command\": \"s3cr3t\", \"url\": \"https://h/mcp\", \"env\": {\"A\": \"s3cr3t\"}}");
		assertThat(output).contains("Ignored, since the server is reached by its URL: command.")
			.contains("Ignored, since the server is reached by its URL: env.")
			.doesNotContain("s3cr3t");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"command":"npx","args":["-y","a"]}                  | npx,-y,a
			{"command":["npx","-y","a"]}                         | npx,-y,a
			{"command":["npx"],"args":["-y","a"]}                | npx,-y,a
			{"cmd":"npx","args":["-y"]}                          | npx,-y
			{"command":{"path":"npx","args":["-y"]}}             | npx,-y
			{"command":"npx -y a"}                               | npx,-y,a
			{"command":"npx  -y 'a b' \\"c d\\"e ''"}            | npx,-y,a b,c de,
			{"command":"npx -y","args":["a"]}                    | npx,-y,a
			{"command":"npx -y","args":[]}                       | npx,-y
			{"command":"npx -y @scope/a --root /data"}           | npx,-y,@scope/a,--root,/data
			{"command":"\\"/opt/my tools/a\\" b"}                | /opt/my tools/a,b
			{"command":["npx","-y"],"args":"a 'b c'"}            | npx,-y,a,b c
			{"command":"npx","args":"-y a --key=\\"x y\\""}      | npx,-y,a,--key=x y
			{"command":"npx","args":"a"}                         | npx,a
			{"command":"npx","args":8080}                        | npx,8080
			{"command":"/opt/my tools/a"}                        | /opt/my tools/a
			{"command":"C:\\\\my tools\\\\a.exe"}                | C:\\my tools\\a.exe
			{"command":"it's mine"}                              | it's mine
			{"command":"npx","args":[8080,true,1.50]}            | npx,8080,true,1.50
			""")
	void commandIsUnderstood(String entry, String line) {
		McpServerDefinition definition = server(entry);
		assertThat(definition.stdio().command()
				+ definition.stdio().args().stream().map((arg) -> "," + arg).reduce("", String::concat))
			.isEqualTo(line);
	}

	@ParameterizedTest
	@DisabledOnOs(OS.WINDOWS)
	@CsvSource(delimiter = '|', textBlock = """
			{"command":"cmd","args":["/c","npx","a"]}            | npx,a
			{"command":"CMD.EXE","args":["/C","npx"]}            | npx
			{"command":["cmd","/c","npx","a"]}                   | npx,a
			{"command":"cmd /c npx a"}                           | npx,a
			{"command":"cmd","args":"/c npx a"}                  | npx,a
			{"command":"cmd","args":["/c","npx -y a"]}           | npx,-y,a
			{"command":"cmd","args":["/k","npx"]}                | cmd,/k,npx
			{"command":"cmd","args":["/c"]}                      | cmd,/c
			""")
	void windowsShellIsUnwrapped(String entry, String line) {
		commandIsUnderstood(entry, line);
	}

	@Test
	void windowsShellIsKeptOnWindows() {
		JsonValue command = new JsonValue(Kind.TEXT, "cmd", Map.of(), List.of(), 1, 1);
		JsonValue args = command.withItems(List.of(command.withText("/c"), command));
		McpFileImport file = new McpFileImport(new ByteArrayResource(new byte[0]),
				new Variables(Dialect.UNKNOWN, null, Map.of()), (name) -> true, new NoOpLog(), new HashMap<>());
		ImportedServer server = new ImportedServer(file, "a", "a", command);
		assertThat(CommandLine.of(command, args, true, server)).isEqualTo(new CommandLine(command, args));
		assertThat(CommandLine.of(command, args, false, server)).isEqualTo(new CommandLine(command, null));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"disabled":true}                    | false
			{"disabled":false}                   | true
			{"disabled":"true"}                  | false
			{"enabled":false}                    | false
			{"enabled":true,"disabled":true}     | false
			{"enabled":false,"disabled":false}   | false
			{"enabled":true}                     | true
			{}                                   | true
			""")
	void switchesAreUnderstood(String entry, boolean enabled) {
		assertThat(server("{\"url\":\"https://h/mcp\"," + entry.substring(1).replaceFirst("^}", "\"x\":1}")).enabled())
			.isEqualTo(enabled);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			"includeTools":["a","b"]                              | !*,a,b
			"enabled_tools":["a"]                                 | !*,a
			"tools":["*"]                                         |
			"tools":["a","*"]                                     |
			"tools":[]                                            | !*
			"tools":["*"],"excludeTools":["a"]                    | *,!a
			"available_tools":[]                                  |
			"available_tools":["a"]                               | !*,a
			"excludeTools":["a","b(c)"]                           | *,!a,!b
			"disabled_tools":[]                                   |
			"disabledTools":["a*b?c!d\\\\e"," ",1]                | *,!a\\*b\\?c\\!d\\\\e
			"includeTools":["!a"]                                 | !*,\\!a
			"excludeTools":["${A}"]                               | *,!${A}
			"alwaysAllow":["a"],"autoApprove":["b"],"trust":true  |
			"tools":{"a":false}                                   |
			""")
	void toolListsAreUnderstood(String tools, String filter) {
		McpServerDefinition definition = server("{\"url\":\"https://h/mcp\"," + tools + "}");
		assertThat(String.join(",", definition.tools().filter())).isEqualTo((filter != null) ? filter : "");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			mcp.json                     | "timeout":60                                   | 60s
			mcp.json                     | "timeout":3600                                 | 60m
			mcp.json                     | "timeout":3601                                 | 3601ms
			mcp.json                     | "timeout":0.5                                  | 500ms
			mcp.json                     | "timeout":60,"httpUrl":"https://h/"            | 60ms
			mcp.json                     | "timeout":60,"autoApprove":[]                  | 60s
			mcp.json                     | "timeout":60,"type":"streamableHttp"           | 60s
			mcp.json                     | "timeout":60000,"alwaysAllow":[]               | 60s
			.mcp.json                    | "timeout":600                                  | 600ms
			cline_mcp_settings.json      | "timeout":5000                                 | 5s
			cline_mcp_settings.json      | "timeout":5                                    | 5s
			.roo/mcp.json                | "timeout":30                                   | 30s
			.kiro/settings/mcp.json      | "timeout":3000,"autoApprove":[]                | 3s
			.amazonq/mcp.json            | "timeout":3000                                 | 3s
			.gemini/settings.json        | "timeout":3000                                 | 3s
			opencode.jsonc               | "timeout":3000                                 | 3s
			.copilot/mcp-config.json     | "timeout":30                                   | 30s
			mcp.json                     | "requestTimeout":3000                          | 3s
			mcp.json                     | "tool_timeout_sec":5000                        | 5s
			mcp.json                     | "tool_timeout_sec":90                          | 90s
			mcp.json                     | "timeout":1e3                                  | 1000s
			mcp.json                     | "timeout":0                                    | 1m
			mcp.json                     | "timeout":-1                                   | 1m
			mcp.json                     | "timeout":1e99                                 | 1m
			mcp.json                     | "timeout":1e9999999                            | 1m
			mcp.json                     | "timeout":"30"                                 | 30s
			mcp.json                     | "timeout":"soon"                               | 1m
			mcp.json                     | "timeout":99999999999                          | 24h
			mcp.json                     | "timeout":{"request":[]}                       | 1m
			mcp.json                     | "timeout":null                                 | 1m
			""")
	void timeoutsAreUnderstood(String file, String entry, String timeout) throws IOException {
		assertThat(servers(file, "{\"mcpServers\":{\"a\":{\"url\":\"https://h/mcp\"," + entry + "}}}").get(0)
			.timeouts()
			.request()).isEqualTo(DurationStyle.detectAndParse(timeout));
	}

	@Test
	void initializationTimeoutsAreUnderstood() {
		assertThat(server("{\"url\":\"https://h/mcp\",\"initTimeout\":3000}").timeouts().initialization())
			.hasSeconds(3);
		assertThat(server("{\"url\":\"https://h/mcp\",\"connectionTimeout\":3000}").timeouts().initialization())
			.hasSeconds(3);
		assertThat(server("{\"url\":\"https://h/mcp\",\"startup_timeout_sec\":9}").timeouts().initialization())
			.hasSeconds(9);
	}

	@Test
	void unitThatIsNotKnownIsTold(CapturedOutput output) {
		server("{\"url\":\"https://h/mcp\",\"timeout\":60}");
		assertThat(output).contains("INFO")
			.contains("MCP server 'a' of file [" + this.directory.resolve("mcp.json")
					+ "] (line 1): A timeout of 60 is read as seconds.");
	}

	@Test
	void filesAreRelativeToTheProject() throws IOException {
		Path envFile = Files.writeString(this.directory.resolve("a.env"), "A=b");
		String entry = "{\"command\":\"a\",\"cwd\":\"work\",\"envFile\":\"a.env\",\"args\":[\"./b\"]}";
		for (String file : List.of("mcp.json", ".cursor/mcp.json", ".kiro/settings/mcp.json")) {
			McpServerDefinition definition = servers(file, "{\"mcpServers\":{\"a\":" + entry + "}}").get(0);
			assertThat(definition.stdio().workingDirectory()).isEqualTo(this.directory.resolve("work"));
			assertThat(definition.stdio().env()).isEqualTo(Map.of("A", "b"));
			assertThat(definition.stdio().args()).containsExactly("./b");
		}
		entry = "{\"command\":\"a\",\"cwd\":\"${WORK:-/work}/x\",\"envFile\":" + quoted(envFile.toString()) + "}";
		McpServerDefinition definition = servers("sub/mcp.json", "{\"mcpServers\":{\"a\":" + entry + "}}").get(0);
		assertThat(definition.stdio().workingDirectory()).isEqualTo(Path.of("/work/x"));
		assertThat(definition.stdio().env()).isEqualTo(Map.of("A", "b"));
	}

	@Test
	void whatOtherClientsBringAlongIsLeftOut(CapturedOutput output) throws IOException {
		assertThat(servers("mcp.json", """
				{"mcpServers": {"a": {"type": "inMemory"}, "b": {"type": "built-in"}, "c": {"source": "extension"},
				"d": {"type": "sdk"}, "e": null, "f": false}}""")).isEmpty();
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN"))).hasSize(6);
		assertThat(output).contains("MCP server 'b'").contains("It is ignored, since it is built into another client.");
	}

	@Test
	void credentialsThatAreNotUsedAreTold(CapturedOutput output) {
		McpServerDefinition definition = server("""
				{"url":"https://h/mcp","oauth":{"clientSecret":"s3cr3t"},"headersHelper":"s3cr3t",
				"headers":{"authorization":"Bearer s3cr3t"}}""");
		assertThat(definition.auth().type()).isEqualTo("none");
		assertThat(output).contains("Ignored, since there is an Authorization header: oauth.")
			.contains("for values are not supported: headersHelper. ")
			.doesNotContain("s3cr3t");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			"oauth":{"clientId":"a","client_secret":"s3cr3t"}  | oauth2 | a | s3cr3t | -
			"auth":{"enabled":true,"CLIENT_SECRET":"s3cr3t"}   | oauth2 | - | s3cr3t | -
			"oauthClientId":"a","oauth":{"scope":"x  y"}       | oauth2 | a | -      | x,y
			"authProviderType":"dynamic_discovery"             | oauth2 | - | -      | -
			"oauth":{"audiences":["a"],"scopes":["x","y"]}     | oauth2 | - | -      | x,y
			"oauth":true                                       | oauth2 | - | -      | -
			"oauth":{"enabled":false,"clientId":"a"}           | none   | - | -      | -
			"oauth":false                                      | none   | - | -      | -
			""")
	void oauthIsImported(String entry, String type, String id, String secret, String scopes, CapturedOutput output) {
		McpServerAuth auth = server("{\"url\":\"https://h/mcp\"," + entry + "}").auth();
		assertThat(auth.type()).isEqualTo(type);
		assertThat(auth.oauth2().clientId()).isEqualTo(id);
		assertThat(auth.oauth2().clientSecret()).isEqualTo(secret);
		assertThat(String.join(",", auth.oauth2().scopes())).isEqualTo((scopes != null) ? scopes : "");
		assertThat(output).doesNotContain("s3cr3t").doesNotContain("WARN");
	}

	@Test
	void urlsOfOAuthAreImported() {
		OAuth2 oauth2 = server("""
				{"url":"https://h/mcp","oauth":{"authorization_url":"https://as/a","tokenEndpoint":"https://as/t",
				"redirectUri":"http://localhost:1/x","clientId":"${ID:-none}"}}""").auth().oauth2();
		assertThat(oauth2.authorizationUri()).isEqualTo("https://as/a");
		assertThat(oauth2.tokenUri()).isEqualTo("https://as/t");
		assertThat(oauth2.redirectUri()).isEqualTo("http://localhost:1/x");
		assertThat(oauth2.clientId()).isEqualTo("none");
	}

	@Test
	void rootsAreFoundInTheirOrder() throws IOException {
		String entry = "{\"url\":\"https://h/mcp\"}";
		assertThat(names("{\"mcpServers\":{\"a\":" + entry + "},\"servers\":{\"b\":" + entry
				+ ",\"a\":{}},\"context_servers\":{\"c\":{}}}"))
			.containsExactly("a", "b");
		assertThat(names("{\"servers\":{\"b\":" + entry + "},\"mcp\":{\"c\":{}}}")).containsExactly("b");
		assertThat(names("{\"mcp\":{\"servers\":{\"c\":" + entry + "}},\"tools\":{\"c_*\":false}}"))
			.containsExactly("c");
		assertThat(names("{\"mcp\":{\"d\":" + entry + ",\"timeout\":1}}")).containsExactly("d");
		assertThat(names("{\"context_servers\":{\"e\":" + entry + "}}")).containsExactly("e");
		assertThat(names("{\"f\":" + entry + ",\"g\":{\"command\":\"g\"}}")).containsExactly("f", "g");
		assertThat(names("{\"mcpServers\":{}}")).isEmpty();
		assertThat(names("\uFEFF/* c */ {\"servers\":{},\"inputs\":[]} // end")).isEmpty();
	}

	@Test
	void namesAreMadeValid() throws IOException {
		String entry = "{\"url\":\"https://h/mcp\"}";
		assertThat(names("{\"mcpServers\":{\"@scope/srv\":" + entry + ",\"My Server (2)\":" + entry + ",\"a.b\":"
				+ entry + ",\"[x]\":" + entry + "}}"))
			.containsExactly("scope-srv", "My-Server-2", "a.b", "x");
		assertThat(names("{\"mcpServers\":{\"天气\":" + entry + ",\"a b\":" + entry + ",\"A-B\":" + entry + ",\"a_b\":"
				+ entry + "}}"))
			.containsExactly("server-b380b", "a-b-17063", "A-B", "a_b-17804");
	}

	@Test
	void allowedAndExcludedServersAreThoseOfTheFile() throws IOException {
		List<McpServerDefinition> servers = servers("mcp.json", """
				{"mcp": {"allowed": ["a", "b"], "excluded": ["b"]},
				"mcpServers": {"a": {"url": "https://h/"}, "b": {"url": "https://h/"}, "c": {"url": "https://h/"}}}""");
		assertThat(servers).extracting(McpServerDefinition::enabled).containsExactly(true, false, false);
	}

	private List<String> names(String json) throws IOException {
		return servers("mcp.json", json).stream().map(McpServerDefinition::name).toList();
	}

	private McpServerDefinition server(String entry) {
		return Unchecked.get(() -> servers("mcp.json", "{\"mcpServers\":{\"a\":" + entry + "}}").get(0));
	}

	private List<McpServerDefinition> servers(String file, String json) throws IOException {
		return environment(file, json).definitions();
	}

	private ImportingEnvironment environment(String file, String json) throws IOException {
		Path path = this.directory.resolve(file);
		Files.createDirectories(path.getParent());
		return new ImportingEnvironment("mcp:" + Files.writeString(path, json));
	}

	private static String quoted(String text) {
		return "\"" + text.replace("\\", "\\\\") + "\"";
	}

}
