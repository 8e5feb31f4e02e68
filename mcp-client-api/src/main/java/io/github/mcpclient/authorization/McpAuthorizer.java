package io.github.mcpclient.authorization;

import java.util.Map;

import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import reactor.core.publisher.Mono;

/**
 * Strategy interface for the authorization of HTTP requests to MCP servers. Each bean is
 * a type of authorization, used by the servers whose {@code auth.type} is the name of the
 * bean. {@code bearer}, {@code basic} and {@code oauth2} are built in. Implementations
 * must be thread-safe.
 *
 * <p>
 * <b>Headers.</b> The headers of an authorizer, usually {@code Authorization}, replace
 * configured headers and the headers of an {@link McpHeadersProvider}. They are only sent
 * to the server's origin, never with a redirect to another origin, and their values are
 * masked in logs and exceptions. Names and values follow the same rules as for a
 * provider.
 *
 * <p>
 * <b>Requests and threads</b> are as described for {@link McpHeadersProvider}: an
 * authorizer is called once per call, on a thread that may block, with the context of the
 * caller; for a request without a caller, no context is bound. {@link #reauthorize}
 * always runs on a thread of the client that may block, with the same context.
 *
 * <p>
 * <b>Failures.</b> An exception that an authorizer throws is propagated to the caller
 * unchanged, so that for instance a filter of Spring Security can start a login. A
 * request without a caller fails: a server that cannot be authorized is unavailable, and
 * the client tries again later. An authorizer that exceeds the timeout of the call, or
 * {@code connect-timeout} for a request without a caller, is interrupted, and the request
 * fails.
 *
 * @see McpServerAuth
 */
@FunctionalInterface
public interface McpAuthorizer {

	/**
	 * Authorize a request.
	 * @param request the request to authorize
	 * @return names and values of headers; empty, or an empty map, to send the request
	 * without authorization
	 */
	Mono<Map<String, String>> authorize(McpHeadersRequest request);

	/**
	 * Return new headers for a request that the server rejected with status 401 or 403. A
	 * rejected request was not executed, and is repeated with these headers: once after
	 * 401, up to three times in total.
	 * @param request the request
	 * @param challenge the rejection by the server
	 * @return names and values that replace the rejected ones. If empty, which is the
	 * default, or equal to the rejected headers, the request fails with the rejection
	 */
	default Mono<Map<String, String>> reauthorize(McpHeadersRequest request, McpAuthorizationChallenge challenge) {
		return Mono.empty();
	}

	/**
	 * Return the current authorization of requests to a server, for monitoring. Must not
	 * contact any server.
	 * @return the status, which contains no token, and describes no user other than the
	 * user who is bound to this thread
	 */
	default McpAuthorizationStatus status(McpServerDefinition server) {
		return McpAuthorizationStatus.of(server.auth().type());
	}

}
