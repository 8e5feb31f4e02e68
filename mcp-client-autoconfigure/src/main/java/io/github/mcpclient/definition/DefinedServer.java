package io.github.mcpclient.definition;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerOrigin;

/**
 * A server, as it is defined and where.
 */
public record DefinedServer(McpServerDefinition definition, McpServerOrigin origin) {

	/**
	 * Returns the configured name.
	 */
	public String name() {
		return this.definition.name();
	}

}
