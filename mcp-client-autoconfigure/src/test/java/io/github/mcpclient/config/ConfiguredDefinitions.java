package io.github.mcpclient.config;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.rules.McpServerDefinitions;
import io.github.mcpclient.rules.McpServerDefinitions.DefinedServer;

import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The definitions of a configuration, validated as in an application.
 */
public final class ConfiguredDefinitions {

	private ConfiguredDefinitions() {
	}

	public static List<McpServerDefinition> of(ConfigurableEnvironment environment, Collection<Set<String>> types,
			String... authTypes) {
		return of(new McpServersConfig(environment, List.of(), null, Set.of(authTypes)), types, authTypes);
	}

	public static List<McpServerDefinition> of(McpServersConfig config, Collection<Set<String>> types,
			String... authTypes) {
		return new McpServerDefinitions(types, config.properties().transports(), Set.of(authTypes), List.of(),
				Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
				(type) -> true, (definition) -> null)
			.of(config.servers(types), List.of(), List.of())
			.stream()
			.map(DefinedServer::definition)
			.toList();
	}

}
