package io.github.mcpclient.auth.oauth2;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;

/**
 * What the application is to the authorization server of a server.
 *
 * @param registration the client
 * @param server the authorization server
 * @param resource the identifier of the server, for which tokens are requested
 * @param scopes the scopes to request
 * @param assertion the client's key, or {@code null}
 */
record OAuth2Client(ClientRegistration registration, AuthorizationServer server, String resource, Set<String> scopes,
		@Nullable ClientAssertion assertion) {

	String tokenUri() {
		return this.registration.getProviderDetails().getTokenUri();
	}

	/**
	 * Returns the same with more scopes.
	 */
	OAuth2Client demanding(Set<String> more) {
		Set<String> union = new LinkedHashSet<>(this.scopes);
		union.addAll(more);
		return new OAuth2Client(this.registration, this.server, this.resource, union, this.assertion);
	}

	/**
	 * Returns the registration for a grant, with the scopes.
	 */
	ClientRegistration registration(AuthorizationGrantType grantType) {
		Set<String> scopes = new LinkedHashSet<>(this.scopes);
		if (grantType == AuthorizationGrantType.AUTHORIZATION_CODE
				&& this.server.list("scopes_supported").contains("offline_access")) {
			scopes.add("offline_access");
		}
		return ClientRegistration.withClientRegistration(this.registration)
			.authorizationGrantType(grantType)
			.scope(scopes)
			.build();
	}

	/**
	 * Adds what MCP demands of a login to an authorization request: PKCE, and the
	 * resource.
	 */
	void prepare(OAuth2AuthorizationRequest.Builder request) {
		OAuth2AuthorizationRequestCustomizers.withPkce().accept(request);
		request.additionalParameters((parameters) -> parameters.put("resource", this.resource));
	}

	/**
	 * Validates who answered a login (RFC 9207).
	 */
	void checkIssuer(@Nullable String issuer, Failures failures) {
		boolean announced = this.server.flag("authorization_response_iss_parameter_supported");
		if ((issuer != null) ? !issuer.equals(this.server.issuer()) : announced) {
			throw failures.of("The answer to a login is not from the authorization server that was asked", null,
					"Log in again; if that does not help, do not trust this server.");
		}
	}

	static String decode(String value) {
		return URLDecoder.decode(value, StandardCharsets.UTF_8);
	}

}
