package io.github.mcpclient.internal.assembly;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.spi.McpTransportFactory;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.jspecify.annotations.Nullable;

/**
 * A built-in transport whose classes are not loaded before a server needs it.
 */
final class BuiltInTransport implements McpTransportFactory {

	private final Set<String> types;

	private final Supplier<McpTransportFactory> source;

	private volatile @Nullable McpTransportFactory factory;

	/**
	 * Create an instance.
	 * @param types the spellings of its type, the canonical one first, separated by
	 * commas
	 * @param source creates the factory
	 */
	BuiltInTransport(String types, Supplier<McpTransportFactory> source) {
		this.types = Collections.unmodifiableSet(new LinkedHashSet<>(List.of(types.split(","))));
		this.source = source;
	}

	@Override
	public Set<String> types() {
		return this.types;
	}

	@Override
	public McpClientTransport create(McpServerDefinition definition) {
		return load().create(definition);
	}

	@Override
	public McpClientTransport create(McpServerDefinition definition, Consumer<McpDiagnosis.Step> steps) {
		return load().create(definition, steps);
	}

	McpTransportFactory load() {
		McpTransportFactory loaded = this.factory;
		if (loaded == null) {
			// no lock, since the source calls the bean factory: a second instance is
			// harmless
			loaded = this.source.get();
			this.factory = loaded;
		}
		return loaded;
	}

}
