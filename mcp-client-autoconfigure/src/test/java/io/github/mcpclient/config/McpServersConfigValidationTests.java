package io.github.mcpclient.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolPolicy;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.tool.TestToolSettings;
import io.github.mcpclient.tool.ToolCatalog;
import io.github.mcpclient.tool.ToolSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the mistakes that {@link McpServersConfig} finds, and their words.
 */
class McpServersConfigValidationTests {

	private static final String NAME = "This is not a name for a server: use letters, digits, '.', '_' and '-' only, "
			+ "and begin with a letter or a digit.";

	private static final String NEITHER = "There is neither a url (of a server that is reached over HTTP) nor a "
			+ "command (of one that is a child process).";

	private static final String HTTP_ONLY = "This is for servers that are reached over HTTP, but the type is ";

	private static final String STDIO_ONLY = "This is for child processes, but the type is ";

	private static final String HOST = "The url has no host, or one that is not valid: a host has letters, digits, "
			+ "'.' and '-' only.";

	private static final String SCHEME = "The url must begin with http:// or https://.";

	private static final String POSITIVE = "The duration must be longer than zero.";

	private static final String TOO_LONG = "The duration must not be longer than 24 hours. A number without a unit is "
			+ "in milliseconds.";

	private static final String JITTER = "The random part of the delay is from 0 (none) to 1 (all of it).";

	private static final String MULTIPLIER = "The delay must not shrink: the multiplier is at least 1.";

	private static final String COUNT = "The number must be larger than zero.";

	private static final String RESERVED = "This header is set by the MCP client itself. Remove it.";

	private static final String PATTERN = "There is a pattern without a name: '%s'. Write a name, or a pattern such as "
			+ "'read_*', with a '!' before it to deny.";

	private static final String LINE_BREAK = "The value has a line break, at its end perhaps: a header is one line.";

	private static final String CHARACTER = "The value has a character that cannot be sent in a header: use "
			+ "ISO-8859-1 characters only, without control characters.";

	static Stream<Arguments> mistakesOfServer() {
		return Stream.of(
				// what it is
				Arguments.of("{ required: true }", "", NEITHER), Arguments.of("something", "", NEITHER),
				Arguments.of("{ url: 'https://a/', command: b }", "",
						"There is a url (of a server that is reached over HTTP) and a command (of one that is a child "
								+ "process). Remove one of them."),
				Arguments.of("url: ''", ".url", "The url is empty."),
				Arguments.of("command: '  '", ".command", "The command is empty."),
				Arguments.of("{ type: http, url: '' }", ".url", "The url is empty."),
				Arguments.of("type: http", ".url", "A server of type streamable-http needs a url."),
				Arguments.of("type: stdio", ".command", "A server of type stdio needs a command."),
				Arguments.of("{ type: stdio, command: '' }", ".command", "The command is empty."),
				Arguments.of("{ command: \"a\\0\" }", ".command", "The command must not contain a NUL character."),
				Arguments.of("{ command: a, args: [ b, \"c\\0\" ] }", ".args",
						"An argument must not contain a NUL character."),
				Arguments.of("{ command: a, working-directory: \"a\\0\" }", ".working-directory",
						"The name of a directory must not contain a NUL character."),
				// type
				Arguments.of("{ type: htp, url: 'https://a/' }", ".type",
						"There is no such transport type. Did you mean streamable-http? The types are carrier-pigeon, "
								+ "sse, stdio, streamable-http, websocket."),
				Arguments.of("{ type: stdoi, command: a }", ".type",
						"There is no such transport type. Did you mean stdio? The types are carrier-pigeon, sse, "
								+ "stdio, streamable-http, websocket."),
				Arguments.of("{ type: hovercraft, command: a }", ".type",
						"There is no such transport type. The types are carrier-pigeon, sse, stdio, streamable-http, "
								+ "websocket."),
				// tools
				Arguments.of("{ command: a, tools: { filter: [ x, '  ' ] } }", ".tools.filter", PATTERN.formatted("")),
				Arguments.of("{ command: a, tools: { filter: [ '! ' ] } }", ".tools.filter", PATTERN.formatted("!")),
				Arguments.of("{ command: a, tools: { filter: [ " + "x".repeat(257) + " ] } }", ".tools.filter",
						"There is a pattern of 257 characters: the longest possible is 256."),
				Arguments.of("{ command: a, tools: { access: write } }", ".tools.access",
						"'write' is none of all, no-write, read-only."),
				// settings of the other kind
				Arguments.of("{ url: 'https://a/', args: [ b ] }", ".args",
						STDIO_ONLY + "streamable-http (inferred from its url)."),
				Arguments.of("{ url: 'https://a/', env: { A: s3cr3t } }", ".env",
						STDIO_ONLY + "streamable-http (inferred from its url)."),
				Arguments.of("{ url: 'wss://a/', working-directory: b }", ".working-directory",
						STDIO_ONLY + "websocket (inferred from its url)."),
				Arguments.of("{ type: sse, url: 'https://a/', encoding: UTF-8 }", ".encoding", STDIO_ONLY + "sse."),
				Arguments.of("{ type: sse, url: 'https://a/', inherit-environment: true }", ".inherit-environment",
						STDIO_ONLY + "sse."),
				Arguments.of("{ type: sse, url: 'https://a/', command: b }", ".command", STDIO_ONLY + "sse."),
				Arguments.of("{ command: a, headers: { A: s3cr3t } }", ".headers",
						HTTP_ONLY + "stdio (inferred from its command)."),
				Arguments.of("{ command: a, ssl.bundle: b }", ".ssl.bundle",
						HTTP_ONLY + "stdio (inferred from its command)."),
				Arguments.of("{ type: stdio, command: a, url: 'https://s3cr3t/' }", ".url", HTTP_ONLY + "stdio."),
				Arguments.of("{ type: stdio, command: a, terminate-on-close: true }", ".terminate-on-close",
						HTTP_ONLY + "stdio."),
				Arguments.of("{ type: stdio, command: a, sse-read-timeout: 1s }", ".sse-read-timeout",
						HTTP_ONLY + "stdio."),
				// url
				Arguments.of("url: ftp://a/", ".url", SCHEME), Arguments.of("url: localhost:8080/mcp", ".url", SCHEME),
				Arguments.of("url: example.org/mcp", ".url", SCHEME),
				Arguments.of("url: //example.org/mcp", ".url", SCHEME),
				Arguments.of("{ type: sse, url: 'wss://a/' }", ".url", SCHEME),
				Arguments.of("{ type: ws, url: 'https://a/' }", ".url", "The url must begin with ws:// or wss://."),
				Arguments.of("{ type: carrier-pigeon, url: a }", ".url",
						"The url must begin with a scheme, such as https://."),
				Arguments.of("url: 'http:///mcp'", ".url", HOST),
				Arguments.of("url: 'http://my_host/mcp'", ".url", HOST), Arguments.of("url: 'http:mcp'", ".url", HOST),
				Arguments.of("url: 'http://u:s3cr3t@/mcp'", ".url", HOST),
				Arguments.of("url: 'http://'", ".url", "The url cannot be read: expected authority (character 8)."),
				Arguments.of("url: 'https://a/s3cr3t key'", ".url",
						"The url cannot be read: illegal character in path (character 17)."),
				Arguments.of("url: 'https://a/?s3cr3t={x}'", ".url",
						"The url cannot be read: illegal character in query (character 19)."),
				Arguments.of("url: 'https://a:99999/'", ".url", "The port of the url must be from 1 to 65535."),
				Arguments.of("url: 'https://a:0/'", ".url", "The port of the url must be from 1 to 65535."),
				Arguments.of("url: 'https://a/#s3cr3t'", ".url",
						"The url must not have a fragment ('#'): it is never sent."),
				// durations
				Arguments.of("{ command: a, request-timeout: -1s }", ".request-timeout", POSITIVE),
				Arguments.of("{ command: a, tools.hide-when-unavailable: 0s }", ".tools.hide-when-unavailable",
						POSITIVE),
				Arguments.of("{ command: a, initialization-timeout: 0 }", ".initialization-timeout", POSITIVE),
				Arguments.of("{ command: a, first-start-timeout: 0 }", ".first-start-timeout", POSITIVE),
				Arguments.of("{ command: a, connect-timeout: 0s }", ".connect-timeout", POSITIVE),
				Arguments.of("{ command: a, keep-alive-interval: 25h }", ".keep-alive-interval", TOO_LONG),
				Arguments.of("{ url: 'http://a/', sse-read-timeout: 2d }", ".sse-read-timeout", TOO_LONG),
				Arguments.of("{ command: a, request-timeout: abc }", ".request-timeout",
						"'abc' is not a duration. Write for instance 500ms, 30s or 5m."),
				Arguments.of("{ command: a, requestTimeout: 5 minutes }", ".request-timeout",
						"'5 minutes' is not a duration. Write for instance 500ms, 30s or 5m."),
				Arguments.of("{ command: a, request-timeout: \"" + "x".repeat(41) + "\" }", ".request-timeout",
						"'" + "x".repeat(40) + "...' is not a duration. Write for instance 500ms, 30s or 5m."),
				// other values
				Arguments.of("{ command: a, max-message-size: 0 }", ".max-message-size",
						"The size must be larger than zero."),
				Arguments.of("{ command: a, max-result-size: -1MB }", ".max-result-size",
						"The size must be larger than zero."),
				Arguments.of("{ command: a, max-message-size: 2GB }", ".max-message-size",
						"The size must be smaller than 2GB."),
				Arguments.of("{ command: a, max-message-size: 2 apples }", ".max-message-size",
						"'2 apples' is not a size. Write for instance 512KB or 16MB."),
				Arguments.of("{ command: a, max-concurrent-calls: 0 }", ".max-concurrent-calls", COUNT),
				Arguments.of("{ command: a, tools.max: -5 }", ".tools.max", COUNT),
				Arguments.of("{ command: a, prompts.max: 0 }", ".prompts.max", COUNT),
				Arguments.of("{ command: a, resources.max: 0 }", ".resources.max", COUNT),
				Arguments.of("{ command: a, tools.max: '1.5' }", ".tools.max", "'1.5' is not a whole number."),
				Arguments.of("{ command: a, required: perhaps }", ".required", "'perhaps' is neither true nor false."),
				Arguments.of("{ command: a, enabled: perhaps }", ".enabled", "'perhaps' is neither true nor false."),
				Arguments.of("{ command: a, encoding: klingon }", ".encoding",
						"'klingon' is not a character encoding that this JVM knows. Write for instance UTF-8."),
				Arguments.of("{ command: a, reconnect.multiplier: 0.9 }", ".reconnect.multiplier", MULTIPLIER),
				Arguments.of("{ command: a, reconnect.multiplier: NaN }", ".reconnect.multiplier", MULTIPLIER),
				Arguments.of("{ command: a, reconnect.multiplier: two }", ".reconnect.multiplier",
						"'two' is not a number."),
				Arguments.of("{ command: a, reconnect.jitter: 1.1 }", ".reconnect.jitter", JITTER),
				Arguments.of("{ command: a, reconnect.jitter: -0.1 }", ".reconnect.jitter", JITTER),
				Arguments.of("{ command: a, reconnect.initial-delay: 0s }", ".reconnect.initial-delay", POSITIVE),
				Arguments.of("{ command: a, reconnect.initial-delay: 31s }", ".reconnect.initial-delay",
						"The initial delay must not be longer than the longest delay (30s)."),
				Arguments.of("{ command: a, reconnect.max-delay: 500ms }", ".reconnect.max-delay",
						"The longest delay must not be shorter than the initial delay (1s)."),
				// headers and variables
				Arguments.of("{ url: 'http://a/', headers: { 'X Y': s3cr3t } }", ".headers[X Y]",
						"This is not a name for a header: use letters, digits and !#$%&'*+-.^_`|~ only."),
				Arguments.of("{ url: 'http://a/', headers: { 'X:': s3cr3t } }", ".headers[X:]",
						"This is not a name for a header: use letters, digits and !#$%&'*+-.^_`|~ only."),
				Arguments.of("{ url: 'http://a/', headers: { Clé: s3cr3t } }", ".headers[Clé]",
						"This is not a name for a header: use letters, digits and !#$%&'*+-.^_`|~ only."),
				Arguments.of("{ url: 'http://a/', headers: { X: \"s3cr3t\\n\" } }", ".headers.X", LINE_BREAK),
				Arguments.of("{ url: 'http://a/', headers: { X: \"s3cr3t\\r\\nY: b\" } }", ".headers.X", LINE_BREAK),
				Arguments.of("{ url: 'http://a/', headers: { X: \"s3cr3t\\0\" } }", ".headers.X", CHARACTER),
				Arguments.of("{ url: 'http://a/', headers: { X: s3cr3t€ } }", ".headers.X", CHARACTER),
				Arguments.of("{ url: 'http://a/', headers: { content-type: s3cr3t } }", ".headers.content-type",
						RESERVED),
				Arguments.of("{ url: 'http://a/', headers: { MCP-Session-Id: s3cr3t } }", ".headers.MCP-Session-Id",
						RESERVED),
				Arguments.of("{ url: 'http://a/', headers: { expect: s3cr3t } }", ".headers.expect", RESERVED),
				Arguments.of("{ url: 'http://a/', headers: { Trailer: s3cr3t } }", ".headers.Trailer", RESERVED),
				Arguments.of("{ url: 'http://a/', headers: { X: ' ' } }", ".headers.X",
						"The value is empty. Set a value, or remove the header."),
				// other shapes
				Arguments.of("{ command: a, args: { b: s3cr3t } }", ".args",
						"This is a list: it has no names below it. Write the items."),
				Arguments.of("{ command: a, tools.filter: { read: s3cr3t } }", ".tools.filter",
						"This is a list: it has no names below it. Write the items."),
				Arguments.of("command: [ a, s3cr3t ]", ".command", "This is a single value, not a list."),
				Arguments.of("url: [ 'https://s3cr3t/' ]", ".url", "This is a single value, not a list."),
				Arguments.of("{ command: a, tools: s3cr3t }", ".tools",
						"This is not a single value: below it is a name for each value."),
				Arguments.of("{ url: 'http://a/', headers: s3cr3t }", ".headers",
						"This is not a single value: below it is a name for each value."),
				Arguments.of("{ command: a, env: [ A=s3cr3t ] }", ".env",
						"This is not a list: below it is a name for each value."),
				Arguments.of("{ command: a, env: { 'A=B': s3cr3t } }", ".env[A=B]",
						"The name of an environment variable must not contain '=' or a NUL character."),
				Arguments.of("{ command: a, env: { 'A': \"s3cr3t\\0\" } }", ".env.A",
						"The value of an environment variable must not contain a NUL character."));
	}

	@ParameterizedTest
	@MethodSource("mistakesOfServer")
	void mistakeOfServer(String settings, String property, String message) {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a:\n  " + settings);
		assertThat(environment.problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("mcp.servers.a" + property);
			assertThat(problem.message()).isEqualTo(message).doesNotContain("s3cr3t");
			assertThat(problem.origin()).hasToString("application.yml - 2:" + column(problem));
		});
	}

	@ParameterizedTest
	@MethodSource("mistakesOfServer")
	void mistakeOfServerThatIsNotEnabledDoesNotMatter(String settings, String property) {
		if (!property.equals(".enabled")) {
			TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a:\n  " + settings)
				.variable("MCP_SERVERS_A_ENABLED", "false");
			assertThat(environment.problems()).isEmpty();
			assertThat(environment.definitions()).singleElement().satisfies((definition) -> {
				assertThat(definition.enabled()).isFalse();
				assertThat(definition.toString()).doesNotContain("s3cr3t");
			});
		}
	}

	@Test
	void mistakesOfToolsOfAllServers() {
		TestEnvironment environment = TestEnvironment.yaml("mcp.tools: { filter: [ a, '!' ], access: none }\n"
				+ "mcp.defaults.tools.filter: '!'\nmcp.servers.a: { command: a, tools: { filter: '!' } }");
		assertThat(environment.problems()).extracting(Problem::property)
			.containsExactly("mcp.tools.access", "mcp.tools.filter", "mcp.defaults.tools.filter",
					"mcp.servers.a.tools.filter");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "!", " ! ", "a", "!a", "!!", "*", "x256", "!x256", " x256 ", "x257", "!x257" })
	void patternsAreThoseOfTheFilters(String text) {
		String pattern = text.replace("x256", "x".repeat(256)).replace("x257", "x".repeat(257));
		// as a list, since the binder splits and trims a text
		boolean valid = new TestEnvironment()
			.arguments(Map.of("mcp.servers.a.command", "a", "mcp.servers.a.tools.filter[0]", pattern))
			.problems()
			.isEmpty();
		ToolSettings settings = TestToolSettings.of(List.of(pattern), McpToolPolicy.UNRESTRICTED, null);
		boolean usable = true;
		try {
			new ToolCatalog(() -> {
			}, settings);
		}
		catch (IllegalArgumentException ex) {
			usable = false;
		}
		assertThat(valid).isEqualTo(usable);
	}

	static Stream<Arguments> mistakesOfDefaults() {
		return Stream.of(Arguments.of("request-timeout: 0s", "request-timeout", POSITIVE),
				Arguments.of("request-timeout: soon", "request-timeout",
						"'soon' is not a duration. Write for instance 500ms, 30s or 5m."),
				Arguments.of("type: htp", "type",
						"There is no such transport type. Did you mean streamable-http? The types are carrier-pigeon, "
								+ "sse, stdio, streamable-http, websocket."),
				Arguments.of("reconnect: { initial-delay: 2m }", "reconnect.initial-delay",
						"The initial delay must not be longer than the longest delay (30s)."),
				Arguments.of("headers: { Accept: s3cr3t }", "headers.Accept", RESERVED),
				Arguments.of("headers: { Expect: 100-continue }", "headers.Expect", RESERVED),
				Arguments.of("headers: { trailer: X-Sum }", "headers.trailer", RESERVED),
				Arguments.of("proxy: { host: proxy.example }", "proxy.port", "The proxy needs a port from 1 to 65535."),
				Arguments.of("headers: { A: '${NOTHING}' }", "headers.A",
						"Nothing resolves the placeholder ${NOTHING}. Set NOTHING, as an environment variable for "
								+ "instance, or give a default: ${NOTHING:...}."));
	}

	@ParameterizedTest
	@MethodSource("mistakesOfDefaults")
	void mistakeOfDefaultsIsReportedOnce(String settings, String property, String message) {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp.servers.a.command: a
				mcp.servers.b.command: b
				mcp.defaults:
				  %s
				""".formatted(settings));
		assertThat(environment.problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("mcp.defaults." + property);
			assertThat(problem.message()).isEqualTo(message);
			assertThat(problem.origin()).hasToString("application.yml - 4:" + column(problem));
		});
	}

	@ParameterizedTest
	@MethodSource("mistakesOfDefaults")
	void mistakeOfDefaultsDoesNotMatterWithoutServers(String settings) {
		assertThat(TestEnvironment.yaml("mcp.defaults:\n  " + settings).problems()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			bad/name    | mcp.servers[bad/name]
			'sp ace'    | mcp.servers[sp ace]
			@scope      | mcp.servers[@scope]
			-dash       | mcp.servers.-dash
			_under      | mcp.servers._under
			'[.hidden]' | mcp.servers[.hidden]
			'[a..ü]'    | mcp.servers[a..ü]
			ünder       | mcp.servers[ünder]
			""")
	void mistakeOfName(String name, String property) {
		for (boolean enabled : new boolean[] { true, false }) {
			TestEnvironment environment = TestEnvironment
				.yaml("mcp:\n  servers:\n    \"" + name + "\":\n      enabled: " + enabled);
			assertThat(environment.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo(property);
				assertThat(problem.message()).isEqualTo(NAME);
				assertThat(problem.origin()).hasToString("application.yml - 4:16");
			});
		}
	}

	@Test
	void badNameDoesNotTakeTheSettingsOfAnother() {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp.servers: { badname: { command: a }, bad/name: { enabled: false } }");
		assertThat(environment.problems()).extracting(Problem::property).containsExactly("mcp.servers[bad/name]");
		assertThat(environment.config().properties().servers().get("badname").enabled()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "myServer", "my_server", "MYSERVER", "[my.server]" })
	void twoSpellingsInOneFileCollide(String other) {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp.servers: { my-server: { command: a }, b: { command: b }, '" + other + "': { command: c } }");
		assertThat(environment.mistakes())
			.containsExactly("mcp.servers.my-server: There is also '" + other.replace("[", "").replace("]", "")
					+ "', which is the same name: case, '-', '_' and '.' do not count. Rename one of them.");
	}

	@Test
	void dotInNameWithoutBracketsIsExplained() {
		assertThat(TestEnvironment.yaml("mcp.servers.a.b.url: https://a.example/mcp").mistakes())
			.containsExactly("mcp.servers.a: There is neither a url nor a command. Write a name that has a dot in "
					+ "brackets: mcp.servers[a.b].url.");
	}

	@Test
	void underscoreInNameOfVariableIsExplained() {
		assertThat(new TestEnvironment().variable("MCP_SERVERS_MY_SERVER_COMMAND", "a").problems()).singleElement()
			.satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("mcp.servers.my");
				assertThat(problem.message()).isEqualTo("There is neither a url nor a command. Write the name of a "
						+ "server without '-', '_' and '.' in an environment variable: "
						+ "MCP_SERVERS_MYSERVER_COMMAND, not MCP_SERVERS_MY_SERVER_COMMAND.");
				assertThat(problem.origin())
					.hasToString("\"MCP_SERVERS_MY_SERVER_COMMAND\" from property source \"systemEnvironment\"");
			});
	}

	@Test
	void mistakesOfStartup() {
		assertThat(TestEnvironment.yaml("mcp.startup: { wait: -1s, mode: sometimes }").mistakes()).containsExactly(
				"mcp.startup.mode: 'sometimes' is none of eager, lazy.",
				"mcp.startup.wait: The duration must not be negative.");
		assertThat(TestEnvironment.yaml("mcp.startup.wait: 2d").mistakes())
			.containsExactly("mcp.startup.wait: " + TOO_LONG);
	}

	@Test
	void allMistakesAreReportedTogether() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp:
				  startup.wait: -1s
				  defaults.tools.max: 0
				  servers:
				    a: { url: 'ftp://a/', request-timeout: soon, headers: { Host: a, Accept: b } }
				    off: { enabled: false, url: 'ftp://a/' }
				    good: { command: c }
				    d: { command: d, url: 'https://d/', reconnect: { jitter: 2, multiplier: 0 } }
				    e: {}
				""");
		assertThat(environment.problems()).extracting(Problem::property)
			.containsExactly("mcp.startup.wait", "mcp.defaults.tools.max", "mcp.servers.a.request-timeout",
					"mcp.servers.a.url", "mcp.servers.a.headers.Accept", "mcp.servers.d",
					"mcp.servers.d.reconnect.multiplier", "mcp.servers.d.reconnect.jitter", "mcp.servers.e");
		assertThatExceptionOfType(InvalidMcpConfigurationException.class).isThrownBy(environment::definitions)
			.withMessageStartingWith("Invalid configuration of MCP servers:\n- mcp.startup.wait: The duration must not "
					+ "be negative.\n- mcp.defaults.tools.max: " + COUNT + "\n");
	}

	@Test
	void gapInListIsReported() {
		TestEnvironment environment = new TestEnvironment().arguments(
				Map.of("mcp.servers.a.command", "a", "mcp.servers.a.args[0]", "b", "mcp.servers.a.args[2]", "d"));
		assertThat(environment.mistakes()).containsExactly("mcp.servers.a.args: The numbers of the items have a gap.");
	}

	private static String column(Problem problem) {
		String origin = String.valueOf(problem.origin());
		return origin.substring(origin.lastIndexOf(':') + 1);
	}

}
