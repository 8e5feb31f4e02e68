package io.github.mcpclient.auth.oauth2;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpAuthorizationChallenge;
import io.github.mcpclient.McpAuthorizer;
import io.github.mcpclient.McpHeadersRequest;
import io.github.mcpclient.McpLoginBrowser;
import io.github.mcpclient.McpServerAuth.GrantType;
import io.github.mcpclient.McpServerAuth.Listing;
import io.github.mcpclient.McpServerAuth.OAuth2;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.ClientThreads;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.endpoint.OAuth2ClientCredentialsGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;

/**
 * Authorizes requests by OAuth 2.0, as {@code auth.oauth2.*} of their server says.
 */
public final class OAuth2Authorizer implements McpAuthorizer {

	private final Application application;

	private final ClientThreads threads;

	private final Map<String, Server> servers = new ConcurrentHashMap<>();

	/**
	 * Create an authorizer.
	 * @param application what the application has
	 * @param threads where tokens are requested
	 */
	public OAuth2Authorizer(Application application, ClientThreads threads) {
		this.application = application;
		this.threads = threads;
	}

	@Override
	public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
		return Mono.defer(() -> {
			Server server = server(request.server());
			if (request.ofCaller() && server.userTokens != null) {
				return server.userTokens.get();
			}
			return (server.tokens != null) ? hurried(server.tokens.get(), request) : Mono.empty();
		});
	}

	@Override
	public Mono<Map<String, String>> reauthorize(McpHeadersRequest request, McpAuthorizationChallenge challenge) {
		return Mono.defer(() -> {
			Server server = server(request.server());
			if (request.ofCaller() && server.userTokens != null) {
				return server.userTokens.renew(challenge);
			}
			if (server.tokens == null) {
				return Mono.error(() -> new Failures(request.server()).of("The server needs a login of a user", null,
						"Set {auth}.oauth2.listing=client-credentials if the application may list its tools."));
			}
			return hurried(server.tokens.renew(challenge), request);
		});
	}

	/**
	 * Return what the metadata document of the client says (OAuth Client ID Metadata
	 * Document), for the servers in use.
	 * @param path the end of the document's url
	 * @return the document, or {@code null} if no server has such a client id
	 */
	public @Nullable Map<String, Object> clientMetadata(String path) {
		List<Server> users = this.servers.values().stream().filter((server) -> server.documentedAt(path)).toList();
		if (users.isEmpty()) {
			return null;
		}
		String url = String.valueOf(users.get(0).definition.auth().oauth2().clientMetadataUri());
		String baseUrl = url.substring(0, url.length() - path.length());
		return Map.of("client_id", url, "client_name", "MCP client", "redirect_uris",
				users.stream()
					.map((server) -> server.definition.auth()
						.oauth2()
						.redirectUri()
						.replace("{baseUrl}", baseUrl)
						.replace("{registrationId}", server.clients.registrationId()))
					.distinct()
					.toList(),
				"grant_types", List.of("authorization_code", "refresh_token"), "response_types", List.of("code"),
				"token_endpoint_auth_method", "none");
	}

	/**
	 * Returns the server that has a client registration, of those in use.
	 */
	@Nullable Server find(String registrationId) {
		return this.servers.values()
			.stream()
			.filter((server) -> server.userTokens != null && server.clients.registrationId().equals(registrationId))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Gives a failure that says more than that it took too long: nobody logs in within
	 * the time of a request. The login goes on.
	 */
	private Mono<Map<String, String>> hurried(Mono<Map<String, String>> headers, McpHeadersRequest request) {
		McpServerDefinition definition = request.server();
		return definition.auth().oauth2().interactive()
				? headers.timeout(definition.timeouts().connect().multipliedBy(4).dividedBy(5),
						Mono.error(() -> BrowserLogin.needed(new Failures(definition))), this.threads.scheduler())
				: headers;
	}

	/**
	 * A server whose settings have changed starts from nothing.
	 */
	private Server server(McpServerDefinition definition) {
		Server server = this.servers.get(definition.name());
		if (server != null && server.definition.equals(definition)) {
			return server;
		}
		GrantType grantType = grantType(definition.auth().oauth2());
		return this.servers.compute(definition.name(),
				(name, current) -> (current != null && current.definition.equals(definition)) ? current
						: create(definition, grantType));
	}

	private GrantType grantType(OAuth2 settings) {
		if (settings.interactive()) {
			return GrantType.AUTHORIZATION_CODE;
		}
		if (settings.grantType() != null) {
			return settings.grantType();
		}
		String id = settings.registrationId();
		ClientRegistration registration = (id != null) ? this.application.stored().registrations().apply(id) : null;
		return Stream.of(GrantType.values())
			.filter((type) -> registration != null
					&& ClientResolver.grantType(type).equals(registration.getAuthorizationGrantType()))
			.findFirst()
			.orElse(GrantType.CLIENT_CREDENTIALS);
	}

	private Server create(McpServerDefinition definition, GrantType grantType) {
		OAuth2 settings = definition.auth().oauth2();
		Failures failures = new Failures(definition);
		AuthorizationHttp http = new AuthorizationHttp(definition,
				(filter) -> this.application.clients().apply(definition, filter));
		TokenClients tokenClients = new TokenClients(http, failures);
		ServerTokens.Grant grant = null;
		String redirectUri = settings.redirectUri();
		Map<String, Map<String, Object>> registered = new ConcurrentHashMap<>();
		if (settings.interactive()) {
			BrowserLogin login = new BrowserLogin(definition, tokenClients, this.application.browser(), failures);
			redirectUri = login.redirectUri();
			registered = login.registered();
			grant = login;
		}
		else if (grantType == GrantType.CLIENT_CREDENTIALS || settings.listing() == Listing.CLIENT_CREDENTIALS) {
			grant = new ClientCredentials(tokenClients);
		}
		else if (settings.assertionFile() != null) {
			grant = new PlatformAssertion(Path.of(settings.assertionFile()), tokenClients, failures);
		}
		ClientResolver clients = new ClientResolver(definition, grantType, redirectUri, http, this.application,
				registered);
		ServerTokens tokens = (grant != null) ? new ServerTokens(clients, grant, settings.clockSkew(), this.threads)
				: null;
		OAuth2AuthorizedClientService stored = this.application.stored().logins().get();
		OAuth2AuthorizedClientService logins = (stored != null) ? stored
				: new InMemoryOAuth2AuthorizedClientService((id) -> clients.get().registration());
		boolean users = !settings.interactive()
				&& (grantType == GrantType.AUTHORIZATION_CODE || grantType == GrantType.TOKEN_EXCHANGE);
		return new Server(definition, clients, tokenClients, tokens, users ? new UserTokens(definition, clients,
				tokenClients, logins, grantType == GrantType.TOKEN_EXCHANGE, this.threads) : null);
	}

	/**
	 * What the application has that tokens are obtained with.
	 *
	 * @param clients builds the HTTP client for the authorization servers of a server,
	 * which connects to no address but those that a filter allows
	 * @param stored what Spring Security stores
	 * @param sslBundles the SSL bundles, or {@code null} for none
	 * @param browser shows the page to log in at; {@code null} for the system's browser
	 */
	public record Application(BiFunction<McpServerDefinition, @Nullable InetAddressFilter, HttpClient> clients,
			Stored stored, @Nullable SslBundles sslBundles, @Nullable McpLoginBrowser browser) {

	}

	/**
	 * What Spring Security stores for the application. May block.
	 *
	 * @param registrations finds client registrations
	 * @param logins gives what users have logged in for, {@code null} if that is not
	 * stored
	 */
	public record Stored(Function<String, @Nullable ClientRegistration> registrations,
			Supplier<@Nullable OAuth2AuthorizedClientService> logins) {

	}

	/**
	 * One server.
	 *
	 * @param tokens those of the application, or {@code null} if it gets none
	 * @param userTokens those of its users, if calls are on their behalf
	 */
	record Server(McpServerDefinition definition, ClientResolver clients, TokenClients tokenClients,
			@Nullable ServerTokens tokens, @Nullable UserTokens userTokens) {

		boolean documentedAt(String path) {
			String document = this.definition.auth().oauth2().clientMetadataUri();
			return this.userTokens != null && document != null && document.endsWith(path);
		}

	}

	private record ClientCredentials(TokenClients clients) implements ServerTokens.Grant {

		@Override
		public OAuth2AccessToken request(OAuth2Client client) {
			return this.clients
				.request(this.clients.configure(new RestClientClientCredentialsTokenResponseClient(), client),
						new OAuth2ClientCredentialsGrantRequest(
								client.registration(AuthorizationGrantType.CLIENT_CREDENTIALS)))
				.getAccessToken();
		}

	}

}
