package io.github.mcpclient.authorization;

import reactor.core.publisher.Mono;

/**
 * Identifies the callers of tools, for rules with {@code rate-per-caller}, for what
 * {@code tools.keep-results} keeps, and for audits. With Spring Security there is a bean
 * of this type, which knows who is signed in. Must be safe for use by many threads.
 */
@FunctionalInterface
public interface McpCallerIdentity {

	/**
	 * Identify the caller. Must not block. The Reactor context of the caller is there, as
	 * are thread-bound values that Micrometer's context-propagation library knows.
	 * @return a text that only this caller has, the same for each call; empty if the
	 * caller is unknown. All unknown callers count as one
	 */
	Mono<String> identify();

	/**
	 * Name the caller for people, as in an audit. Must not block. What is there is the
	 * same as for {@link #identify()}, whose text this is by default.
	 * @return a name, which others may have, too; empty if the caller is unknown
	 */
	default Mono<String> name() {
		return identify();
	}

}
