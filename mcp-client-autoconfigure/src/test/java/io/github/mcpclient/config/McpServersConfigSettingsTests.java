package io.github.mcpclient.config;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Feature;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.definition.McpServerDefinition.Limits;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinition.Resources;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.definition.McpServerDefinition.Timeouts;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolAccess;
import io.github.mcpclient.definition.McpToolPinning;
import io.github.mcpclient.definition.McpToolPolicy;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests what {@link McpServersConfig} makes of the settings of a server.
 */
class McpServersConfigSettingsTests {

	private static final String ALL_HTTP = """
			  enabled: true
			  required: true
			  type: streamableHttp
			  headers:
			    X-Api-Key: one
			    "[X.Dotted]": two
			    authorization: Bearer abc
			  ssl:
			    bundle: mine
			  terminate-on-close: false
			  cookies: true
			  sse-read-timeout: 1m
			  request-timeout: 2s
			  initialization-timeout: 3s
			  first-start-timeout: 6m
			  connect-timeout: 4s
			  keep-alive-interval: 5s
			  progress-extends-timeout-to: 17m
			  max-message-size: 6MB
			  max-result-size: 7KB
			  max-concurrent-calls: 8
			  logging-level: notice
			  tools:
			    max: 9
			    enabled: false
			    prefix: short
			    filter: [ "read_*", "!read_secret" ]
			    access: read-only
			    allow-destructive: false
			    allow-open-world: false
			    validate-arguments: true
			    validate-results: false
			    hide-when-unavailable: 14m
			    max-text: 15000
			    pinning: block
			    keep-results: 16m
			  prompts: { enabled: false, max: 12 }
			  resources: { enabled: false, max: 13, as-tools: true }
			  reconnect:
			    enabled: false
			    initial-delay: 10s
			    multiplier: 1.5
			    max-delay: 11s
			    jitter: 0.25
			""";

	private static final String ALL_STDIO = """
			  args: [ -y, "a b" ]
			  env:
			    API_KEY: one
			    lower.dotted: 2
			  inherit-environment: true
			  working-directory: some/where
			  encoding: ISO-8859-1
			""";

	@Test
	void httpServerWithDefaults() {
		McpServerDefinition expected = McpServerDefinition.http("a", URI.create("https://a.example/mcp?x=%20y"))
			.typeInferred(true)
			.build();
		assertThat(server("url: https://a.example/mcp?x=%20y")).isEqualTo(expected);
	}

	@Test
	void stdioServerWithDefaults() {
		assertThat(server("command: npx")).isEqualTo(McpServerDefinition.stdio("a", "npx").typeInferred(true).build());
	}

	@Test
	void httpServerWithAllSettings() {
		assertAllHttp(TestEnvironment.yaml("mcp.servers.a:\n  url: https://a.example/mcp\n" + ALL_HTTP));
	}

	@Test
	void stdioServerWithAllSettings() {
		assertAllStdio(TestEnvironment.yaml("mcp.servers.a:\n  command: npx\n" + ALL_STDIO));
	}

	@Test
	void everySettingCanHaveDefault() {
		assertAllHttp(TestEnvironment
			.yaml("mcp.servers.a.url: https://a.example/mcp\nmcp.defaults:\n" + ALL_HTTP + ALL_STDIO));
		assertAllStdio(TestEnvironment.yaml("mcp.servers.a.command: npx\nmcp.defaults:\n" + ALL_STDIO + ALL_HTTP));
	}

	@Test
	void settingOfServerWinsOverDefault() {
		McpServerDefinition server = TestEnvironment.yaml("""
				mcp:
				  defaults:
				    request-timeout: 1s
				    enabled: false
				    headers: { X-Team: blue, X-Other: kept }
				    reconnect: { initial-delay: 2s, jitter: 0.5 }
				  servers:
				    a:
				      enabled: true
				      url: https://a.example/mcp
				      request-timeout: 9s
				      headers: { x-team: red }
				      reconnect: { jitter: 0 }
				""").definition("a");
		assertThat(server.enabled()).isTrue();
		assertThat(server.timeouts().request()).hasSeconds(9);
		assertThat(server.http().headers()).isEqualTo(Map.of("x-team", "red", "X-Other", "kept"));
		assertThat(server.reconnect())
			.isEqualTo(new Reconnect(true, Duration.ofSeconds(2), 2.0, Duration.ofSeconds(30), 0.0));
	}

	@Test
	void toolSettingsOfServerWinOneByOne() {
		McpServerDefinition server = TestEnvironment.yaml("""
				mcp.defaults.tools: { prefix: shared, filter: [ a, b ], access: no-write, allow-open-world: false }
				mcp.servers.a: { command: a, tools: { prefix: "", filter: [ c ], allow-open-world: true } }
				""").definition("a");
		assertThat(server.tools())
			.isEqualTo(new Tools(true, "", List.of("c"), new McpToolPolicy(McpToolAccess.NO_WRITE, true, true), false,
					true, null, 50_000, null, McpToolPinning.OFF, List.of(), List.of()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "tools.prefix: ''", "tools.prefix:", "tools: { prefix: '' }" })
	void emptyPrefixIsNotTheDefaultOne(String prefix) {
		assertThat(server("{ command: a }").tools().prefix()).isNull();
		assertThat(server("command: a\n  " + prefix).tools().prefix()).isEmpty();
	}

	@Test
	void toolSettingsOfVariables() {
		McpServerDefinition server = TestEnvironment.yaml("mcp.servers.a: { command: a, tools.filter: [ x, y, z ] }")
			.variable("MCP_SERVERS_A_TOOLS_FILTER", "read_*, !read_secret")
			.variable("MCP_SERVERS_A_TOOLS_PREFIX", "")
			.variable("MCP_SERVERS_A_TOOLS_ACCESS", "READ_ONLY")
			.variable("MCP_SERVERS_A_TOOLS_ALLOWDESTRUCTIVE", "false")
			.definition("a");
		assertThat(server.tools()).isEqualTo(new Tools(true, "", List.of("read_*", "!read_secret"),
				new McpToolPolicy(McpToolAccess.READ_ONLY, false, true), false, true, null, 50_000, null,
				McpToolPinning.OFF, List.of(), List.of()));
	}

	@Test
	void emptyFilterOfServerIsNotTheDefaultOne() {
		assertThat(TestEnvironment.yaml("""
				mcp.defaults.tools.filter: [ a ]
				mcp.servers.a: { command: a, tools: { filter: [] } }
				""").definition("a").tools().filter()).isEmpty();
	}

	@Test
	void toolSettingsOfAllServers() {
		McpProperties.Tools tools = TestEnvironment.yaml("""
				mcp.tools: { filter: [ "a_*", "!a_b" ], access: no-write, allow-destructive: false }
				mcp.servers.a: { command: a }
				""").variable("MCP_TOOLS_ALLOWOPENWORLD", "false").config().properties().tools();
		assertThat(tools.filter()).containsExactly("a_*", "!a_b");
		assertThat(tools.toPolicy()).isEqualTo(new McpToolPolicy(McpToolAccess.NO_WRITE, false, false));
		assertThat(new TestEnvironment().config().properties().tools().toPolicy())
			.isEqualTo(McpToolPolicy.UNRESTRICTED);
	}

	@Test
	void variablesOfServerAreAddedToDefaultOnes() {
		McpServerDefinition server = TestEnvironment.yaml("""
				mcp.defaults: { env: { A: 1, B: 2 }, args: [ x, y ] }
				mcp.servers.a: { command: a, env: { B: 3, C: 4 }, args: [ z ] }
				""").definition("a");
		assertThat(server.stdio().env()).isEqualTo(Map.of("A", "1", "B", "3", "C", "4"));
		assertThat(server.stdio().args()).containsExactly("z");
	}

	@Test
	void emptyListIsAList() {
		assertThat(TestEnvironment.yaml("""
				mcp.defaults: { args: [ x ] }
				mcp.servers.a: { command: a, args: [] }
				""").definition("a").stdio().args()).isEmpty();
	}

	@Test
	void defaultsOfOneKindOfServerDoNotHarmTheOther() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp:
				  defaults: { headers: { X-Team: blue }, env: { A: 1 }, type: sse, encoding: UTF-16 }
				  servers:
				    http: { url: "https://a.example/mcp" }
				    stdio: { command: a }
				""");
		assertThat(environment.definition("http")).isEqualTo(McpServerDefinition.of("http", "sse")
			.url(URI.create("https://a.example/mcp"))
			.headers(Map.of("X-Team", "blue"))
			.build());
		assertThat(environment.definition("stdio")).isEqualTo(McpServerDefinition.stdio("stdio", "a")
			.typeInferred(true)
			.env(Map.of("A", "1"))
			.encoding(StandardCharsets.UTF_16)
			.build());
	}

	@ParameterizedTest
	@ValueSource(strings = { "requestTimeout", "REQUEST_TIMEOUT", "request_timeout", "RequestTimeout",
			"request-timeout", "requesttimeout" })
	void settingsAreFoundInRelaxedSpelling(String spelling) {
		assertThat(server("{ command: a, " + spelling + ": 7s }").timeouts().request()).hasSeconds(7);
	}

	@Test
	void optionsAreThoseOfTheFile() {
		McpServerDefinition server = TestEnvironment
			.yaml("""
					mcp:
					  defaults.options: { shared: 1, loft: { size: 1 } }
					  servers.a: { type: carrier-pigeon, options: { loft: { size: 7, birds: [ x, { y: z } ] }, key: "${KEY}" } }
					""")
			.variable("KEY", "s3cr3t")
			.variable("MCP_SERVERS_A_OPTIONS_LOFT_SIZE", "9")
			.definition("a");
		assertThat(server.options()).isEqualTo(Map.of("shared", 1, "loft",
				Map.of("size", "9", "birds", List.of("x", Map.of("y", "z"))), "key", "s3cr3t"));
		assertThat(server.toString()).doesNotContain("s3cr3t");
	}

	@ParameterizedTest
	@CsvSource({ "streamable-http, streamable-http", "http, streamable-http", "streamableHttp, streamable-http",
			"streamable_http, streamable-http", "HTTP, streamable-http", "STREAMABLE-HTTP, streamable-http", "SSE, sse",
			"carrierPigeon, carrier-pigeon", "' http ', streamable-http" })
	void typeHasManySpellings(String type, String canonical) {
		McpServerDefinition server = server("{ url: https://a.example/mcp, type: '" + type + "' }");
		assertThat(server.type()).isEqualTo(canonical);
		assertThat(server.typeInferred()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "url: https://a.example/mcp, streamable-http", "url: http://a.example/sse, streamable-http",
			"url: wss://a.example/mcp, websocket", "url: WS://a.example/mcp, websocket", "command: a, stdio",
			"'{ command: a, url: \"\" }', stdio", "'{ command: \"\", url: http://a/ }', streamable-http",
			"'{ type: \"\", command: a }', stdio" })
	void typeIsInferred(String settings, String type) {
		McpServerDefinition server = server(settings);
		assertThat(server.type()).isEqualTo(type);
		assertThat(server.typeInferred()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "HTTPS://A.example:443/MCP?x=HTTP://b, https://A.example:443/MCP?x=HTTP://b",
			"'http://[::1]:8080/a%2Fb/', 'http://[::1]:8080/a%2Fb/'", "Ws://a, ws://a" })
	void urlIsKeptButForCaseOfScheme(String url, String expected) {
		assertThat(server("url: '" + url + "'").http().url()).hasToString(expected);
	}

	@Test
	void typeOfApplicationNeedsNothing() {
		McpServerDefinition server = server("{ type: carrier-pigeon, url: 'loft:7', command: coo, headers: { A: b } }");
		assertThat(server.type()).isEqualTo("carrier-pigeon");
		assertThat(server.http().url()).isEqualTo(URI.create("loft:7"));
		assertThat(server.stdio().command()).isEqualTo("coo");
		assertThat(server("type: carrier-pigeon").http()).isNull();
	}

	@Test
	void keysOfMapsAreKept() {
		McpServerDefinition server = server("""

				  url: https://a.example/mcp
				  headers:
				    x_under: 1
				    UPPER: 2
				    camelCase: 3
				    dotted.name: 4
				""".indent(2));
		assertThat(server.http().headers().keySet()).containsExactly("x_under", "UPPER", "camelCase", "dotted.name");
	}

	@Test
	void headerOfHigherSourceReplacesOneOfAnyCase() {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp.servers.a: { url: 'http://a/', headers: { X-Api-Key: low, X-B: b } }")
			.arguments(Map.of("mcp.servers.a.headers.x-api-key", "high"));
		assertThat(environment.definition("a").http().headers()).isEqualTo(Map.of("X-Api-Key", "high", "X-B", "b"));
		environment.variable("MCP_SERVERS_A_HEADERS_X_B", "variable").variable("MCP_SERVERS_A_HEADERS_X_NEW", "new");
		assertThat(environment.definition("a").http().headers())
			.isEqualTo(Map.of("X-Api-Key", "high", "X-B", "variable", "X-NEW", "new"));
	}

	@Test
	void variableForChildKeepsItsName() {
		TestEnvironment environment = TestEnvironment
			.yaml("mcp.servers.my-files: { command: a, env: { API_KEY: low } }")
			.variable("MCP_SERVERS_MYFILES_ENV_API_KEY", "high")
			.variable("MCP_SERVERS_MY_FILES_ENV_http_proxy", "proxy")
			.variable("MCP_SERVERS_MYFILES_ENV__JAVA_OPTIONS", "options");
		assertThat(environment.definition("my-files").stdio().env())
			.isEqualTo(Map.of("API_KEY", "high", "http_proxy", "proxy", "_JAVA_OPTIONS", "options"));
	}

	@Test
	void variablesSetDefaults() {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a.command: a")
			.variable("MCP_DEFAULTS_REQUEST_TIMEOUT", "3s")
			.variable("MCP_DEFAULTS_RECONNECT_MAX_DELAY", "4s")
			.variable("MCP_DEFAULTS_ENV_LOG_LEVEL", "debug");
		McpServerDefinition server = environment.definition("a");
		assertThat(server.timeouts().request()).hasSeconds(3);
		assertThat(server.reconnect().maxDelay()).hasSeconds(4);
		assertThat(server.stdio().env()).isEqualTo(Map.of("LOG_LEVEL", "debug"));
	}

	@Test
	void listOfHigherSourceReplacesTheWhole() {
		TestEnvironment environment = TestEnvironment.yaml("mcp.servers.a: { command: a, args: [ 1, 2, 3 ] }")
			.variable("MCP_SERVERS_A_ARGS", "x,y");
		assertThat(environment.definition("a").stdio().args()).containsExactly("x", "y");
	}

	@Test
	void selections() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp.selections:
				  Librarian: [ "library_*", "!library_write*" ]
				  my-agent: "${AGENT:a_*,b_*}"
				  env: [ x ]
				  "[a.b]": [ "y" ]
				""")
			.variable("MCP_SELECTIONS_LIBRARIAN_0", "books_*")
			.variable("MCP_SELECTIONS_NEWCOMER", "c_*,!c_d")
			.variable("MCP_SELECTIONS_SERVICE_HOST", "10.0.0.1");
		assertThat(environment.config().properties().selections()).containsExactly(
				entry("Librarian", List.of("books_*")), entry("my-agent", List.of("a_*", "b_*")),
				entry("env", List.of("x")), entry("a.b", List.of("y")), entry("newcomer", List.of("c_*", "!c_d")));
		assertThat(environment.definitions()).isEmpty();
	}

	@Test
	void mistakesOfSelections() {
		assertThat(TestEnvironment.yaml("""
				mcp.selections:
				  none: []
				  blank: [ "!" ]
				  "[bad/name]": [ x ]
				  twice: [ x ]
				  TWICE: [ y ]
				  open: "${NOWHERE}"
				  My_Agent: [ " " ]
				  "[a.b]": [ "!" ]
				""").problems()).extracting(Problem::property)
			.containsExactlyInAnyOrder("mcp.selections.none", "mcp.selections.blank", "mcp.selections[bad/name]",
					"mcp.selections.twice", "mcp.selections.open", "mcp.selections.My_Agent", "mcp.selections[a.b]");
	}

	@Test
	void startup() {
		McpProperties.Startup startup = TestEnvironment.yaml("mcp.startup: { mode: Lazy, wait: 0s }")
			.config()
			.properties()
			.startup();
		assertThat(startup.mode()).isEqualTo(McpProperties.Startup.Mode.LAZY);
		assertThat(startup.firstAttempts()).isZero();
	}

	@Test
	void filterOfServerThatIsNotEnabledNeverLetsToolsThroughByMistake() {
		McpServerDefinition server = server(
				"{ enabled: false, command: a, tools.filter: [ " + "x".repeat(257) + " ] }");
		assertThat(server.tools().filter()).containsExactly("!*");
	}

	@Test
	void serverThatIsNotEnabledIsListedWithItsTarget() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp:
				  servers:
				    a: { enabled: false, command: npx, args: [ x ], request-timeout: soon }
				    b: { enabled: off, url: "https://b.example/mcp" }
				    c: { enabled: false, url: "https://${NOWHERE}/mcp" }
				    d: { enabled: false, type: hovercraft }
				    e: { enabled: "${NOTHING:false}" }
				""");
		assertThat(environment.definitions())
			.extracting(McpServerDefinition::enabled, McpServerDefinition::type, McpServerDefinition::target)
			.containsExactly(tuple(false, "stdio", "npx x"), tuple(false, "streamable-http", "https://b.example/mcp"),
					tuple(false, "streamable-http", "streamable-http"), tuple(false, "unknown", "unknown"),
					tuple(false, "unknown", "unknown"));
	}

	private static void assertAllHttp(TestEnvironment environment) {
		McpServerDefinition server = environment.definition("a");
		assertThat(server.type()).isEqualTo("streamable-http");
		assertThat(server.enabled()).isTrue();
		assertThat(server.required()).isTrue();
		assertThat(server.http()).isEqualTo(new Http(URI.create("https://a.example/mcp"),
				Map.of("X-Api-Key", "one", "X.Dotted", "two", "authorization", "Bearer abc"), "mine", null, false,
				Duration.ofMinutes(1), true));
		assertThat(server.stdio()).isNull();
		assertThat(server.timeouts()).isEqualTo(new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(3),
				Duration.ofMinutes(6), Duration.ofSeconds(4), Duration.ofSeconds(5), Duration.ofMinutes(17)));
		assertThat(server.limits()).isEqualTo(new Limits(DataSize.ofMegabytes(6), DataSize.ofKilobytes(7), 9, 8));
		assertThat(server.tools()).isEqualTo(new Tools(false, "short", List.of("read_*", "!read_secret"),
				new McpToolPolicy(McpToolAccess.READ_ONLY, false, false), true, false, Duration.ofMinutes(14), 15_000,
				Duration.ofMinutes(16), McpToolPinning.BLOCK, List.of(), List.of()));
		assertThat(server.prompts()).isEqualTo(new Feature(false, 12));
		assertThat(server.resources()).isEqualTo(new Resources(false, 13, true));
		assertThat(server.loggingLevel()).isEqualTo(LoggingLevel.NOTICE);
		assertThat(server.reconnect())
			.isEqualTo(new Reconnect(false, Duration.ofSeconds(10), 1.5, Duration.ofSeconds(11), 0.25));
	}

	private static void assertAllStdio(TestEnvironment environment) {
		McpServerDefinition server = environment.definition("a");
		assertThat(server.type()).isEqualTo("stdio");
		assertThat(server.http()).isNull();
		assertThat(server.stdio())
			.isEqualTo(new Stdio("npx", List.of("-y", "a b"), Map.of("API_KEY", "one", "lower.dotted", "2"), true,
					Path.of("some/where"), StandardCharsets.ISO_8859_1, null));
	}

	private static McpServerDefinition server(String settings) {
		return TestEnvironment.yaml("mcp.servers.a:\n  " + settings).definition("a");
	}

}
