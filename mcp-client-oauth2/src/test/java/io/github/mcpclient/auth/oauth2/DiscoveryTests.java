package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.AuthSettings;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link Discovery} with servers and authorization servers that do not keep to
 * the RFCs: what is taken all the same, and what is not.
 */
class DiscoveryTests {

	private static final String METADATA = "/.well-known/oauth-authorization-server";

	private static final String RESOURCE = "/.well-known/oauth-protected-resource";

	private final ClientThreads threads = new ClientThreads();

	private final List<String> deviations = new CopyOnWriteArrayList<>();

	private AuthorizationServerStub server;

	private OAuth2Authorizer authorizer;

	@BeforeEach
	void start() throws IOException {
		this.server = new AuthorizationServerStub();
		this.server.on(RESOURCE + "/mcp", resource("/mcp", ""));
		this.server.on(METADATA, metadata(""));
		this.server.on("/token", "{\"access_token\": \"token\", \"token_type\": \"Bearer\", \"expires_in\": 3600}");
		this.authorizer = authorizer();
	}

	private OAuth2Authorizer authorizer() {
		McpHttpClients clients = new McpHttpClients(McpHttpClientFactory.simple(), List.of());
		return new OAuth2Authorizer(new ApplicationBeans(new AuthorizationClients(clients, null), (id) -> null,
				() -> null, null, (name, url) -> {
				}, (name) -> McpServerDefinition.http(name, URI.create("http://localhost")).build()), this.threads);
	}

	@AfterEach
	void stop() {
		SecurityContextHolder.clearContext();
		this.server.close();
	}

	@Test
	void whatIsRightIsNoDeviation() {
		assertThat(token()).isEqualTo("Bearer token");
		assertThat(this.deviations).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "'', /", "/, ''", "upper, ''", "upper, /" })
	void takesAnIssuerThatIsAnOriginInAnySpelling(String named, String own) {
		String issuer = spelled(named);
		this.server.on(RESOURCE + "/mcp",
				"{\"resource\": \"%s/mcp\", \"authorization_servers\": [\"%s\"]}".formatted(this.server.url(), issuer));
		this.server.on(METADATA, metadata(own));
		assertThat(token()).isEqualTo("Bearer token");
		assertThat(this.deviations).singleElement()
			.isEqualTo("ISSUER '" + issuer + "' and '" + this.server.url() + own + "'");
	}

	private String spelled(String how) {
		return how.equals("upper") ? this.server.url().replace("localhost", "LOCALHOST") : this.server.url() + how;
	}

	@ParameterizedTest
	@CsvSource({ "'', ''", "'', /", "/, ''" })
	void aConfiguredIssuerIsTheUsers(String configured, String own) {
		this.server.on(METADATA, metadata(own));
		assertThat(token("issuer-uri", this.server.url() + configured)).isEqualTo("Bearer token");
		assertThat(this.deviations).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/t, /t/", "/t/, /t", "/t, ''", "'', /t", "'', //", "'', /?", "'', '#'", "/t, /T" })
	void refusesAnotherIssuer(String named, String own) {
		this.server.on(RESOURCE + "/mcp", resource("/mcp", named));
		this.server.on(METADATA + named.replaceFirst("/$", ""), metadata(own));
		assertThatExceptionOfType(TransportException.class).isThrownBy(this::token)
			.withMessageContaining("names another issuer: " + this.server.url() + own);
		assertThat(this.server.requests("/token")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "https://as.example, https://as.example/", "https://as.example:443, https://AS.example/",
			"HTTPS://as.example/, https://as.example", "http://localhost:80, http://localhost",
			"https://[::1]:443/, https://[::1]", "https://as.example:8443/, https://as.example:8443" })
	void issuersThatAreTheSame(String one, String other) {
		assertThat(AuthorizationServer.isSame(one, other)).isTrue();
		assertThat(AuthorizationServer.isSame(other, one)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "https://as.example, http://as.example", "https://as.example, https://as.example:8443",
			"https://as.example, https://as.example:80", "https://as.example/t, https://as.example/t/",
			"https://as.example/t, https://AS.example/t", "https://as.example, https://as.example//",
			"https://as.example, https://as.example/?", "https://as.example, https://as.example/#",
			"https://as.example, https://as.example@evil.example", "https://as.example, https://evil@as.example",
			"https://as.example, https://as.example.evil.example/", "https://as.example, https://as.example\\evil",
			"https://key.example, https://\u212Aey.example", "https://as.example, as.example",
			"https://as.example, 'https://as.example/ '", "https://as.example, ''" })
	void issuersThatAreNot(String one, String other) {
		assertThat(AuthorizationServer.isSame(one, other)).isFalse();
		assertThat(AuthorizationServer.isSame(other, one)).isFalse();
	}

	@Test
	void credentialsStayWithTheIssuerThatIsSpelledOtherwise() {
		assertThat(token()).isEqualTo("Bearer token");
		this.server.on(METADATA, metadata("/"));
		this.server.on(RESOURCE + "/mcp", resource("/mcp", "/"));
		this.server.on("/token", "{\"access_token\": \"next\", \"token_type\": \"Bearer\"}");
		assertThat(reauthorize(definition(), Map.of("Authorization", "Bearer token"))).isEqualTo("Bearer next");
	}

	@Test
	void anIssuerInTwoSpellingsHasOneLogin() {
		this.server.on("/mcp", (request) -> new Reply(401, "", Map.of("WWW-Authenticate", "Bearer")));
		String id = login().id();
		this.server.on(RESOURCE + "/mcp", resource("/mcp", "/"));
		assertThat(login().id()).isEqualTo(id);
		this.server.on(METADATA, metadata("/"));
		assertThat(login().id()).isEqualTo(id);
		this.server.on(RESOURCE + "/mcp", resource("/mcp", "/t"));
		this.server.on(METADATA + "/t", metadata("/t"));
		assertThat(login().id()).isNotEqualTo(id);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "\"http://gateway.example/prm\"|does not begin with https: http://gateway.example/prm",
					"\"/.well-known/oauth-protected-resource/mcp\"|does not begin with https: /.well-known",
					"oauth-protected-resource|does not begin with https: oauth-protected-resource",
					"\"\"{url}/prm\"\"|does not begin with https", "\"\\\"{url}/prm\\\"\"|does not begin with https",
					"\"\"|does not begin with https", "\"<{url}/prm>\"|does not begin with https",
					"\"https://user:secret@localhost/prm\"|does not begin with https",
					"\"{closed}/prm\"|cannot be reached",
					"\"{url}/missing\"|HTTP 404 without a JSON object at {url}/missing",
					"\"{url}/page\"|HTTP 200 without a JSON object at {url}/page", "\"{url}/list\"|HTTP 200 without",
					"\"{url}/empty\"|HTTP 200 without", "\"{url}/broken\"|HTTP 200 without",
					"\"{url}/moved\"|HTTP 302 without", "\"{url}/down\"|HTTP 503 without",
					"\"{url}/foreign\"|describes a different resource: https://other.example/mcp",
					"\"{url}/alone\"|no authorization server at {url}/alone" })
	void triesTheWellKnownLocationsWhereTheChallengeIsOfNoUse(String metadata, String problem) {
		this.server.on("/page", "<!DOCTYPE html><title>Not here</title>")
			.on("/list", "[]")
			.on("/empty", "")
			.on("/broken", resource("/mcp", "").substring(0, 30))
			.on("/moved", (request) -> new Reply(302, "", Map.of("Location", this.server.url() + "/evil")))
			.on("/down", (request) -> new Reply(503, "{}"))
			.on("/evil", resource("/mcp", "/evil"))
			.on("/alone", "{\"resource\": \"%s/mcp\"}".formatted(this.server.url()))
			.on("/foreign",
					"{\"resource\": \"https://other.example/mcp\", \"authorization_servers\": [\"https://evil.example\"]}");
		String challenge = "Bearer scope=\"one\", resource_metadata="
				+ metadata.replace("{url}", this.server.url()).replace("{closed}", closed());
		assertThat(challenged(challenge)).isEqualTo("Bearer token");
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("scope", "one")
			.containsEntry("resource", this.server.url() + "/mcp");
		assertThat(this.deviations).singleElement()
			.asString()
			.startsWith("RESOURCE_METADATA ")
			.contains(problem.replace("{url}", this.server.url()))
			.doesNotContain("secret");
		assertThat(this.server.requests("/evil")).isEmpty();
	}

	private static String closed() {
		AuthorizationServerStub closed = Unchecked.get(AuthorizationServerStub::new);
		closed.close();
		return closed.url();
	}

	@Test
	void triesTheWellKnownLocationOfTheOriginLast() {
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(404, ""));
		this.server.on(RESOURCE, resource("", ""));
		assertThat(challenged("Bearer resource_metadata=\"http://gateway.example/prm\"")).isEqualTo("Bearer token");
		assertThat(this.server.paths()).startsWith(RESOURCE + "/mcp", RESOURCE);
		assertThat(this.deviations).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "/missing, The server names metadata that cannot be used: HTTP 404",
			"/foreign, The server's resource metadata describes a different resource: https://other.example/mcp" })
	void saysWhatIsWrongWithTheChallengeWhereNothingElseIsOfUse(String path, String problem) {
		this.server.on("/foreign", resource("https://other.example/mcp"));
		this.server.on(METADATA, (request) -> new Reply(404, ""));
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(404, ""));
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> challenged("Bearer resource_metadata=\"" + this.server.url() + path + "\""))
			.withMessageStartingWith(problem)
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.one.auth.oauth2."));
		assertThat(this.server.requests("/token")).isEmpty();
		assertThat(this.deviations).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/foreign", "/missing" })
	void refusesWellKnownMetadataOfAnotherResource(String path) {
		this.server.on("/foreign", resource("https://other.example/mcp"));
		this.server.on(RESOURCE + "/mcp", resource("https://other.example/mcp"));
		this.server.on(RESOURCE, resource("", ""));
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> challenged("Bearer resource_metadata=\"" + this.server.url() + path + "\""));
		assertThat(this.server.requests("/token")).isEmpty();
	}

	@Test
	void followsNoRedirectOfMetadata() throws IOException {
		try (AuthorizationServerStub evil = new AuthorizationServerStub()) {
			evil.on("/", resource("/mcp", "/evil")).on(RESOURCE + "/mcp", resource("/mcp", "/evil"));
			for (String path : List.of("/prm", RESOURCE + "/mcp", RESOURCE, METADATA)) {
				this.server.on(path,
						(request) -> new Reply(302, "", Map.of("Location", evil.url() + RESOURCE + "/mcp")));
			}
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> challenged("Bearer resource_metadata=\"" + this.server.url() + "/prm\""));
			this.server.on(RESOURCE + "/mcp", resource("/mcp", ""));
			this.server.on(METADATA, (request) -> new Reply(302, "", Map.of("Location", evil.url() + METADATA)));
			assertThatExceptionOfType(TransportException.class).isThrownBy(this::token)
				.withMessageContaining("has no metadata");
			assertThat(evil.requests).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "``|``", "Negotiate|``", "Basic realm=\"x\"|``", "Bearer|/",
					"Bearer resource_metadata=\"{url}/missing\"|``",
					"Bearer resource_metadata=\"http://gateway.example/prm\"|``" })
	void usesTheOriginOfTheServerAsAuthorizationServerLast(String challenge, String slash) {
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(404, ""));
		this.server.on(METADATA, metadata(slash));
		assertThat(challenged(challenge.replace("{url}", this.server.url()))).isEqualTo("Bearer token");
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("resource", this.server.url() + "/mcp");
		List<String> paths = this.server.paths().stream().filter((path) -> !path.equals("/missing")).toList();
		assertThat(paths).startsWith(RESOURCE + "/mcp", RESOURCE, METADATA);
		assertThat(this.deviations).contains("AUTHORIZATION_SERVER used is " + this.server.url() + slash)
			.hasSize(challenge.contains("resource_metadata") ? 2 : 1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "``", ", \"authorization_servers\": []", ", \"authorization_servers\": null" })
	void usesTheOriginWhereMetadataNameNoAuthorizationServer(String servers) {
		this.server.on(RESOURCE + "/mcp",
				"{\"resource\": \"%s/mcp\", \"scopes_supported\": [\"one\"]%s}".formatted(this.server.url(), servers));
		assertThat(token()).isEqualTo("Bearer token");
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("scope", "one");
		assertThat(this.deviations).containsExactly("AUTHORIZATION_SERVER used is " + this.server.url());
	}

	@ParameterizedTest
	@CsvSource({ "https://as.example", "{url}/t", "{url}.evil.example", "https://localhost" })
	void refusesAnAuthorizationServerAtTheOriginThatIsAnother(String issuer) {
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(404, ""));
		String own = issuer.replace("{url}", this.server.url());
		this.server.on(METADATA,
				"{\"issuer\": \"%s\", \"token_endpoint\": \"%s/token\"}".formatted(own, this.server.url()));
		assertThatExceptionOfType(TransportException.class).isThrownBy(this::token)
			.withMessageContaining("names another issuer: " + own)
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.one.auth.oauth2.issuer-uri"));
		assertThat(this.server.requests("/token")).isEmpty();
		assertThat(this.deviations).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "404|{}", "200|{}", "200|<html>", "302|``", "401|``", "200|{\"issuer\": null}", "503|``" })
	void guessesNoEndpointWithoutMetadata(int status, String body) {
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(404, ""));
		this.server.on("/evil", metadata(""));
		this.server.on(METADATA, (request) -> new Reply(status, body, Map.of("Location", this.server.url() + "/evil")));
		this.server.on("/.well-known/openid-configuration", metadata(""));
		assertThatExceptionOfType(TransportException.class).isThrownBy(this::token)
			.withMessageStartingWith("The server requires authorization, but does not say which")
			.satisfies((ex) -> assertThat(ex.getNextStep())
				.isEqualTo("Set mcp.servers.one.auth.oauth2.issuer-uri or token-uri."));
		assertThat(this.server.paths()).containsExactly(RESOURCE + "/mcp", RESOURCE, METADATA);
	}

	@ParameterizedTest
	@CsvSource({ "503, ", "429, ", "404, resource_metadata=\"{url}/foreign\"", "404, resource_metadata=\"{url}/down\"",
			"404, resource_metadata=\"{closed}/prm\"", "200, " })
	void doesNotUseTheOriginWhereTheServerMayNameAnother(int status, String challenge) {
		this.server.on(RESOURCE + "/mcp",
				(request) -> new Reply(status,
						"{\"resource\": \"%s/mcp\", \"authorization_servers\": \"https://as.example\"}"
							.formatted(this.server.url())));
		this.server.on("/foreign", resource("https://other.example/mcp")).on("/down", (request) -> new Reply(500, ""));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> challenged("Bearer " + ((challenge != null)
				? challenge.replace("{url}", this.server.url()).replace("{closed}", closed()) : "")));
		assertThat(this.server.requests(METADATA)).isEmpty();
		assertThat(this.server.requests("/token")).isEmpty();
	}

	@Test
	void doesNotUseTheOriginWhereAGatewayRefusesTheMetadata() {
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(403, "<!DOCTYPE html><title>Just a moment...</title>",
				Map.of("Content-Type", "text/html", "Server", "cloudflare", "cf-ray", "x")));
		assertThatExceptionOfType(TransportException.class).isThrownBy(this::token);
		assertThat(this.server.requests(METADATA)).isEmpty();
	}

	@Test
	void credentialsDoNotFollowToTheOriginOfTheServer() {
		this.server.on(RESOURCE + "/mcp", resource("/mcp", "/t"));
		this.server.on(METADATA + "/t", metadata("/t"));
		assertThat(token()).isEqualTo("Bearer token");
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(404, ""));
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> reauthorize(definition(), Map.of("Authorization", "Bearer token")))
			.withMessageStartingWith("The server names another authorization server than the one");
		assertThat(this.server.requests("/token")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "/mcp/v2, /mcp/v2, /mcp", "/mcp/v2, /mcp/v2, /mcp/", "/mcp/v2, /mcp/v2, ''", "/mcp/v2, /mcp/v2, /",
			"/mcp/v2, '', /mcp", "/mcp/v2/, /mcp/v2, /mcp", "/mcp?tenant=1, /mcp, /mcp", "/a/@b/mcp, /a/@b/mcp, /a/@b",
			"/mcp/v2, /mcp, /mcp", "/mcp/v2, /mcp, /mcp/" })
	void takesAResourceThatIsAboveTheUrlAndSendsItAsItIs(String url, String location, String resource) {
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(404, ""))
			.on(RESOURCE + location, resource(resource, ""));
		String challenge = "Bearer resource_metadata=\"" + this.server.url() + RESOURCE + location + "\"";
		assertThat(reauthorize(at(url), Map.of(), challenge)).isEqualTo("Bearer token");
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("resource",
				this.server.url() + resource);
		assertThat(this.deviations).containsExactly("RESOURCE " + this.server.url() + resource);
	}

	@Test
	void takesAResourceThatIsTheServersWithASlashAndSendsItAsItIs() {
		this.server.on(RESOURCE + "/mcp", resource("/mcp/", ""));
		assertThat(token()).isEqualTo("Bearer token");
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("resource", this.server.url() + "/mcp/");
		assertThat(this.deviations).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "{url}/m", "{url}/mcp/v", "{url}/mcp/v2/x", "{url}/mcp/v3", "{url}/MCP", "{url}/mcp?x=1",
			"{url}/mcp#x", "{url}//", "{url}/mcp//", "{url}/mcp/../mcp", "{url}/mcp/%76", "https://localhost/mcp",
			"https://other.example/mcp", "http://a_b.example/mcp", "{url}.evil.example",
			"http://user@localhost:{port}/mcp", "localhost", "'h ttp'" })
	void refusesAResourceThatIsNotAboveTheUrl(String resource) {
		String named = resource.replace("{url}", this.server.url())
			.replace("{port}", String.valueOf(URI.create(this.server.url()).getPort()));
		this.server.on(RESOURCE + "/mcp/v2", resource(named));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(at("/mcp/v2"), Map.of()))
			.withMessageStartingWith("The server's resource metadata describes a different resource")
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains("set mcp.servers.one.auth.oauth2.resource"));
		assertThat(this.server.requests("/token")).isEmpty();
		assertThat(reauthorize(at("/mcp/v2", "resource", named), Map.of())).as("trusted").isEqualTo("Bearer token");
	}

	/**
	 * Another server at the same origin would get a token that is good for all of them.
	 */
	@ParameterizedTest
	@CsvSource({ "/tenant/prm", "/tenant/.well-known/oauth-protected-resource",
			"/.well-known/oauth-protected-resource/../../tenant/prm",
			"/.well-known/oauth-protected-resource/tenant/prm" })
	void refusesAResourceAboveTheUrlThatNoWellKnownLocationNames(String location) {
		this.server.on(RESOURCE + "/mcp", (request) -> new Reply(404, "")).on(location, resource("", ""));
		String challenge = "Bearer resource_metadata=\"" + this.server.url() + location + "\"";
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> reauthorize(at("/tenant/mcp"), Map.of(), challenge))
			.withMessageStartingWith("The server's resource metadata describes a different resource");
		assertThat(this.server.requests("/token")).isEmpty();
		this.server.on(RESOURCE, resource("", ""));
		assertThat(reauthorize(at("/tenant/mcp"), Map.of(), challenge)).as("as the origin says")
			.isEqualTo("Bearer token");
	}

	/**
	 * Return what users log in with after a restart.
	 */
	private OAuth2Client login() {
		OAuth2Authorizer restarted = authorizer();
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("anne", "x", "any"));
		McpServerDefinition definition = definition("grant-type", "authorization-code");
		catchThrowable(() -> restarted.authorize(new McpHeadersRequest(definition, "POST", true)).block(LIMIT));
		return restarted.find("mcp-one").clients().client().block(LIMIT);
	}

	private String resource(String path, String issuer) {
		return """
				{"resource": "%1$s%2$s", "authorization_servers": ["%1$s%3$s"]}""".formatted(this.server.url(), path,
				issuer);
	}

	private String resource(String resource) {
		return """
				{"resource": "%1$s", "authorization_servers": ["%2$s"]}""".formatted(resource, this.server.url());
	}

	private String metadata(String issuer) {
		return """
				{"issuer": "%1$s%2$s", "token_endpoint": "%1$s/token", "authorization_endpoint": "%1$s/authorize",
				"code_challenge_methods_supported": ["S256"]}""".formatted(this.server.url(), issuer);
	}

	private String token(String... settings) {
		return reauthorize(definition(settings), Map.of());
	}

	private String challenged(String challenge) {
		return reauthorize(definition(), Map.of(), challenge);
	}

	private String reauthorize(McpServerDefinition definition, Map<String, String> refused, String... challenge) {
		this.authorizer.onDeviation(definition, (Kind kind, String detail) -> this.deviations.add(kind + " " + detail));
		return this.authorizer
			.reauthorize(new McpHeadersRequest(definition, "POST", false),
					new McpAuthorizationChallenge(401, List.of(challenge), refused, 1))
			.map((headers) -> headers.get("Authorization"))
			.block(LIMIT);
	}

	private McpServerDefinition definition(String... settings) {
		return at("/mcp", settings);
	}

	private McpServerDefinition at(String url, String... settings) {
		Map<String, String> all = new HashMap<>(
				Map.of("type", "oauth2", "oauth2.client-id", "client", "oauth2.client-secret", "the-secret"));
		for (int i = 0; i < settings.length; i += 2) {
			all.put("oauth2." + settings[i], settings[i + 1]);
		}
		return McpServerDefinition.http("one", URI.create(this.server.url() + url))
			.auth(AuthSettings.of(all))
			.connectTimeout(Duration.ofSeconds(2))
			.build();
	}

}
