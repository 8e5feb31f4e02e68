package io.github.mcpclient.authorization;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A server's refusal of a request for lack of authorization.
 *
 * @param status the HTTP status: 401, or 403
 * @param wwwAuthenticate the values of the header {@code WWW-Authenticate}, unparsed, as
 * the server sent them; at most 10, of at most 8192 characters each
 * @param refused the authorizer's headers that the request had; secret
 * @param attempt how many times the request has been refused, this time included
 * @param address the address that the refusal came from; {@code null} if that is not
 * known to be the server's, as with a proxy
 */
public record McpAuthorizationChallenge(int status, List<String> wwwAuthenticate, Map<String, String> refused,
		int attempt, @Nullable InetAddress address) {

	public McpAuthorizationChallenge {
		wwwAuthenticate = List.copyOf(wwwAuthenticate);
		refused = Map.copyOf(refused);
	}

	/**
	 * Create a challenge from an unknown address.
	 */
	public McpAuthorizationChallenge(int status, List<String> wwwAuthenticate, Map<String, String> refused,
			int attempt) {
		this(status, wwwAuthenticate, refused, attempt, null);
	}

	@Override
	public String toString() {
		// a challenge may repeat what the request had
		return "McpAuthorizationChallenge[status=" + this.status + ", attempt=" + this.attempt + "]";
	}

}
