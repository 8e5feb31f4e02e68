package io.github.mcpclient.internal.session;

import java.util.List;

import io.github.mcpclient.internal.support.CallOrigin;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Responds to the requests that a server sends to the client, in any session. Safe for
 * use by many threads.
 */
public interface ServerRequests {

	/**
	 * Refuses everything.
	 */
	ServerRequests NONE = new ServerRequests() {
	};

	/**
	 * Return whether all requests are refused.
	 */
	default boolean isEmpty() {
		return true;
	}

	/**
	 * Declare the capabilities of a session that is about to open. Runs application code.
	 */
	default void declare(ClientCapabilities.Builder capabilities) {
	}

	/**
	 * Return the response to a request, or {@code null} if its method is unknown. Neither
	 * this nor subscribing blocks or runs application code. An {@link McpError} is a
	 * response, too.
	 * @param call the Reactor context of the call that led to the request, with its
	 * {@link CallOrigin}
	 */
	default @Nullable Mono<?> answer(JSONRPCRequest request, ContextView call) {
		return null;
	}

	/**
	 * Ask the user to open the pages that a call requires. Signals {@code true} when the
	 * user has completed all of them, and {@code false} if that will not happen.
	 */
	default Mono<Boolean> open(List<ElicitUrlRequest> urls, ContextView call) {
		return Mono.just(false);
	}

	/**
	 * The server reports that the user completed an elicitation.
	 */
	default void completed(String elicitationId) {
	}

}
