package io.github.mcpclient.auth.oauth2;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.auth.oauth2.Tokens.Grant;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizationStatus;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.Listing;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.transport.HeaderSources.Proofs;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.spi.LoginRequiredException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;
import org.springframework.security.oauth2.client.InMemoryReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;

/**
 * Authorizes requests with OAuth 2.0, as configured by {@code auth.oauth2.*} of the
 * server.
 */
@RegisterReflectionForBinding(TokenFile.Login.class)
final class OAuth2Authorizer implements UserAuthorizer {

	private static final int MIN_SWEEP = 16;

	// of scopes that are shown
	private static final int MAX_SCOPES = 100;

	// the maximum number of states of one server, including earlier connections
	private static final int MOST_KEPT = 4;

	private final ApplicationBeans application;

	private final ClientThreads threads;

	// by name: the current state of each server, and states for connections that still
	// end
	private final Map<String, List<Server>> servers = new ConcurrentHashMap<>();

	// the listeners for deviations, by server: they are added with each connection
	private final Map<String, BiConsumer<Kind, String>> listeners = new ConcurrentHashMap<>();

	private volatile int sweepAt = MIN_SWEEP;

	/**
	 * Create an authorizer.
	 * @param application the beans of the application
	 * @param threads the threads that request tokens
	 */
	OAuth2Authorizer(ApplicationBeans application, ClientThreads threads) {
		this.application = application;
		this.threads = threads;
	}

	@Override
	public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
		return headers(request, Tokens::get);
	}

	@Override
	public Mono<User> user(McpServerDefinition definition) {
		Tokens tokens = server(definition).ofUsers;
		return (tokens != null) ? tokens.user() : Mono.empty();
	}

	/**
	 * Not all applications have Micrometer's context-propagation, which does the same.
	 */
	@Override
	public Context withThread(Context context) {
		Authentication user = SecurityContextHolder.getContext().getAuthentication();
		return (user != null) ? ReactiveSecurityContextHolder.withAuthentication(user).putAll(context.readOnly())
				: context;
	}

	@Override
	public Mono<Map<String, String>> reauthorize(McpHeadersRequest request, McpAuthorizationChallenge challenge) {
		return headers(request, (tokens) -> tokens.renew(challenge));
	}

	@Override
	public McpAuthorizer forCheck(Consumer<Step> steps) {
		return new OAuth2Check(this::server, this.application.clients(), this.threads, steps);
	}

	@Override
	public @Nullable Proofs proofs(McpServerDefinition definition) {
		return definition.auth().oauth2().dpop() ? server(definition).dpop() : null;
	}

	@Override
	public void onDeviation(McpServerDefinition server, BiConsumer<Kind, String> listener) {
		this.listeners.put(server.name(), listener);
	}

	private Mono<Map<String, String>> headers(McpHeadersRequest request,
			Function<Tokens, Mono<Map<String, String>>> of) {
		return Mono.defer(() -> {
			Tokens tokens = server(request.server()).tokens(request.ofCaller());
			if (tokens == null) {
				throw loginRequired(request.server());
			}
			return hurried(of.apply(tokens), request);
		});
	}

	static LoginRequiredException loginRequired(McpServerDefinition definition) {
		return new LoginRequiredException("The server requires a user to log in",
				"Each user is connected at the first use. Set "
						+ PropertyNames.ofServer(definition.name(), "auth.oauth2.listing")
						+ "=client-credentials to list its tools for all users.");
	}

	@Override
	public McpAuthorizationStatus status(McpServerDefinition definition) {
		Server server = match(definition, known(definition.name()));
		return (server != null) ? server.status() : McpAuthorizationStatus.of(definition.auth().type());
	}

	/**
	 * Return the metadata document of the client (OAuth Client ID Metadata Document), for
	 * the servers in use.
	 * @param path the end of the URL of the document
	 * @return the document, or {@code null} if no server has such a client ID
	 */
	@Nullable Map<String, Object> clientMetadata(String path) {
		List<Server> servers = inUse().filter((server) -> server.documentedAt(path)).toList();
		if (servers.isEmpty()) {
			return null;
		}
		String url = String.valueOf(servers.get(0).settings().clientMetadataUri());
		String baseUrl = url.substring(0, url.length() - path.length());
		Map<String, Object> document = new LinkedHashMap<>(OAuth2Client.metadata(servers.stream()
			.map((server) -> server.settings()
				.redirectUri()
				.replace("{baseUrl}", baseUrl)
				.replace("{registrationId}", server.clients.registrationId()))
			.distinct()
			.toList(), "none"));
		document.put("client_id", url);
		return document;
	}

	/**
	 * Return the server whose users log in for a client registration, of those in use.
	 */
	@Nullable Server find(String registrationId) {
		return inUse().filter((server) -> server.logsUsersIn() && server.clients.isOf(registrationId))
			.findFirst()
			.orElse(null);
	}

	private Stream<Server> inUse() {
		return this.servers.values()
			.stream()
			.map((known) -> known.get(0))
			.filter((server) -> isInUse(server.definition.name()));
	}

	private boolean isInUse(String name) {
		return this.application.servers().apply(name) != null;
	}

	/**
	 * Fail with a specific message rather than a timeout: no user logs in within the time
	 * limit of a request. The login continues.
	 */
	private Mono<Map<String, String>> hurried(Mono<Map<String, String>> headers, McpHeadersRequest request) {
		McpServerDefinition definition = request.server();
		return definition.auth().oauth2().interactive()
				? headers.timeout(definition.timeouts().connect().multipliedBy(4).dividedBy(5),
						Mono.error(() -> BrowserLogin.needed(new Failures(definition))), this.threads.scheduler())
				: headers;
	}

	/**
	 * A server whose settings have changed starts without state. The earlier state is
	 * retained for its earlier connections, which may send requests until their calls
	 * end, and in case the change is reverted.
	 */
	private Server server(McpServerDefinition definition) {
		String name = definition.name();
		List<Server> known = known(name);
		Server server = match(definition, known);
		if (server != null && (server == known.get(0) || !server.isOf(this.application.servers().apply(name)))) {
			return server;
		}
		if (this.servers.size() >= this.sweepAt) {
			// occasionally, as a check of all for each new server would be quadratic
			this.servers.keySet().removeIf((other) -> !isInUse(other));
			this.listeners.keySet().removeIf((other) -> !isInUse(other));
			this.sweepAt = 2 * this.servers.size() + MIN_SWEEP;
		}
		// not within compute, which locks
		Server next = (server != null) ? server : create(definition);
		return this.servers.compute(name, (key, now) -> withFirst(definition, next, (now != null) ? now : List.of()))
			.get(0);
	}

	// another thread may have been faster
	private static List<Server> withFirst(McpServerDefinition definition, Server next, List<Server> known) {
		Server first = Objects.requireNonNullElse(match(definition, known), next);
		return Stream.concat(Stream.of(first), known.stream().filter((other) -> other != first))
			.limit(MOST_KEPT)
			.toList();
	}

	private List<Server> known(String name) {
		return this.servers.getOrDefault(name, List.of());
	}

	private static @Nullable Server match(McpServerDefinition definition, List<Server> known) {
		for (Server server : known) {
			if (server.isOf(definition)) {
				return server;
			}
		}
		return null;
	}

	private Server create(McpServerDefinition definition) {
		OAuth2 settings = definition.auth().oauth2();
		AuthorizationHttp http = new AuthorizationHttp(definition, this.application.clients(),
				(kind, detail) -> this.listeners.getOrDefault(definition.name(), (ignored, text) -> {
				}).accept(kind, detail));
		Dpop dpop = settings.dpop() ? new Dpop(http.failures(), this.application.sslBundles(), this.threads) : null;
		TokenClients requests = new TokenClients(http, dpop, this.threads.scheduler());
		GrantType grantType = grantType(settings);
		BrowserLogin login = settings.interactive()
				? new BrowserLogin(http, requests, this.application.browser(), this.threads.scheduler()) : null;
		ClientResolver clients = new ClientResolver(http, this.application, OAuth2Client.grantType(grantType), login,
				this.threads);
		String provider = settings.identityProvider();
		Grant ofApplication = null;
		Grant ofUsers = null;
		if (login != null) {
			ofApplication = new Grant("user of " + definition.name(), false, null,
					(client, holder) -> login.request(client));
		}
		else if (grantType == GrantType.CLIENT_CREDENTIALS || settings.listing() == Listing.CLIENT_CREDENTIALS) {
			ofApplication = new Grant(null, false, null, (client, holder) -> requests.clientCredentials(client));
		}
		else if (grantType == GrantType.JWT_BEARER && provider == null) {
			Path file = Path.of(String.valueOf(settings.assertionFile()));
			ofApplication = new Grant(null, false, null, (client, holder) -> requests.assertion(client, file));
		}
		if (grantType == GrantType.TOKEN_EXCHANGE) {
			ofUsers = new Grant(null, true, null, requests::exchange);
		}
		else if (provider != null) {
			ofUsers = new Grant(null, true, null, (client, user) -> requests.assertion(client,
					clients.registration(provider, "identity-provider"), user));
		}
		else if (grantType == GrantType.AUTHORIZATION_CODE && login == null) {
			checkShared(definition, clients);
			ReactiveOAuth2AuthorizedClientService stored = this.application.logins().get();
			ofUsers = new Grant(null, true,
					(stored != null) ? stored : new InMemoryReactiveOAuth2AuthorizedClientService(
							(id) -> clients.client().map(OAuth2Client::registration)),
					(client, user) -> {
						throw new ClientAuthorizationRequiredException(clients.registrationId());
					});
		}
		return new Server(definition, clients, requests, dpop,
				(ofApplication != null) ? new Tokens(clients, requests, ofApplication, this.threads) : null,
				(ofUsers != null) ? new Tokens(clients, requests, ofUsers, this.threads) : null);
	}

	private GrantType grantType(OAuth2 settings) {
		if (settings.interactive()) {
			return GrantType.AUTHORIZATION_CODE;
		}
		if (settings.grantType() != null) {
			return settings.grantType();
		}
		String id = settings.registrationId();
		ClientRegistration registration = (id != null) ? this.application.registrations().apply(id) : null;
		return Stream.of(GrantType.AUTHORIZATION_CODE, GrantType.TOKEN_EXCHANGE)
			.filter((type) -> registration != null
					&& OAuth2Client.grantType(type).equals(registration.getAuthorizationGrantType()))
			.findFirst()
			.orElse(GrantType.CLIENT_CREDENTIALS);
	}

	/**
	 * A user has one login per registration, and its token is for one resource.
	 */
	private void checkShared(McpServerDefinition definition, ClientResolver clients) {
		Server other = find(clients.registrationId());
		if (other != null && !other.definition.name().equals(definition.name())
				&& !other.clients.resource().equals(clients.resource())) {
			throw new Failures(definition).of(
					"The client registration '" + clients.registrationId() + "' is also that of MCP server '"
							+ other.definition.name() + "', whose tokens are for another resource",
					null,
					"Set {auth}.oauth2.registration-id to a separate registration, or resource to the same for both.");
		}
	}

	/**
	 * One server.
	 *
	 * @param dpop binds its tokens to a key, if that is configured
	 * @param ofApplication the token of the application, or {@code null} if it gets no
	 * token
	 * @param ofUsers the tokens of its users, if calls are on their behalf
	 */
	record Server(McpServerDefinition definition, ClientResolver clients, TokenClients requests, @Nullable Dpop dpop,
			@Nullable Tokens ofApplication, @Nullable Tokens ofUsers) {

		OAuth2 settings() {
			return this.definition.auth().oauth2();
		}

		/**
		 * Return whether this is the server of a definition, which may differ in settings
		 * unrelated to tokens.
		 */
		boolean isOf(@Nullable McpServerDefinition other) {
			return other != null && this.definition.type().equals(other.type())
					&& this.definition.auth().equals(other.auth())
					&& Objects.equals(this.definition.http(), other.http())
					&& this.definition.timeouts().equals(other.timeouts());
		}

		@Nullable Tokens tokens(boolean ofCaller) {
			return (ofCaller && this.ofUsers != null) ? this.ofUsers : this.ofApplication;
		}

		/**
		 * Return whether the application gets tokens without a login, and without
		 * registering a client for that now.
		 */
		boolean isKnownClient() {
			return this.ofApplication != null && !settings().interactive() && (settings().clientId() != null
					|| settings().registrationId() != null || this.clients.known() != null);
		}

		McpAuthorizationStatus status() {
			OAuth2AuthorizedClient ofUser = (this.ofUsers != null) ? this.ofUsers.present() : null;
			OAuth2AuthorizedClient token = (ofUser == null && this.ofApplication != null) ? this.ofApplication.present()
					: ofUser;
			OAuth2Client client = this.clients.known();
			String issuer = (client != null) ? client.server().issuer() : settings().issuerUri();
			Failures failures = new Failures(this.definition);
			return new McpAuthorizationStatus(this.definition.auth().type(),
					(issuer != null) ? failures.line(issuer) : null,
					(token != null) ? Tokens.scopes(token).stream().limit(MAX_SCOPES).map(failures::line).toList()
							: null,
					(token != null) ? Tokens.end(token.getAccessToken()) : null,
					(token != null) ? token.getRefreshToken() != null : null,
					(ofUser != null) ? failures.line(ofUser.getPrincipalName()) : null,
					(this.ofUsers != null) ? this.ofUsers.count() : null);
		}

		boolean logsUsersIn() {
			return this.ofUsers != null && this.ofUsers.areLogins();
		}

		boolean documentedAt(String path) {
			String document = settings().clientMetadataUri();
			return logsUsersIn() && document != null && document.endsWith(path);
		}

	}

}
