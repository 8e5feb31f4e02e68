package io.github.mcpclient;

import java.util.List;
import java.util.Map;

/**
 * A server's refusal of a request for lack of authorization.
 *
 * @param status the HTTP status: 401, or 403
 * @param wwwAuthenticate the values of the header {@code WWW-Authenticate}, unparsed, as
 * the server sent them; at most 10, of at most 8192 characters each
 * @param refused the authorizer's headers that the request had; secret
 * @param attempt how many times the request has been refused, this time included
 */
public record McpAuthorizationChallenge(int status, List<String> wwwAuthenticate, Map<String, String> refused,
		int attempt) {

	public McpAuthorizationChallenge {
		wwwAuthenticate = List.copyOf(wwwAuthenticate);
		refused = Map.copyOf(refused);
	}

	@Override
	public String toString() {
		// a challenge may repeat what the request had
		return "McpAuthorizationChallenge[status=" + this.status + ", attempt=" + this.attempt + "]";
	}

}
