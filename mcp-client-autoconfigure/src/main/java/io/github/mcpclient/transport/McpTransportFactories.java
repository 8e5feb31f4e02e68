package io.github.mcpclient.transport;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import io.modelcontextprotocol.spec.McpClientTransport;

/**
 * All transport factories of an application, by type. Immutable.
 */
public final class McpTransportFactories {

	private final Map<String, McpTransportFactory> factories = new LinkedHashMap<>();

	private final List<Set<String>> types = new ArrayList<>();

	/**
	 * Create a collection of factories.
	 * @param factories the factories; of two that make the same type, the first wins
	 */
	public McpTransportFactories(Collection<McpTransportFactory> factories) {
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
	 * @return a new transport
	 * @throws IllegalStateException if no factory makes the definition's type
	 */
	public McpClientTransport create(McpServerDefinition definition) {
		McpTransportFactory factory = this.factories.get(key(definition.type()));
		if (factory == null) {
			throw new IllegalStateException("No transport of type '" + definition.type() + "'; there are "
					+ String.join(", ", this.types.stream().flatMap(Collection::stream).toList()));
		}
		return factory.create(definition);
	}

	private static String key(String type) {
		return type.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
	}

}
