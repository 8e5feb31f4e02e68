package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.security.oauth2.client.endpoint.JwtBearerGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientJwtBearerTokenResponseClient;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.jwt.Jwt;

/**
 * Requests tokens with an assertion (RFC 7523) that the platform keeps in a file, and
 * replaces there before it expires.
 */
record PlatformAssertion(Path file, TokenClients tokens, Failures failures) implements ServerTokens.Grant {

	@Override
	public OAuth2AccessToken request(OAuth2Client client) {
		return this.tokens
			.request(this.tokens.configure(new RestClientJwtBearerTokenResponseClient(), client),
					new JwtBearerGrantRequest(client.registration(AuthorizationGrantType.JWT_BEARER), read()))
			.getAccessToken();
	}

	private Jwt read() {
		try {
			// no more than the value is sent
			return Jwt.withTokenValue(Files.readString(this.file).strip())
				.header("typ", "JWT")
				.claim("file", this.file.toString())
				.build();
		}
		catch (IOException | IllegalArgumentException ex) {
			throw this.failures.of("There is no assertion in " + this.file, ex.getClass().getSimpleName(),
					"Set {auth}.oauth2.assertion-file to the file in which the platform keeps it.");
		}
	}

}
