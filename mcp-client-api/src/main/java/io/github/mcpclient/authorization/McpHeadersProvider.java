package io.github.mcpclient.authorization;

import java.util.Map;
import java.util.function.Function;

import reactor.core.publisher.Mono;

/**
 * Provides headers for the HTTP requests to MCP servers, such as the token of the user on
 * whose behalf a tool is called. Beans of this type are asked in {@code @Order} order; if
 * several provide the same header, ignoring case, the first wins, and it replaces a
 * configured one. Must be safe for use by many threads.
 *
 * <p>
 * <b>Servers.</b> A provider is asked for every server that is reached by one of the
 * built-in HTTP transports, unless {@link #forServer} limits it to one. Headers for one
 * server reach no other, not even by a redirect.
 *
 * <p>
 * <b>Requests.</b> A provider is asked once per call of a tool, prompt, resource or
 * completion, before the call waits for a free slot or a new session. All HTTP requests
 * of that call carry these headers, including a retry and the cancellation. For any other
 * HTTP request (handshake, listing, ping, event stream, answer to the server, end of the
 * session) it is asked once, with {@link McpHeadersRequest#ofCaller()} {@code false}.
 * Those requests serve all users: do not provide the header of one user for them.
 *
 * <p>
 * <b>Threads.</b> A provider may block, and may use {@code SecurityContextHolder} and
 * {@code ReactiveSecurityContextHolder}. If the caller is on a thread that may block, the
 * provider runs on that thread. Otherwise it runs on a thread that may block, with the
 * caller's thread-bound values that Micrometer's context-propagation library knows. In
 * both cases its result is subscribed to with the caller's Reactor context. For a request
 * without a caller it runs on a thread that may block, with nothing bound.
 *
 * <p>
 * <b>Failures.</b> The caller gets what a provider throws; other callers and the
 * connection are not affected. A request without a caller fails. A provider that exceeds
 * the timeout of the call, or {@code connect-timeout} for a request without a caller, is
 * interrupted, and the request fails. It also fails if a provider returns a header that
 * is not valid, one that belongs to the protocol or to HTTP itself, such as
 * {@code Mcp-Session-Id}, {@code Content-Type} or {@code Host}, or a credential that is
 * the default text of a Java object. Values are kept out of logs and exceptions.
 */
@FunctionalInterface
public interface McpHeadersProvider {

	/**
	 * Provide headers.
	 * @return names and values; empty, or an empty map, for none
	 */
	Mono<Map<String, String>> headers(McpHeadersRequest request);

	/**
	 * Create a provider from a function that returns the headers, and may block.
	 * @param headers returns names and values; {@code Map.of()} for none
	 */
	static McpHeadersProvider of(Function<McpHeadersRequest, Map<String, String>> headers) {
		return (request) -> Mono.fromSupplier(() -> headers.apply(request));
	}

	/**
	 * Limit a provider to one server.
	 * @param provider the provider to ask for that server only
	 */
	static McpHeadersProvider forServer(String name, McpHeadersProvider provider) {
		return (request) -> request.server().name().equals(name) ? provider.headers(request) : Mono.empty();
	}

}
