package io.github.mcpclient.config;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.validation.ValidatedDefinitions;

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
		return ValidatedDefinitions.of(types, config.properties().transports(), config.servers(types), authTypes);
	}

}
