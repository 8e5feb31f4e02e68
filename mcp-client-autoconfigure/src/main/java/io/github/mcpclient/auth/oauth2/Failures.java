package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.util.Map;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.Redaction;
import io.github.mcpclient.transport.McpServerSecrets;
import io.github.mcpclient.transport.TransportException;
import org.jspecify.annotations.Nullable;

import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.web.client.RestClientResponseException;

/**
 * Words the failures of a server's authorization, with no secret and no foreign text as
 * it is.
 */
record Failures(McpServerDefinition definition) {

	private static final int MAX_QUOTE = 200;

	/**
	 * Words a failure. In the next step, {@code {auth}} stands for the server's property.
	 * @param quoted what a foreign party said, or {@code null}
	 */
	TransportException of(String summary, @Nullable String quoted, String nextStep) {
		String property = "mcp.servers." + this.definition.name() + ".auth";
		return new TransportException(summary, (quoted != null) ? ": " + line(quoted) : "",
				nextStep.replace("{auth}", property), false, null);
	}

	/**
	 * Words the refusal of a token. The exception itself may quote the answer, and so is
	 * no cause.
	 */
	TransportException of(OAuth2AuthorizationException failure, String tokenUri) {
		String server = "The authorization server at " + url(tokenUri);
		String code = String.valueOf(failure.getError().getErrorCode());
		String description = failure.getError().getDescription();
		// Spring Security reads the error of an answer with status 400 only
		if (failure.getCause() instanceof RestClientResponseException response) {
			Map<String, Object> body = AuthorizationHttp.json(response.getResponseBodyAsByteArray());
			Object error = (body != null) ? body.get("error") : null;
			code = (error instanceof String text) ? text : String.valueOf(response.getStatusCode().value());
			description = (body != null && body.get("error_description") instanceof String text) ? text : null;
		}
		String quoted = (description != null) ? code + " (" + description + ")" : code;
		return switch (code) {
			case "invalid_client", "401" -> of(server + " does not accept the client's credentials", quoted,
					"Check the client's id, its secret or key, and {auth}.oauth2.client-authentication-method.");
			case "invalid_scope" -> of(server + " refuses the scopes", quoted,
					"Set {auth}.oauth2.scopes to those that the client may have.");
			case "invalid_token_response" ->
				of(server + " gave an answer that is not a token", null, "Check {auth}.oauth2.token-uri.");
			default -> of(server + " refuses a token", quoted,
					"Check what the authorization server allows the client, and {auth}.oauth2.*.");
		};
	}

	String line(String text) {
		return Redaction.urls(McpServerSecrets.of(this.definition).line(text, MAX_QUOTE));
	}

	String url(String url) {
		try {
			return Redaction.url(URI.create(url));
		}
		catch (IllegalArgumentException ex) {
			return line(url);
		}
	}

}
