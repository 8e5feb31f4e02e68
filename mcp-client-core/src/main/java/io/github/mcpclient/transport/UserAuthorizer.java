package io.github.mcpclient.transport;

import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.definition.McpServerDefinition;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * An authorizer that tells users apart, so that a server can have a connection for each.
 */
public interface UserAuthorizer extends McpAuthorizer {

	/**
	 * Identifies the user of the caller, without blocking. Fails where nobody is signed
	 * in; empty for a server whose requests are not on behalf of users.
	 */
	Mono<User> user(McpServerDefinition server);

	/**
	 * Adds the user whom this thread has to a Reactor context, which takes precedence.
	 */
	default Context withThread(Context context) {
		return context;
	}

	/**
	 * A user. Does not show when it is printed, as a key may be a token.
	 *
	 * @param key the same for the same user
	 * @param context what identifies the user in a Reactor context; nothing of a request
	 */
	record User(Object key, Context context) {

		@Override
		public String toString() {
			return "User";
		}

	}

}
