package io.github.mcpclient.rules;

import io.github.mcpclient.McpServerOrigin;
import io.github.mcpclient.definition.McpServerDefinition;

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
