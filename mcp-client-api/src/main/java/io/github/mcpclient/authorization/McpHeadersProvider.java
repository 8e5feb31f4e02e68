package io.github.mcpclient.authorization;

import java.util.Map;
import java.util.function.Function;

import reactor.core.publisher.Mono;

/**
 * Strategy interface that provides headers for the HTTP requests to MCP servers, such as
 * the token of the user on whose behalf a tool is called. Beans of this type are called
 * in {@code @Order} order. If several provide the same header, ignoring case, the first
 * one is used, and replaces a configured header. Implementations must be thread-safe.
 *
 * <p>
 * <b>Servers.</b> A provider is called for every server that uses one of the built-in
 * HTTP transports, unless {@link #forServer} limits it to one server. Headers for one
 * server are never sent to another server, even after a redirect.
 *
 * <p>
 * <b>Requests.</b> A provider is called once per call of a tool, prompt, resource or
 * completion, before the call waits for a free slot or a new session. All HTTP requests
 * of that call carry these headers, including a retry and the cancellation. For any other
 * HTTP request (handshake, listing, ping, event stream, response to the server, end of
 * the session), it is called once, with {@link McpHeadersRequest#ofCaller()}
 * {@code false}. These requests serve all users: do not provide the header of one user
 * for them.
 *
 * <p>
 * <b>Threads.</b> A provider may block, and may use {@code SecurityContextHolder} and
 * {@code ReactiveSecurityContextHolder}. If the caller is on a thread that may block, the
 * provider runs on that thread. Otherwise it runs on a thread that may block, with the
 * caller's thread-bound values that Micrometer's context-propagation library knows. In
 * both cases its result is subscribed to with the caller's Reactor context. For a request
 * without a caller, it runs on a thread that may block, with no context bound.
 *
 * <p>
 * <b>Failures.</b> An exception that a provider throws is propagated to the caller; other
 * callers and the connection are not affected. A request without a caller fails. A
 * provider that exceeds the timeout of the call, or {@code connect-timeout} for a request
 * without a caller, is interrupted, and the request fails. The request also fails if a
 * provider returns an invalid header, a header that belongs to the protocol or to HTTP
 * itself, such as {@code Mcp-Session-Id}, {@code Content-Type} or {@code Host}, or a
 * credential that is the default {@code toString()} of a Java object. Values are masked
 * in logs and exceptions.
 */
@FunctionalInterface
public interface McpHeadersProvider {

	/**
	 * Provide headers.
	 * @return names and values; empty, or an empty map, for no headers
	 */
	Mono<Map<String, String>> headers(McpHeadersRequest request);

	/**
	 * Create a provider from a function that returns the headers. The function may block.
	 * @param headers returns names and values; {@code Map.of()} for no headers
	 */
	static McpHeadersProvider of(Function<McpHeadersRequest, Map<String, String>> headers) {
		return (request) -> Mono.fromSupplier(() -> headers.apply(request));
	}

	/**
	 * Limit a provider to one server.
	 * @param provider the provider, called for that server only
	 */
	static McpHeadersProvider forServer(String name, McpHeadersProvider provider) {
		return (request) -> request.server().name().equals(name) ? provider.headers(request) : Mono.empty();
	}

}
