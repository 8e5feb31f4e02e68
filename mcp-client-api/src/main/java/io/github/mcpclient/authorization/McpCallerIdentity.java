package io.github.mcpclient.authorization;

import reactor.core.publisher.Mono;

/**
 * Strategy interface that identifies the callers of tools, for rules with
 * {@code rate-per-caller}, for results that {@code tools.keep-results} retains, and for
 * audits. With Spring Security, a bean of this type identifies the signed-in user.
 * Implementations must be thread-safe.
 */
@FunctionalInterface
public interface McpCallerIdentity {

	/**
	 * Identify the caller. Must not block. The Reactor context of the caller is
	 * available, as are thread-bound values that Micrometer's context-propagation library
	 * knows.
	 * @return a text that is unique to this caller and the same for each call; empty if
	 * the caller is unknown. All unknown callers count as one caller
	 */
	Mono<String> identify();

	/**
	 * Return a readable name of the caller, for example for an audit. Must not block. The
	 * same context is available as for {@link #identify()}, whose text is the default.
	 * @return a name, which need not be unique; empty if the caller is unknown
	 */
	default Mono<String> name() {
		return identify();
	}

}
