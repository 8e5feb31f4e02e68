package io.github.mcpclient.handler;

import java.util.List;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema.Root;

/**
 * Provides the roots of a server, which are the directories and files that it may work on
 * ({@code roots/list}). Beans of this type add to what {@code roots.directories} of the
 * server configures. Roots are a hint to the server, and do not restrict its access.
 *
 * <p>
 * Called concurrently, on threads that may block, within {@code request-timeout}.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-11-25/client/roots">Roots</a>
 */
@FunctionalInterface
public interface McpRootsProvider {

	/**
	 * Return the roots at this moment.
	 * @return roots whose uri begins with {@code file:}
	 */
	List<Root> roots(McpHandlerContext context);

	/**
	 * Return whether this provider serves a server. Called for each attempt to connect.
	 */
	default boolean supports(McpServerDefinition server) {
		return true;
	}

}
