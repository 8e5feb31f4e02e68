package io.github.mcpclient.transport;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.jspecify.annotations.Nullable;

/**
 * All transport factories of an application, by type. Immutable.
 */
public final class McpTransportFactories {

	private final Map<String, McpTransportFactory> factories = new LinkedHashMap<>();

	private final List<Set<String>> types = new ArrayList<>();

	private final @Nullable List<String> allowed;

	/**
	 * Create a collection of factories.
	 * @param factories the factories; of two that make the same type, the first wins
	 * @param allowed the types that servers may have, in any spelling, or {@code null}
	 * for all
	 */
	public McpTransportFactories(Collection<McpTransportFactory> factories, @Nullable List<String> allowed) {
		this.allowed = allowed;
		for (McpTransportFactory factory : factories) {
			this.types.add(factory.types());
			factory.types().forEach((type) -> this.factories.putIfAbsent(key(type), factory));
		}
	}

	/**
	 * Return the types that can be configured.
	 * @return one set for each factory, its canonical type first and then the aliases
	 */
	public Collection<Set<String>> types() {
		return List.copyOf(this.types);
	}

	/**
	 * Make a transport for one attempt to connect.
	 * @param definition the server to connect to
	 * @throws IllegalStateException if no factory makes the definition's type, or the
	 * type is not allowed
	 */
	public McpClientTransport create(McpServerDefinition definition) {
		McpTransportFactory factory = this.factories.get(key(definition.type()));
		if (factory == null) {
			throw new IllegalStateException("No transport of type '" + definition.type() + "'; there are "
					+ String.join(", ", this.types.stream().flatMap(Collection::stream).toList()));
		}
		if (!isAllowed(factory)) {
			throw new IllegalStateException("MCP server '" + definition.name() + "' is of type '" + definition.type()
					+ "', which mcp.transports does not allow");
		}
		if (definition.typeInferred() && !isAllowed(this.factories.get(key(McpServerDefinition.SSE)))) {
			// nothing else is tried where streamable HTTP is refused
			return factory.create(definition.mutate().typeInferred(false).build());
		}
		return factory.create(definition);
	}

	private boolean isAllowed(@Nullable McpTransportFactory factory) {
		return this.allowed == null || factory != null
				&& this.allowed.stream().anyMatch((type) -> this.factories.get(key(type.strip())) == factory);
	}

	private static String key(String type) {
		return type.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
	}

}
