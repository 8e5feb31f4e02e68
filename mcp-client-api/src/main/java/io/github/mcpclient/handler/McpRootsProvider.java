package io.github.mcpclient.handler;

import java.util.List;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema.Root;

/**
 * Strategy interface for providers of roots, which are the directories and files that a
 * server may work on ({@code roots/list}). The roots of all beans of this type are added
 * to {@code roots.directories} of the server. Roots are a hint to the server, and do not
 * restrict its access.
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
	 * Return the current roots.
	 * @return roots whose URI begins with {@code file:}
	 */
	List<Root> roots(McpHandlerContext context);

	/**
	 * Return whether this provider supports a server. Called for each attempt to connect.
	 */
	default boolean supports(McpServerDefinition server) {
		return true;
	}

}
