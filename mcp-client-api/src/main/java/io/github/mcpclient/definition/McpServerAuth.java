package io.github.mcpclient.definition;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.authorization.McpAuthorizer;
import org.jspecify.annotations.Nullable;

/**
 * The authorization of HTTP requests to a server, complete with all defaults. Created
 * with an {@link McpServerAuthBuilder}, as in {@code auth((auth) -> auth.oauth2((oauth2)
 * -> oauth2.clientId("me")))} of a definition, or with the methods of this class; later
 * versions add components to the records. {@link #toString()} contains no secrets.
 *
 * @param type the type of authorization: none, bearer, basic, oauth2, or the name of an
 * McpAuthorizer bean
 * @param allowInsecure whether credentials may be sent over plain HTTP to a remote host
 * @param bearer a static token
 * @param basic HTTP basic authentication
 * @param oauth2 OAuth 2.0
 */
public record McpServerAuth(String type, boolean allowInsecure, Bearer bearer, Basic basic, OAuth2 oauth2) {

	/**
	 * The type that sends no credentials: {@value}.
	 */
	public static final String NONE = "none";

	/**
	 * The type for a static bearer token: {@value}.
	 */
	public static final String BEARER = "bearer";

	/**
	 * The type for HTTP basic authentication: {@value}.
	 */
	public static final String BASIC = "basic";

	/**
	 * The type for OAuth 2.0: {@value}.
	 */
	public static final String OAUTH2 = "oauth2";

	/**
	 * Create a builder for authorization that several servers share.
	 */
	public static McpServerAuthBuilder builder() {
		return new McpServerAuthBuilder();
	}

	/**
	 * Create an authorization of a type that needs no further settings.
	 * @param type {@value #NONE}, {@value #OAUTH2}, or the name of an
	 * {@link McpAuthorizer} bean
	 */
	public static McpServerAuth of(String type) {
		return builder().type(type).build();
	}

	/**
	 * Create an authorization with a static bearer token.
	 */
	public static McpServerAuth bearer(String token) {
		return builder().bearer(token).build();
	}

	/**
	 * Create an authorization with HTTP basic authentication.
	 */
	public static McpServerAuth basic(String username, String password) {
		return builder().basic(username, password).build();
	}

	/**
	 * Create an authorization with OAuth 2.0 and one of Spring Security's client
	 * registrations.
	 */
	public static McpServerAuth registration(String registrationId) {
		return builder().oauth2((oauth2) -> oauth2.registrationId(registrationId)).build();
	}

	/**
	 * Create an authorization with OAuth 2.0 client credentials. All other settings are
	 * discovered from the server.
	 */
	public static McpServerAuth clientCredentials(String clientId, String clientSecret) {
		return builder().oauth2((oauth2) -> oauth2.clientId(clientId).clientSecret(clientSecret)).build();
	}

	@Override
	public String toString() {
		return "McpServerAuth[" + this.type + "]";
	}

	/**
	 * A static bearer token.
	 *
	 * @param token Static token that is sent with each request.
	 */
	public record Bearer(@Nullable String token) {

		@Override
		public String toString() {
			return "Bearer[]";
		}

	}

	/**
	 * HTTP basic authentication.
	 *
	 * @param username User name for HTTP basic authentication.
	 * @param password Password for HTTP basic authentication.
	 */
	public record Basic(@Nullable String username, @Nullable String password) {

		@Override
		public String toString() {
			return "Basic[]";
		}

	}

	/**
	 * OAuth 2.0. Settings that are not specified are discovered from the server, as the
	 * MCP specification describes, or have their default.
	 *
	 * @param registrationId ID of a client registration of Spring Security, which
	 * replaces the other settings of the client and the authorization server.
	 * @param grantType How tokens are obtained. By default, the grant type of the client
	 * registration, or client-credentials without a registration.
	 * @param issuerUri Issuer identifier of the authorization server. By default,
	 * discovered from the server.
	 * @param tokenUri Token endpoint. By default, discovered from the authorization
	 * server.
	 * @param authorizationUri Authorization endpoint. By default, discovered from the
	 * authorization server.
	 * @param clientId Client ID at the authorization server.
	 * @param clientSecret Client secret at the authorization server.
	 * @param clientAuthenticationMethod How the client authenticates itself at the token
	 * endpoint. By default, inferred from the other settings.
	 * @param privateKey PEM content, or location of a PEM file, of the private key that
	 * signs client assertions.
	 * @param privateKeyId ID of the private key, for the header of client assertions.
	 * @param privateKeyBundle Name of the SSL bundle that contains the private key.
	 * @param signingAlgorithm JWS algorithm of client assertions. By default, inferred
	 * from the key.
	 * @param scopes Scopes to request. By default, the scopes that the server requests.
	 * @param resource Resource indicator of the server, or none to send none. By default,
	 * the URL of the server.
	 * @param clockSkew Minimum time before its expiry at which a token is renewed. The
	 * client renews it up to a tenth of its lifetime earlier, at random.
	 * @param clientMetadataUri URL of the client ID metadata document, which serves as
	 * the client ID.
	 * @param dynamicRegistration Whether the client registers itself at the authorization
	 * server if it has no client ID.
	 * @param redirectUri Redirect URI that a login returns to, or a template for it.
	 * @param listing How connections and listings are authorized if calls are authorized
	 * for users.
	 * @param interactive Whether to log in through a browser on this machine, for
	 * development.
	 * @param tokenFile File that stores the tokens of an interactive login.
	 * @param assertionFile File with the assertion for grant type jwt-bearer, which the
	 * platform renews.
	 * @param identityProvider ID of the client registration of Spring Security that users
	 * sign in with, whose identity provider issues assertions for grant type jwt-bearer.
	 * @param assumePkce Whether users can log in at an authorization server that does not
	 * announce PKCE. PKCE is used nevertheless.
	 * @param dpop Whether tokens are bound to a key of the client, and each request
	 * proves possession of the key (DPoP, RFC 9449). Other tokens are then rejected.
	 * @param dpopKeyBundle Name of the SSL bundle that contains the DPoP key. By default,
	 * a key in memory.
	 */
	public record OAuth2(@Nullable String registrationId, @Nullable GrantType grantType, @Nullable String issuerUri,
			@Nullable String tokenUri, @Nullable String authorizationUri, @Nullable String clientId,
			@Nullable String clientSecret, @Nullable ClientAuthenticationMethod clientAuthenticationMethod,
			@Nullable String privateKey, @Nullable String privateKeyId, @Nullable String privateKeyBundle,
			@Nullable String signingAlgorithm, List<String> scopes, @Nullable String resource, Duration clockSkew,
			@Nullable String clientMetadataUri, boolean dynamicRegistration, String redirectUri,
			@Nullable Listing listing, boolean interactive, @Nullable String tokenFile, @Nullable String assertionFile,
			@Nullable String identityProvider, boolean assumePkce, boolean dpop, @Nullable String dpopKeyBundle) {

		public OAuth2 {
			scopes = List.copyOf(scopes);
		}

		@Override
		public String toString() {
			return "OAuth2[" + this.grantType + "]";
		}

	}

	/**
	 * How tokens are obtained.
	 */
	public enum GrantType {

		/**
		 * A token for the application itself (RFC 6749, section 4.4).
		 */
		CLIENT_CREDENTIALS,

		/**
		 * A token for a user who logs in (RFC 6749, section 4.1).
		 */
		AUTHORIZATION_CODE,

		/**
		 * A token for the user of the incoming request, in exchange for the token of that
		 * request (RFC 8693).
		 */
		TOKEN_EXCHANGE,

		/**
		 * A token in exchange for an assertion (RFC 7523): for the application itself,
		 * with an assertion of the platform that it runs on (workload identity
		 * federation), or for the signed-in user, with an assertion of the identity
		 * provider.
		 */
		JWT_BEARER

	}

	/**
	 * How the client authenticates itself at the token endpoint.
	 */
	public enum ClientAuthenticationMethod {

		/**
		 * By its secret, in a header.
		 */
		CLIENT_SECRET_BASIC,

		/**
		 * By its secret, in the body.
		 */
		CLIENT_SECRET_POST,

		/**
		 * By an assertion that it signs with its private key.
		 */
		PRIVATE_KEY_JWT,

		/**
		 * No authentication: a public client.
		 */
		NONE

	}

	/**
	 * How the handshake and listings are authorized.
	 */
	public enum Listing {

		/**
		 * As the user of a call: each user has a separate connection and listing, created
		 * at the user's first use.
		 */
		USER,

		/**
		 * With a token for the application itself, obtained with client credentials.
		 */
		CLIENT_CREDENTIALS

	}

}
