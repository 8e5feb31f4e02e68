package io.github.mcpclient.authorization;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The rejection of a request by a server for lack of authorization.
 *
 * @param status the HTTP status: 401 or 403
 * @param wwwAuthenticate the values of the header {@code WWW-Authenticate}, unparsed, as
 * the server sent them; at most 10, of at most 8192 characters each
 * @param refused the headers of the authorizer in the request; secret
 * @param attempt how many times the request has been rejected, including this time
 * @param address the address that sent the rejection; {@code null} if it may not be the
 * address of the server, as with a proxy
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
		// a challenge may contain credentials of the request
		return "McpAuthorizationChallenge[status=" + this.status + ", attempt=" + this.attempt + "]";
	}

}
