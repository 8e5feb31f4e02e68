package io.github.mcpclient.auth.oauth2;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.nimbusds.jose.jwk.JWK;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import org.jspecify.annotations.Nullable;

import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;

/**
 * The client that the application is at the authorization server of a server.
 *
 * @param registration the client, with the scopes to request
 * @param resource the identifier of the server, for which tokens are requested, or
 * {@code null} if the authorization server accepts none
 * @param key the key that signs its assertions, or {@code null}
 */
record OAuth2Client(ClientRegistration registration, AuthorizationServer server, @Nullable String resource,
		@Nullable JWK key) {

	static AuthorizationGrantType grantType(GrantType grantType) {
		return switch (grantType) {
			case CLIENT_CREDENTIALS -> AuthorizationGrantType.CLIENT_CREDENTIALS;
			case AUTHORIZATION_CODE -> AuthorizationGrantType.AUTHORIZATION_CODE;
			case TOKEN_EXCHANGE -> AuthorizationGrantType.TOKEN_EXCHANGE;
			case JWT_BEARER -> AuthorizationGrantType.JWT_BEARER;
		};
	}

	/**
	 * Return the ID under which logins are stored.
	 */
	String id() {
		return this.registration.getRegistrationId();
	}

	String tokenUri() {
		return this.registration.getProviderDetails().getTokenUri();
	}

	String audience() {
		String issuer = this.server.issuer();
		return (issuer != null) ? issuer : tokenUri();
	}

	/**
	 * Return the authorization server in the form that is stored with a login.
	 */
	String authority() {
		return AuthorizationServer.canonical(audience());
	}

	OAuth2Client demanding(Set<String> more) {
		return new OAuth2Client(registration(this.registration.getAuthorizationGrantType(), more), this.server,
				this.resource, this.key);
	}

	/**
	 * Return the registration for a grant.
	 */
	ClientRegistration registration(AuthorizationGrantType grantType) {
		return registration(grantType,
				(grantType == AuthorizationGrantType.AUTHORIZATION_CODE
						&& this.server.list("scopes_supported").contains("offline_access")) ? Set.of("offline_access")
								: Set.of());
	}

	private ClientRegistration registration(AuthorizationGrantType grantType, Set<String> more) {
		Set<String> scopes = new LinkedHashSet<>(this.registration.getScopes());
		scopes.addAll(more);
		return ClientRegistration.withClientRegistration(this.registration)
			.authorizationGrantType(grantType)
			.scope(scopes)
			.build();
	}

	/**
	 * Return the metadata of a client for its registration.
	 */
	static Map<String, Object> metadata(List<String> redirectUris, String authenticationMethod) {
		return Map.of("client_name", "MCP client", "redirect_uris", redirectUris, "grant_types",
				List.of("authorization_code", "refresh_token"), "response_types", List.of("code"),
				"token_endpoint_auth_method", authenticationMethod);
	}

	/**
	 * Add the parameters that MCP requires for a login to an authorization request: PKCE,
	 * and the resource.
	 */
	void prepare(OAuth2AuthorizationRequest.Builder request) {
		OAuth2AuthorizationRequestCustomizers.withPkce().accept(request);
		if (this.resource != null) {
			request.additionalParameters((parameters) -> parameters.put("resource", this.resource));
		}
	}

	/**
	 * Validate the issuer of the response to a login (RFC 9207) by its exact text: MCP
	 * requires that not even a trailing slash is removed.
	 */
	void checkIssuer(@Nullable String issuer, Failures failures) {
		boolean announced = this.server.flag("authorization_response_iss_parameter_supported");
		if ((issuer != null) ? !issuer.equals(this.server.issuer()) : announced) {
			throw failures.of("The response to a login is not from the authorization server of the request", null,
					"Log in again; if that does not help, do not trust this server.");
		}
	}

}
