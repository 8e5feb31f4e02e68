package io.github.mcpclient.spi;

import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.McpDiagnosis;
import io.modelcontextprotocol.spec.McpClientTransport;

/**
 * Creates transports of one or more types. A bean of this type adds its types to the
 * built-in ones, and replaces a built-in type of the same name. Must be safe for use by
 * many threads.
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
	 * adds are set at {@code mcp.servers.<name>.options}
	 * @return a new transport; a {@link SupervisedTransport} reports at once that it has
	 * died, any other only when a message cannot be sent
	 */
	McpClientTransport create(McpServerDefinition definition);

	/**
	 * Create a transport for a
	 * {@linkplain io.github.mcpclient.management.ManagedMcpServer#diagnose() check} of a
	 * server, which is discarded afterwards. By default, this is a transport as for any
	 * connection, and the check has only the steps that all transports share.
	 * @param steps accepts, on any thread and until the transport is closed, each step on
	 * the way to the server: first as {@code SKIPPED}, then with its outcome, since the
	 * latest of each kind counts. A failure that ends the transport need not be reported
	 */
	default McpClientTransport create(McpServerDefinition definition, Consumer<McpDiagnosis.Step> steps) {
		return create(definition);
	}

}
