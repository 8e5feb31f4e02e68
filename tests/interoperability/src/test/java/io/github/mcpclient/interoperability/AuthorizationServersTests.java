package io.github.mcpclient.interoperability;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that names its authorization server otherwise than the RFCs say, and an
 * authorization server that says of itself what is not quite so. Both are at one origin.
 * Another one is at that of an attacker, and must not be asked for anything.
 */
class AuthorizationServersTests extends AbstractInteroperabilityTests {

	private static final String RESOURCE = "/.well-known/oauth-protected-resource";

	private static final String METADATA = "/.well-known/oauth-authorization-server";

	private static final String PKCE = ", 'code_challenge_methods_supported': ['S256']";

	private final McpTestServer attacker = McpTestServer.create().start();

	// what is at the paths of the origin, beside the server
	private final Map<String, McpTestReply> documents = new ConcurrentHashMap<>();

	private volatile String challenge = "Bearer";

	private volatile String issuerOfLogins = "";

	@BeforeEach
	void serve() {
		this.peer.on("GET", this::get).on("POST", this::post);
		this.attacker.on("GET", (request) -> request.path().startsWith(RESOURCE) ? resource("/mcp", "{evil}")
				: metadata("{evil}", PKCE));
		this.documents.put(RESOURCE + "/mcp", resource("/mcp", "{url}"));
		this.documents.put(METADATA, metadata("{url}", PKCE));
	}

	@AfterEach
	void stop() {
		this.attacker.close();
	}

	private McpTestReply get(McpTestRequest request) {
		if (request.path().equals("/authorize")) {
			Map<String, String> query = Logins.form(request.query());
			return McpTestReply.status(302)
				.withHeader("Location", query.get("redirect_uri") + "?code=the-code&state=" + query.get("state")
						+ filled(this.issuerOfLogins));
		}
		return request.path().equals("/mcp") ? McpTestReply.standard()
				: this.documents.getOrDefault(request.path(), McpTestReply.status(404));
	}

	private McpTestReply post(McpTestRequest request) {
		return switch (request.path()) {
			case "/register" -> json(201, "{'client_id': 'registered', 'token_endpoint_auth_method': 'none'}");
			case "/token" -> json(200, "{'access_token': 'the-token', 'token_type': 'Bearer', 'expires_in': 3600}");
			default -> "Bearer the-token".equals(request.header("Authorization")) ? McpTestReply.standard()
					: challenged(McpTestReply.status(401));
		};
	}

	private McpTestReply challenged(McpTestReply reply) {
		return this.challenge.isEmpty() ? reply : reply.withHeader("WWW-Authenticate", filled(this.challenge));
	}

	@Test
	void whatIsRightIsNoDeviation() {
		McpServer server = application("client-id=client", "client-secret=the-secret");
		assertReady(server);
		assertNoDeviation(server);
		server = application("interactive=true");
		assertReady(server);
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@CsvSource({ "{url}/, {url}, ''", "{url}, {url}/, ''", "{url}/, {url}, &iss={url}", "{url}, {url}/, &iss={url}/" })
	void anIssuerHasASlashOrNot(String named, String own, String inLogins) {
		this.documents.put(RESOURCE + "/mcp", resource("/mcp", named));
		this.documents.put(METADATA, metadata(own, PKCE));
		this.issuerOfLogins = inLogins;
		McpServer server = application("interactive=true");
		assertReady(server);
		assertKinds(server, Kind.ISSUER);
	}

	@ParameterizedTest
	@CsvSource({ "{url}/t, {url}/t/, ''", "{url}, {evil}, ''", "{url}/, https://{host}, ''",
			"{url}, {url}, &iss={evil}", "{url}, {url}, &iss={url}/", "{url}/, {url}, &iss={url}/",
			"{url}, {url}, &iss={url}/t" })
	void anotherIssuerIsRefused(String named, String own, String inLogins) {
		this.documents.put(RESOURCE + "/mcp", resource("/mcp", named));
		this.documents.put(METADATA, metadata(own, PKCE));
		this.documents.put(METADATA + "/t", metadata(own, PKCE));
		this.issuerOfLogins = inLogins;
		assertRefused(application("interactive=true"),
				inLogins.isEmpty() ? "names another issuer" : "not from the authorization server of the request");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "http://gateway.example" + RESOURCE, RESOURCE + "/mcp", "\"{url}" + RESOURCE + "/mcp\"",
					"\\\"{url}" + RESOURCE + "/mcp\\\"", "http://localhost:1/prm", "{url}/missing", "{url}/page",
					"{evil}/elsewhere" })
	void theMetadataOfAChallengeCannotBeUsed(String metadata) {
		this.documents.put("/page", McpTestReply.status(200).body("text/html", "<!DOCTYPE html><title>Hello</title>"));
		this.challenge = "Bearer resource_metadata=\"" + metadata + "\"";
		this.attacker.on("GET", McpTestReply.status(404));
		McpServer server = application("client-id=client", "client-secret=the-secret");
		assertReady(server);
		assertKinds(server, Kind.RESOURCE_METADATA);
	}

	@Test
	void theMetadataOfTheOriginAreUsedWhereThoseOfAChallengeCannotBe() {
		this.challenge = "Bearer resource_metadata=\"{url}/missing\"";
		this.documents.put(RESOURCE, resource("", "{url}"));
		this.documents.remove(RESOURCE + "/mcp");
		assertReady(application("client-id=client", "client-secret=the-secret"));
	}

	@ParameterizedTest
	@CsvSource({ "{url}/prm, {evil}/prm", "'', {evil}" + RESOURCE + "/mcp" })
	void metadataThatAreRedirectedToAnotherOriginAreRefused(String named, String location) {
		this.challenge = named.isEmpty() ? "Bearer" : "Bearer resource_metadata=\"" + named + "\"";
		McpTestReply redirect = McpTestReply.status(302).withHeader("Location", filled(location));
		List.of("/prm", RESOURCE + "/mcp", RESOURCE, METADATA).forEach((path) -> this.documents.put(path, redirect));
		assertRefused(application("client-id=client", "client-secret=the-secret"), "");
		this.documents.put(RESOURCE + "/mcp", resource("/mcp", "{url}"));
		assertRefused(application("client-id=client", "client-secret=the-secret"), "has no metadata");
	}

	@ParameterizedTest
	@CsvSource({ "'', {url}", "Negotiate, {url}", "Basic realm=mcp, {url}/", "Bearer, {url}" })
	void theOriginOfTheServerIsItsAuthorizationServer(String challenge, String issuer) {
		this.challenge = challenge;
		this.documents.remove(RESOURCE + "/mcp");
		this.documents.put(METADATA, metadata(issuer, PKCE));
		McpServer server = application("client-id=client", "client-secret=the-secret");
		assertReady(server);
		assertKinds(server, Kind.AUTHORIZATION_SERVER);
		assertThat(paths()).containsSubsequence(RESOURCE + "/mcp", RESOURCE, METADATA, "/token");
	}

	@Test
	void usersLogInAtTheOriginOfTheServer() {
		this.challenge = "Bearer";
		this.documents.remove(RESOURCE + "/mcp");
		this.documents.put(METADATA, metadata("{url}", PKCE));
		McpServer server = application("interactive=true");
		assertReady(server);
		assertKinds(server, Kind.AUTHORIZATION_SERVER);
	}

	@ParameterizedTest
	@CsvSource({ "{evil}, names another issuer", "{url}/t, names another issuer", "'', does not say which" })
	void theOriginOfTheServerIsNoAuthorizationServer(String issuer, String problem) {
		this.documents.remove(RESOURCE + "/mcp");
		this.documents.put(METADATA, issuer.isEmpty() ? McpTestReply.status(404) : metadata(issuer, PKCE));
		assertRefused(application("client-id=client", "client-secret=the-secret"), problem);
	}

	@ParameterizedTest
	@CsvSource({ "'', /mcp", "/, /mcp", "/, ''" })
	void theResourceIsAboveTheUrl(String resource, String location) {
		this.documents.remove(RESOURCE + "/mcp");
		this.documents.put(RESOURCE + location, resource(resource, "{url}"));
		McpServer server = application("client-id=client", "client-secret=the-secret");
		assertReady(server);
		if (!location.isEmpty()) {
			assertKinds(server, Kind.RESOURCE);
		}
		assertThat(requests("/token").get(0)).containsEntry("resource", filled("{url}") + resource);
	}

	@ParameterizedTest
	@CsvSource({ "/m", "/mcp/v2", "/MCP", "/mcp?x=1", ".evil.example", "@evil.example/mcp" })
	void aResourceThatIsNotAboveTheUrlIsRefused(String resource) {
		this.documents.put(RESOURCE + "/mcp", resource(resource, "{url}"));
		McpServer server = application("client-id=client", "client-secret=the-secret");
		assertRefused(server, "metadata describes a different resource");
	}

	@Test
	void aResourceAboveTheUrlThatOnlyAServerBelowItNamesIsRefused() {
		this.documents.remove(RESOURCE + "/mcp");
		this.documents.put("/mcp/prm", resource("", "{url}"));
		this.challenge = "Bearer resource_metadata=\"{url}/mcp/prm\"";
		assertRefused(application("client-id=client", "client-secret=the-secret"),
				"metadata describes a different resource");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "''", ", 'code_challenge_methods_supported': null", ", 'code_challenge_methods_supported': []" },
			quoteCharacter = '`')
	void pkceIsNotAnnounced(String methods) {
		this.documents.put(METADATA, metadata("{url}", methods.equals("''") ? "" : methods));
		McpServer server = application("interactive=true");
		assertRefused(server, "does not announce PKCE");
		server = application("interactive=true", "assume-pkce=true");
		assertReady(server);
		assertKinds(server, Kind.PKCE);
		assertThat(requests("/token").get(0)).containsKey("code_verifier");
	}

	@Test
	void pkceThatIsAnnouncedWithoutS256IsRefused() {
		this.documents.put(METADATA, metadata("{url}", ", 'code_challenge_methods_supported': ['plain']"));
		assertRefused(application("interactive=true", "assume-pkce=true"), "does not support PKCE with S256");
	}

	@ParameterizedTest
	@CsvSource({ "token_endpoint", "authorization_endpoint", "registration_endpoint" })
	void endpointsWithoutTlsAreRefused(String endpoint) {
		this.documents.put(METADATA, metadata("{url}", PKCE + ", '" + endpoint + "': 'http://as.example/endpoint'"));
		assertRefused(application("interactive=true"), "does not begin with https: http://as.example/endpoint");
	}

	private void assertRefused(McpServer server, String problem) {
		assertThat(server.status().state()).isNotEqualTo(McpServerState.READY);
		assertThat(server.status().lastError()).contains(problem);
		assertThat(requests("/token")).isEmpty();
		assertThat(this.attacker.requests()).isEmpty();
	}

	// the application has a log of its own
	private static void assertKinds(McpServer server, Kind kind) {
		assertThat(server.status().deviations()).isNotEmpty().extracting(McpServerDeviation::kind).containsOnly(kind);
	}

	private List<String> paths() {
		return this.peer.requests().stream().map(McpTestRequest::path).toList();
	}

	private List<Map<String, String>> requests(String path) {
		return this.peer.requests()
			.stream()
			.filter((request) -> request.path().equals(path))
			.map((request) -> Logins.form(request.body()))
			.toList();
	}

	private McpServer application(String... settings) {
		List<String> all = new ArrayList<>(List.of("mcp.servers." + NAME + ".url=" + this.peer.url()));
		Stream.of(settings).map(("mcp.servers." + NAME + ".auth.oauth2.")::concat).forEach(all::add);
		return ClientApplication.start(Logins.class, all.toArray(String[]::new)).registry().server(NAME);
	}

	private McpTestReply resource(String path, String issuer) {
		return json(200, "{'resource': '{url}%s', 'authorization_servers': ['%s']}".formatted(path, issuer));
	}

	private McpTestReply metadata(String issuer, String more) {
		return json(200,
				("{'issuer': '%s', 'token_endpoint': '{url}/token', "
						+ "'authorization_endpoint': '{url}/authorize', 'registration_endpoint': '{url}/register'%s}")
					.formatted(issuer, more));
	}

	private McpTestReply json(int status, String body) {
		return McpTestReply.status(status).body("application/json", filled(body).replace('\'', '"'));
	}

	private String filled(String text) {
		return text.replace("{url}", this.peer.url().replaceFirst("/mcp$", ""))
			.replace("{host}", "localhost:" + this.peer.port())
			.replace("{evil}", this.attacker.url().replaceFirst("/mcp$", ""));
	}

}
