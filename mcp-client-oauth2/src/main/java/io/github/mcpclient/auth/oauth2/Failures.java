package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.auth.oauth2.AuthorizationHttp.Response;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Creates the exceptions of a server's authorization. Their messages contain no secrets,
 * and untrusted text only as one line of limited length, without characters that could
 * deceive a reader.
 */
record Failures(McpServerDefinition definition) {

	private static final int MAX_QUOTE = 200;

	/**
	 * Create an exception. In the next step, {@code {auth}} stands for the server's
	 * property.
	 * @param quoted text of another party, or {@code null}
	 */
	TransportException of(String summary, @Nullable String quoted, String nextStep) {
		String property = PropertyNames.ofServer(this.definition.name(), "auth");
		return new TransportException(summary, (quoted != null) ? ": " + line(quoted) : "",
				nextStep.replace("{auth}", property), false, null)
			.atStep(McpServerStatus.StepKind.TOKEN);
	}

	/**
	 * Create the exception for an authorization server that requests a delay.
	 */
	TransportException patience(String tokenUri, int status, Duration retryAfter) {
		return new HttpStatusException(status,
				"The authorization server at " + url(tokenUri) + " accepts no requests for now",
				": HTTP " + status + ", retry after " + retryAfter.toSeconds() + " s", null, false, retryAfter)
			.atStep(McpServerStatus.StepKind.TOKEN);
	}

	/**
	 * Create the exception for a page with which a gateway rejected the client, or return
	 * {@code null} if the response is no such page.
	 */
	@Nullable TransportException gateway(String url, Response response) {
		String refusal = HttpStatusException.gateway(url(url), response.status().value(), response.headers()::getFirst,
				response.body());
		return (refusal != null) ? of(line(refusal), null, HttpStatusException.letThrough(this.definition.name()) + ".")
				: null;
	}

	/**
	 * Create the exception for the refusal of a token.
	 * @param secrets the secrets of the request, which the response may repeat
	 */
	TransportException refusal(String tokenUri, TokenAnswer error, Secrets secrets) {
		String server = "The authorization server at " + url(tokenUri);
		String quoted = secrets.line(error.quote(), MAX_QUOTE);
		String id = this.definition.auth().oauth2().registrationId();
		TransportException worded = switch (error.meaning()) {
			case "invalid_client" -> of(server + " does not accept the client's credentials", quoted,
					"Check the client ID, its secret or key, and "
							+ ((id != null) ? "spring.security.oauth2.client.registration." + id : "{auth}.oauth2")
							+ ".client-authentication-method.");
			case "invalid_scope" -> of(server + " refuses the scopes", quoted, step(error, ""));
			default -> of(server + " refuses to issue a token", quoted,
					step(error, step("Check what the authorization server allows the client, and {auth}.oauth2.*.")));
		};
		return new TokenRefusalException(worded, error);
	}

	/**
	 * Create the exception for the refusal of a login.
	 * @param parameters the parameters of the redirect
	 */
	TransportException loginRefusal(Map<String, ?> parameters) {
		TokenAnswer error = new TokenAnswer(400, Map.copyOf(parameters), null, List.of());
		return of("The login was refused", error.quote(), step(error, "Log in again, and grant access."));
	}

	private static String step(TokenAnswer error, String otherwise) {
		return switch (error.meaning()) {
			case "invalid_scope" -> "Set {auth}.oauth2.scopes to scopes that the client may have.";
			case TokenAnswer.INVALID_TARGET -> "Set {auth}.oauth2.resource to the name that the authorization "
					+ "server has for the server, or to none if it accepts no resource.";
			default -> otherwise;
		};
	}

	/**
	 * Create the exception for a response that is not a token.
	 * @param wrong the reason, without untrusted text
	 */
	TransportException noToken(String tokenUri, String wrong) {
		return of("The authorization server at " + url(tokenUri) + " sent a response that is not a token: " + wrong,
				null, step("Check {auth}.oauth2.token-uri."));
	}

	/**
	 * Return the next step. If the client has no means to authenticate itself, the
	 * authorization server may respond with anything, such as its login page: then the
	 * next step is to configure a secret.
	 */
	private String step(String otherwise) {
		OAuth2 settings = this.definition.auth().oauth2();
		boolean unproven = settings.clientId() != null && !StringUtils.hasText(settings.clientSecret())
				&& settings.clientAuthenticationMethod() == null && settings.privateKey() == null
				&& settings.privateKeyBundle() == null;
		return unproven ? "Set {auth}.oauth2.client-secret, unless the client is public." : otherwise;
	}

	String line(String text) {
		return Redaction.urls(McpServerSecrets.of(this.definition).line(text, MAX_QUOTE));
	}

	String url(String url) {
		URI uri = AuthorizationHttp.parse(url);
		return (uri != null) ? Redaction.url(uri) : line(url);
	}

}
