package io.github.mcpclient.spi;

import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.McpDiagnosis;
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

	/**
	 * Create a transport for a {@linkplain io.github.mcpclient.McpServer#diagnose()
	 * check} of a server, which is thrown away after. By default, this is one as any
	 * other, and the check has the steps that all transports share.
	 * @param steps is told, on any thread and until the transport is closed, of each step
	 * on the way to the server: first, that it was {@code SKIPPED}; the latest of each
	 * kind counts. A failure that ends the transport need not be told
	 */
	default McpClientTransport create(McpServerDefinition definition, Consumer<McpDiagnosis.Step> steps) {
		return create(definition);
	}

}
