package io.github.mcpclient.authorization;

import java.util.Map;

import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import reactor.core.publisher.Mono;

/**
 * Authorizes the HTTP requests to MCP servers. Each bean is a type of authorization: the
 * servers whose {@code auth.type} is the name of the bean use it. {@code bearer},
 * {@code basic} and {@code oauth2} are built in. Must be safe for use by many threads.
 *
 * <p>
 * <b>Headers.</b> The headers of an authorizer, usually {@code Authorization}, replace
 * configured ones and those of an {@link McpHeadersProvider}. They are sent to the
 * server's origin only, not followed by a redirect to another one, and their values are
 * kept out of logs and exceptions. The rules for names and values are those for a
 * provider.
 *
 * <p>
 * <b>Requests and threads</b> are as described for {@link McpHeadersProvider}: an
 * authorizer is asked once per call, on a thread that may block, with the context of the
 * caller; for a request without a caller, with nothing bound. {@link #reauthorize} always
 * runs on a thread of the client that may block, with the same context.
 *
 * <p>
 * <b>Failures.</b> The caller gets what an authorizer throws, as it is, so that for
 * instance a filter of Spring Security can start a login. A request without a caller
 * fails: a server that cannot be authorized is unavailable and is tried again later. An
 * authorizer that exceeds the timeout of the call, or {@code connect-timeout} for a
 * request without a caller, is interrupted, and the request fails.
 *
 * @see McpServerAuth
 */
@FunctionalInterface
public interface McpAuthorizer {

	/**
	 * Authorize a request.
	 * @param request the request that is about to be sent
	 * @return names and values of headers; empty, or an empty map, to send the request
	 * without authorization
	 */
	Mono<Map<String, String>> authorize(McpHeadersRequest request);

	/**
	 * Give other headers for a request that the server refused with status 401 or 403. A
	 * refused request was not executed, and is repeated with these headers: once after
	 * 401, up to three times in total.
	 * @param request the request
	 * @param challenge the server's refusal
	 * @return names and values that replace those refused; empty, or the headers that
	 * were refused, to let the request fail with the server's refusal, which is the
	 * default
	 */
	default Mono<Map<String, String>> reauthorize(McpHeadersRequest request, McpAuthorizationChallenge challenge) {
		return Mono.empty();
	}

	/**
	 * Return how requests to a server are authorized now, for operators. Must contact no
	 * server.
	 * @return the status, which contains no token, and describes no user but the one who
	 * is bound to this thread
	 */
	default McpAuthorizationStatus status(McpServerDefinition server) {
		return McpAuthorizationStatus.of(server.auth().type());
	}

}
