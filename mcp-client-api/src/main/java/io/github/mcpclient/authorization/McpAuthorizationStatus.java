package io.github.mcpclient.authorization;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How requests to a server are authorized now. It never contains a token.
 *
 * @param type the configured type of authorization
 * @param issuer the authorization server, if it is known yet
 * @param scopes the scopes granted to the user, or else to the application; {@code null}
 * if there is no token
 * @param expires when that token expires, or {@code null} if that is not known
 * @param refreshable whether that token is renewed without another login; {@code null} if
 * there is none
 * @param user the user who asks, if that token is theirs; {@code null} for a token of the
 * application
 * @param users the number of users who have a token, or {@code null} if requests are not
 * authorized for users, or if it is not known, for instance because Spring Security
 * stores their logins
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
