package io.github.mcpclient.spi;

import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.McpDiagnosis;
import io.modelcontextprotocol.spec.McpClientTransport;

/**
 * Strategy interface that creates transports of one or more types. A bean of this type
 * adds its types to the built-in types, and replaces a built-in type of the same name.
 * Implementations must be thread-safe.
 */
public interface McpTransportFactory {

	/**
	 * Return the transport types that this factory creates. The first one is the
	 * canonical type, the others are its aliases.
	 * @return the types, as specified at {@code mcp.servers.<name>.type}
	 */
	Set<String> types();

	/**
	 * Create a transport for one attempt to connect. Must not block: the transport
	 * connects when it is subscribed to. Each call must return a new instance.
	 * @param definition the server to connect to;
	 * {@linkplain McpServerDefinition#options() options} of a custom type are set at
	 * {@code mcp.servers.<name>.options}
	 * @return a new transport; a {@link SupervisedTransport} reports its end immediately,
	 * any other transport only when a message cannot be sent
	 */
	McpClientTransport create(McpServerDefinition definition);

	/**
	 * Create a transport for a
	 * {@linkplain io.github.mcpclient.management.ManagedMcpServer#diagnose() check} of a
	 * server, which is discarded afterwards. By default, this is a new transport like
	 * that of any connection, and the check has only the steps that are common to all
	 * transports.
	 * @param steps accepts, on any thread and until the transport is closed, each step on
	 * the way to the server: first as {@code SKIPPED}, then with its outcome, since the
	 * latest step of each kind is used. A failure that ends the transport need not be
	 * reported
	 */
	default McpClientTransport create(McpServerDefinition definition, Consumer<McpDiagnosis.Step> steps) {
		return create(definition);
	}

}
