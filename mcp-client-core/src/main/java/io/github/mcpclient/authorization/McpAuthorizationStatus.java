package io.github.mcpclient.authorization;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * By what the requests to a server are authorized now. It never has a token.
 *
 * @param type the configured type of authorization
 * @param issuer the authorization server, if it is known yet
 * @param scopes what was granted to the user, otherwise to the application; {@code null}
 * if there is no token
 * @param expires when that token expires, or {@code null} if that is not known
 * @param refreshable whether that token is renewed without another login; {@code null} if
 * there is none
 * @param user whose token that is, which is the user who asks; {@code null} for that of
 * the application
 * @param users the number of users who have a token, or {@code null} if it is not on
 * behalf of users or not known, as where Spring Security stores their logins
 */
public record McpAuthorizationStatus(String type, @Nullable String issuer, @Nullable List<String> scopes,
		@Nullable Instant expires, @Nullable Boolean refreshable, @Nullable String user, @Nullable Integer users) {

	/**
	 * Create the status of an authorization of which nothing else is known.
	 */
	public static McpAuthorizationStatus of(String type) {
		return new McpAuthorizationStatus(type, null, null, null, null, null, null);
	}

}
