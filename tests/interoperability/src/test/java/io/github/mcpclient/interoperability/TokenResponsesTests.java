package io.github.mcpclient.interoperability;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An authorization server that gives tokens, renews them, and registers clients otherwise
 * than the RFCs say. It is the MCP server itself, whose only valid token is the last one
 * that was given.
 */
class TokenResponsesTests extends AbstractInteroperabilityTests {

	private static final String PREFIX = "mcp.servers." + NAME + ".auth.oauth2.";

	private final AtomicInteger tokens = new AtomicInteger();

	// the answer to requests for tokens of a grant, or to those with scopes alone
	private volatile McpTestReply odd = McpTestReply.standard();

	private volatile String oddGrant = "";

	private volatile boolean oddWithScopesOnly;

	private volatile String acceptedMethod = "client_secret_basic";

	@BeforeEach
	void serve() {
		this.peer.on("GET", this::get).on("POST", this::post);
	}

	private McpTestReply get(McpTestRequest request) {
		String origin = origin();
		return switch (request.path()) {
			case "/.well-known/oauth-protected-resource/mcp" ->
				json(200, "{'resource': '%1$s/mcp', 'authorization_servers': ['%1$s']}".formatted(origin));
			case "/.well-known/oauth-authorization-server" -> json(200,
					("{'issuer': '%1$s', 'token_endpoint': '%1$s/token', "
							+ "'authorization_endpoint': '%1$s/authorize', 'registration_endpoint': '%1$s/register', "
							+ "'code_challenge_methods_supported': ['S256']}")
						.formatted(origin));
			case "/authorize" -> {
				Map<String, String> query = Logins.form(request.query());
				yield McpTestReply.status(302)
					.withHeader("Location", query.get("redirect_uri") + "?code=the-code&state=" + query.get("state"));
			}
			case "/mcp" -> McpTestReply.standard();
			default -> McpTestReply.status(404);
		};
	}

	private McpTestReply post(McpTestRequest request) {
		return switch (request.path()) {
			case "/register" -> request.body().contains("\"" + this.acceptedMethod + "\"")
					? json(201, "{'client_id': 'registered', 'token_endpoint_auth_method': 'none'}") : this.odd;
			case "/token" -> isOdd(Logins.form(request.body())) ? this.odd : token();
			default -> ("Bearer token-" + this.tokens.get()).equals(request.header("Authorization"))
					? McpTestReply.standard() : McpTestReply.status(401).withHeader("WWW-Authenticate", "Bearer");
		};
	}

	private boolean isOdd(Map<String, String> form) {
		return form.get("grant_type").equals(this.oddGrant) && (!this.oddWithScopesOnly || form.containsKey("scope"));
	}

	private McpTestReply token() {
		return json(200, ("{'access_token': 'token-%1$d', 'token_type': 'Bearer', 'expires_in': 3600, "
				+ "'refresh_token': 'renewing-%1$d'}")
			.formatted(this.tokens.incrementAndGet()));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "application/x-www-form-urlencoded|access_token=token-1&token_type=bearer",
			"text/html|{'access_token': 'token-1', 'token_type': 'Bearer'}",
			"application/json|{'access_token': 'token-1'}",
			"application/json|{'ok': true, 'authed_user': {'access_token': 'token-1', 'token_type': 'bearer'}}" })
	void readsATokenInAnotherForm(String type, String body) {
		this.oddGrant = "client_credentials";
		this.tokens.set(1);
		this.odd = McpTestReply.status(200).body(type, body.replace('\'', '"'));
		McpServer server = application("client-id=client", "client-secret=the-secret");
		assertReady(server);
		only(server, Kind.TOKEN_RESPONSE);
		assertThat(server.status().deviations().toString()).doesNotContain("token-1", "the-secret");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "400|{'error': 'invalid_request'}",
					"400|{'code': 400, 'error_code': 'refresh_token_not_found', 'msg': 'Invalid Refresh Token'}",
					"200|{'error': 'bad_refresh_token'}" })
	void asksForALoginWhereARefreshTokenIsDead(int status, String body) {
		McpServer server = application("interactive=true");
		assertReady(server);
		assertNoDeviation(server);
		this.oddGrant = "refresh_token";
		this.odd = json(status, body);
		this.tokens.incrementAndGet();
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertThat(only(server, Kind.REFRESH).detail()).doesNotContain("renewing-1");
		assertThat(logins()).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "400|{'error': 'invalid_scope'}",
					"400|{'error': 'invalid_request', 'error_description': 'scope parameter not supported'}",
					"200|{'error': 'unsupported_parameter'}" })
	void renewsATokenWithoutScopesWhereTheseAreRefused(int status, String body) {
		McpServer server = application("interactive=true", "scopes=tools");
		assertReady(server);
		this.oddGrant = "refresh_token";
		this.oddWithScopesOnly = true;
		this.odd = json(status, body);
		this.tokens.incrementAndGet();
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		only(server, Kind.SCOPES);
		assertThat(logins()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "none, 'unsupported token_endpoint_auth_method'", "client_secret_post, because", "none, ''" })
	void registersWithAnotherMethodWhereOneIsRefused(String accepted, String description) {
		this.acceptedMethod = accepted;
		this.odd = json(400, "{'error': 'invalid_client_metadata', 'error_description': '" + description + "'}");
		McpServer server = application("interactive=true");
		assertReady(server);
		only(server, Kind.REGISTRATION);
	}

	@Test
	void anAuthorizationServerThatIsRightHasNoDeviation() {
		McpServer server = application("interactive=true", "scopes=tools");
		this.tokens.incrementAndGet();
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertNoDeviation(server);
		assertThat(logins()).isOne();
	}

	// the application has a log of its own
	private static McpServerDeviation only(McpServer server, Kind kind) {
		assertThat(server.status().deviations()).isNotEmpty().extracting(McpServerDeviation::kind).containsOnly(kind);
		return server.status().deviations().get(0);
	}

	private long logins() {
		return this.peer.requests().stream().filter((request) -> request.path().equals("/authorize")).count();
	}

	private McpServer application(String... settings) {
		List<String> all = new ArrayList<>(List.of("mcp.servers." + NAME + ".url=" + this.peer.url()));
		Stream.of(settings).map(PREFIX::concat).forEach(all::add);
		return ClientApplication.start(Logins.class, all.toArray(String[]::new)).registry().server(NAME);
	}

	private String origin() {
		return this.peer.url().replaceFirst("/mcp$", "");
	}

	private static McpTestReply json(int status, String body) {
		return McpTestReply.status(status).body("application/json", body.replace('\'', '"'));
	}

}
