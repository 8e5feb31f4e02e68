package io.github.mcpclient.handler;

import io.github.mcpclient.definition.McpServerDefinition;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * The server of a request to a handler, and the caller on whose behalf it is made.
 *
 * <p>
 * The caller is the one whose call led to the request. It is known only over streamable
 * HTTP, if the server sends the request on the stream of that call's response. In this
 * case, the values that were bound to the caller's thread, such as the
 * {@code SecurityContext} of its user, are bound to the handler's thread, if Micrometer's
 * context-propagation library knows them. Otherwise, only the observation of the request
 * is bound.
 *
 * @param server the server
 * @param caller the Reactor context of the call, or {@code null} if the caller is unknown
 * @param depth the nesting depth of the request in calls of handlers; 1 if it is not
 * nested. If the caller is unknown, all pending calls count
 */
public record McpHandlerContext(McpServerDefinition server, @Nullable ContextView caller, int depth) {

	/**
	 * Return the configured name of the server.
	 */
	public String serverName() {
		return this.server.name();
	}

	/**
	 * Omit the content of the context, which may be secret.
	 */
	@Override
	public String toString() {
		return "McpHandlerContext[" + serverName() + ", depth=" + this.depth + "]";
	}

}
