package io.github.mcpclient.internal.assembly;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.spi.McpTransportFactory;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * All transport factories, by type. Immutable.
 */
final class TransportFactories {

	private final List<McpTransportFactory> all;

	private final Map<String, McpTransportFactory> byType = new LinkedHashMap<>();

	private final @Nullable List<String> allowed;

	/**
	 * Create a collection of factories.
	 * @param factories the factories; if two factories create the same type, the first
	 * one is used
	 * @param allowed the allowed types of servers, in any spelling, or {@code null} for
	 * all
	 */
	TransportFactories(List<McpTransportFactory> factories, @Nullable List<String> allowed) {
		this.all = factories;
		this.allowed = allowed;
		factories.forEach((factory) -> factory.types()
			.forEach((type) -> this.byType.putIfAbsent(PropertyNames.uniform(type), factory)));
	}

	/**
	 * Return the types that can be configured.
	 * @return one set for each factory, its canonical type first and then the aliases
	 */
	Collection<Set<String>> types() {
		return this.all.stream().map(McpTransportFactory::types).toList();
	}

	/**
	 * Return a supplier that {@linkplain #create creates} the transports of a server,
	 * whose type is known. The bean factory is used immediately, not later on the threads
	 * of attempts.
	 */
	Supplier<McpClientTransport> of(McpServerDefinition definition) {
		if (find(definition.type()) instanceof BuiltInTransport transport) {
			transport.load();
		}
		return () -> create(definition);
	}

	/**
	 * Create a transport for one attempt to connect.
	 * @throws IllegalStateException if the type is not allowed
	 */
	McpClientTransport create(McpServerDefinition definition) {
		return create(definition, McpTransportFactory::create);
	}

	/**
	 * Create a transport for a check, which reports its steps.
	 * @throws IllegalStateException if the type is not allowed
	 */
	McpClientTransport create(McpServerDefinition definition, Consumer<McpDiagnosis.Step> steps) {
		return create(definition, (factory, allowed) -> factory.create(allowed, steps));
	}

	private McpClientTransport create(McpServerDefinition definition,
			BiFunction<McpTransportFactory, McpServerDefinition, McpClientTransport> how) {
		McpTransportFactory factory = find(definition.type());
		Assert.state(factory != null && isAllowed(factory), () -> "MCP server '" + definition.name() + "' is of type '"
				+ definition.type() + "', which mcp.transports does not allow");
		// there is no fallback if streamable HTTP is rejected
		boolean alone = definition.typeInferred() && !isAllowed(find(McpServerDefinition.SSE));
		return how.apply(factory, alone ? definition.mutate().typeInferred(false).build() : definition);
	}

	private boolean isAllowed(@Nullable McpTransportFactory factory) {
		return this.allowed == null || this.allowed.stream().anyMatch((type) -> find(type.strip()) == factory);
	}

	private @Nullable McpTransportFactory find(String type) {
		return this.byType.get(PropertyNames.uniform(type));
	}

}
