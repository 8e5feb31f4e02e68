package io.github.mcpclient.definition;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.definition.McpServerAuth.Basic;
import io.github.mcpclient.definition.McpServerAuth.Bearer;
import io.github.mcpclient.definition.McpServerAuth.ClientAuthenticationMethod;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.Listing;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Builder for {@link McpServerAuth}, see
 * {@link McpServerDefinitionBuilder#auth(Consumer)}. Every setter returns this builder.
 * Not thread-safe.
 */
public final class McpServerAuthBuilder {

	private final Set<String> given = new LinkedHashSet<>();

	private @Nullable String type;

	private boolean allowInsecure;

	private Bearer bearer = new Bearer(null);

	private Basic basic = new Basic(null, null);

	private McpServerAuth.OAuth2 oauth2 = new OAuth2().build();

	McpServerAuthBuilder() {
	}

	/**
	 * Set the type of authorization: {@value McpServerAuth#NONE},
	 * {@value McpServerAuth#OAUTH2} with all of its defaults, or the name of an
	 * {@link McpAuthorizer} bean. By default, inferred from the other settings of this
	 * builder, or {@value McpServerAuth#NONE} without any.
	 */
	public McpServerAuthBuilder type(String type) {
		this.type = type;
		return this;
	}

	/**
	 * Set whether credentials may be sent over plain HTTP to a remote host. Default
	 * {@code false}.
	 */
	public McpServerAuthBuilder allowInsecure(boolean allowInsecure) {
		this.allowInsecure = allowInsecure;
		return this;
	}

	/**
	 * Send a static token with each request.
	 */
	public McpServerAuthBuilder bearer(String token) {
		this.bearer = new Bearer(token);
		this.given.add(McpServerAuth.BEARER);
		return this;
	}

	/**
	 * Send a user name and a password with each request, by HTTP basic authentication.
	 */
	public McpServerAuthBuilder basic(String username, String password) {
		this.basic = new Basic(username, password);
		this.given.add(McpServerAuth.BASIC);
		return this;
	}

	/**
	 * Obtain tokens with OAuth 2.0, replacing earlier settings for it.
	 * @param settings sets the values that are not discovered from the server
	 * @throws IllegalArgumentException if two settings are mutually exclusive
	 */
	public McpServerAuthBuilder oauth2(Consumer<OAuth2> settings) {
		OAuth2 builder = new OAuth2();
		settings.accept(builder);
		this.oauth2 = builder.build();
		this.given.add(McpServerAuth.OAUTH2);
		return this;
	}

	/**
	 * Build the authorization. Errors in single values are reported when the definition
	 * is used: when the application starts, or when the server is added.
	 * @throws IllegalArgumentException if there are settings for two types
	 */
	public McpServerAuth build() {
		Set<String> types = new LinkedHashSet<>(this.given);
		boolean builtIn = Set.of(McpServerAuth.NONE, McpServerAuth.BEARER, McpServerAuth.BASIC, McpServerAuth.OAUTH2)
			.contains((this.type != null) ? this.type : "");
		Set<String> methods = new LinkedHashSet<>();
		types.forEach((name) -> methods.add(name + "(..)"));
		if (builtIn && !types.isEmpty() && types.add(this.type)) {
			methods.add("type(\"" + this.type + "\")");
		}
		Assert.isTrue(types.size() <= 1, () -> "Requests are authorized in one way only. Remove all but one of "
				+ String.join(", ", methods) + ".");
		String inferred = types.isEmpty() ? McpServerAuth.NONE : types.iterator().next();
		return new McpServerAuth((this.type != null) ? this.type : inferred, this.allowInsecure, this.bearer,
				this.basic, this.oauth2);
	}

	/**
	 * Builder for the settings of OAuth 2.0. Settings that are not specified are
	 * discovered from the server, as the MCP specification describes, or have their
	 * default. Every setter returns this builder.
	 */
	public static final class OAuth2 {

		private @Nullable String registrationId;

		private @Nullable GrantType grantType;

		private @Nullable String issuerUri;

		private @Nullable String tokenUri;

		private @Nullable String authorizationUri;

		private @Nullable String clientId;

		private @Nullable String clientSecret;

		private @Nullable ClientAuthenticationMethod clientAuthenticationMethod;

		private @Nullable String privateKey;

		private @Nullable String privateKeyId;

		private @Nullable String privateKeyBundle;

		private @Nullable String signingAlgorithm;

		private List<String> scopes = List.of();

		private @Nullable String resource;

		private Duration clockSkew = Duration.ofSeconds(60);

		private @Nullable String clientMetadataUri;

		private boolean dynamicRegistration = true;

		private String redirectUri = "{baseUrl}/authorize/oauth2/code/{registrationId}";

		private @Nullable Listing listing;

		private boolean interactive;

		private @Nullable String tokenFile;

		private @Nullable String assertionFile;

		private @Nullable String identityProvider;

		private boolean assumePkce;

		private boolean dpop;

		private @Nullable String dpopKeyBundle;

		OAuth2() {
		}

		/**
		 * Set the ID of a client registration of Spring Security, which replaces the
		 * other settings of the client and the authorization server. Default none.
		 */
		public OAuth2 registrationId(String registrationId) {
			this.registrationId = registrationId;
			return this;
		}

		/**
		 * Set how tokens are obtained. By default, the grant type of the client
		 * registration, or client credentials without a registration.
		 */
		public OAuth2 grantType(GrantType grantType) {
			this.grantType = grantType;
			return this;
		}

		/**
		 * Set the issuer identifier of the authorization server. By default, it is
		 * discovered from the server.
		 */
		public OAuth2 issuerUri(String issuerUri) {
			this.issuerUri = issuerUri;
			return this;
		}

		/**
		 * Set the token endpoint. By default, it is discovered from the authorization
		 * server.
		 */
		public OAuth2 tokenUri(String tokenUri) {
			this.tokenUri = tokenUri;
			return this;
		}

		/**
		 * Set the authorization endpoint. By default, it is discovered from the
		 * authorization server.
		 */
		public OAuth2 authorizationUri(String authorizationUri) {
			this.authorizationUri = authorizationUri;
			return this;
		}

		/**
		 * Set the client ID at the authorization server. By default, none: the client
		 * registers itself if dynamic registration is enabled.
		 */
		public OAuth2 clientId(String clientId) {
			this.clientId = clientId;
			return this;
		}

		/**
		 * Set the client secret at the authorization server. Default none.
		 */
		public OAuth2 clientSecret(String clientSecret) {
			this.clientSecret = clientSecret;
			return this;
		}

		/**
		 * Set how the client authenticates itself at the token endpoint. By default,
		 * inferred from the other settings.
		 */
		public OAuth2 clientAuthenticationMethod(ClientAuthenticationMethod clientAuthenticationMethod) {
			this.clientAuthenticationMethod = clientAuthenticationMethod;
			return this;
		}

		/**
		 * Set the PEM content, or the location of a PEM file, of the private key that
		 * signs client assertions. Default none.
		 */
		public OAuth2 privateKey(String privateKey) {
			this.privateKey = privateKey;
			return this;
		}

		/**
		 * Set the ID of the private key, for the header of client assertions. Default
		 * none.
		 */
		public OAuth2 privateKeyId(String privateKeyId) {
			this.privateKeyId = privateKeyId;
			return this;
		}

		/**
		 * Set the name of the SSL bundle that contains the private key. Default none.
		 */
		public OAuth2 privateKeyBundle(String privateKeyBundle) {
			this.privateKeyBundle = privateKeyBundle;
			return this;
		}

		/**
		 * Set the JWS algorithm of client assertions, such as {@code ES256}. By default,
		 * inferred from the key.
		 */
		public OAuth2 signingAlgorithm(String signingAlgorithm) {
			this.signingAlgorithm = signingAlgorithm;
			return this;
		}

		/**
		 * Set the scopes to request, replacing earlier ones. By default, the scopes that
		 * the server requests.
		 */
		public OAuth2 scopes(String... scopes) {
			this.scopes = List.of(scopes);
			return this;
		}

		/**
		 * Set the resource indicator of the server, or {@code none} to send none. By
		 * default, the URL of the server.
		 */
		public OAuth2 resource(String resource) {
			this.resource = resource;
			return this;
		}

		/**
		 * Set the minimum time before its expiry at which a token is renewed. The client
		 * renews it up to a tenth of its lifetime earlier, at random. Default 60 s.
		 */
		public OAuth2 clockSkew(Duration clockSkew) {
			this.clockSkew = clockSkew;
			return this;
		}

		/**
		 * Set the URL of the client ID metadata document, which serves as the client ID.
		 * Default none.
		 */
		public OAuth2 clientMetadataUri(String clientMetadataUri) {
			this.clientMetadataUri = clientMetadataUri;
			return this;
		}

		/**
		 * Set whether the client registers itself at the authorization server if it has
		 * no client ID. Default {@code true}.
		 */
		public OAuth2 dynamicRegistration(boolean dynamicRegistration) {
			this.dynamicRegistration = dynamicRegistration;
			return this;
		}

		/**
		 * Set the redirect URI that a login returns to, or a template for it. Default
		 * {@code {baseUrl}/authorize/oauth2/code/{registrationId}}.
		 */
		public OAuth2 redirectUri(String redirectUri) {
			this.redirectUri = redirectUri;
			return this;
		}

		/**
		 * Set how connections and listings are authorized if calls are authorized for
		 * users. Default {@link Listing#USER}.
		 */
		public OAuth2 listing(Listing listing) {
			this.listing = listing;
			return this;
		}

		/**
		 * Set whether to log in through a browser on this machine, for development.
		 * Default {@code false}.
		 */
		public OAuth2 interactive(boolean interactive) {
			this.interactive = interactive;
			return this;
		}

		/**
		 * Set the file that stores the tokens of an interactive login. Default none: they
		 * are stored in memory.
		 */
		public OAuth2 tokenFile(Path tokenFile) {
			this.tokenFile = tokenFile.toString();
			return this;
		}

		/**
		 * Set the file with the assertion for grant type {@code JWT_BEARER}, which the
		 * platform renews. Default none.
		 */
		public OAuth2 assertionFile(Path assertionFile) {
			this.assertionFile = assertionFile.toString();
			return this;
		}

		/**
		 * Set the ID of the client registration of Spring Security that users sign in
		 * with, whose identity provider issues assertions for grant type
		 * {@code JWT_BEARER}. Default none.
		 */
		public OAuth2 identityProvider(String identityProvider) {
			this.identityProvider = identityProvider;
			return this;
		}

		/**
		 * Set whether users can log in at an authorization server that does not announce
		 * PKCE. PKCE is used nevertheless. Default {@code false}.
		 */
		public OAuth2 assumePkce(boolean assumePkce) {
			this.assumePkce = assumePkce;
			return this;
		}

		/**
		 * Set whether tokens are bound to a key of the client, and each request proves
		 * possession of the key (DPoP, RFC 9449). A token that is not bound is then
		 * rejected. Default {@code false}.
		 */
		public OAuth2 dpop(boolean dpop) {
			this.dpop = dpop;
			return this;
		}

		/**
		 * Set the name of the SSL bundle that contains the DPoP key and its certificate.
		 * Default none: a key for this server is generated, and stored in memory.
		 */
		public OAuth2 dpopKeyBundle(String dpopKeyBundle) {
			this.dpopKeyBundle = dpopKeyBundle;
			return this;
		}

		McpServerAuth.OAuth2 build() {
			check("privateKeyBundle", this.privateKey == null || this.privateKeyBundle == null,
					"privateKey is set as well. Remove one of them.");
			check("dpopKeyBundle", this.dpop || this.dpopKeyBundle == null,
					"The key is only used with dpop, which is disabled. Set dpop to true, or remove the key.");
			boolean provider = this.identityProvider != null;
			boolean ofApplication = this.assertionFile != null;
			check(provider ? "identityProvider" : "assertionFile",
					(this.grantType == GrantType.JWT_BEARER) ? provider != ofApplication : !provider && !ofApplication,
					"Grant type JWT_BEARER needs one of assertionFile and identityProvider;"
							+ " other grant types use neither.");
			Map<String, @Nullable Object> others = new LinkedHashMap<>();
			if (this.registrationId != null) {
				others.put("issuerUri", this.issuerUri);
				others.put("tokenUri", this.tokenUri);
				others.put("authorizationUri", this.authorizationUri);
				others.put("clientId", this.clientId);
				others.put("clientSecret", this.clientSecret);
				others.put("clientAuthenticationMethod", this.clientAuthenticationMethod);
				others.put("clientMetadataUri", this.clientMetadataUri);
			}
			others.forEach((setting, value) -> check(setting, value == null,
					"The client registration of registrationId defines this setting. Remove one of them."));
			return new McpServerAuth.OAuth2(this.registrationId, this.grantType, this.issuerUri, this.tokenUri,
					this.authorizationUri, this.clientId, this.clientSecret, this.clientAuthenticationMethod,
					this.privateKey, this.privateKeyId, this.privateKeyBundle, this.signingAlgorithm, this.scopes,
					this.resource, this.clockSkew, this.clientMetadataUri, this.dynamicRegistration, this.redirectUri,
					this.listing, this.interactive, this.tokenFile, this.assertionFile, this.identityProvider,
					this.assumePkce, this.dpop, this.dpopKeyBundle);
		}

		private static void check(String setting, boolean valid, String message) {
			Assert.isTrue(valid, () -> "oauth2." + setting + "(..): " + message);
		}

	}

}
