package io.github.mcpclient.authorization;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The current authorization of requests to a server. It never contains a token.
 *
 * @param type the configured type of authorization
 * @param issuer the authorization server, or {@code null} if it is not known yet
 * @param scopes the scopes granted to the user, or else to the application; {@code null}
 * if there is no token
 * @param expires the expiry of that token, or {@code null} if it is not known
 * @param refreshable whether that token is renewed without another login; {@code null} if
 * there is no token
 * @param user the current user, if the token belongs to them; {@code null} for a token of
 * the application
 * @param users the number of users who have a token, or {@code null} if requests are not
 * authorized for users, or if it is not known, for instance because Spring Security
 * stores their logins
 */
public record McpAuthorizationStatus(String type, @Nullable String issuer, @Nullable List<String> scopes,
		@Nullable Instant expires, @Nullable Boolean refreshable, @Nullable String user, @Nullable Integer users) {

	/**
	 * Create a status that contains only the type of authorization.
	 */
	public static McpAuthorizationStatus of(String type) {
		return new McpAuthorizationStatus(type, null, null, null, null, null, null);
	}

}
