package io.github.mcpclient.config;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.mcpclient.config.McpServerProperties.Auth;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.Records;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.testsupport.AuthSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for the settings of authorization.
 */
class AuthValidatorTests {

	private static final String SERVER = """
			mcp:
			  servers:
			    a:
			      url: %s
			      auth:
			        %s
			""";

	private static McpServerAuth auth(String url, String settings) {
		return TestEnvironment.yaml(SERVER.formatted(url, settings)).definition("a").auth();
	}

	private static Problem problem(String url, String settings) {
		List<Problem> problems = TestEnvironment.yaml(SERVER.formatted(url, settings)).problems();
		assertThat(problems).hasSize(1);
		assertThat(problems.get(0).origin()).isNotNull();
		assertThat(problems.get(0).message()).doesNotContain("s3cr3t");
		return problems.get(0);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			bearer.token: x                                              | bearer
			basic: {username: x, password: y}                            | basic
			basic.username: x                                            | basic
			oauth2: {client-id: x, client-secret: y}                     | oauth2
			oauth2: {client-id: x, client-authentication-method: none}   | oauth2
			oauth2: {client-id: x, private-key-bundle: y}                | oauth2
			oauth2: {client-id: x, grant-type: authorization-code}       | oauth2
			oauth2: {client-id: x, interactive: true}                    | oauth2
			oauth2.interactive: false                                    | oauth2
			{type: none, bearer.token: x}                                | none
			{type: basic, bearer.token: x, basic.username: y}            | basic
			{type: '', bearer.token: x}                                  | bearer
			type: oauth2                                                 | oauth2
			allow-insecure: true                                         | none
			""")
	void theTypeIsGivenOrInferred(String settings, String type) {
		assertThat(auth("https://a.example/mcp", settings).type()).isEqualTo(type);
	}

	@Test
	void theTypeOfAServerReplacesTheDefault() {
		TestEnvironment environment = TestEnvironment.yaml("""
				mcp:
				  defaults:
				    auth.bearer.token: shared
				  servers:
				    a:
				      url: https://a.example/mcp
				    b:
				      url: https://b.example/mcp
				      auth.basic.username: b
				    c:
				      url: https://c.example/mcp
				      auth.type: none
				    d:
				      url: https://d.example/mcp
				      auth.bearer.token: own
				    e:
				      command: e
				""");
		assertThat(environment.definitions())
			.extracting((server) -> server.auth().type() + " " + server.auth().bearer().token())
			.containsExactly("bearer shared", "basic shared", "none shared", "bearer own", "bearer shared");
	}

	@Test
	void codeHasFactories() {
		assertThat(McpServerAuth.registration("x").oauth2().registrationId()).isEqualTo("x");
		assertThat(McpServerAuth.clientCredentials("id", "s3cr3t").oauth2()).satisfies((oauth2) -> {
			assertThat(oauth2.clientId()).isEqualTo("id");
			assertThat(oauth2.clientSecret()).isEqualTo("s3cr3t");
		}).asString().doesNotContain("s3cr3t");
		assertThat(McpServerAuth.basic("a", "s3cr3t").basic()).asString().doesNotContain("s3cr3t");
	}

	@Test
	void settingsAreReadByTheirNames() {
		assertThat(Records.of(Auth.class, Map.of("allow-insecure", "true", "oauth2.clientId", "x", "oauth2.grant_type",
				"jwt-bearer", "oauth2.scopes", "a, b", "oauth2.clock-skew", "5s")))
			.satisfies((auth) -> {
				assertThat(auth.type()).isEqualTo("oauth2");
				assertThat(auth.allowInsecure()).isTrue();
				assertThat(auth.bearer()).isNull();
				assertThat(auth.oauth2().clientId()).isEqualTo("x");
				assertThat(auth.oauth2().grantType()).isEqualTo(McpServerAuth.GrantType.JWT_BEARER);
				assertThat(auth.oauth2().scopes()).containsExactly("a", "b");
				assertThat(auth.oauth2().clockSkew()).hasSeconds(5);
			});
		assertThatIllegalArgumentException().isThrownBy(() -> Records.of(Auth.class, Map.of("oauth2.client-x", "x")))
			.withMessage("There are no such settings: [oauth2.client-x]");
		for (String setting : List.of("allow-insecure", "oauth2.grant-type", "oauth2.clock-skew")) {
			assertThatIllegalArgumentException().isThrownBy(() -> Records.of(Auth.class, Map.of(setting, "s3cr3t")))
				.withMessageEndingWith("is not valid")
				.withStackTraceContaining("The value of ")
				.satisfies((ex) -> assertThat(ex).hasNoCause());
		}
	}

	/**
	 * What the builder refuses is what the configuration refuses, in the same words but
	 * for the spelling of names.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "oauth2.private-key=s3cr3t;oauth2.private-key-bundle=b", "oauth2.assertion-file=f",
			"oauth2.identity-provider=p", "oauth2.grant-type=jwt-bearer", "oauth2.dpop-key-bundle=b",
			"oauth2.grant-type=jwt-bearer;oauth2.identity-provider=p;oauth2.assertion-file=f",
			"oauth2.registration-id=r;oauth2.client-secret=s3cr3t", "oauth2.registration-id=r;oauth2.client-id=c",
			"oauth2.registration-id=r;oauth2.issuer-uri=https://i",
			"oauth2.registration-id=r;oauth2.token-uri=https://t",
			"oauth2.registration-id=r;oauth2.authorization-uri=https://a",
			"oauth2.registration-id=r;oauth2.client-metadata-uri=https://m",
			"oauth2.registration-id=r;oauth2.client-authentication-method=none" })
	void theBuilderRefusesWhatTheConfigurationRefuses(String settings) {
		Map<String, String> all = new LinkedHashMap<>();
		for (String setting : settings.split(";")) {
			all.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
		}
		Problem problem = problem("https://a.example/mcp",
				all.entrySet()
					.stream()
					.map((setting) -> setting.getKey() + ": " + setting.getValue())
					.collect(Collectors.joining("\n        ")));
		String expected = problem.property().substring("mcp.servers.a.auth.".length()) + "(..): " + problem.message();
		for (String name : List.of("private-key", "assertion-file", "identity-provider", "registration-id",
				"issuer-uri", "token-uri", "authorization-uri", "client-id", "client-secret",
				"client-authentication-method", "client-metadata-uri", "private-key-bundle", "dpop-key-bundle")) {
			expected = expected.replaceAll("(?<![a-z-])" + name + "(?![a-z-])", camelCase(name));
		}
		assertThatIllegalArgumentException().isThrownBy(() -> AuthSettings.of(all))
			.withMessage(expected.replace("jwt-bearer", "JWT_BEARER"));
	}

	private static String camelCase(String name) {
		return Pattern.compile("-(.)").matcher(name).replaceAll((letter) -> letter.group(1).toUpperCase(Locale.ROOT));
	}

	@Test
	void aTypeThatIsNotThereIsReportedWithTheNearest() {
		Problem problem = problem("https://a.example/mcp", "type: baerer");
		assertThat(problem.property()).isEqualTo("mcp.servers.a.auth.type");
		assertThat(problem.message()).isEqualTo("There is no such type of authorization, nor an McpAuthorizer bean of "
				+ "that name. Did you mean bearer? The types are none, bearer, basic, oauth2.");
		assertThat(TestEnvironment.yaml("mcp.defaults.auth.type: tokens\nmcp.servers.a.url: https://a.example/mcp")
			.problems()).extracting(Problem::property).containsExactly("mcp.defaults.auth.type");
		McpServersConfig config = new McpServersConfig(
				TestEnvironment.yaml(SERVER.formatted("https://a.example/mcp", "type: token")).environment(), List.of(),
				null, Set.of("tokens"));
		assertThat(catchThrowable(() -> ConfiguredDefinitions.of(config, TestEnvironment.TYPES, "tokens")))
			.hasMessageContaining("Did you mean tokens? The types are none, bearer, basic, tokens.");
		McpServersConfig withoutOAuth2 = new McpServersConfig(
				TestEnvironment.yaml(SERVER.formatted("https://a.example/mcp", "oauth2.client-id: x")).environment(),
				List.of(), null, Set.of());
		assertThat(catchThrowable(() -> ConfiguredDefinitions.of(withoutOAuth2, TestEnvironment.TYPES)))
			.hasMessageContaining("Add the dependency io.github.mcpclient:mcp-client-oauth2. Only if users log in");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					type: bearer                                                | bearer.token    | needs a token
					bearer.token: ''                                            | bearer.token    | needs a token
					bearer.token: Bearer s3cr3t                                 | bearer.token    | begins with the word Bearer, which is sent before it
					bearer.token: " bearer  s3cr3t"                             | bearer.token    | begins with the word
					oauth2.client-id: s3cr3t                                    | oauth2.client-secret | Set client-secret, private-key
					oauth2: {client-id: s3cr3t, client-secret: ''}              | oauth2.client-secret | Set client-secret, private-key
					bearer.token: "s3cr3t\\n"                                   | bearer.token    | line break
					basic.password: s3cr3t                                      | basic.username  | needs a username
					basic: {username: 's3cr3t:x', password: y}                  | basic.username  | colon
					oauth2: {registration-id: x, client-id: s3cr3t}             | oauth2.client-id | registration-id
					oauth2: {registration-id: x, issuer-uri: s3cr3t}            | oauth2.issuer-uri | registration-id
					oauth2: {private-key: s3cr3t, private-key-bundle: x}        | oauth2.private-key-bundle | Remove one
					oauth2.grant-type: jwt-bearer                               | oauth2.assertion-file | jwt-bearer needs one of
					oauth2.assertion-file: s3cr3t                               | oauth2.assertion-file | other grant types use neither
					oauth2.identity-provider: s3cr3t                            | oauth2.identity-provider | other grant types use neither
					oauth2: {client-metadata-uri: s3cr3t, dpop-key-bundle: x}   | oauth2.dpop-key-bundle | Set dpop to true
					oauth2.clock-skew: -1s                                      | oauth2.clock-skew | negative
					oauth2.grant-type: password                                 | oauth2.grant-type | is not one of client-credentials
					""")
	void whatCannotBeUsedIsReported(String settings, String property, String message) {
		Problem problem = problem("https://a.example/mcp", settings);
		assertThat(problem.property()).isEqualTo("mcp.servers.a.auth." + property);
		assertThat(problem.message()).contains(message);
	}

	@Test
	void dpopOverWebSocketIsReported() {
		Problem problem = problem("wss://a.example/mcp", "oauth2: {client-id: x, client-secret: y, dpop: true}");
		assertThat(problem.property()).isEqualTo("mcp.servers.a.auth.oauth2.dpop");
		assertThat(problem.message()).contains("no DPoP over WebSocket");
	}

	@Test
	void aHeaderBesideAnAuthorizationIsReported() {
		List<Problem> problems = TestEnvironment.yaml("""
				mcp:
				  defaults:
				    headers.authorization: Bearer s3cr3t
				  servers:
				    a:
				      url: https://a.example/mcp
				      auth.bearer.token: s3cr3t
				    b:
				      url: https://b.example/mcp
				""").problems();
		assertThat(problems).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("mcp.defaults.headers.authorization");
			assertThat(problem.message()).isEqualTo("The requests are authorized by auth (bearer), too. Remove this "
					+ "header, or set auth.type to none.");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://localhost/mcp", "http://127.0.0.1:81/mcp", "http://[::1]/mcp",
			"http://mcp.localhost:8080/mcp", "https://a.example/mcp" })
	void credentialsMayBeSentToThisMachineAndOverTls(String url) {
		assertThat(auth(url, "bearer.token: x").bearer().token()).isEqualTo("x");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://a.example/mcp", "http://10.0.0.1/mcp", "HTTP://localhost.example/mcp",
			"http://127.0.0.1.example/mcp", "ws://a.example/mcp" })
	void credentialsAreNotSentInTheClear(String url) {
		Problem problem = problem(url, "bearer.token: s3cr3t");
		assertThat(problem.property()).isEqualTo("mcp.servers.a.url");
		assertThat(problem.message()).isEqualTo("The credentials of auth (bearer) would be sent unencrypted. Use "
				+ "https:// or wss://, or set auth.allow-insecure to true if the network is trusted.");
		assertThat(auth(url, "{bearer.token: x, allow-insecure: true}").allowInsecure()).isTrue();
		assertThat(auth(url, "{bearer.token: x, type: none}").type()).isEqualTo("none");
	}

	@Test
	void aChildProcessHasNoAuthorization() {
		assertThat(TestEnvironment.yaml("mcp.servers.a: {command: x, auth.bearer.token: y}").problems()).singleElement()
			.satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("mcp.servers.a.auth");
				assertThat(problem.message()).startsWith("This is for servers that are reached over HTTP");
			});
	}

	@Test
	void serversOfCodeAreChecked() {
		McpServerDefinitions definitions = new McpServerDefinitions(TestEnvironment.TYPES, null, Set.of("tokens"),
				List.of(),
				Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
				(type) -> true, (definition) -> null);
		McpServerDefinition definition = McpServerDefinition.http("a", URI.create("http://a.example/mcp"))
			.auth(McpServerAuth.bearer("s3cr3t"))
			.build();
		assertThatIllegalArgumentException().isThrownBy(() -> definitions.prepare(definition))
			.withMessageContaining("url: The credentials of auth (bearer) would be sent unencrypted.")
			.withMessageNotContaining("s3cr3t");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> definitions.prepare(definition.mutate().auth(McpServerAuth.of("token")).build()))
			.withMessageContaining("auth.type: There is no such type of authorization")
			.withMessageContaining("Did you mean tokens?");
	}

}
