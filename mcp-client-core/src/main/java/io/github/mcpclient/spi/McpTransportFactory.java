package io.github.mcpclient.spi;

import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpClientTransport;

/**
 * Creates transports of one or more types. A bean of this type adds its types to the
 * built-in ones, and replaces a built-in type of the same name. Safe for use by many
 * threads.
 */
public interface McpTransportFactory {

	/**
	 * Return the transport types that this factory creates, the canonical one first; the
	 * others are aliases of it.
	 * @return the types, as users write them at {@code mcp.servers.<name>.type}
	 */
	Set<String> types();

	/**
	 * Create a transport for one attempt to connect. Must not block: connecting happens
	 * when the transport is subscribed to. Each call must return a new instance.
	 * @param definition the server to connect to;
	 * {@linkplain McpServerDefinition#options() options} of a type that the application
	 * adds stand in {@code mcp.servers.<name>.options}
	 * @return a new transport; a {@link SupervisedTransport} tells of its death at once,
	 * any other one only when a message cannot be sent
	 */
	McpClientTransport create(McpServerDefinition definition);

}
