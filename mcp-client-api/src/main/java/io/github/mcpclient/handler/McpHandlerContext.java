package io.github.mcpclient.handler;

import io.github.mcpclient.definition.McpServerDefinition;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Which server asks a handler, and on whose behalf.
 *
 * <p>
 * The caller is the one whose call led to the request. It is known only over streamable
 * HTTP, when the server asks on the stream of that call's response. What was bound to the
 * caller's thread, such as the {@code SecurityContext} of its user, is then bound to the
 * handler's thread, as far as Micrometer's context-propagation library knows it.
 * Otherwise nothing is bound but the observation of the request.
 *
 * @param server the server
 * @param caller the Reactor context of the call, or {@code null} if the caller is unknown
 * @param depth how deep the request is nested in calls of handlers; 1 if it is not
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
	 * Without what the context holds, which may be secret.
	 */
	@Override
	public String toString() {
		return "McpHandlerContext[" + serverName() + ", depth=" + this.depth + "]";
	}

}
