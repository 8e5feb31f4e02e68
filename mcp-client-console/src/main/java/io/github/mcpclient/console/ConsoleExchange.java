package io.github.mcpclient.console;

import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * A request to the console, independent of the web stack.
 *
 * @param path the decoded parts of the path below that of the page, the last of which is
 * empty after a slash
 * @param user the user who is signed in, or empty; never an anonymous user
 * @param csrf the CSRF token that Spring Security requires for writing requests, or empty
 * @param forwarded whether a proxy may have set the address or the headers
 * @param writable whether the client reads the response, if the stack has no backpressure
 * for that
 */
record ConsoleExchange(ServerHttpRequest request, ServerHttpResponse response, List<String> path, Mono<Principal> user,
		Mono<Csrf> csrf, boolean forwarded, BooleanSupplier writable) {

	static final String PATH = "/mcp-console";

	/**
	 * Return the decoded parts of a path, the last of which is empty after a slash.
	 */
	static List<String> parts(PathContainer path) {
		List<String> parts = new ArrayList<>();
		for (PathContainer.Element element : path.elements()) {
			if (element instanceof PathSegment segment && !parts.isEmpty()) {
				parts.set(parts.size() - 1, segment.valueToMatch());
			}
			else {
				parts.add("");
			}
		}
		return parts;
	}

	@Nullable String header(String name) {
		return this.request.getHeaders().getFirst(name);
	}

	/**
	 * A token, and the header that carries it.
	 */
	record Csrf(String header, String token) {
	}

}
