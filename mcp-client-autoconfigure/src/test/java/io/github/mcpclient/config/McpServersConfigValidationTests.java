package io.github.mcpclient.config;

import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
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

	private static final String NAME = "This is not a valid name for a server: use letters, digits, '.', '_' and '-' only, "
			+ "and begin with a letter or a digit.";

	private static final String TOO_LONG = "The duration must not be longer than 24 hours. A number without a unit is "
			+ "in milliseconds.";

	private static final String COUNT = "The number must be larger than zero.";

	/**
	 * Settings, property and message of each line.
	 */
	private static Stream<Arguments> rows(String table) {
		return table.lines()
			.filter((line) -> !line.startsWith("#"))
			.map((line) -> line.replace("x*257", "x".repeat(257))
				.replace("x*41", "x".repeat(41))
				.replace("x*40", "x".repeat(40)))
			.map((line) -> Arguments.of((Object[]) line.split(" => ")));
	}

	static Stream<Arguments> mistakesOfServer() {
		return rows(
				"""
						# what it is
						{ required: true } =>  => Neither 'url' (for a server over HTTP) nor 'command' (for a child process) is set.
						something =>  => Neither 'url' (for a server over HTTP) nor 'command' (for a child process) is set.
						{ url: 'https://a/', command: b } =>  => Both 'url' (for a server over HTTP) and 'command' (for a child process) are set. Remove one of them.
						url: '' => .url => The url is empty.
						command: '  ' => .command => The command is empty.
						{ type: http, url: '' } => .url => The url is empty.
						type: http => .url => A server of type streamable-http needs a URL.
						type: stdio => .command => A server of type stdio needs a command.
						{ type: stdio, command: '' } => .command => The command is empty.
						{ command: "a\\0" } => .command => The command must not contain a NUL character.
						{ command: a, args: [ b, "c\\0" ] } => .args => An argument must not contain a NUL character.
						{ command: a, working-directory: "a\\0" } => .working-directory => The name of a directory must not contain a NUL character.
						# type
						{ type: htp, url: 'https://a/' } => .type => There is no such transport type. Did you mean streamable-http? The types are carrier-pigeon, sse, stdio, streamable-http, websocket.
						{ type: stdoi, command: a } => .type => There is no such transport type. Did you mean stdio? The types are carrier-pigeon, sse, stdio, streamable-http, websocket.
						{ type: hovercraft, command: a } => .type => There is no such transport type. The types are carrier-pigeon, sse, stdio, streamable-http, websocket.
						# tools
						{ command: a, tools: { filter: [ x, '  ' ] } } => .tools.filter => The pattern '' names no tool. Write a name, or a pattern such as 'read_*'; a leading '!' excludes.
						{ command: a, tools: { filter: [ '! ' ] } } => .tools.filter => The pattern '!' names no tool. Write a name, or a pattern such as 'read_*'; a leading '!' excludes.
						{ command: a, tools: { filter: [ x*257 ] } } => .tools.filter => The pattern has 257 characters: at most 256 are allowed.
						{ command: a, tools.rules: [ { tools: '*', timeout: 1s }, { timeout: 1s } ] } => .tools.rules[1] => The rule does not name the tools that it is for. Write '*' for all.
						{ command: a, tools.rules: [ { tools: [ a, '!' ], timeout: 1s } ] } => .tools.rules[0].tools => The pattern '!' names no tool. Write a name, or a pattern such as 'read_*'; a leading '!' excludes.
						{ command: a, tools.rules: [ { tools: '*', timeout: 0s } ] } => .tools.rules[0].timeout => The duration must be longer than zero.
						{ command: a, tools.rules: [ { tools: '*', timeout: soon } ] } => .tools.rules[0].timeout => 'soon' is not a duration. Write for instance 500ms, 30s or 5m.
						{ command: a, tools.rules: [ { tools: '*', annotations.read-only-hint: maybe } ] } => .tools.rules[0].annotations.read-only-hint => 'maybe' is neither true nor false.
						{ command: a, tools.rules: [ { tools: '*', approval: maybe } ] } => .tools.rules[0].approval => 'maybe' is not one of never, destructive, always.
						{ command: a, tools.rules: [ { tools: '*', rate: 60 } ] } => .tools.rules[0].rate => This is not a rate. Write for instance 60/m, 5/s or 10/30s.
						{ command: a, tools.rules: [ { tools: '*', rate-per-caller: 0/m } ] } => .tools.rules[0].rate-per-caller => This is not a rate. Write for instance 60/m, 5/s or 10/30s.
						{ command: a, tools: { access: write } } => .tools.access => 'write' is not one of all, no-write, read-only.
						# settings of the other kind
						{ url: 'https://a/', args: [ b ] } => .args => This is for child processes, but the type is streamable-http (inferred from its url).
						{ url: 'https://a/', env: { A: s3cr3t } } => .env => This is for child processes, but the type is streamable-http (inferred from its url).
						{ url: 'wss://a/', working-directory: b } => .working-directory => This is for child processes, but the type is websocket (inferred from its url).
						{ type: sse, url: 'https://a/', encoding: UTF-8 } => .encoding => This is for child processes, but the type is sse.
						{ type: sse, url: 'https://a/', inherit-environment: true } => .inherit-environment => This is for child processes, but the type is sse.
						{ type: sse, url: 'https://a/', command: b } => .command => This is for child processes, but the type is sse.
						{ command: a, headers: { A: s3cr3t } } => .headers => This is for servers that are reached over HTTP, but the type is stdio (inferred from its command).
						{ command: a, ssl.bundle: b } => .ssl.bundle => This is for servers that are reached over HTTP, but the type is stdio (inferred from its command).
						{ type: stdio, command: a, url: 'https://s3cr3t/' } => .url => This is for servers that are reached over HTTP, but the type is stdio.
						{ type: stdio, command: a, terminate-on-close: true } => .terminate-on-close => This is for servers that are reached over HTTP, but the type is stdio.
						{ type: stdio, command: a, sse-read-timeout: 1s } => .sse-read-timeout => This is for servers that are reached over HTTP, but the type is stdio.
						# url
						url: ftp://a/ => .url => The URL must begin with http:// or https://.
						url: localhost:8080/mcp => .url => The URL must begin with http:// or https://.
						url: example.org/mcp => .url => The URL must begin with http:// or https://.
						url: //example.org/mcp => .url => The URL must begin with http:// or https://.
						{ type: sse, url: 'wss://a/' } => .url => The URL must begin with http:// or https://.
						{ type: ws, url: 'https://a/' } => .url => The URL must begin with ws:// or wss://.
						{ type: carrier-pigeon, url: a } => .url => The URL must begin with a scheme, such as https://.
						url: 'http:///mcp' => .url => The URL has no host, or one that is not valid: a host has letters, digits, '.' and '-' only.
						url: 'http://my_host/mcp' => .url => The URL has no host, or one that is not valid: a host has letters, digits, '.' and '-' only.
						url: 'http:mcp' => .url => The URL has no host, or one that is not valid: a host has letters, digits, '.' and '-' only.
						url: 'http://u:s3cr3t@/mcp' => .url => The URL has no host, or one that is not valid: a host has letters, digits, '.' and '-' only.
						url: 'http://' => .url => The URL is invalid: expected authority (character 8).
						url: 'https://a/s3cr3t key' => .url => The URL is invalid: illegal character in path (character 17).
						url: 'https://a/?s3cr3t={x}' => .url => The URL is invalid: illegal character in query (character 19).
						url: 'https://a:99999/' => .url => The port of the URL must be from 1 to 65535.
						url: 'https://a:0/' => .url => The port of the URL must be from 1 to 65535.
						url: 'https://a/#s3cr3t' => .url => The URL must not have a fragment ('#'): it is never sent.
						# durations
						{ command: a, request-timeout: -1s } => .request-timeout => The duration must be longer than zero.
						{ command: a, tools.hide-when-unavailable: 0s } => .tools.hide-when-unavailable => The duration must be longer than zero.
						{ command: a, tools.keep-results: 0s } => .tools.keep-results => The duration must be longer than zero.
						{ command: a, tools.max-text: 999 } => .tools.max-text => The number must be at least 1000, or 0 for no limit.
						{ command: a, initialization-timeout: 0 } => .initialization-timeout => The duration must be longer than zero.
						{ command: a, first-start-timeout: 0 } => .first-start-timeout => The duration must be longer than zero.
						{ command: a, connect-timeout: 0s } => .connect-timeout => The duration must be longer than zero.
						{ command: a, keep-alive-interval: 25h } => .keep-alive-interval => The duration must not be longer than 24 hours. A number without a unit is in milliseconds.
						{ url: 'http://a/', sse-read-timeout: 2d } => .sse-read-timeout => The duration must not be longer than 24 hours. A number without a unit is in milliseconds.
						{ command: a, request-timeout: abc } => .request-timeout => 'abc' is not a duration. Write for instance 500ms, 30s or 5m.
						{ command: a, requestTimeout: 5 minutes } => .request-timeout => '5 minutes' is not a duration. Write for instance 500ms, 30s or 5m.
						{ command: a, request-timeout: "x*41" } => .request-timeout => 'x*40...' is not a duration. Write for instance 500ms, 30s or 5m.
						# other values
						{ command: a, max-message-size: 0 } => .max-message-size => The size must be larger than zero.
						{ command: a, max-result-size: -1MB } => .max-result-size => The size must be larger than zero.
						{ command: a, max-message-size: 2GB } => .max-message-size => The size must be smaller than 2GB.
						{ command: a, max-message-size: 2 apples } => .max-message-size => '2 apples' is not a size. Write for instance 512KB or 16MB.
						{ command: a, max-concurrent-calls: 0 } => .max-concurrent-calls => The number must be larger than zero.
						{ command: a, tools.max: -5 } => .tools.max => The number must be larger than zero.
						{ command: a, prompts.max: 0 } => .prompts.max => The number must be larger than zero.
						{ command: a, resources.max: 0 } => .resources.max => The number must be larger than zero.
						{ command: a, tools.max: '1.5' } => .tools.max => '1.5' is not a whole number.
						{ command: a, required: perhaps } => .required => 'perhaps' is neither true nor false.
						{ command: a, enabled: perhaps } => .enabled => 'perhaps' is neither true nor false.
						{ command: a, encoding: klingon } => .encoding => 'klingon' is not a character encoding that this JVM knows. Write for instance UTF-8.
						{ command: a, reconnect.multiplier: 0.9 } => .reconnect.multiplier => The delay must not shrink: the multiplier must be at least 1.
						{ command: a, reconnect.multiplier: NaN } => .reconnect.multiplier => The delay must not shrink: the multiplier must be at least 1.
						{ command: a, reconnect.multiplier: two } => .reconnect.multiplier => 'two' is not a number.
						{ command: a, reconnect.jitter: 1.1 } => .reconnect.jitter => The random part of the delay must be from 0 (none) to 1 (all of it).
						{ command: a, reconnect.jitter: -0.1 } => .reconnect.jitter => The random part of the delay must be from 0 (none) to 1 (all of it).
						{ command: a, reconnect.initial-delay: 0s } => .reconnect.initial-delay => The duration must be longer than zero.
						{ command: a, reconnect.initial-delay: 31s } => .reconnect.initial-delay => The initial delay must not be longer than the longest delay (30s).
						{ command: a, reconnect.max-delay: 500ms } => .reconnect.max-delay => The longest delay must not be shorter than the initial delay (1s).
						# headers and variables
						{ url: 'http://a/', headers: { 'X Y': s3cr3t } } => .headers[X Y] => This is not a valid name for a header: use letters, digits and !#$%&'*+-.^_`|~ only.
						{ url: 'http://a/', headers: { 'X:': s3cr3t } } => .headers[X:] => This is not a valid name for a header: use letters, digits and !#$%&'*+-.^_`|~ only.
						{ url: 'http://a/', headers: { Clé: s3cr3t } } => .headers[Clé] => This is not a valid name for a header: use letters, digits and !#$%&'*+-.^_`|~ only.
						{ url: 'http://a/', headers: { X: "s3cr3t\\n" } } => .headers.X => The value contains a line break, possibly at its end: a header value is a single line.
						{ url: 'http://a/', headers: { X: "s3cr3t\\r\\nY: b" } } => .headers.X => The value contains a line break, possibly at its end: a header value is a single line.
						{ url: 'http://a/', headers: { X: "s3cr3t\\0" } } => .headers.X => The value has a character that cannot be sent in a header: use ISO-8859-1 characters only, without control characters.
						{ url: 'http://a/', headers: { X: s3cr3t€ } } => .headers.X => The value has a character that cannot be sent in a header: use ISO-8859-1 characters only, without control characters.
						{ url: 'http://a/', headers: { content-type: s3cr3t } } => .headers.content-type => This header is set by the MCP client itself. Remove it.
						{ url: 'http://a/', headers: { MCP-Session-Id: s3cr3t } } => .headers.MCP-Session-Id => This header is set by the MCP client itself. Remove it.
						{ url: 'http://a/', headers: { expect: s3cr3t } } => .headers.expect => This header is set by the MCP client itself. Remove it.
						{ url: 'http://a/', headers: { Trailer: s3cr3t } } => .headers.Trailer => This header is set by the MCP client itself. Remove it.
						{ url: 'http://a/', headers: { X: ' ' } } => .headers.X => The value is empty. Set a value, or remove the header.
						# other shapes
						{ command: a, args: { b: s3cr3t } } => .args => This is a list, not a map: write its items, without names.
						{ command: a, tools.filter: { read: s3cr3t } } => .tools.filter => This is a list, not a map: write its items, without names.
						command: [ a, s3cr3t ] => .command => This is a single value, not a list.
						url: [ 'https://s3cr3t/' ] => .url => This is a single value, not a list.
						{ command: a, tools: s3cr3t } => .tools => This is a map, not a single value: write a name for each value.
						{ url: 'http://a/', headers: s3cr3t } => .headers => This is a map, not a single value: write a name for each value.
						{ command: a, env: [ A=s3cr3t ] } => .env => This is a map, not a list: write a name for each value.
						{ command: a, env: { 'A=B': s3cr3t } } => .env[A=B] => The name of an environment variable must not contain '=' or a NUL character.
						{ command: a, env: { 'A': "s3cr3t\\0" } } => .env.A => The value of an environment variable must not contain a NUL character.
						""");
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
		boolean usable = true;
		try (StandaloneMcpClient client = StandaloneMcpClient.builder().build()) {
			client.tools().select(pattern);
		}
		catch (IllegalArgumentException ex) {
			usable = false;
		}
		assertThat(valid).isEqualTo(usable);
	}

	static Stream<Arguments> mistakesOfDefaults() {
		return rows(
				"""
						request-timeout: 0s => request-timeout => The duration must be longer than zero.
						request-timeout: soon => request-timeout => 'soon' is not a duration. Write for instance 500ms, 30s or 5m.
						type: htp => type => There is no such transport type. Did you mean streamable-http? The types are carrier-pigeon, sse, stdio, streamable-http, websocket.
						reconnect: { initial-delay: 2m } => reconnect.initial-delay => The initial delay must not be longer than the longest delay (30s).
						headers: { Accept: s3cr3t } => headers.Accept => This header is set by the MCP client itself. Remove it.
						headers: { Expect: 100-continue } => headers.Expect => This header is set by the MCP client itself. Remove it.
						headers: { trailer: X-Sum } => headers.trailer => This header is set by the MCP client itself. Remove it.
						proxy: { host: proxy.example } => proxy.port => The proxy needs a port from 1 to 65535.
						headers: { A: '${NOTHING}' } => headers.A => Cannot resolve the placeholder ${NOTHING}. Set NOTHING, for example as an environment variable, or add a default: ${NOTHING:...}.
						""");
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
			.containsExactly("mcp.servers.a: Neither 'url' nor 'command' is set. Write a name with a dot in brackets: "
					+ "mcp.servers[a.b].url.");
	}

	@Test
	void underscoreInNameOfVariableIsExplained() {
		assertThat(new TestEnvironment().variable("MCP_SERVERS_MY_SERVER_COMMAND", "a").problems()).singleElement()
			.satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("mcp.servers.my");
				assertThat(problem.message()).isEqualTo("Neither 'url' nor 'command' is set. In an environment "
						+ "variable, write the name of a server without '-', '_' and '.': "
						+ "MCP_SERVERS_MYSERVER_COMMAND, not MCP_SERVERS_MY_SERVER_COMMAND.");
				assertThat(problem.origin())
					.hasToString("\"MCP_SERVERS_MY_SERVER_COMMAND\" from property source \"systemEnvironment\"");
			});
	}

	@Test
	void mistakesOfStartup() {
		assertThat(TestEnvironment.yaml("mcp.startup: { wait: -1s, mode: sometimes }").mistakes()).containsExactly(
				"mcp.startup.mode: 'sometimes' is not one of eager, lazy.",
				"mcp.startup.wait: The duration must not be negative.");
		assertThat(TestEnvironment.yaml("mcp.observations.max-names: few").mistakes())
			.containsExactly("mcp.observations.max-names: 'few' is not a whole number.");
		assertThat(TestEnvironment.yaml("mcp.tools.beans.max: 0").mistakes())
			.containsExactly("mcp.tools.beans.max: The number must be at least 1. Set mcp.tools.beans.enabled to false"
					+ " to have no beans of tools.");
		assertThat(TestEnvironment.yaml("mcp.startup.wait: 2d").mistakes())
			.containsExactly("mcp.startup.wait: " + TOO_LONG);
	}

	@Test
	void mistakesOfReload() {
		assertThat(TestEnvironment.yaml("mcp.reload: { enabled: perhaps, interval: 0s }").mistakes()).containsExactly(
				"mcp.reload.enabled: 'perhaps' is neither true nor false.",
				"mcp.reload.interval: The duration must be at least 100ms.");
		assertThat(TestEnvironment.yaml("mcp.reload: { intervall: 1s, interval: 2d }").mistakes()).hasSize(2)
			.contains("mcp.reload.interval: " + TOO_LONG);
	}

	@Test
	void allMistakesAreReportedTogether() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp:
				  startup.wait: -1s
				  defaults.tools.max: 0
				  servers:
				    a: { url: 'ftp://a/', request-timeout: soon, headers: { Host: a, Accept: b } }
				    'off': { enabled: false, url: 'ftp://a/' }
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
		assertThat(environment.mistakes()).containsExactly("mcp.servers.a.args: The indexes of the list have a gap.");
	}

	private static String column(Problem problem) {
		String origin = String.valueOf(problem.origin());
		return origin.substring(origin.lastIndexOf(':') + 1);
	}

}
