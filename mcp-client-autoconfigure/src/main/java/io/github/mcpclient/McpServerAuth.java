package io.github.mcpclient;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How requests to a server are authorized. {@link #toString()} contains no secrets. Later
 * versions may add components.
 *
 * @param type {@value #NONE}, {@value #BEARER}, {@value #BASIC}, {@value #OAUTH2}, or the
 * name of an {@link McpAuthorizer} bean
 * @param allowInsecure whether credentials may be sent over plain HTTP to a host other
 * than this machine
 * @param token the token for type {@value #BEARER}, or {@code null}; secret
 * @param username the user for type {@value #BASIC}, or {@code null}
 * @param password the user's password, or {@code null} for an empty one; secret
 * @param oauth2 the settings for type {@value #OAUTH2}
 */
public record McpServerAuth(String type, boolean allowInsecure, @Nullable String token, @Nullable String username,
		@Nullable String password, OAuth2 oauth2) {

	/**
	 * The type of no authorization.
	 */
	public static final String NONE = "none";

	/**
	 * The type of a token that does not change.
	 */
	public static final String BEARER = "bearer";

	/**
	 * The type of HTTP basic authentication.
	 */
	public static final String BASIC = "basic";

	/**
	 * The type of OAuth 2.0.
	 */
	public static final String OAUTH2 = "oauth2";

	/**
	 * Create for a type that needs no further settings.
	 * @param type {@value #NONE}, {@value #OAUTH2}, or the name of an
	 * {@link McpAuthorizer} bean
	 */
	public static McpServerAuth of(String type) {
		return new McpServerAuth(type, false, null, null, null, OAuth2.DEFAULTS);
	}

	/**
	 * Create for a token that does not change.
	 */
	public static McpServerAuth bearer(String token) {
		return new McpServerAuth(BEARER, false, token, null, null, OAuth2.DEFAULTS);
	}

	/**
	 * Create for HTTP basic authentication.
	 */
	public static McpServerAuth basic(String username, String password) {
		return new McpServerAuth(BASIC, false, null, username, password, OAuth2.DEFAULTS);
	}

	/**
	 * Create for OAuth 2.0.
	 */
	public static McpServerAuth oauth2(OAuth2 oauth2) {
		return new McpServerAuth(OAUTH2, false, null, null, null, oauth2);
	}

	@Override
	public String toString() {
		return "McpServerAuth[" + this.type + "]";
	}

	/**
	 * The settings of OAuth 2.0. What is {@code null} is discovered from the server, as
	 * the MCP specification describes, or has the default that is described.
	 *
	 * @param registrationId the id of one of Spring Security's client registrations,
	 * which replaces the settings of client and authorization server; or {@code null}
	 * @param grantType how tokens are obtained
	 * @param issuerUri the issuer identifier of the authorization server
	 * @param tokenUri the token endpoint
	 * @param authorizationUri the authorization endpoint
	 * @param clientId the client id
	 * @param clientSecret the client secret; secret
	 * @param clientAuthenticationMethod how the client authenticates itself; inferred
	 * where {@code null}
	 * @param privateKey the private key for {@code private_key_jwt}: PEM content, or a
	 * resource location; secret
	 * @param privateKeyId the id of that key, for the assertion's header
	 * @param privateKeyBundle the name of an SSL bundle that has the private key instead
	 * @param signingAlgorithm the JWS algorithm of the assertion; inferred from the key
	 * where {@code null}
	 * @param scopes the scopes to request; empty for those that the server asks for
	 * @param resource the resource indicator; the server's url where {@code null}
	 * @param clockSkew how long before it expires a token is renewed
	 * @param clientMetadataUri the url of the client id metadata document
	 * @param dynamicRegistration whether the client may register itself where it has no
	 * client id
	 * @param redirectUri the redirect uri, or its template
	 * @param listing how the handshake and listings are authorized where calls are
	 * authorized by their users; {@link Listing#USER} where {@code null}
	 * @param interactive whether to log in through a browser on this machine
	 * @param tokenFile the file that keeps the tokens of such a login
	 * @param assertionFile the file in which the platform keeps the assertion for
	 * {@link GrantType#JWT_BEARER}
	 */
	public record OAuth2(@Nullable String registrationId, GrantType grantType, @Nullable String issuerUri,
			@Nullable String tokenUri, @Nullable String authorizationUri, @Nullable String clientId,
			@Nullable String clientSecret, @Nullable ClientAuthenticationMethod clientAuthenticationMethod,
			@Nullable String privateKey, @Nullable String privateKeyId, @Nullable String privateKeyBundle,
			@Nullable String signingAlgorithm, List<String> scopes, @Nullable String resource, Duration clockSkew,
			@Nullable String clientMetadataUri, boolean dynamicRegistration, String redirectUri,
			@Nullable Listing listing, boolean interactive, @Nullable Path tokenFile, @Nullable Path assertionFile) {

		/**
		 * The default: client credentials, all else discovered, tokens renewed 60 s
		 * before they expire, dynamic registration, a redirect uri that Spring Security's
		 * OAuth2 client handles and its login does not.
		 */
		public static final OAuth2 DEFAULTS = new OAuth2(null, GrantType.CLIENT_CREDENTIALS, null, null, null, null,
				null, null, null, null, null, null, List.of(), null, Duration.ofSeconds(60), null, true,
				"{baseUrl}/authorize/oauth2/code/{registrationId}", null, false, null, null);

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
		 * For the application itself.
		 */
		CLIENT_CREDENTIALS,

		/**
		 * For a user who logs in.
		 */
		AUTHORIZATION_CODE,

		/**
		 * For the user of the incoming request, whose token is exchanged.
		 */
		TOKEN_EXCHANGE,

		/**
		 * For the application itself, by an assertion of the platform that it runs on
		 * (RFC 7523), as workload identity federation has it.
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
		 * Not at all: a public client.
		 */
		NONE

	}

	/**
	 * How the handshake and listings are authorized.
	 */
	public enum Listing {

		/**
		 * Not at all, as there is no user: a server that demands a login for them is
		 * unavailable.
		 */
		USER,

		/**
		 * By client credentials.
		 */
		CLIENT_CREDENTIALS

	}

}
