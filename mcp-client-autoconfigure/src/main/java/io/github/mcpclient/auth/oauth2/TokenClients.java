package io.github.mcpclient.auth.oauth2;

import java.util.ArrayList;
import java.util.Collection;

import io.github.mcpclient.support.Secrets;
import org.jspecify.annotations.Nullable;

import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.oauth2.client.endpoint.AbstractOAuth2AuthorizationGrantRequest;
import org.springframework.security.oauth2.client.endpoint.AbstractRestClientOAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2RefreshTokenGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientRefreshTokenTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.web.client.RestClient;

/**
 * Makes Spring Security's token clients request tokens for a server.
 */
final class TokenClients {

	private final RestClient restClient;

	private final Failures failures;

	TokenClients(AuthorizationHttp http, Failures failures) {
		this.restClient = RestClient.builder().requestFactory(http).configureMessageConverters((converters) -> {
			converters.addCustomConverter(new FormHttpMessageConverter());
			converters.addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter());
		}).defaultStatusHandler(new OAuth2ErrorResponseErrorHandler()).build();
		this.failures = failures;
	}

	/**
	 * Returns a token client that requests tokens for the server, as the client.
	 */
	<T extends AbstractOAuth2AuthorizationGrantRequest> OAuth2AccessTokenResponseClient<T> configure(
			AbstractRestClientOAuth2AccessTokenResponseClient<T> tokens, OAuth2Client client) {
		tokens.setRestClient(this.restClient);
		if (client.assertion() != null) {
			String issuer = client.server().issuer();
			tokens.addParametersConverter(client.assertion().parameters((issuer != null) ? issuer : client.tokenUri()));
		}
		tokens.setParametersCustomizer((parameters) -> {
			parameters.set("resource", client.resource());
			parameters.replaceAll((name, values) -> new HiddenValues(values));
		});
		return tokens;
	}

	/**
	 * Requests a token, with failures worded.
	 */
	<T extends AbstractOAuth2AuthorizationGrantRequest> OAuth2AccessTokenResponse request(
			OAuth2AccessTokenResponseClient<T> tokens, T request) {
		try {
			return tokens.getTokenResponse(request);
		}
		catch (OAuth2AuthorizationException ex) {
			throw this.failures.of(ex, request.getClientRegistration().getProviderDetails().getTokenUri());
		}
	}

	/**
	 * Renews a token, or returns {@code null} if the grant has ended.
	 */
	@Nullable OAuth2AccessTokenResponse refresh(OAuth2Client client, ClientRegistration registration, OAuth2AccessToken token,
			OAuth2RefreshToken refreshToken) {
		try {
			return configure(new RestClientRefreshTokenTokenResponseClient(), client)
				.getTokenResponse(new OAuth2RefreshTokenGrantRequest(registration, token, refreshToken));
		}
		catch (OAuth2AuthorizationException ex) {
			if (OAuth2ErrorCodes.INVALID_GRANT.equals(ex.getError().getErrorCode())) {
				return null;
			}
			throw this.failures.of(ex, client.tokenUri());
		}
	}

	/**
	 * Values of parameters that do not show where {@link RestClient} logs a request.
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
