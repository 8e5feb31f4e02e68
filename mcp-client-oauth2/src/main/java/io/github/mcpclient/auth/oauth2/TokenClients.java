package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HeaderSources.Proofs;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.spi.TransportException;
import io.netty.handler.codec.http.QueryStringDecoder;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.endpoint.AbstractOAuth2AuthorizationGrantRequest;
import org.springframework.security.oauth2.client.endpoint.AbstractRestClientOAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.JwtBearerGrantRequest;
import org.springframework.security.oauth2.client.endpoint.NimbusJwtClientAuthenticationParametersConverter;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.OAuth2ClientCredentialsGrantRequest;
import org.springframework.security.oauth2.client.endpoint.OAuth2RefreshTokenGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientJwtBearerTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientRefreshTokenTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientTokenExchangeTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.TokenExchangeGrantRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.endpoint.DefaultMapOAuth2AccessTokenResponseConverter;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.util.Assert;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StringUtils;
import org.springframework.web.client.RestClient;

/**
 * Requests tokens for a server, by Spring Security's token clients. Blocks.
 */
final class TokenClients {

	private static final String ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

	private static final String ISSUED_TOKEN_TYPE = "issued_token_type";

	private static final String NO_TYPE = "N_A";

	private static final Set<String> PUBLIC = Set.of("grant_type", "scope", "resource", "audience", "redirect_uri",
			"client_id");

	// a token of RFC 6750, section 2.1, which servers do not all follow: any text that a
	// header can have
	private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7E]+");

	// a million years in seconds, the maximum for Java
	private static final double MAX_LIFE = 3e13;

	// scopes of a user who logs in (OpenID Connect Core, sections 5.4 and 11)
	private static final Set<String> OF_LOGIN = Set.of("openid", "profile", "email", "offline_access");

	// how a client sends its secret
	private static final List<ClientAuthenticationMethod> SECRET = List
		.of(ClientAuthenticationMethod.CLIENT_SECRET_BASIC, ClientAuthenticationMethod.CLIENT_SECRET_POST);

	private final AuthorizationHttp http;

	private final @Nullable Dpop dpop;

	private final ClientScheduler time;

	private final RestClient restClient;

	private final Failures failures;

	// the time before which a token endpoint accepts no request, by its URL
	private final Map<String, Long> notBefore = Tokens.bounded();

	// authentication methods that worked after another one was rejected
	private final Map<String, ClientAuthenticationMethod> methods = Tokens.bounded();

	// token endpoints that accept no scopes when a token is renewed
	private final Set<String> unscoped = Collections.newSetFromMap(Tokens.bounded());

	/**
	 * Create an instance.
	 * @param dpop binds tokens, {@code null} if they are not bound
	 */
	TokenClients(AuthorizationHttp http, @Nullable Dpop dpop, ClientScheduler time) {
		// the interceptor sends the requests, none of which reaches the factory
		this.restClient = RestClient.builder()
			.requestFactory(new SimpleClientHttpRequestFactory())
			.requestInterceptor((request, body, execution) -> exchange(request, body))
			.configureMessageConverters((converters) -> {
				converters.addCustomConverter(new FormHttpMessageConverter());
				OAuth2AccessTokenResponseHttpMessageConverter answers = new OAuth2AccessTokenResponseHttpMessageConverter();
				answers.setAccessTokenResponseConverter(TokenClients::convert);
				converters.addCustomConverter(answers);
			})
			.build();
		this.http = http;
		this.dpop = dpop;
		this.failures = http.failures();
		this.time = time;
	}

	/**
	 * Send a request, and create the exception for a response without a token here, where
	 * the secrets of the request are known.
	 */
	private ClientHttpResponse exchange(HttpRequest request, byte[] body) {
		String url = request.getURI().toString();
		Duration left = Duration.ofNanos(this.notBefore.getOrDefault(url, now()) - now());
		if (left.toSeconds() > 0) {
			throw this.failures.patience(url, HttpStatus.TOO_MANY_REQUESTS.value(), left);
		}
		URI uri = this.http.uri(url);
		HttpHeaders headers = request.getHeaders();
		AuthorizationHttp.Response response = this.http.exchange(request.getMethod(), uri, headers, body);
		boolean bound = headers.containsHeader(Proofs.HEADER);
		if (bound && this.dpop != null) {
			this.dpop.answered(uri, response);
		}
		Duration asked = response.retryAfter();
		if (asked != null) {
			// the endpoint requests the same delay from all of its clients
			Duration retryAfter = asked.plusMillis(ThreadLocalRandom.current().nextLong(asked.toMillis() / 4 + 1));
			this.notBefore.put(url, now() + retryAfter.toNanos());
			throw this.failures.patience(url, response.status().value(), retryAfter);
		}
		TokenAnswer answer = TokenAnswer.of(response);
		if (answer.isRefusal()) {
			throw this.failures.refusal(url, answer, secrets(headers, body));
		}
		Map<String, Object> members = answer.members();
		if (bound && members != null && !Dpop.SCHEME.equalsIgnoreCase(String.valueOf(members.get("token_type")))) {
			// RFC 9449, section 5
			throw this.failures.of(
					"The authorization server at " + this.failures.url(url)
							+ " gives no token that is bound to the client's key (DPoP)",
					null, "Enable RFC 9449 there, or set {auth}.oauth2.dpop to false.");
		}
		String wrong = wrong(members, bound ? Dpop.SCHEME : "Bearer");
		if (members == null || wrong != null) {
			throw this.failures.noToken(url, String.valueOf(wrong));
		}
		answer.deviations().forEach((deviation) -> this.http.deviation(Kind.TOKEN_RESPONSE, deviation));
		return answer.deviations().isEmpty() ? response : response.of(members);
	}

	private long now() {
		return this.time.now(TimeUnit.NANOSECONDS);
	}

	/**
	 * Return all credentials and assertions of a request.
	 */
	private Secrets secrets(HttpHeaders headers, byte[] body) {
		Secrets.Builder secrets = McpServerSecrets.of(this.http.definition()).and();
		new QueryStringDecoder(new String(body, StandardCharsets.UTF_8), false).parameters().forEach((name, values) -> {
			if (!PUBLIC.contains(name) && !name.endsWith("_type")) {
				values.forEach((value) -> secrets.environment(Map.of(name, value)));
			}
		});
		String authorization = headers.getFirst(HttpHeaders.AUTHORIZATION);
		if (authorization != null) {
			String credentials = new String(Base64.getDecoder().decode(authorization.replaceFirst("^Basic ", "")),
					StandardCharsets.UTF_8);
			String secret = credentials.substring(credentials.indexOf(':') + 1);
			secrets.headers(Map.of(HttpHeaders.AUTHORIZATION, authorization, "encoded", secret, "decoded",
					URLDecoder.decode(secret, StandardCharsets.UTF_8)));
		}
		return secrets.build();
	}

	/**
	 * Return the reason why a response is not a token, {@code null} if it is one.
	 */
	private static @Nullable String wrong(@Nullable Map<String, Object> members, String expected) {
		if (members == null) {
			return "it is not a JSON object";
		}
		if (!(members.get("access_token") instanceof String token) || !TOKEN.matcher(token).matches()) {
			return "its access_token is " + (members.containsKey("access_token") ? "not a token" : "missing");
		}
		if (!(members.get("token_type") instanceof String type)
				|| !(type.equalsIgnoreCase(expected) || type.equals(NO_TYPE))) {
			return "its token_type is not " + expected;
		}
		return (members.get("expires_in") instanceof Number life && life.doubleValue() > MAX_LIFE)
				? "its expires_in is not a number of seconds" : null;
	}

	private static OAuth2AccessTokenResponse convert(Map<String, Object> answer) {
		Map<String, Object> typed = new LinkedHashMap<>(answer);
		if (ID_JAG.equals(typed.get(ISSUED_TOKEN_TYPE))) {
			// not a type for Spring Security, but correct for a token that is not an
			// access token
			typed.replace("token_type", NO_TYPE, "Bearer");
		}
		return Objects.requireNonNull(new DefaultMapOAuth2AccessTokenResponseConverter().convert(typed));
	}

	OAuth2AccessTokenResponse clientCredentials(OAuth2Client client) {
		return request(new RestClientClientCredentialsTokenResponseClient(), client,
				client.registration(AuthorizationGrantType.CLIENT_CREDENTIALS),
				OAuth2ClientCredentialsGrantRequest::new);
	}

	/**
	 * Request a token with an assertion (RFC 7523) from a file that the platform replaces
	 * before the assertion expires.
	 */
	OAuth2AccessTokenResponse assertion(OAuth2Client client, Path file) {
		String assertion;
		try {
			assertion = Files.readString(file).strip();
			Assert.hasText(assertion, "Empty");
		}
		catch (IOException | IllegalArgumentException ex) {
			throw this.failures.of("There is no assertion in " + file, ex.getClass().getSimpleName(),
					"Set {auth}.oauth2.assertion-file to the file in which the platform stores it.");
		}
		return assertion(client, assertion);
	}

	/**
	 * Request a token with an assertion that the identity provider of the user's sign-in
	 * issues for the user's ID token (Identity Assertion JWT Authorization Grant).
	 */
	OAuth2AccessTokenResponse assertion(OAuth2Client client, ClientRegistration provider, Authentication user) {
		if (!(user instanceof OAuth2AuthenticationToken signIn && signIn.getPrincipal() instanceof OidcUser signedIn
				&& signIn.getAuthorizedClientRegistrationId().equals(provider.getRegistrationId()))) {
			throw this.failures.of("The user has not signed in with the identity provider by OpenID Connect", null,
					"Let users sign in with the client registration {auth}.oauth2.identity-provider.");
		}
		RestClientTokenExchangeTokenResponseClient exchange = new RestClientTokenExchangeTokenResponseClient();
		exchange.setParametersCustomizer((parameters) -> {
			parameters.set("requested_token_type", ID_JAG);
			parameters.set("subject_token_type", "urn:ietf:params:oauth:token-type:id_token");
			parameters.set("audience", client.audience());
			complete(parameters, client);
		});
		OAuth2AccessTokenResponse response = request(exchange,
				new TokenExchangeGrantRequest(ClientRegistration.withClientRegistration(provider)
					.authorizationGrantType(AuthorizationGrantType.TOKEN_EXCHANGE)
					.scope(client.registration().getScopes())
					.build(), signedIn.getIdToken(), null));
		if (!ID_JAG.equals(response.getAdditionalParameters().get(ISSUED_TOKEN_TYPE))) {
			throw this.failures.of("The identity provider issues no assertion for the authorization server", null,
					"Enable the identity assertion grant there, or set another {auth}.oauth2.grant-type.");
		}
		return assertion(client, response.getAccessToken().getTokenValue());
	}

	private OAuth2AccessTokenResponse assertion(OAuth2Client client, String value) {
		// sends only the value
		Jwt assertion = Jwt.withTokenValue(value).header("typ", "JWT").claim("sub", "").build();
		return request(new RestClientJwtBearerTokenResponseClient(), client,
				client.registration(AuthorizationGrantType.JWT_BEARER),
				(with) -> new JwtBearerGrantRequest(with, assertion));
	}

	OAuth2AccessTokenResponse exchange(OAuth2Client client, Authentication user) {
		if (!(user.getPrincipal() instanceof OAuth2Token incoming)) {
			throw this.failures.of("The user has no token that can be exchanged", null,
					"Call with the authentication of Spring Security's resource server, or set {auth}.oauth2.grant-type.");
		}
		return request(new RestClientTokenExchangeTokenResponseClient(), client,
				client.registration(AuthorizationGrantType.TOKEN_EXCHANGE),
				(with) -> new TokenExchangeGrantRequest(with, incoming, null));
	}

	OAuth2AccessTokenResponse authorizationCode(OAuth2Client client, OAuth2AuthorizationCodeGrantRequest request) {
		return request(new RestClientAuthorizationCodeTokenResponseClient(), client, request.getClientRegistration(),
				(with) -> new OAuth2AuthorizationCodeGrantRequest(with, request.getAuthorizationExchange()));
	}

	/**
	 * Renew a token, or return {@code null} if the grant has ended.
	 */
	@Nullable OAuth2AccessTokenResponse refresh(OAuth2Client client, OAuth2AuthorizedClient current) {
		Set<String> scopes = this.unscoped.contains(client.tokenUri()) ? Set.of() : renewable(current);
		TransportException refusal = null;
		for (Set<String> each : scopes.isEmpty() ? List.of(scopes) : List.of(scopes, Set.<String>of())) {
			try {
				OAuth2AccessTokenResponse response = request(new RestClientRefreshTokenTokenResponseClient(), client,
						client.registration(), (with) -> new OAuth2RefreshTokenGrantRequest(with,
								current.getAccessToken(), Objects.requireNonNull(current.getRefreshToken()), each));
				if (refusal != null) {
					this.unscoped.add(client.tokenUri());
					this.http.deviation(Kind.SCOPES, String.valueOf(refusal.getMessage()));
				}
				return response;
			}
			catch (TokenRefusalException ex) {
				if (!ex.is(OAuth2ErrorCodes.INVALID_GRANT) && !ex.is(OAuth2ErrorCodes.INVALID_SCOPE)) {
					throw ex;
				}
				if (ex.isPlain()) {
					return null;
				}
				// some authorization servers reject any scopes here
				refusal = ex;
			}
		}
		this.http.deviation(Kind.REFRESH, String.valueOf(Objects.requireNonNull(refusal).getMessage()));
		return null;
	}

	/**
	 * Return the scopes for the renewal of a token, as some authorization servers
	 * otherwise issue one for another resource: the requested scopes, never more than the
	 * granted ones (RFC 6749, section 6).
	 */
	private static Set<String> renewable(OAuth2AuthorizedClient current) {
		Set<String> requested = current.getClientRegistration().getScopes();
		Set<String> granted = Tokens.scopes(current);
		Set<String> both = new LinkedHashSet<>(requested);
		both.retainAll(granted);
		return OF_LOGIN.containsAll(requested) ? Set.of() : OF_LOGIN.containsAll(both) ? granted : both;
	}

	private <T extends AbstractOAuth2AuthorizationGrantRequest> OAuth2AccessTokenResponse request(
			AbstractRestClientOAuth2AccessTokenResponseClient<T> tokens, OAuth2Client client,
			ClientRegistration registration, Function<ClientRegistration, T> request) {
		if (client.key() != null) {
			// MCP demands the issuer; Spring Security's default is the token endpoint
			NimbusJwtClientAuthenticationParametersConverter<T> assertion = new NimbusJwtClientAuthenticationParametersConverter<>(
					(with) -> client.key());
			assertion
				.setJwtClientAssertionCustomizer((context) -> context.getClaims().audience(List.of(client.audience())));
			tokens.addParametersConverter(assertion);
		}
		tokens.setParametersCustomizer((parameters) -> complete(parameters, client));
		Dpop dpop = this.dpop;
		if (dpop != null) {
			dpop.check(client.server());
			tokens.addHeadersConverter((with) -> {
				HttpHeaders proof = new HttpHeaders();
				proof.set(Proofs.HEADER, dpop.make(URI.create(client.tokenUri())));
				return proof;
			});
		}
		String identity = client.tokenUri() + " " + registration.getClientId();
		ClientAuthenticationMethod method = this.methods.getOrDefault(identity,
				registration.getClientAuthenticationMethod());
		try {
			return request(tokens, request.apply(with(registration, method)));
		}
		catch (TokenRefusalException ex) {
			ClientAuthenticationMethod other = ex.is(OAuth2ErrorCodes.INVALID_CLIENT)
					? other(client, registration, method) : null;
			if (other == null) {
				throw ex;
			}
			// rejected before the authorization server used the code or another part of
			// the request
			OAuth2AccessTokenResponse response = request(tokens, request.apply(with(registration, other)));
			this.methods.put(identity, other);
			this.http.deviation(Kind.REGISTRATION, String.valueOf(ex.getMessage()));
			return response;
		}
	}

	private static ClientRegistration with(ClientRegistration registration, ClientAuthenticationMethod method) {
		return ClientRegistration.withClientRegistration(registration).clientAuthenticationMethod(method).build();
	}

	/**
	 * Return the other way to send a secret if it is not excluded, or {@code null}.
	 */
	private @Nullable ClientAuthenticationMethod other(OAuth2Client client, ClientRegistration registration,
			ClientAuthenticationMethod method) {
		OAuth2 settings = this.http.definition().auth().oauth2();
		boolean configured = settings.registrationId() != null || settings.clientAuthenticationMethod() != null;
		if (configured || !StringUtils.hasText(registration.getClientSecret()) || !SECRET.contains(method)) {
			return null;
		}
		ClientAuthenticationMethod other = SECRET.get(1 - SECRET.indexOf(method));
		List<String> supported = client.server().list("token_endpoint_auth_methods_supported");
		return (supported.isEmpty() || supported.contains(other.getValue())) ? other : null;
	}

	/**
	 * Add the resource to a request, and remove the scopes of logins from a request
	 * without a user, unless they are configured for it.
	 */
	private void complete(MultiValueMap<String, String> parameters, OAuth2Client client) {
		if (client.resource() != null) {
			parameters.set("resource", client.resource());
		}
		String scopes = parameters.getFirst("scope");
		if (scopes != null && !mayBeOfLogin(String.valueOf(parameters.getFirst("grant_type")), client)) {
			String others = Stream.of(scopes.split(" "))
				.filter((scope) -> !OF_LOGIN.contains(scope))
				.collect(Collectors.joining(" "));
			parameters.remove("scope");
			if (!others.isEmpty()) {
				parameters.set("scope", others);
			}
		}
		parameters.replaceAll((name, values) -> new HiddenValues(values));
	}

	private <T extends AbstractOAuth2AuthorizationGrantRequest> OAuth2AccessTokenResponse request(
			AbstractRestClientOAuth2AccessTokenResponseClient<T> tokens, T request) {
		tokens.setRestClient(this.restClient);
		try {
			return proved(tokens, request);
		}
		catch (OAuth2AuthorizationException ex) {
			// the exception may quote the response, and so is not used as the cause
			throw this.failures.noToken(request.getClientRegistration().getProviderDetails().getTokenUri(),
					ex.getError().getErrorCode());
		}
	}

	/**
	 * Send a request, and again if it is rejected for the nonce of its proof alone: the
	 * code was not used then, but an assertion of the client may have been, and is
	 * created again, as it may be valid for one request.
	 */
	private <T extends AbstractOAuth2AuthorizationGrantRequest> OAuth2AccessTokenResponse proved(
			AbstractRestClientOAuth2AccessTokenResponseClient<T> tokens, T request) {
		try {
			return tokens.getTokenResponse(request);
		}
		catch (TokenRefusalException ex) {
			if (this.dpop == null || !ex.isOfNonce()) {
				throw ex;
			}
			return tokens.getTokenResponse(request);
		}
	}

	private boolean mayBeOfLogin(String grantType, OAuth2Client client) {
		OAuth2 settings = this.http.definition().auth().oauth2();
		boolean ofApplication = grantType.equals(AuthorizationGrantType.CLIENT_CREDENTIALS.getValue())
				|| (grantType.equals(AuthorizationGrantType.JWT_BEARER.getValue()) && settings.assertionFile() != null);
		return !ofApplication || !settings.scopes().isEmpty() || (settings.registrationId() != null
				&& grantType.equals(client.registration().getAuthorizationGrantType().getValue()));
	}

	/**
	 * Parameter values that {@link RestClient} does not show in its log.
	 */
	private static final class HiddenValues extends ArrayList<String> {

		HiddenValues(Collection<String> values) {
			super(values);
		}

		@Override
		public String toString() {
			return Secrets.MASK;
		}

	}

}
