package io.github.mcpclient.tool;

import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.support.CallerContext;
import reactor.core.publisher.Mono;

/**
 * Tells callers apart, wherever their calls have got to.
 */
final class Callers {

	private Callers() {
	}

	/**
	 * Identify the caller with what is in the Reactor context and bound to this thread:
	 * the empty text for somebody unknown.
	 */
	static Mono<String> identify(McpCallerIdentity callers) {
		return CallerContext.bound(() -> callers.identify().defaultIfEmpty(""));
	}

}
