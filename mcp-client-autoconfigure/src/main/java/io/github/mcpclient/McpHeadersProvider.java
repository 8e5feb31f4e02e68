package io.github.mcpclient;

import java.util.Map;
import java.util.function.Function;

import reactor.core.publisher.Mono;

/**
 * Gives the HTTP requests to MCP servers headers, such as the token of the user for whom
 * a tool is called. Beans of this type are asked in their order; of two headers with one
 * name, whatever its case, the first counts, and it replaces a configured one. An
 * instance is used by many threads at a time.
 *
 * <p>
 * <b>For whom.</b> A bean is asked for each server, unless it is limited with
 * {@link #forServer}: what it gives for one server reaches that server only, and no other
 * origin by a redirect.
 *
 * <p>
 * <b>When.</b> Once for each call of a caller (a tool, a prompt, a resource, a
 * completion), before it waits for its turn or for a new session: all HTTP requests of
 * that call have these headers, be it a repetition or the cancellation. Once for each
 * other HTTP request, with {@link McpHeadersRequest#ofCaller()} {@code false}: those of
 * the handshake, listings, pings, streams of events, answers to the server, and the end
 * of the session. They serve all users, so that the header of one user has no place
 * there. Servers that are not reached over HTTP are not asked for, and the transports of
 * a factory of the application get none.
 *
 * <p>
 * <b>Where.</b> For a caller on a thread that may block: on that thread, so that what is
 * bound to it is there. For a caller on any other, such as an event loop: on a thread
 * that may block, where what Micrometer's context-propagation library knows is bound as
 * it was to the caller's, if that library is on the class path. In both cases the result
 * is subscribed to in the caller's Reactor context. So a provider may block, and may use
 * {@code SecurityContextHolder} and {@code ReactiveSecurityContextHolder}. For requests
 * without a caller: on a thread that may block, with nothing bound.
 *
 * <p>
 * <b>Failures.</b> What a provider throws is what that caller gets; other callers, and
 * the connection, are left alone. A request without a caller fails. A provider that takes
 * longer than the timeout of the call, or than {@code connect-timeout} for requests
 * without a caller, is interrupted, and the request fails.
 *
 * <p>
 * Headers that belong to the protocol or to HTTP itself, such as {@code Mcp-Session-Id},
 * {@code Content-Type} and {@code Host}, cannot be given; the request fails then, as it
 * does for what may not stand in a header. Values are kept out of logs and exceptions.
 */
@FunctionalInterface
public interface McpHeadersProvider {

	/**
	 * Give headers.
	 * @param request the request that is to get them
	 * @return names and values; empty, or an empty map, for none
	 */
	Mono<Map<String, String>> headers(McpHeadersRequest request);

	/**
	 * Make a provider of a function that gives the headers at once, or blocks.
	 * @param headers gives names and values; {@code Map.of()} for none
	 * @return the provider
	 */
	static McpHeadersProvider of(Function<McpHeadersRequest, Map<String, String>> headers) {
		return (request) -> Mono.fromSupplier(() -> headers.apply(request));
	}

	/**
	 * Limit a provider to one server.
	 * @param name the name of the server
	 * @param provider asked for that server, and for no other
	 * @return the provider
	 */
	static McpHeadersProvider forServer(String name, McpHeadersProvider provider) {
		return (request) -> request.server().name().equals(name) ? provider.headers(request) : Mono.empty();
	}

}
